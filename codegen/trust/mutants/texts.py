"""What can be mutated in emitted files: assignments of arithmetic, with their places, and the numbers of tables.

C and Python write right sides alike, so one reader of right sides serves one-state and batch C, straight-line code and loops.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

FUNCTIONS = frozenset({"sin", "cos", "sqrt"})
NAMED = re.compile(r"k\d+")  # the names of constants of a C file
_ROOM = re.compile(r"\b(?:double|\w+_lanes) (\w+\[\d+\](?:, \w+\[\d+\])*)")


@dataclass(frozen=True)
class Statement:
    """An assignment: its value stands at start … end of the file; `visible` are the values that it could name."""

    start: int
    end: int
    text: str
    targets: tuple[str, ...]
    value: str
    visible: tuple[str, ...] = ()

    @property
    def is_arithmetic(self) -> bool:
        """Whether it can be mutated."""
        return bool(self.value)

    @property
    def tree(self) -> ast.expr:
        """The right side."""
        return ast.parse(self.value, mode="eval").body


@dataclass(frozen=True)
class FunctionBody:
    """A function of a file: parameters, assignments, the functions of the file that it calls, and where it stands."""

    name: str
    parameters: tuple[str, ...]
    statements: tuple[Statement, ...]
    calls: tuple[str, ...]
    text: str
    start: int

    @cached_property
    def words(self) -> frozenset[str]:
        """Whatever it names."""
        return frozenset(re.findall(r"[A-Za-z_]\w*", self.text))

    @cached_property
    def extents(self) -> dict[str, int]:
        """Arrays to their number of entries, as far as that is known."""
        places = re.findall(r"\b([A-Za-z_]\w*)\[([^\[\]]*)\]", self.text)
        computed = {array for array, index in places if not index.isdigit()}
        found: dict[str, int] = {}
        for array, index in places:
            if array not in computed:
                found[array] = max(found.get(array, 0), int(index) + 1)
        rooms = re.findall(r"\b(\w+) = _empty\((\d+),", self.text) + self._rooms_in_work()
        rooms += [room for said in _ROOM.findall(self.text) for room in re.findall(r"(\w+)\[(\d+)\]", said)]
        return found | {array: int(size) for array, size in rooms}

    def _rooms_in_work(self) -> list[tuple[str, int]]:
        """Arrays in a function's work memory end where the next begins."""
        starts = [(array, int(at or 0)) for array, at in re.findall(r"\bconst (\w+) = work(?: \+ (\d+))?;", self.text)]
        return [(array, after - at) for (array, at), (_, after) in pairwise(starts)]


@dataclass(frozen=True)
class Table:
    """Constants of a rolled file: entry i stands at places[i]."""

    name: str
    values: tuple[str, ...]
    places: tuple[tuple[int, int], ...]

    @property
    def is_whole(self) -> bool:
        """Whether they number things."""
        return all(value.lstrip("-").isdigit() for value in self.values)


@dataclass(frozen=True)
class EmittedFile:
    """A file of kernels. `entries` say where each function is entered, by its name in `bodies`."""

    label: str
    path: str
    text: str
    identifier: str
    bodies: Mapping[str, FunctionBody]
    tables: Mapping[str, Table]
    entries: Mapping[str, str]
    constants: Mapping[str, float] = field(default_factory=dict)  # those with names

    @property
    def in_c(self) -> bool:
        """Whether it is C."""
        return self.path.endswith(".c")

    @property
    def is_batch(self) -> bool:
        """Whether values are vectors with a state in each lane."""
        return self.in_c and any(name != function for function, name in self.entries.items())

    def reached(self, function: str) -> tuple[str, ...]:
        """The functions of the file that run when this one does, itself first."""
        found = [self.entries[function]]
        for name in found:
            found += [called for called in self.bodies[name].calls if called not in found]
        return tuple(found)


def arithmetic(
    start: int, end: int, text: str, targets: Sequence[str], value: str, visible: tuple[str, ...]
) -> Statement | None:
    """The statement with this right side; None if that is no arithmetic."""
    try:
        tree = ast.parse(value, mode="eval").body
    except SyntaxError:
        return None
    if not _is_arithmetic(tree):
        return None
    return Statement(start, end, re.sub(r"\s+", " ", text), tuple(targets), value, visible)


def function_name(node: ast.Call) -> str:
    """sin for sin(x) and np.sin(x)."""
    return node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")


def _is_arithmetic(node: ast.expr) -> bool:
    match node:
        case ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult() | ast.Div(), right):
            return _is_arithmetic(left) and _is_arithmetic(right)
        case ast.UnaryOp(ast.USub(), operand):
            return _is_arithmetic(operand)
        case ast.Call(args=[argument]):
            return function_name(node) in FUNCTIONS and _is_arithmetic(argument)
        case ast.Subscript(ast.Name(), _):
            return True
        case ast.Name():
            return True
        case ast.Constant(value=float()):
            return True
    return False
