"""An emitted function carried out without rounding, as it stands or mutated: what a mutant really changes.

The scalars are those of a `Namespace`: 50 digits, or residues modulo a prime. C is read as Python first (`in_python.py`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType, SimpleNamespace
from typing import Any

import numpy as np

from codegen.interpret import Namespace
from codegen.source import FunctionFacts
from codegen.trust.mutants import c_syntax
from codegen.trust.mutants.in_python import UNDEFINED, Room, python_function
from codegen.trust.mutants.residues import ResidueField
from codegen.trust.mutants.sites import Mutant
from codegen.trust.mutants.texts import EmittedFile, FunctionBody

FIELD_SEED = 4711


class BeyondError(Exception):
    """A mutant reads beyond an array."""


@dataclass(frozen=True)
class Equality:
    """Whether a mutant computes the same as its original, and log2 of the chance that this only seems so."""

    holds: bool
    chance: float


def equality(file: EmittedFile, facts: FunctionFacts, mutant: Mutant) -> Equality:
    """Decided modulo a random prime; does not hold where it could not be decided."""
    field = ResidueField(FIELD_SEED)
    inputs = {spec.name: [field.drawn() for _ in range(spec.size)] for spec in facts.inputs}
    try:
        before, after = (exact_outputs(file, facts, inputs, field.namespace, m) for m in (None, mutant))
    except (ZeroDivisionError, BeyondError):
        return Equality(False, 0.0)
    same = all(a is b or (UNDEFINED not in (a, b) and a.value == b.value) for a, b in zip(before, after, strict=True))
    return Equality(same, field.chance(before, after) if same else 0.0)


def exact_outputs(
    file: EmittedFile,
    facts: FunctionFacts,
    inputs: Mapping[str, Sequence[Any]],
    scalars: Namespace,
    mutant: Mutant | None = None,
) -> list[Any]:
    """All entries of all outputs at one state; UNDEFINED for one not written, as in a batch what is equal to another."""
    names = _names(file, facts, scalars, mutant)
    given = [list(inputs[spec.name]) for spec in facts.inputs]
    try:
        if not file.in_c:
            found = names[facts.name](*(np.array(entries, dtype=object) for entries in given))
            return [x for output in (found if isinstance(found, tuple) else (found,)) for x in output]
        rooms = {spec.name: Room(entries) for spec, entries in zip(facts.inputs, given, strict=True)}
        rooms |= {spec.name: Room([UNDEFINED] * spec.size) for spec in facts.outputs}
        rooms["work"] = Room([UNDEFINED] * facts.work)
        if file.is_batch:
            rooms |= _waves(file, facts, names, rooms)
        _called(_inner(file, facts), file, names, rooms)
    except IndexError as error:
        raise BeyondError(f"{facts.name}: {error}") from error
    return [x for spec in facts.outputs for x in rooms[spec.name].cells]


def _inner(file: EmittedFile, facts: FunctionFacts) -> str:
    """The function that computes: in a batch the one that takes a vector for each entry."""
    return f"{facts.name}_lanes" if file.is_batch else file.entries[facts.name]


def _called(function: str, file: EmittedFile, names: Mapping[str, Any], rooms: Mapping[str, Any]) -> None:
    """Calls a C function with the arrays that its parameters are called by."""
    names[f"{file.identifier}_{function}"](*(rooms[name] for name in file.bodies[function].parameters))


def _waves(
    file: EmittedFile, facts: FunctionFacts, names: Mapping[str, Any], rooms: Mapping[str, Any]
) -> dict[str, Any]:
    """What a function over lanes is given besides its arguments: sines and cosines. Those of states to come do not matter."""
    given: dict[str, Any] = {"next": None, "beyond": None}
    angles = f"{facts.name}_angles"
    if angles in file.bodies:
        angle = Room([UNDEFINED] * file.bodies[angles].extents["angle"])
        _called(angles, file, names, {**rooms, "angle": angle})
        given |= {"sine": Room(map(names["sin"], angle.cells)), "cosine": Room(map(names["cos"], angle.cells))}
    return given


def _names(file: EmittedFile, facts: FunctionFacts, scalars: Namespace, mutant: Mutant | None) -> dict[str, Any]:
    """What the function can name: tables, functions, and what stands for the text that every robot has."""
    sin, cos, sqrt = map(_of_defined, (scalars.sin, scalars.cos, scalars.sqrt))
    scalars = Namespace(sin, cos, sqrt, scalars.constant)
    names: dict[str, Any] = {"sin": scalars.sin, "cos": scalars.cos, "sqrt": scalars.sqrt, "number": scalars.constant}
    names |= {"Room": Room, "UNDEFINED": UNDEFINED, "NULL": None}
    names |= {name: scalars.constant(value) for name, value in file.constants.items()}
    for name, table in file.tables.items():
        values: list[Any] = [int(x) if table.is_whole else scalars.constant(float(x)) for x in table.values]
        if mutant is not None and mutant.where == name and mutant.entry is not None:
            values[mutant.entry] = scalars.constant(float(mutant.value))
        names[name] = Room(values) if file.in_c else np.array(values, dtype=None if table.is_whole else object)
    names |= _sines(file.identifier, scalars) if file.in_c else _numpy_names(scalars)
    reached = file.reached(facts.name)
    if file.in_c:
        reached = tuple(name for name in reached if not name.startswith(f"{facts.name}_batch"))
    for name in reached:
        body = file.bodies[name]
        exec(
            _code(file.in_c, f"{file.identifier}_{name}" if file.in_c else name, body.parameters, _text(body, mutant)),
            names,
        )
    return names


def _of_defined(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda x: x if x is UNDEFINED else function(x)


def _text(body: FunctionBody, mutant: Mutant | None) -> str:
    """The function's text, with the mutant if that is in it."""
    if mutant is None or mutant.where != body.name or mutant.entry is not None:
        return body.text
    return body.text[: mutant.start - body.start] + mutant.value + body.text[mutant.end - body.start :]


