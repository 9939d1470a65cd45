"""What can go wrong in a statement, each a row of `KINDS`: where in its text, and what stands there instead."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from codegen.trust.mutants.statements import CONSTANT, FunctionBody, Statement, function_name

RELATIVE = 1e-6  # by which constants are perturbed
_NUMBERED = re.compile(r"^([A-Za-z_]*[A-Za-z])(\d+)(\w*)$")


@dataclass(frozen=True)
class Mutant:
    """Statement `position` of a function with another right side, or another target."""

    function: str
    kind: str
    position: int
    original: str
    targets: tuple[str, ...]
    value: str

    def __str__(self) -> str:
        left = " = ".join(self.targets)
        return f"{self.function}: {self.kind}: '{self.original}' became '{left} = {self.value}'"


@dataclass(frozen=True)
class Scope:
    """What is known at a statement: values defined above it, the sizes of arrays, and whatever its function names."""

    defined: tuple[str, ...]
    sizes: Mapping[str, int]
    words: frozenset[str]


def _segment(text: str, node: ast.expr) -> str:
    return text[node.col_offset : node.end_col_offset]


def _replaced(text: str, node: ast.expr, new: str) -> str:
    return text[: node.col_offset] + new + text[node.end_col_offset :]


def _signs(node: ast.expr, text: str, scope: Scope) -> Iterator[str]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        other = "-" if isinstance(node.op, ast.Add) else "+"
        yield f"({_segment(text, node.left)}) {other} ({_segment(text, node.right)})"
    if isinstance(node, ast.UnaryOp):
        yield _segment(text, node.operand)
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.Div)):
        yield f"(-({_segment(text, node)}))"


def _terms(node: ast.expr, text: str, scope: Scope) -> Iterator[str]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
        yield _segment(text, node.left)
        yield f"({'-' if isinstance(node.op, ast.Sub) else ''}({_segment(text, node.right)}))"


def _indices(node: ast.expr, text: str, scope: Scope) -> Iterator[str]:
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and isinstance(node.slice, ast.Constant):
        size, index = scope.sizes.get(node.value.id, 1), int(str(node.slice.value))
        for other in {(index + 1) % size, (index - 1) % size} - {index}:
            yield f"{node.value.id}[{other}]"


def _constants(node: ast.expr, text: str, scope: Scope) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value != 0.0:
        yield repr(node.value * (1.0 + RELATIVE))
    if isinstance(node, ast.Name) and CONSTANT.fullmatch(node.id):
        yield f"({node.id} * {1.0 + RELATIVE!r})"


def _waves(node: ast.expr, text: str, scope: Scope) -> Iterator[str]:
    if isinstance(node, ast.Call) and (name := function_name(node)) in ("sin", "cos"):
        yield _segment(text, node).replace(name, "cos" if name == "sin" else "sin", 1)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in ("sine", "cosine"):
        other = "cosine" if node.value.id == "sine" else "sine"
        if other in scope.words:
            yield _segment(text, node).replace(node.value.id, other, 1)


def _bodies(node: ast.expr, text: str, scope: Scope) -> Iterator[str]:
    """A value of the neighbouring body, or of the neighbouring entry, if there is one yet."""
    if isinstance(node, ast.Name) and (found := _NUMBERED.match(node.id)):
        for step in (-1, 1):
            other = f"{found[1]}{int(found[2]) + step}{found[3]}"
            if other in scope.defined:
                yield other


KINDS: Mapping[str, Callable[[ast.expr, str, Scope], Iterator[str]]] = {
    "sign flipped": _signs,
    "term dropped": _terms,
    "index shifted": _indices,
    "constant changed by 1e-6": _constants,
    "sin and cos swapped": _waves,
    "neighbour's value": _bodies,
}


def mutants_of(body: FunctionBody, sizes: Mapping[str, int]) -> list[Mutant]:
    """Every mutant of a function."""
    found = []
    defined: list[str] = []
    for position, statement in enumerate(body.statements):
        if statement.is_arithmetic:
            found += list(_of_statement(body.name, position, statement, Scope(tuple(defined), sizes, body.words)))
            defined += statement.targets
    return found


def _of_statement(function: str, position: int, statement: Statement, scope: Scope) -> Iterator[Mutant]:
    for kind, row in KINDS.items():
        for node in ast.walk(statement.tree):
            if isinstance(node, ast.expr):
                for new in row(node, statement.value, scope):
                    value = _replaced(statement.value, node, new)
                    yield Mutant(function, kind, position, statement.text, statement.targets, value)


def chosen(mutants: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """`count` of them, kinds and functions as evenly as there are."""
    rng = np.random.default_rng(seed)
    shuffled = [mutants[i] for i in rng.permutation(len(mutants))]
    groups: dict[tuple[str, str], list[Mutant]] = {}
    for mutant in shuffled:
        groups.setdefault((mutant.kind, mutant.function), []).append(mutant)
    picked: list[Mutant] = []
    waiting = [groups[key] for key in groups]  # in the order they were drawn
    while waiting and len(picked) < count:
        picked += [group.pop() for group in waiting][: count - len(picked)]
        waiting = [group for group in waiting if group]
    return picked
