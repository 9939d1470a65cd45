"""Sums in the order in which their terms are known."""

from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.scalar_programs import CONSTANTS, INPUTS, assert_same_up_to_rounding, programs, states

from codegen.builder import ProgramBuilder
from codegen.cost import count
from codegen.ir import Const, Equation, Input, OutputSpec, ScalarProgram, Var, check
from codegen.passes.add_latest_last import add_latest_last


def ordered(make):
    b = ProgramBuilder()
    a, *x = b.input("x", (5,))
    program = add_latest_last(b.program("p", {"y": make(b, a, *x)}))
    return [line for line in str(program).splitlines() if line.startswith("v")]


def test_what_waits_for_a_division_is_added_last():
    assert ordered(lambda b, a, x, y, z, w: 1 / a + x + y)[1:] == ["v1 = x[2] + x[1]", "v2 = v1 + v0"]


def test_a_product_counts_from_its_factors():
    lines = ordered(lambda b, a, x, y, z, w: (x + y) * z + 1 / a - w * w)
    assert lines[-1] == "v5 = v4 + v2"  # 1/a, behind the product and the square


def test_the_latest_term_may_be_the_only_positive_one():
    assert ordered(lambda b, a, x, y, z, w: 1 / a - x - y)[1:] == ["v1 = x[1] + x[2]", "v2 = v0 - v1"]


def test_sums_used_twice_stay():
    lines = ordered(lambda b, a, x, y, z, w: [(1 / a + x) + y, (1 / a + x) * z])
    assert "v1 = x[1] + v0" in lines or "v1 = v0 + x[1]" in lines


def test_constants_of_a_sum_become_one():
    lines = ordered(lambda b, a, x, y, z, w: (x + 1.5) + y - 4.0 + z)
    assert lines[0].endswith("- 2.5")
    assert len(lines) == 3
    assert ordered(lambda b, a, x, y, z, w: 4.0 - (y - (1.5 - x))) == ["v0 = 5.5 - x[2]", "v1 = v0 - x[1]"]


def test_a_constant_is_negative_where_no_other_term_is_positive():
    assert ordered(lambda b, a, x, y, z, w: 1.5 - x - (y + 4.0)) == ["v0 = -2.5 - x[1]", "v1 = v0 - x[2]"]
    assert ordered(lambda b, a, x, y, z, w: 1.5 - x - (y - 4.0)) == ["v0 = 5.5 - x[1]", "v1 = v0 - x[2]"]


@st.composite
def sums(draw):
    """A program of one sum of inputs and constants of either sign, put together in any order."""
    equations = []
    inputs = st.builds(Input, st.just(INPUTS[0].name), st.integers(0, INPUTS[0].size - 1))
    constants = st.sampled_from(CONSTANTS).map(Const)
    terms = draw(st.lists(st.one_of(inputs, constants), min_size=2, max_size=8))
    while len(terms) > 1:
        pair = tuple(terms.pop(draw(st.integers(0, len(terms) - 1))) for _ in (1, 2))
        equations.append(Equation(draw(st.sampled_from(("add", "sub"))), pair))
        terms.append(Var(len(equations) - 1))
    return check(ScalarProgram("sum", INPUTS, (OutputSpec("y", (), tuple(terms)),), tuple(equations)))


@settings(deadline=None)
@given(sums(), states())
def test_sums_with_constants_keep_their_values(program, state):
    assert_same_up_to_rounding(program, add_latest_last(program), state)


def constants(program):
    return any(type(atom) is Const for equation in program.equations for atom in equation.operands)


@settings(deadline=None)
@given(programs())
def test_operations_are_the_same_but_for_constants(program):
    before, after = count(program), count(add_latest_last(program))
    assert after == before if not constants(program) else after.additions <= before.additions