@lru_cache(maxsize=512)
def _code(in_c: bool, name: str, parameters: tuple[str, ...], text: str) -> CodeType:
    if in_c:
        text = python_function(text, c_syntax.Function(name, parameters, 0, len(text)))
    tree = ast.fix_missing_locations(_Exact().visit(ast.parse(text)))
    return compile(tree, f"<exactly {name}>", "exec")


class _Exact(ast.NodeTransformer):
    """Constants as exact numbers; indices stay as they are."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if not isinstance(node.value, float):
            return node
        return ast.copy_location(ast.Call(ast.Name("number", ast.Load()), [node], []), node)


def _sines(identifier: str, scalars: Namespace) -> dict[str, Callable[..., None]]:
    """What sines and cosines are computed by: of angles one by one, or of an array of them; those of states to come are not."""

    def fill(angles: Sequence[Any], sine: Room, cosine: Room) -> None:
        for i, angle in enumerate(angles):
            sine[i], cosine[i] = scalars.sin(angle), scalars.cos(angle)

    return {
        f"{identifier}_sincos": lambda *given: fill(given[:-2], *given[-2:]),
        f"{identifier}_batch_sincos": lambda n, angle, *to: fill([angle[i] for i in range(n)], *to),
        f"{identifier}_batch_wave": lambda *_: None,
    }


def _numpy_names(scalars: Namespace) -> dict[str, Any]:
    """NumPy on arrays of scalars, and the module's own ways with arrays for one state."""

    def each(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        return lambda x: np.array([function(y) for y in x], dtype=object) if isinstance(x, np.ndarray) else function(x)

    waves = {name: each(getattr(scalars, name)) for name in ("sin", "cos", "sqrt")}
    return {
        "np": SimpleNamespace(arange=np.arange, add=np.add, array=np.array, **waves),
        "_entries": lambda name, entries, shape: entries,
        "_empty": lambda size, *inputs: np.full(size, UNDEFINED, dtype=object),
        "_array": lambda entries, shape: entries,
        "_by_column": lambda table, *inputs: np.array(table, dtype=object),
    }
