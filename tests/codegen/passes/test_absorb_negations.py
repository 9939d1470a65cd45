import pytest
from hypothesis import given
from oracles.scalar_programs import assert_same_bits, programs, states

from codegen.builder import ProgramBuilder
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


@given(programs(), states())
def test_not_one_bit_changes(program, state):
    assert_same_bits(program, absorb_negations(program), state)
