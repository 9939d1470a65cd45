from hypothesis import given
from oracles.scalar_programs import assert_same_bits, programs, states

from codegen.ir import ArraySpec, Equation, Input, OutputSpec, ScalarProgram, Var
from codegen.passes.merge_common_subexpressions import merge_common_subexpressions

X, Y = Input("x", 0), Input("x", 1)


def test_equal_operations_are_one_and_commutative_operands_have_no_order():
    equations = (
        Equation("mul", (X, Y)),
        Equation("mul", (Y, X)),
        Equation("sub", (X, Y)),
        Equation("sub", (Y, X)),
        Equation("add", (Var(0), Var(2))),
        Equation("add", (Var(2), Var(1))),
    )
    program = ScalarProgram("p", (ArraySpec("x", (2,)),), (OutputSpec("y", (2,), (Var(4), Var(5))),), equations)
    merged = merge_common_subexpressions(program)
    assert [e.op for e in merged.equations] == ["mul", "sub", "sub", "add"]
    assert merged.outputs[0].entries == (Var(3), Var(3))


@given(programs(), states())
def test_not_one_bit_changes(program, state):
    assert_same_bits(program, merge_common_subexpressions(program), state)


@given(programs())
def test_no_two_equations_are_equal(program):
    merged = merge_common_subexpressions(program)
    assert len({(e.op, e.operands) for e in merged.equations}) == len(merged.equations)
