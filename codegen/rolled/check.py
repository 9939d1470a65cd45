"""The checker of rolled programs: views fit their blocks, and no body and no column leaves an array."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np

from codegen.errors import ProgramError
from codegen.ir import check
from codegen.rolled.ir import INDICES, Block, Case, RolledProgram


def check_rolled(program: RolledProgram) -> RolledProgram:
    """The same program; ProgramError where it breaks its grammar or leaves an array at some body."""
    sizes = {spec.name: spec.size for _, specs in program.arrays for spec in specs}
    readable = sizes | {table.name: len(table.values) for table in program.tables}
    writable = sizes.keys() - {spec.name for spec in program.inputs}
    names = [*INDICES, *(t.name for t in program.tables), *(s.name for _, specs in program.arrays for s in specs)]
    if clash := sorted({name for name in names if names.count(name) > 1}):
        _fail(program, f"{', '.join(clash)} is the name of two arrays or indices")
    for loop in program.loops:
        named = [kind for case in loop.cases for kind in case.kinds]
        if len(set(named)) != len(named):
            _fail(program, f"two cases of '{loop.heading}' are of one kind")
    for case, block in program.blocks:
        check(block.program)
        for views, specs in ((block.reads, block.program.inputs), (block.writes, block.program.outputs)):
            if [(v.name, len(v.offsets)) for v in views] != [(s.name, s.size) for s in specs]:
                _fail(program, f"the views of a block for {case.label} are not its program's arrays")
        for view in (*block.reads, *block.writes):
            if view.array not in (readable if view in block.reads else writable):
                _fail(program, f"{view.name} is of the array {view.array}, which is not there for that")
        _check_places(program, case, block, readable)
    return program


def _check_places(program: RolledProgram, case: Case, block: Block, sizes: Mapping[str, int]) -> None:
    """All bodies at once; columns are contiguous, so the first and the last are enough where a place grows with them."""
    k = program.bodies(case)
    k = k[program.trips(block, k) > 0]
    for j in _columns(program, block, k):
        indices = program.indices(k, j)
        for view in (*block.reads, *block.writes):
            places = view.base.value(indices) + np.zeros_like(k)
            outside = (places + min(view.offsets) < 0) | (places + max(view.offsets) >= sizes[view.array])
            if outside.any():
                _fail(program, f"{view.name} leaves {view.array} at body {k[outside][0]}")


def _columns(program: RolledProgram, block: Block, k: Any) -> list[Any]:
    if block.columns is None:
        return [None]
    indices = program.indices(k)
    return [block.columns.start.value(indices), block.columns.stop.value(indices) - 1]


def _fail(program: RolledProgram, what: str) -> NoReturn:
    raise ProgramError(f"rolled program {program.name}: {what}")
