"""What a `RolledProgram` means: its blocks carried out one after the other, on scalars of any kind."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from codegen.interpret import NUMPY, Namespace, evaluate
from codegen.rolled.ir import Block, RolledProgram


def interpret_rolled(program: RolledProgram, inputs: Mapping[str, ArrayLike]) -> dict[str, NDArray[Any]]:
    """Each output as an array, for one state. What is read before it is written is NaN."""
    entries = {s.name: list(np.asarray(inputs[s.name], dtype=float).reshape(s.size)) for s in program.inputs}
    found = evaluate_rolled(program, entries)
    return {spec.name: np.array(found[spec.name], dtype=float).reshape(spec.shape) for spec in program.outputs}


def evaluate_rolled(
    program: RolledProgram, inputs: Mapping[str, Sequence[Any]], namespace: Namespace = NUMPY
) -> dict[str, list[Any]]:
    """Each output's entries, row-major, from each input's; numbers of tables are constants of the namespace."""
    arrays: dict[str, list[Any]] = {t.name: [namespace.constant(float(x)) for x in t.values] for t in program.tables}
    arrays |= {spec.name: list(inputs[spec.name]) for spec in program.inputs}
    for spec in (*program.outputs, *program.work):
        arrays[spec.name] = [namespace.constant(0.0 if spec.name in program.cleared else math.nan)] * spec.size
    for loop in program.loops:
        bodies = range(len(program.kinds))
        for k in reversed(bodies) if loop.downwards else bodies:
            for case in loop.cases:
                for block in case.blocks if program.kinds[k] in case.kinds else ():
                    _run(program, block, k, arrays, namespace)
    return {spec.name: arrays[spec.name] for spec in program.outputs}


def _run(program: RolledProgram, block: Block, k: int, arrays: Mapping[str, list[Any]], namespace: Namespace) -> None:
    indices = program.indices(k)
    over = range(1)
    if block.columns is not None:
        over = range(block.columns.start.value(indices), block.columns.stop.value(indices))
    for j in over:
        at = program.indices(k, j) if block.columns else indices
        given = {v.name: [arrays[v.array][v.base.value(at) + offset] for offset in v.offsets] for v in block.reads}
        found = evaluate(block.program, given, namespace)
        for view in block.writes:
            array, base = arrays[view.array], view.base.value(at)
            for offset, value in zip(view.offsets, found[view.name], strict=True):
                array[base + offset] = array[base + offset] + value if view.adds else value
