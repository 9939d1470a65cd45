"""Constant folding: the program is carried out on a builder's scalars, so every local rule of `builder.py` applies again.

That folds constants in float64, drops 0 and ±1, hoists signs, and merges what then became equal. A quotient by a constant
zero raises ZeroDivisionError and a constant that overflows OverflowError: such a program has no meaning to preserve.
"""

from __future__ import annotations

from codegen.ir import ScalarProgram
from codegen.passes.replay import Replay


def fold_constants(program: ScalarProgram) -> ScalarProgram:
    """The same function, simplified locally; equations nothing uses any more are still there."""
    replay = Replay(program)
    for position, equation in enumerate(program.equations):
        replay.values[position] = replay.applied(equation)
    return replay.finish()
