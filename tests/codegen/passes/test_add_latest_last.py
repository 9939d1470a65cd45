"""Sums in the order in which their terms are known."""

from hypothesis import given, settings
from oracles.scalar_programs import programs

from codegen.builder import ProgramBuilder
from codegen.cost import count
from codegen.ir import Const
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


def constants(program):
    return any(type(atom) is Const for equation in program.equations for atom in equation.operands)


@settings(deadline=None)
@given(programs())
def test_operations_are_the_same_but_for_constants(program):
    before, after = count(program), count(add_latest_last(program))
    assert after == before if not constants(program) else after.additions <= before.additions
