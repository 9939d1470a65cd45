"""The last steps to a `RolledProgram`: what nobody reads is dropped, blocks are optimised, equal cases become one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from operator import or_
from typing import TypeAlias

from codegen.backends.formulas import used_inputs
from codegen.ir import ArraySpec, Atom, Input, OutputSpec, Var
from codegen.passes import run_passes
from codegen.passes.remove_dead_code import remove_dead_code
from codegen.rolled.arrange import Arrangement
from codegen.rolled.check import check_rolled
from codegen.rolled.ir import INDICES, Block, Case, Columns, Form, Loop, RolledProgram, Table, View
from codegen.rolled.memory import Memory

Place: TypeAlias = tuple[str, int, bool]  # array, offset in its rows, whether of bodies that carry the tip


def finished(
    name: str,
    robot: Arrangement,
    memory: Memory,
    loops: Sequence[Loop],
    inputs: Sequence[ArraySpec],
    outputs: Sequence[ArraySpec],
) -> RolledProgram:
    """The checked program of traced loops."""
    public = {spec.name for spec in outputs}
    kept = _without_unneeded(loops, robot, public)
    plain = _plain_indices(robot)
    merged = [_merged(loop) for loop in kept if loop.cases]
    final = tuple(_mapped(loop, lambda block: _renamed(_optimised(block), plain)) for loop in merged)
    blocks = [block for loop in final for case in loop.cases for block in case.blocks]
    arrays = {view.array for block in blocks for view in (*block.reads, *block.writes)}
    indices = {index for block in blocks for index in block.indices}
    looked_up = {INDICES[index][0] for index in indices if index in INDICES}
    work = [a for a in sorted(arrays) if a not in robot.tables and a not in public | {s.name for s in inputs}]
    added = {view.array for block in blocks for view in block.writes if view.adds}
    matrices = {spec.name for spec in outputs if len(spec.shape) == 2}
    unwritten = {spec.name for spec in outputs if not _is_covered(spec, final, robot)}
    return check_rolled(
        RolledProgram(
            name,
            tuple(inputs),
            tuple(outputs),
            tuple(table for table in robot.tables.values() if table.name in arrays | looked_up),
            tuple(ArraySpec(a, (_size(a, robot, memory),)) for a in work),
            tuple(sorted(added | (matrices & public) | unwritten)),
            robot.kind_numbers,
            final,
        )
    )


def _is_covered(spec: ArraySpec, loops: Iterable[Loop], robot: Arrangement) -> bool:
    """Whether all bodies write the output, so that no entry of a vector is left out."""
    writers = {
        kind
        for loop in loops
        for case in loop.cases
        if any(view.array == spec.name for block in case.blocks for view in block.writes)
        for kind in case.kinds
    }
    if not writers:
        return not spec.size
    alone = len(writers) == 1 and robot.kinds[next(iter(writers))].has_tip  # what the tip's body alone writes, whole
    return alone or writers == set(range(len(robot.kinds)))


def _size(array: str, robot: Arrangement, memory: Memory) -> int:
    nc = robot.columns
    if array in memory.climbing:
        return 6 * nc * (robot.n + 1) if memory.is_summed(array) else 6 * nc
    if array in memory.rows:
        return 6 * nc * (1 + max(robot.slots))
    if array in memory.matrix_sizes:
        return memory.matrix_sizes[array]
    return memory.width(array) * (robot.n + 1)


def _mapped(loop: Loop, change: Callable[[Block], Block]) -> Loop:
    cases = [replace(case, blocks=tuple(map(change, case.blocks))) for case in loop.cases]
    return replace(loop, cases=tuple(cases))


# -- what nobody needs --------------------------------------------------------------------------------------------------------


def _without_unneeded(loops: Sequence[Loop], robot: Arrangement, public: set[str]) -> list[Loop]:
    """The loops without writes to entries of the work memory that no output depends on."""
    carrying = [kind.carries_tip for kind in robot.kinds]
    cases = [case for loop in loops for case in loop.cases]
    needs = [need for case in cases for block in case.blocks for need in _needs(block, carrying[case.kinds[0]])]
    live: set[Place] = set()
    found = True
    while found:
        found = False
        for array, written, read in needs:
            if (array in public or not live.isdisjoint(written)) and not read <= live:
                live |= read
                found = True

    def kept(case: Case) -> Case:
        blocks = (_writing(block, carrying[case.kinds[0]], live, public) for block in case.blocks)
        return replace(case, blocks=tuple(_trimmed(block) for block in blocks if block.writes))

    return [replace(loop, cases=tuple(c for c in map(kept, loop.cases) if c.blocks)) for loop in loops]


def _needs(block: Block, carries_tip: bool) -> Iterator[tuple[str, frozenset[Place], set[Place]]]:
    """For each entry the block writes: its array, its places, and the places its value is worked out from."""
    views = {view.name: view for view in block.reads}
    places = sorted(
        {p for view in block.reads for i in range(len(view.offsets)) for p in _places(view, i, carries_tip)}
    )
    bit = {place: 1 << i for i, place in enumerate(places)}
    masks: list[int] = []

    def mask(atom: Atom) -> int:
        if type(atom) is Var:
            return masks[atom.index]
        if type(atom) is not Input:
            return 0
        return reduce(or_, (bit[place] for place in _places(views[atom.array], atom.index, carries_tip)))

    for equation in block.program.equations:
        found = reduce(or_, map(mask, equation.operands))
        masks.append(found)
    for view, output in zip(block.writes, block.program.outputs, strict=True):
        for i, atom in enumerate(output.entries):
            needed = mask(atom)
            yield view.array, _places(view, i, carries_tip), {place for place in places if needed & bit[place]}


def _places(view: View, entry: int, carries_tip: bool) -> frozenset[Place]:
    """Where an entry may be, seen from a body that carries the tip or not: the parent of one that does carries it too.

    Only entries in a body's row are told apart.
    """
    index = view.base.terms[0][1] if len(view.base.terms) == 1 else ""
    if index not in ("k", "p"):
        return frozenset({(view.array, 0, False)})
    either = (True,) if carries_tip else (False, True) if index == "p" else (False,)
    return frozenset((view.array, view.offsets[entry], carries) for carries in either)


def _writing(block: Block, carries_tip: bool, live: set[Place], public: set[str]) -> Block:
    """The block with only the writes that matter."""
    views, specs = [], []
    for view, spec in zip(block.writes, block.program.outputs, strict=True):
        needed = (view.array in public or not live.isdisjoint(_places(view, i, carries_tip)) for i in range(spec.size))
        wanted = [i for i, is_needed in enumerate(needed) if is_needed]
        if wanted:
            views.append(replace(view, offsets=tuple(view.offsets[i] for i in wanted)))
            specs.append(OutputSpec(spec.name, (len(wanted),), tuple(spec.entries[i] for i in wanted)))
    return replace(block, program=replace(block.program, outputs=tuple(specs)), writes=tuple(views))


def _trimmed(block: Block) -> Block:
    """The block without dead code and views that are not used."""
    program = remove_dead_code(block.program)
    used = used_inputs(program)
    program = replace(program, inputs=tuple(spec for spec in program.inputs if spec.name in used))
    return replace(block, program=program, reads=tuple(view for view in block.reads if view.name in used))


# -- optimised, merged, with plain indices ------------------------------------------------------------------------------------


def _optimised(block: Block) -> Block:
    return _trimmed(replace(block, program=run_passes(block.program)))


def _plain_indices(robot: Arrangement) -> dict[str, str]:
    """Indices whose table says nothing: entry i is i."""

    def says_nothing(table: Table) -> bool:
        return table.values == tuple(range(len(table.values)))

    return {index: of for index, (table, of) in INDICES.items() if says_nothing(robot.tables[table])}


def _renamed(block: Block, plain: Mapping[str, str]) -> Block:
    def form(f: Form) -> Form:
        total: dict[str, int] = {}
        for coefficient, index in f.terms:
            total[plain.get(index, index)] = total.get(plain.get(index, index), 0) + coefficient
        return Form(tuple((coefficient, index) for index, coefficient in total.items()), f.constant)

    def view(v: View) -> View:
        return replace(v, base=form(v.base))

    over = block.columns and Columns(form(block.columns.start), form(block.columns.stop))
    return replace(block, reads=tuple(map(view, block.reads)), writes=tuple(map(view, block.writes)), columns=over)


def _merged(loop: Loop) -> Loop:
    """Cases with the same blocks as one; its label is what theirs have in common."""
    found: dict[tuple[Block, ...], Case] = {}
    for case in loop.cases:
        if (same := found.get(case.blocks)) is not None:
            words = [word for word in same.label.split(", ") if word in case.label.split(", ")]
            case = Case((*same.kinds, *case.kinds), ", ".join(words), case.blocks)
        found[case.blocks] = case
    return replace(loop, cases=tuple(found.values()))
