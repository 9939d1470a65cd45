"""All mutants of a source in one text: a switch chooses which statement is the wrong one (mutant schemata, Untch et al. 1993).

A mutated statement holds every mutant's text verbatim beside its own, so the text is compiled once, and what runs for mutant m
is the emitted function with that one statement changed.
"""

from __future__ import annotations

import ctypes
import linecache
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from codegen.compiler import find_compiler
from codegen.source import FunctionFacts, Source
from codegen.trust.mutants.sites import Mutant
from codegen.trust.mutants.statements import FunctionBody, Statement
from derive.states import Array

FLAGS = ("-O1",)  # the last of several counts
Outputs = tuple[Array, ...]


class Schema(Protocol):
    """Runs a function with one of its mutants switched on; number −1 is none."""

    def run(self, function: str, mutant: int, states: Mapping[str, Array]) -> Outputs:
        """The outputs at all states; an entry that is not written is NaN."""


def switched(statement: Statement, numbered: Sequence[tuple[int, Mutant]], c: bool) -> list[str]:
    """The statement with its mutants, as lines."""
    value = f"({statement.value})"
    for number, mutant in numbered:
        if c:
            value = f"(soagen_mutant == {number} ? ({mutant.value}) : {value})"
        else:
            value = f"(({mutant.value}) if SOAGEN_MUTANT[0] == {number} else {value})"
    return [f"{statement.declaration}{''.join(f'{t} = ' for t in statement.targets)}{value}"]


def schema_text(body: FunctionBody, mutants: Sequence[tuple[int, Mutant]], c: bool) -> str:
    """The function with all its mutants."""
    lines = []
    for position, statement in enumerate(body.statements):
        here = [(number, mutant) for number, mutant in mutants if mutant.position == position]
        lines += switched(statement, here, c) if here else [statement.text]
    end = ";" if c else ""
    return body.head + "".join(f"    {line}{end}\n" for line in lines) + body.tail


def replaced_text(source: Source, bodies: Mapping[str, FunctionBody], mutants: Sequence[Mutant]) -> str:
    """The file with every function that has mutants replaced."""
    path = f"{source.robot.identifier}.{'c' if source.backend == 'c' else 'py'}"
    text = source[path]
    for name, body in bodies.items():
        own = [(number, mutant) for number, mutant in enumerate(mutants) if mutant.function == name]
        if own:
            old = source[path][len(body.before) : len(source[path]) - len(body.after)]
            text = text.replace(old, schema_text(body, own, source.backend == "c"), 1)
    return text


@dataclass(frozen=True)
class CSchema:
    """Compiled, called row by row."""

    source: Source
    library: Any

    def run(self, function: str, mutant: int, states: Mapping[str, Array]) -> Outputs:
        """The outputs at all states."""
        facts = next(f for f in self.source.functions if f.name == function)
        ctypes.c_int.in_dll(self.library, "soagen_mutant").value = mutant
        inputs = [np.ascontiguousarray(states[spec.name], dtype=float) for spec in facts.inputs]
        rows = len(inputs[0]) if inputs else 1
        outputs = [np.full((rows, *spec.shape), np.nan) for spec in facts.outputs]
        loop = getattr(self.library, f"soagen_rows_{function}")
        loop(ctypes.c_long(rows), *(ctypes.c_void_p(a.ctypes.data) for a in (*inputs, *outputs)))
        return tuple(outputs)


def c_schema(source: Source, bodies: Mapping[str, FunctionBody], mutants: Sequence[Mutant], folder: Path) -> CSchema:
    """Compile the mutants of a C source in a folder."""
    loops = "\n".join(_loop(source, facts) for facts in source.functions)
    text = f"int soagen_mutant = -1;\n{replaced_text(source, bodies, mutants)}\n{loops}\n"
    for path, content in source.items():
        (folder / path).write_text(content, encoding="utf-8")
    (folder / "mutants.c").write_text(text, encoding="utf-8")
    compiler = find_compiler()
    target = folder / "mutants.so"
    compiler.shared_library([folder / "mutants.c"], target, [str(folder)], [], FLAGS)
    return CSchema(source, ctypes.CDLL(str(target)))


def _loop(source: Source, facts: FunctionFacts) -> str:
    arguments = ", ".join(f"double *{spec.name}" for spec in facts.arguments)
    call = ", ".join(f"{spec.name} + {spec.size} * i" for spec in facts.arguments)
    return (
        f"void soagen_rows_{facts.name}(long rows, {arguments})\n"
        f"{{ for (long i = 0; i < rows; i++) {source.robot.identifier}_{facts.name}({call}); }}"
    )


@dataclass(frozen=True)
class NumPySchema:
    """The module run, its functions called with all rows at once."""

    source: Source
    namespace: dict[str, Any]

    def run(self, function: str, mutant: int, states: Mapping[str, Array]) -> Outputs:
        """The outputs at all states."""
        facts = next(f for f in self.source.functions if f.name == function)
        self.namespace["SOAGEN_MUTANT"][0] = mutant
        found = self.namespace[function](*(states[spec.name] for spec in facts.inputs))
        return tuple(np.asarray(x) for x in (found if isinstance(found, tuple) else (found,)))


def numpy_schema(source: Source, bodies: Mapping[str, FunctionBody], mutants: Sequence[Mutant]) -> NumPySchema:
    """Run the module with all mutants."""
    text = replaced_text(source, bodies, mutants)
    # What an output's room holds is not defined, so it is made NaN: an entry that is not written is then seen.
    text = text.replace("np.empty(", "np.nan * np.ones(")
    name = "<soagen mutants>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"__name__": "mutants", "SOAGEN_MUTANT": [-1]}
    exec(compile(text, name, "exec"), namespace)
    return NumPySchema(source, namespace)
