from hypothesis import given
from oracles.scalar_programs import assert_same_bits, programs, states

from codegen.ir import Var
from codegen.passes.remove_dead_code import remove_dead_code
from codegen.passes.rewriting import use_counts


@given(programs())
def test_every_remaining_equation_is_used(program):
    assert all(n > 0 for n in use_counts(remove_dead_code(program)))


@given(programs(), states())
def test_not_one_bit_changes(program, state):
    assert_same_bits(program, remove_dead_code(program), state)


@given(programs())
def test_outputs_without_variables_need_no_equation(program):
    if not any(isinstance(a, Var) for output in program.outputs for a in output.entries):
        assert remove_dead_code(program).equations == ()
