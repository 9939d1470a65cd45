import pytest
from hypothesis import given
from oracles.scalar_programs import assert_same_bits, programs, states

from codegen.builder import ProgramBuilder
from codegen.ir import ArraySpec, Const, Equation, Input, OutputSpec, ScalarProgram, Var, check
from codegen.passes.absorb_negations import absorb_negations


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (lambda x, y, z: -(x - y), ["v0 = x[1] - x[0]"]),
        (lambda x, y, z: -(2 * x), ["v0 = -2.0 * x[0]"]),
        (lambda x, y, z: -((x - y) * z), ["v0 = x[1] - x[0]", "v1 = x[2] * v0"]),
        (lambda x, y, z: -(z / (x - y)), ["v0 = x[1] - x[0]", "v1 = x[2] / v0"]),
        (lambda x, y, z: -(2 * x + y), ["v0 = -2.0 * x[0]", "v1 = v0 - x[1]"]),
        (lambda x, y, z: -(1 + x), ["v0 = -1.0 - x[0]"]),
        (lambda x, y, z: -(x * y), ["v0 = x[0] * x[1]", "v1 = -v0"]),
        (lambda x, y, z: -(x + y), ["v0 = x[0] + x[1]", "v1 = -v0"]),
    ],
)
def test_negation_moves_into_what_it_negates(expression, expected):
    b = ProgramBuilder()
    program = absorb_negations(b.program("p", {"y": expression(*b.input("x", (3,)))}))
    assert [line for line in str(program).splitlines() if line.startswith("v")] == expected


def test_a_value_with_another_use_keeps_its_sign():
    b = ProgramBuilder()
    x, y = b.input("x", (2,))
    program = b.program("p", {"y": [x - y, y - x]})
    assert absorb_negations(program) == program


def test_what_a_negation_takes_with_it_is_gone():
    """Builders write no −(−a), passes may."""
    x, y = (Input("x", i) for i in range(2))
    for first in (x, Const(3.0)):
        equations = (
            Equation("neg", (first,)),
            Equation("add", (Var(0), y)),
            Equation("neg", (Var(1),)),
            Equation("neg", (Var(2),)),
            Equation("neg", (Var(3),)),
        )
        arrays = (ArraySpec("x", (2,)),), (OutputSpec("y", (), (Var(4),)),)
        program = absorb_negations(check(ScalarProgram("p", *arrays, equations)))
        assert program.equations == (Equation("sub", (first, y)),)


@given(programs(), states())
def test_not_one_bit_changes(program, state):
    assert_same_bits(program, absorb_negations(program), state)
