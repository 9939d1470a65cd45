"""Emitted C as Python of the same meaning, to be carried out on scalars of any kind (`exactly.py`).

Arrays are `Room`s, which know pointers into them; an entry that was not written is UNDEFINED, and so is what is made of it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from codegen.trust.mutants.c_syntax import Block, Choice, Function, Loop, Node, Simple, parsed, top_level
from codegen.trust.mutants.statements import DECLARATION

_ROOM = re.compile(r"^(\w+)\[(\w+)\](?: = \{(.*)\})?$", re.DOTALL)
_POINTER = re.compile(r"^(?:\*|restrict\b|const\b|\s)+")


class Undefined:
    """What memory holds that was not written: any number, or none."""

    def _stays(self, other: Any = None) -> Undefined:
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __neg__ = _stays


UNDEFINED = Undefined()


class Room:
    """An array in C, or what is behind a pointer into it."""

    __slots__ = ("at", "cells")

    def __init__(self, cells: Iterable[Any], at: int = 0) -> None:
        self.cells = cells if isinstance(cells, list) else list(cells)
        self.at = at

    def __add__(self, steps: int) -> Room:
        return Room(self.cells, self.at + steps)

    def __getitem__(self, index: int) -> Any:
        return self.cells[self.at + index]

    def __setitem__(self, index: int, value: Any) -> None:
        self.cells[self.at + index] = value


def python_function(text: str, function: Function) -> str:
    """A function of a (blanked) text as a definition in Python."""
    lines = list(_lines(parsed(text, function), 1)) or ["    pass"]
    return f"def {function.name}({', '.join(function.parameters)}):\n" + "\n".join(lines) + "\n"


def _lines(node: Node, depth: int) -> Iterator[str]:
    margin = "    " * depth
    match node:
        case Simple(_, text):
            yield from (margin + line for line in _simple(text.strip()))
        case Block(items):
            for item in items:
                yield from _lines(item, depth)
        case Loop(first, condition, step, body):
            yield from (margin + line for line in _simple(first))
            yield f"{margin}while {condition}:"
            yield from _lines(body, depth + 1)
            yield f"{margin}    {_stepped(step)}"
        case Choice(subject, cases):
            yield f"{margin}chosen = {subject}"
            word = "if"
            for labels, inside in cases:
                among = ", ".join(filter(None, labels))
                yield f"{margin}{word} chosen in ({among},):" if among else f"{margin}else:"
                yield from _lines(inside, depth + 1)
                yield f"{margin}    pass"
                word = "elif"


def _stepped(step: str) -> str:
    behind = re.sub(r"(\+\+|--)(\w+)", r"\2\1", step)
    return re.sub(r"(\w+)(\+\+|--)", lambda found: f"{found[1]} {found[2][0]}= 1", behind) or "pass"


def _simple(text: str) -> Iterator[str]:
    """A declaration, an assignment or a call."""
    if not text or text == "break" or text.startswith("(void)"):
        return
    declared = DECLARATION.match(text)
    if declared is None:
        yield _value(text)
        return
    for _, piece in top_level(text[declared.end() :], ","):
        plain = _POINTER.sub("", piece).strip()
        if room := _ROOM.match(plain):
            cells = f"[{_value(room[3])}]" if room[3] is not None else f"[UNDEFINED] * {room[2]}"
            yield f"{room[1]} = Room({cells})"
        elif " = " in plain:
            yield _value(plain)


def _value(text: str) -> str:
    """An expression is the same in both, but for one number in every lane."""
    return re.sub(r"\(\w+_lanes\)\{0\}", "0.0", text)
