import numpy as np
import pytest
from hypothesis import given, settings
from oracles.scalar_programs import assert_same_up_to_rounding, programs, states

from codegen.builder import ProgramBuilder
from codegen.cost import count, weight
from codegen.errors import ProgramError
from codegen.ir import Equation, Var
from codegen.passes import (
    DEFAULT_PASSES,
    absorb_negations,
    fold_constants,
    merge_common_subexpressions,
    reduce_strength,
    remove_dead_code,
    run_passes,
    schedule_for_registers,
)

EVERY_PASS = tuple(dict.fromkeys(DEFAULT_PASSES))
CHEAPER = (fold_constants, merge_common_subexpressions, remove_dead_code, reduce_strength, absorb_negations)


@pytest.mark.parametrize("run", EVERY_PASS)
@settings(max_examples=60, deadline=None)
@given(programs(), states())
def test_pass_keeps_every_value_up_to_rounding(run, program, state):
    assert_same_up_to_rounding(program, run_passes(program, (run,)), state)


@settings(deadline=None)
@given(programs(), states())
def test_all_passes_together_keep_every_value_up_to_rounding(program, state):
    assert_same_up_to_rounding(program, run_passes(program), state)


@pytest.mark.parametrize("run", CHEAPER)
@settings(max_examples=60, deadline=None)
@given(programs())
def test_pass_never_costs(run, program):
    assert weight(run(program)) <= weight(program)


@settings(deadline=None)
@given(programs())
def test_only_strength_reduction_trades_one_count_for_another(program):
    for run in (
        fold_constants,
        merge_common_subexpressions,
        remove_dead_code,
        absorb_negations,
        schedule_for_registers,
    ):
        assert count(run(program)).total <= count(program).total


IDEMPOTENT = (merge_common_subexpressions, remove_dead_code, reduce_strength, absorb_negations)


@pytest.mark.parametrize("run", IDEMPOTENT)
@settings(max_examples=60, deadline=None)
@given(programs())
def test_pass_is_idempotent(run, program):
    once = run(program)
    assert run(once) == once


@settings(max_examples=60, deadline=None)
@given(programs())
def test_folding_a_second_time_costs_nothing_more(program):
    once = remove_dead_code(fold_constants(program))
    assert count(remove_dead_code(fold_constants(once))).total <= count(once).total


@given(programs())
def test_interface_is_kept(program):
    after = run_passes(program)
    assert (after.name, after.inputs) == (program.name, program.inputs)
    assert [(s.name, s.shape) for s in after.outputs] == [(s.name, s.shape) for s in program.outputs]


def test_pass_that_breaks_a_program_is_named():
    def spoil(program):
        return type(program)(program.name, (), program.outputs, (Equation("neg", (Var(0),)),))

    program = ProgramBuilder().program("p", {"y": np.zeros(2)})
    with pytest.raises(ProgramError) as caught:
        run_passes(program, (spoil,))
    assert caught.value.__notes__ == ["in pass spoil"]
