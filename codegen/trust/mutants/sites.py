"""What can go wrong in a file, each a row of `KINDS`: where in a right side, and what stands there instead.

The numbers of a rolled file's tables are constants too.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from codegen.trust.mutants.texts import NAMED, EmittedFile, FunctionBody, Statement, function_name

RELATIVE = 1e-6  # by which constants are perturbed
CONSTANT = "constant changed by 1e-6"
_NUMBERED = re.compile(r"^([A-Za-z_]+)(\d+)(\w*)$")


_BODY = re.compile(r"\bk\b")  # the number of a body in a loop


@dataclass(frozen=True)
class Mutant:
    """What stands at start … end of a file is `value` instead. `where` is the function or the table that it is in."""

    where: str
    kind: str
    start: int
    end: int
    original: str
    changed: str
    value: str
    entry: int | None = None  # of a table

    def __str__(self) -> str:
        return f"{self.where}: {self.kind}: '{self.original}' became '{self.changed}'"


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
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in scope.sizes:
        size, array = scope.sizes[node.value.id], node.value.id
        if isinstance(node.slice, ast.Constant):
            index = int(str(node.slice.value))
            yield from (f"{array}[{other}]" for other in sorted({(index + 1) % size, (index - 1) % size} - {index}))
        elif size > 1:
            yield f"{array}[({_segment(text, node.slice)} + 1) % {size}]"


def _constants(node: ast.expr, text: str, scope: Scope) -> Iterator[str]:
    if isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value != 0.0:
        yield repr(node.value * (1.0 + RELATIVE))
    if isinstance(node, ast.Name) and NAMED.fullmatch(node.id):
        yield f"({node.id} * {1.0 + RELATIVE!r})"


def _waves(node: ast.expr, text: str, scope: Scope) -> Iterator[str]:
    if isinstance(node, ast.Call) and (name := function_name(node)) in ("sin", "cos"):
        yield _segment(text, node).replace(name, "cos" if name == "sin" else "sin", 1)
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and node.value.id in ("sine", "cosine"):
        other = "cosine" if node.value.id == "sine" else "sine"
        if other in scope.words:
            yield _segment(text, node).replace(node.value.id, other, 1)


def _bodies(node: ast.expr, text: str, scope: Scope) -> Iterator[str]:
    """A value of the neighbouring body, or of the neighbouring entry, if there is one yet; in a loop, that of the parent."""
    if isinstance(node, ast.Name) and (found := _NUMBERED.match(node.id)):
        for step in (-1, 1):
            other = f"{found[1]}{int(found[2]) + step}{found[3]}"
            if other in scope.defined:
                yield other
    if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name) and "parent" in scope.words:
        index, size = _segment(text, node.slice), scope.sizes.get(node.value.id, 0)
        carrier = _BODY.sub("parent[k]", index)
        if size > 1 and carrier != index:
            yield f"{node.value.id}[({carrier}) % {size}]"


KINDS: Mapping[str, Callable[[ast.expr, str, Scope], Iterator[str]]] = {
    "sign flipped": _signs,
    "term dropped": _terms,
    "index shifted": _indices,
    CONSTANT: _constants,
    "sin and cos swapped": _waves,
    "neighbour's value": _bodies,
}


def mutants_of(file: EmittedFile, function: str, sizes: Mapping[str, int]) -> list[Mutant]:
    """Every mutant of a function of a file, whose arguments have these sizes."""
    body = file.bodies[function]
    tables = {name: len(table.values) for name, table in file.tables.items()}
    known = {**body.extents, **{name: sizes[name] for name in body.parameters if name in sizes}, **tables}
    return [mutant for statement in body.statements for mutant in _of_statement(body, statement, known)]


def table_mutants(file: EmittedFile) -> list[Mutant]:
    """Every mutant of the tables of a file."""
    return [
        Mutant(name, CONSTANT, start, end, f"{name}[{i}] = {text}", repr(changed), repr(changed), i)
        for name, table in file.tables.items()
        if not table.is_whole
        for i, (text, (start, end)) in enumerate(zip(table.values, table.places, strict=True))
        if (changed := float(text) * (1.0 + RELATIVE)) != float(text)
    ]


def all_mutants(file: EmittedFile, sizes: Mapping[str, Mapping[str, int]]) -> list[Mutant]:
    """Every mutant of a file. `sizes` are those of the arguments of each function, by the name it is entered by."""
    of_functions = (m for name in file.bodies for m in mutants_of(file, name, sizes.get(name, {})))
    return [*of_functions, *table_mutants(file)]


def _of_statement(body: FunctionBody, statement: Statement, sizes: Mapping[str, int]) -> Iterator[Mutant]:
    scope = Scope(statement.visible, sizes, body.words)
    left = f"{' = '.join(statement.targets)} {'+=' if ' += ' in statement.text else '='} "
    for kind, row in KINDS.items():
        for node in _operands(statement.tree):
            for new in row(node, statement.value, scope):
                value = _replaced(statement.value, node, new)
                changed = left + " ".join(value.split())
                yield Mutant(body.name, kind, statement.start, statement.end, statement.text, changed, value)


def _operands(node: ast.expr) -> Iterator[ast.expr]:
    """A right side's parts, but not those of indices."""
    yield node
    if isinstance(node, ast.Subscript):
        return
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield from _operands(child)


def chosen(mutants: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """`count` of them, kinds and places as evenly as there are."""
    rng = np.random.default_rng(seed)
    shuffled = [mutants[i] for i in rng.permutation(len(mutants))]
    groups: dict[tuple[str, str], list[Mutant]] = {}
    for mutant in shuffled:
        groups.setdefault((mutant.kind, mutant.where), []).append(mutant)
    picked: list[Mutant] = []
    waiting = [groups[key] for key in groups]  # in the order they were drawn
    while waiting and len(picked) < count:
        picked += [group.pop() for group in waiting][: count - len(picked)]
        waiting = [group for group in waiting if group]
    return picked
