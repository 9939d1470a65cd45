"""All mutants of a file in one text: a switch chooses what is wrong (mutant schemata, Untch et al. 1993).

A mutated right side holds every mutant's text verbatim beside its own, so the text is compiled once, and what runs for mutant m
is the emitted file with that one right side changed. A number of a table is changed in memory.
"""

from __future__ import annotations

import ctypes
import linecache
import re
from collections.abc import Iterator, Mapping, MutableSequence, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from codegen.compiler import find_compiler
from codegen.source import FunctionFacts, Source
from codegen.trust.mutants.sites import Mutant
from codegen.trust.mutants.texts import EmittedFile
from derive.states import Array

_LOCAL = re.compile(r"^[ ]+(?:double|\w+_lanes) (\w+\[\d+\](?:,\s+\w+\[\d+\])*);", re.MULTILINE)
FLAGS = ("-O1",)  # the last of several counts
Outputs = tuple[Array, ...]


class Schema(Protocol):
    """Runs a function with one of its mutants switched on; number −1 is none."""

    def run(self, function: str, mutant: int, states: Mapping[str, Array]) -> Outputs:
        """The outputs at all states; an entry that is not written is NaN."""


def replaced_text(file: EmittedFile, mutants: Sequence[Mutant]) -> str:
    """The file with a switch in every right side that has mutants; the switch is the variable soagen_mutant."""
    at: dict[tuple[int, int], list[tuple[int, Mutant]]] = {}
    for number, mutant in enumerate(mutants):
        if mutant.entry is None:
            at.setdefault((mutant.start, mutant.end), []).append((number, mutant))
    text = file.text
    for (start, end), here in sorted(at.items(), reverse=True):
        text = text[:start] + _switched(file, start, text[start:end], here) + text[end:]
    return text


def _switched(file: EmittedFile, start: int, value: str, numbered: Sequence[tuple[int, Mutant]]) -> str:
    """The right side with its mutants. In a batch a mutant may be one number, which is then spread over the lanes."""
    spread = file.is_batch and not file.text[:start].endswith("{0} + ")
    lanes = f"({file.identifier}_lanes){{0}} + " if spread else ""
    value = f"({value})"
    for number, mutant in numbered:
        if file.in_c:
            value = f"(soagen_mutant == {number} ? {lanes}({mutant.value}) : {value})"
        else:
            value = f"(({mutant.value}) if SOAGEN_MUTANT[0] == {number} else {value})"
    return value


@contextmanager
def _entry_changed(table: MutableSequence[float], mutant: Mutant | None) -> Iterator[None]:
    """A number of a table is another one meanwhile."""
    if mutant is None or mutant.entry is None:
        yield
        return
    kept = table[mutant.entry]
    table[mutant.entry] = float(mutant.value)
    try:
        yield
    finally:
        table[mutant.entry] = kept


@dataclass(frozen=True)
class CSchema:
    """Compiled; called row by row, or with all rows at once where the file is a batch's."""

    source: Source
    file: EmittedFile
    mutants: Sequence[Mutant]
    library: Any

    def run(self, function: str, mutant: int, states: Mapping[str, Array]) -> Outputs:
        """The outputs at all states."""
        facts = next(f for f in self.source.functions if f.name == function)
        ctypes.c_int.in_dll(self.library, "soagen_mutant").value = mutant
        inputs = [np.ascontiguousarray(states[spec.name], dtype=float) for spec in facts.inputs]
        rows = len(next(iter(states.values())))
        outputs = [np.full((rows, *spec.shape), np.nan) for spec in facts.outputs]
        work = [np.full(facts.work, np.nan)] if facts.work else []
        name = f"{self.source.robot.identifier}_{function}_batch" if self.file.is_batch else f"soagen_rows_{function}"
        with _entry_changed(self._table(mutant), self._mutant(mutant)):
            arrays = (*inputs, *outputs, *work)
            getattr(self.library, name)(ctypes.c_size_t(rows), *(ctypes.c_void_p(a.ctypes.data) for a in arrays))
        return tuple(outputs)

    def _mutant(self, number: int) -> Mutant | None:
        return self.mutants[number] if number >= 0 else None

    def _table(self, number: int) -> Any:
        """The table of the mutant in the library's memory."""
        mutant = self._mutant(number)
        if mutant is None or mutant.entry is None:
            return []
        address = getattr(self.library, f"soagen_table_{mutant.where}")
        address.restype = ctypes.POINTER(ctypes.c_double * len(self.file.tables[mutant.where].values))
        return address().contents


