"""Constant folding: the program is carried out on a builder's scalars, so every local rule of `builder.py` applies again.

That folds constants in float64, drops 0 and ±1, hoists signs, and merges what then became equal. A quotient by a constant
zero raises ZeroDivisionError and a constant that overflows OverflowError: such a program has no meaning to preserve.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from codegen.builder import ProgramBuilder
from codegen.ir import OPERATIONS, Atom, Const, Input, ScalarProgram, Var


def fold_constants(program: ScalarProgram) -> ScalarProgram:
    """The same function, simplified locally; equations nothing uses any more are still there."""
    builder = ProgramBuilder()
    inputs = {spec.name: np.ravel(builder.input(spec.name, spec.shape)) for spec in program.inputs}
    meaning = {name: row.meaning or getattr(builder, name) for name, row in OPERATIONS.items()}
    values: list[Any] = []

    def value(atom: Atom) -> Any:
        if type(atom) is Var:
            return values[atom.index]
        if type(atom) is Input:
            return inputs[atom.array][atom.index]
        assert type(atom) is Const
        return atom.value

    for op, operands, origin in program.equations:
        with builder.origin(*origin):
            values.append(meaning[op](*map(value, operands)))
    outputs = {}
    for output in program.outputs:
        entries = np.empty(output.size, dtype=object)
        entries[:] = [value(atom) for atom in output.entries]
        outputs[output.name] = entries.reshape(output.shape)
    return builder.program(program.name, outputs)
