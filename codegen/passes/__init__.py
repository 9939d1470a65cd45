"""Passes: functions from `ScalarProgram` to `ScalarProgram` that keep its values up to rounding, one per file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from codegen.ir import ScalarProgram, check
from codegen.passes.absorb_negations import absorb_negations
from codegen.passes.add_latest_last import add_latest_last
from codegen.passes.cancel_terms import cancel_terms
from codegen.passes.factor_products import factor_products
from codegen.passes.fold_constants import fold_constants
from codegen.passes.merge_common_subexpressions import merge_common_subexpressions
from codegen.passes.reduce_strength import reduce_strength
from codegen.passes.remove_dead_code import remove_dead_code
from codegen.passes.schedule_for_registers import schedule_for_registers

Pass: TypeAlias = Callable[[ScalarProgram], ScalarProgram]

DEFAULT_PASSES: tuple[Pass, ...] = (
    remove_dead_code,  # before the passes that look at who uses what
    cancel_terms,
    fold_constants,
    remove_dead_code,
    factor_products,
    remove_dead_code,
    reduce_strength,
    absorb_negations,
    add_latest_last,
    merge_common_subexpressions,  # after the passes that can make equations equal (folding merges by itself)
    schedule_for_registers,
)


def run_passes(program: ScalarProgram, passes: Sequence[Pass] = DEFAULT_PASSES) -> ScalarProgram:
    """The program after these passes, checked before and after each; ProgramError names the pass that broke it."""
    check(program)
    for run in passes:
        try:
            program = check(run(program))
        except Exception as error:
            error.add_note(f"in pass {getattr(run, '__name__', run)}")
            raise
    return program