def c_schema(source: Source, file: EmittedFile, mutants: Sequence[Mutant], folder: Path) -> CSchema:
    """Compile the mutants of a C file in a folder."""
    loops = "" if file.is_batch else "\n".join(_loop(source, facts) for facts in source.functions)
    text = _LOCAL.sub(_filled, replaced_text(file, mutants))
    for name in file.tables:
        text = text.replace(f"static const double {name}[", f"static double {name}[", 1)
    tables = "\n".join(
        f"void *soagen_table_{name}(void) {{ return {name}; }}"
        for name, table in file.tables.items()
        if not table.is_whole
    )
    for path, content in source.items():
        (folder / path).write_text(content, encoding="utf-8")
    (folder / "mutants.c").write_text(f"int soagen_mutant = -1;\n{text}\n{loops}\n{tables}\n", encoding="utf-8")
    compiler = find_compiler()
    target = folder / f"mutants_of_{Path(file.path).stem}.so"
    compiler.shared_library([folder / "mutants.c"], target, [str(folder)], [], FLAGS)
    return CSchema(source, file, mutants, ctypes.CDLL(str(target)))


def _filled(declared: re.Match[str]) -> str:
    """Local arrays that hold no numbers until they are written, so that a mutant cannot read what a call before it left."""
    arrays = re.findall(r"(\w+)\[", declared[1])
    return declared[0] + "".join(f" __builtin_memset({array}, 255, sizeof {array});" for array in arrays)


def _loop(source: Source, facts: FunctionFacts) -> str:
    """Work memory holds no numbers when a row begins, so reading it before writing shows."""
    names = [spec.name for spec in facts.arguments] + ["work"] * bool(facts.work)
    steps = [f"{spec.name} + {spec.size} * i" for spec in facts.arguments] + ["work"] * bool(facts.work)
    fresh = f"for (int j = 0; j < {facts.work}; j++) work[j] = 0.0 / 0.0; " if facts.work else ""
    return (
        f"void soagen_rows_{facts.name}(size_t rows, {', '.join(f'double *{name}' for name in names)})\n"
        f"{{ for (size_t i = 0; i < rows; i++) {{ {fresh}{source.robot.identifier}_{facts.name}({', '.join(steps)}); }} }}"
    )


@dataclass(frozen=True)
class NumPySchema:
    """The module run, its functions called with all rows at once."""

    source: Source
    mutants: Sequence[Mutant]
    namespace: dict[str, Any]

    def run(self, function: str, mutant: int, states: Mapping[str, Array]) -> Outputs:
        """The outputs at all states."""
        facts = next(f for f in self.source.functions if f.name == function)
        self.namespace["SOAGEN_MUTANT"][0] = mutant
        chosen = self.mutants[mutant] if mutant >= 0 else None
        table = self.namespace[chosen.where] if chosen is not None and chosen.entry is not None else []
        with _entry_changed(table, chosen):
            found = self.namespace[function](*(states[spec.name] for spec in facts.inputs))
        return tuple(np.asarray(x) for x in (found if isinstance(found, tuple) else (found,)))


def numpy_schema(source: Source, file: EmittedFile, mutants: Sequence[Mutant], folder: Path) -> NumPySchema:
    """Run the module with all mutants; nothing is written to the folder."""
    text = replaced_text(file, mutants)
    # What an output's room holds is not defined, so it is made NaN: an entry that is not written is then seen.
    text = text.replace("np.empty(", "np.nan * np.ones(")
    name = "<soagen mutants>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"__name__": "mutants", "SOAGEN_MUTANT": [-1]}
    exec(compile(text, name, "exec"), namespace)
    return NumPySchema(source, mutants, namespace)
