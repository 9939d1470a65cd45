"""One table of a TOML robot file, read key by key: types checked, typing errors in keys found, messages that name the place."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any

from derive.errors import ModelError
from derive.frames import Direction, Placement, Vector, normalised, rotation_from_rpy
from derive.parameters import Polynomial, Scalar, parse_scalar


class Table:
    """A TOML table and the words for where it stands. Call `done()` when all known keys were asked for."""

    def __init__(self, content: Any, source: str, where: str) -> None:
        self.source, self.where = source, where
        if not isinstance(content, Mapping):
            raise self.fail("is not a table", "write it as [name] or { key = value }")
        self.content: Mapping[str, Any] = content
        self.known: set[str] = set()

    def fail(self, what: str, remedy: str) -> ModelError:
        """The error for something wrong in this table."""
        return ModelError(f"{self.source}: {self.where}" if self.where else self.source, what, remedy)

    def has(self, key: str) -> bool:
        """Whether the key is there."""
        self.known.add(key)
        return key in self.content

    def get(self, key: str) -> Any:
        """The raw value of a key that must be there."""
        if not self.has(key):
            raise self.fail(f"has no '{key}'", f"add {key} = …")
        return self.content[key]

    def text(self, key: str, default: str | None = None, choices: Sequence[str] = ()) -> str:
        """A string, one of `choices` if given."""
        if default is not None and not self.has(key):
            return default
        value = self.get(key)
        if not isinstance(value, str) or not value.strip():
            raise self.fail(f"{key} = {value!r} is not a text", f'write {key} = "…"')
        if choices and value not in choices:
            raise self.fail(f"{key} = {value!r} is not known", f"use one of {', '.join(choices)}")
        return value

    def scalar(self, key: str, default: Scalar | None = None) -> Scalar:
        """A number, or an expression in named parameters."""
        return default if default is not None and not self.has(key) else self._scalar(key, self.get(key))

    def number(self, key: str, default: float | None = None) -> float:
        """A number, or an expression in numbers and pi."""
        return self._number(key, self.scalar(key, default))

    def vector(self, key: str, default: Vector | None = None) -> Vector:
        """Three scalars."""
        if default is not None and not self.has(key):
            return default
        x, y, z = (self._scalar(key, item) for item in self._three(key))
        return (x, y, z)

    def angles(self, key: str) -> Direction:
        """Three numbers, zero when absent."""
        if not self.has(key):
            return (0.0, 0.0, 0.0)
        x, y, z = (self._number(key, self._scalar(key, item)) for item in self._three(key))
        return (x, y, z)

    def direction(self, key: str) -> Direction:
        """A unit vector along three numbers that are not all zero."""
        vector = self.angles(key)
        if vector == (0.0, 0.0, 0.0):
            raise self.fail(f"{key} is zero or missing", f"give a direction such as {key} = [0, 0, 1]")
        return normalised(vector)

    def placement(self) -> Placement:
        """The frame at `xyz` turned by `rpy`, both optional."""
        return Placement(rotation_from_rpy(*self.angles("rpy")), self.vector("xyz", (0.0, 0.0, 0.0)))

    def table(self, key: str) -> Table:
        """A table inside this one; empty when absent."""
        return Table(self.get(key) if self.has(key) else {}, self.source, f"{self.where} {key}".strip())

    def tables(self, key: str, label: str) -> list[Table]:
        """The tables of an array, each named by its own `name` where it has one."""
        items = self.get(key) if self.has(key) else []
        if not isinstance(items, list):
            raise self.fail(f"{key} is not a list of tables", f"write [[{key}]] above each")
        tables = []
        for position, item in enumerate(items, start=1):
            name = item.get("name") if isinstance(item, Mapping) else None
            tables.append(
                Table(item, self.source, f"{label} '{name}'" if isinstance(name, str) else f"{label} number {position}")
            )
        return tables

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of strings; empty when absent."""
        items = self.get(key) if self.has(key) else []
        if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
            raise self.fail(f"{key} is not a list of names", f'write {key} = ["…"]')
        return tuple(items)

    def done(self) -> None:
        """Refuse keys nobody asked for: they are typing errors."""
        for key in self.content:
            if key not in self.known:
                close = get_close_matches(key, sorted(self.known), n=1)
                hint = f"did you mean '{close[0]}'?" if close else f"known keys: {', '.join(sorted(self.known))}"
                raise self.fail(f"has an unknown key '{key}'", hint)

    def _three(self, key: str) -> list[Any]:
        items = self.get(key)
        if not isinstance(items, list) or len(items) != 3:
            raise self.fail(f"{key} = {items!r} is not three values", f"write {key} = [x, y, z]")
        return items

    def _scalar(self, key: str, value: Any) -> Scalar:
        if isinstance(value, str):
            try:
                return parse_scalar(value)
            except ValueError as error:
                raise self.fail(
                    f"{key}: {error}", "write a number or an expression such as 'm1*l1^2' or 'pi/2'"
                ) from None
        try:
            number = math.nan if isinstance(value, bool) or not isinstance(value, (int, float)) else float(value)
        except OverflowError:
            number = math.inf
        if not math.isfinite(number):
            raise self.fail(
                f"{key} = {value!r} is not a finite number", "write a number or a parameter's name in quotes"
            )
        return number

    def _number(self, key: str, scalar: Scalar) -> float:
        if isinstance(scalar, Polynomial):
            raise self.fail(f"{key} = '{scalar}' holds a parameter", f"{key} must be a number (pi is known)")
        return scalar
