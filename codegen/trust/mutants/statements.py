"""The body of an emitted function as statements: targets and a right side. C and Python write right sides alike."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import product
from math import prod

from codegen.source import Source

FUNCTIONS = frozenset({"sin", "cos", "sqrt"})
CONSTANT = re.compile(r"k\d+")  # the names of constants in C
_PLACE = r"[A-Za-z_]\w*(?:\[\d+\])?"
_LOOPS = re.compile(r"((?:for \(int \w+ = 0; \w+ < \d+; \+\+\w+\) +)+)([^;{]*);")
_PLACE_IN_LOOP = re.compile(r"\[([^\]]*)\]")
_ASSIGNMENT = re.compile(rf"^(const double )?((?:{_PLACE} = )+)(.*)$", re.DOTALL)


@dataclass(frozen=True)
class Statement:
    """`text` as it stands; where it is an assignment of arithmetic, its declaration, targets and right side."""

    text: str
    declaration: str = ""
    targets: tuple[str, ...] = ()
    value: str = ""

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
    """A function's head, its statements, and what ends it."""

    name: str
    head: str
    statements: tuple[Statement, ...]
    tail: str
    before: str  # the text of the file up to the function
    after: str

    @property
    def parameters(self) -> tuple[str, ...]:
        """The arrays that a function in C takes."""
        return tuple(re.findall(r"\*(?:restrict )?(\w+)", self.head))

    @property
    def calls(self) -> tuple[str, ...]:
        """The parts and functions of the file that a function in C calls, by name."""
        return tuple(found[0] for statement in self.statements if (found := self.called_part(statement)))

    def called_part(self, statement: Statement) -> tuple[str, tuple[str, ...]] | None:
        """The part or function that a statement in C calls, and its arguments."""
        prefix = self.head.partition(f"{self.name}(")[0].removeprefix("void ")
        found = re.match(rf"{prefix}(?!sincos\()(\w+)\((.*)\)$", statement.text)
        return (found[1], tuple(found[2].split(", "))) if found else None

    @cached_property
    def constants(self) -> dict[str, float]:
        """The constants with names that stand before the function in C."""
        table = re.search(r"^static const double (k1 = [^;]*);", self.before, re.MULTILINE)
        pieces = (piece.split(" = ") for piece in table[1].split(",")) if table else ()
        return {name.strip(): float(value) for name, value in pieces}

    @property
    def words(self) -> frozenset[str]:
        """Whatever it names."""
        return frozenset(re.findall(r"[A-Za-z_]\w*", " ".join([self.head, *(s.text for s in self.statements)])))

    @property
    def extents(self) -> dict[str, int]:
        """Arrays to the number of entries that are known of them."""
        found: dict[str, int] = {}
        for array, index in re.findall(r"\b([A-Za-z_]\w*)\[(\d+)\]", " ".join(s.text for s in self.statements)):
            found[array] = max(found.get(array, 0), int(index) + 1)
        return found


def function_bodies(source: Source) -> dict[str, FunctionBody]:
    """All functions of a source, and in C the parts that they call."""
    names = [facts.name for facts in source.functions]
    if source.backend == "c":
        identifier = source.robot.identifier
        names += re.findall(
            rf"^static (?:inline )?void {identifier}_(\w+_part)\(", source[f"{identifier}.c"], re.MULTILINE
        )
    return {name: function_body(source, name) for name in names}


def function_body(source: Source, function: str) -> FunctionBody:
    """The function's text, taken apart; what is before and after it in its file is kept."""
    path = f"{source.robot.identifier}.{'c' if source.backend == 'c' else 'py'}"
    text = source[path]
    if source.backend == "c":
        start = text.index(f"void {source.robot.identifier}_{function}(")
        opening = text.index("\n{\n", start) + 3
        closing = text.index("\n}\n", opening) + 1
        lines = [line.split("//")[0].strip() for line in text[opening:closing].splitlines()]
        plain = _LOOPS.sub(_unrolled, " ".join(lines))
        parts = [piece for part in plain.split(";") if part.strip() for piece in _declarations(part)]
        head, tail, after = text[start:opening], text[closing : closing + 2], text[closing + 2 :]
    else:
        start = text.index(f"\ndef {function}(") + 1
        opening = text.index('"""\n', text.index('"""', start) + 3) + 4
        closing = text.index("\n    return ", opening) + 1
        parts = [line.strip() for line in text[opening:closing].splitlines()]
        parts = [part for part in parts if part and not part.startswith("#")]
        end = text.index("\n", closing) + 1
        head, tail, after = text[start:opening], text[closing:end], text[end:]
    return FunctionBody(function, head, tuple(map(statement, parts)), tail, text[:start], after)


def _unrolled(loops: re.Match[str]) -> str:
    """The statements that loops around one statement carry out, one after the other."""
    indices = re.findall(r"for \(int (\w+) = 0; \w+ < (\d+);", loops[1])
    statement = re.sub(r"^(\S+\[[^\]]*\]) ([-+])= ", r"\1 = \1 \2 ", loops[2])
    texts = []
    for numbers in product(*(range(int(extent)) for _, extent in indices)):
        at = {index: number for (index, _), number in zip(indices, numbers, strict=True)}
        texts.append(_PLACE_IN_LOOP.sub(partial(_entry, at), statement))
    return "; ".join(texts) + ";"


def _entry(at: Mapping[str, int], place: re.Match[str]) -> str:
    """The index [49*i+7*j+k] as a number."""
    terms = (term.split("*") for term in place[1].split("+"))
    return f"[{sum(prod(at[f] if f in at else int(f) for f in factors) for factors in terms)}]"


def _declarations(text: str) -> list[str]:
    """A declaration of several values as one for each; other statements as they are."""
    plain = " ".join(text.split())
    if not plain.startswith("const double "):
        return [plain]
    pieces = re.split(r",(?![^(\[]*[)\]]) ", plain.removeprefix("const double "))
    return [f"const double {piece}" for piece in pieces]


def statement(text: str) -> Statement:
    """One statement without its semicolon."""
    found = _ASSIGNMENT.match(text)
    if found is None:
        return Statement(text)
    try:
        tree = ast.parse(found[3], mode="eval").body
    except SyntaxError:
        return Statement(text)
    if not _is_arithmetic(tree):
        return Statement(text)
    targets = tuple(part for part in found[2].split(" = ") if part)
    return Statement(text, found[1] or "", targets, found[3])


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
        case ast.Subscript(ast.Name(), ast.Constant(value=int())):
            return True
        case ast.Name():
            return True
        case ast.Constant(value=float()):
            return True
    return False
