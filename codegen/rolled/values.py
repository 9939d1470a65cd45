"""Values of generic bodies between loops: what is known of each entry, and which entries must be kept in memory.

A value is any nesting of tuples and dataclasses of scalars; integers, such as the number of an axis, belong to the nesting.
Its `Shape` is that nesting with, for each entry, what the reader may take for granted: a number, an entry of a table, the
same as an earlier entry; or nothing, and then it is kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import Any, NamedTuple, TypeAlias

from codegen.builder import Scalar
from codegen.errors import FunctionError
from codegen.ir import Input


class TableEntry(NamedTuple):
    """Entry of a table at the body, possibly its opposite."""

    view: str
    entry: int
    negated: bool


class SameAs(NamedTuple):
    """Equal to the entry at an earlier position."""

    position: int


class Kept(NamedTuple):
    """Not known: read from memory."""


KEPT = Kept()
Known: TypeAlias = float | TableEntry | SameAs | Kept


@dataclass(frozen=True, eq=False)
class Shape:
    """The nesting of a value (its scalars are not looked at) and what is known of each."""

    template: Any
    known: tuple[Known, ...]


def scalars_of(value: Any) -> Iterator[Any]:
    """The scalars of a value, in order."""
    if value is None or isinstance(value, int):
        return
    if isinstance(value, tuple | list):
        for part in value:
            yield from scalars_of(part)
    elif is_dataclass(value):
        for field in fields(value):
            yield from scalars_of(getattr(value, field.name))
    else:
        yield value


def refilled(template: Any, scalars: Iterator[Any]) -> Any:
    """A value nested like `template`, of these scalars."""
    if template is None or isinstance(template, int):
        return template
    if isinstance(template, tuple | list):
        return tuple(refilled(part, scalars) for part in template)
    if is_dataclass(template):
        return replace(template, **{f.name: refilled(getattr(template, f.name), scalars) for f in fields(template)})  # type: ignore[type-var]
    return next(scalars)


def shape_of(value: Any, tables: frozenset[str], *, at_body: bool) -> Shape:
    """What a reader of this value knows; entries of tables only if it is at the same body."""
    seen: dict[int, int] = {}
    known: list[Known] = []
    for position, x in enumerate(scalars_of(value)):
        if not isinstance(x, Scalar):
            known.append(float(x))
        elif at_body and type(x.atom) is Input and x.atom.array in tables:
            known.append(TableEntry(x.atom.array, x.atom.index, x.negated))
        elif id(x) in seen:
            known.append(SameAs(seen[id(x)]))
        else:
            seen[id(x)] = position
            known.append(KEPT)
    return Shape(value, tuple(known))


def joined(a: Shape | None, b: Shape) -> Shape:
    """What is known of a value that has either shape."""
    if a is None:
        return b
    if len(a.known) != len(b.known):
        raise FunctionError("bodies of different kinds give values of different shapes; use --unroll always")
    return Shape(a.template, tuple(x if x == y else KEPT for x, y in zip(a.known, b.known, strict=True)))


def summed(shape: Shape) -> Shape:
    """What is known of a sum of such values."""
    return Shape(shape.template, tuple(KEPT if isinstance(x, float) and x != 0.0 else x for x in shape.known))
