"""`RolledProgram`: one function of one robot as loops over its bodies, whose insides are `ScalarProgram`s.

    program  ::=  clear* loop*                             arrays set to zero, then loops, in this order
    loop     ::=  direction case*                          over all bodies, parents first or children first
    case     ::=  KIND+ block*                             what is done at a body of these kinds; other kinds: nothing
    block    ::=  [columns] ScalarProgram view*            straight-line code, once or for every column j of a range
    view     ::=  NAME 'is' ARRAY '[' form ']' …           where the inputs and outputs of that code are
    form     ::=  INT ('+' INT '*' INDEX)*
    INDEX    ::=  'k' | 'j' | a name of `INDICES`          the body, the column, and what integer tables say of them

An array is an argument, a piece of the work memory, or a table of constants. A view is read before the block writes; several
views may be of one array. A written view is assigned, or added to what is there.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from codegen.cost import OperationCount, count
from codegen.ir import ArraySpec, ScalarProgram

#: an index → the integer table that gives it, and the index it is looked up with
INDICES: Mapping[str, tuple[str, str]] = {
    "p": ("parent", "k"),
    "x": ("coordinate", "k"),
    "v": ("rate", "k"),
    "b": ("body", "k"),
    "w": ("column", "k"),
    "e": ("column_end", "k"),
    "t": ("tree_start", "k"),
    "l": ("tree_end", "k"),
    "s": ("slot", "k"),
    "u": ("slot", "p"),
    "c": ("column_rate", "j"),
}


@dataclass(frozen=True)
class Table:
    """Constants, `width` to a row; integers or floats."""

    name: str
    width: int
    values: tuple[float, ...] | tuple[int, ...]

    @cached_property
    def is_integer(self) -> bool:
        """Whether it holds indices."""
        return all(type(value) is int for value in self.values)


@dataclass(frozen=True)
class Form:
    """constant + Σ coefficient · index."""

    terms: tuple[tuple[int, str], ...] = ()
    constant: int = 0

    def value(self, indices: Mapping[str, Any]) -> Any:
        """What it is where the indices have these values, numbers or arrays."""
        return self.constant + sum(coefficient * indices[index] for coefficient, index in self.terms)

    def __str__(self) -> str:
        parts = [index if coefficient == 1 else f"{coefficient}*{index}" for coefficient, index in self.terms]
        return "+".join([*parts, *([str(self.constant)] if self.constant or not parts else [])])


@dataclass(frozen=True)
class View:
    """What a block calls `name`: entry i is array[base + offsets[i]]. `adds`: what is written is added."""

    name: str
    array: str
    base: Form
    offsets: tuple[int, ...]
    adds: bool = False

    def at(self, entry: int) -> Form:
        """The place of an entry."""
        return Form(self.base.terms, self.base.constant + self.offsets[entry])


@dataclass(frozen=True)
class Columns:
    """j runs from `start` up to, not including, `stop`."""

    start: Form
    stop: Form


@dataclass(frozen=True)
class Block:
    """Straight-line code with a view for each of its inputs and outputs; with `columns`, run for each of them."""

    program: ScalarProgram
    reads: tuple[View, ...]
    writes: tuple[View, ...]
    columns: Columns | None = None

    @property
    def indices(self) -> frozenset[str]:
        """The indices it uses, with those they are looked up with; without k."""
        forms = [view.base for view in (*self.reads, *self.writes)]
        if self.columns:
            forms += [self.columns.start, self.columns.stop]
        found = {index for form in forms for _, index in form.terms}
        found |= {INDICES[index][1] for index in found if index in INDICES}
        return frozenset(found - {"k"})


@dataclass(frozen=True)
class Case:
    """What is done at a body of one of these kinds."""

    kinds: tuple[int, ...]
    label: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True)
class Loop:
    """Over all bodies, 0 … n−1 (parents first) or downwards."""

    heading: str
    downwards: bool
    cases: tuple[Case, ...]

    def switches(self, kinds: tuple[int, ...]) -> bool:
        """Whether not all bodies of these kinds are treated alike."""
        return len(self.cases) != 1 or set(kinds) != set(self.cases[0].kinds)


@dataclass(frozen=True)
class RolledProgram:
    """Loops over the bodies of one robot. `kinds` numbers the kind of each body; `work` is memory the caller brings."""

    name: str
    inputs: tuple[ArraySpec, ...]
    outputs: tuple[ArraySpec, ...]
    tables: tuple[Table, ...]
    work: tuple[ArraySpec, ...]
    cleared: tuple[str, ...]
    kinds: tuple[int, ...]
    loops: tuple[Loop, ...]

    @property
    def work_size(self) -> int:
        """How many numbers the work memory holds."""
        return sum(spec.size for spec in self.work)

    @cached_property
    def blocks(self) -> tuple[tuple[Case, Block], ...]:
        """All blocks with their cases, in order."""
        return tuple((case, block) for loop in self.loops for case in loop.cases for block in case.blocks)

    @cached_property
    def operations(self) -> OperationCount:
        """Operations of a call: those of each block as often as it runs, and an addition for each entry that is added."""
        total = OperationCount()
        for case, block in self.blocks:
            each = count(block.program)
            each += OperationCount(additions=sum(len(view.offsets) for view in block.writes if view.adds))
            total += each.times(int(np.sum(self.trips(block, self.bodies(case)))))
        return total

    def bodies(self, case: Case) -> NDArray[np.int64]:
        """The bodies of a case."""
        return np.flatnonzero(np.isin(self.kinds, case.kinds))

    def trips(self, block: Block, k: NDArray[np.int64]) -> NDArray[np.int64]:
        """How often the block runs at these bodies."""
        if block.columns is None:
            return np.ones_like(k)
        indices = self.indices(k)
        trips: NDArray[np.int64] = block.columns.stop.value(indices) - block.columns.start.value(indices)
        return np.maximum(trips, 0)

    def indices(self, k: Any, j: Any = None) -> dict[str, Any]:
        """What every index is at body k and column j, numbers or arrays; at the ground, 0."""
        known = {"k": k} if j is None else {"k": k, "j": j}
        for index, (name, of) in INDICES.items():
            if name in self._integers and of in known:
                table = self._integers[name]
                known[index] = np.where(known[of] < len(table), table[np.minimum(known[of], len(table) - 1)], 0)
        return known

    @cached_property
    def _integers(self) -> dict[str, NDArray[np.int64]]:
        return {table.name: np.array(table.values, dtype=np.int64) for table in self.tables if table.is_integer}

    @property
    def arrays(self) -> tuple[tuple[str, tuple[ArraySpec, ...]], ...]:
        """Its arrays, by what they are."""
        return ("in", self.inputs), ("out", self.outputs), ("work", self.work)

    def __str__(self) -> str:
        lines = [f"rolled {self.name}", f"kinds {' '.join(map(str, self.kinds))}"]
        lines += [f"{word} {s.name}{list(s.shape)}" for word, specs in self.arrays for s in specs]
        lines += [f"table {t.name} {' '.join(map(repr, t.values))}" for t in self.tables]
        lines += [f"clear {name}" for name in self.cleared]
        for loop in self.loops:
            lines.append(f"loop {'down' if loop.downwards else 'up'} {loop.heading}")
            for case in loop.cases:
                lines.append(f"case {' '.join(map(str, case.kinds))} {case.label}")
                for block in case.blocks:
                    over = block.columns
                    lines.append(f"for j in {over.start} to {over.stop}" if over else "do")
                    for view in (*block.reads, *block.writes):
                        lines.append(f"{view.name} is {view.array}[{view.base}] {view.offsets}{' +' * view.adds}")
                    lines.append(str(block.program))
        return "\n".join(lines) + "\n"
