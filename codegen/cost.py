"""What a program costs, counted on its equations and never on text: sub is an addition, neg is free, sin and cos are apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict, astuple, dataclass

from codegen.ir import OPERATIONS, Equation, Origin, ScalarProgram
from codegen.tables import text_table


@dataclass(frozen=True)
class OperationCount:
    """Numbers of operations; they add up."""

    multiplications: int = 0
    additions: int = 0
    divisions: int = 0
    square_roots: int = 0
    trigonometric: int = 0

    @property
    def total(self) -> int:
        """All of them, sin and cos included."""
        return sum(astuple(self))

    def __add__(self, other: OperationCount) -> OperationCount:
        return OperationCount(*(a + b for a, b in zip(astuple(self), astuple(other), strict=True)))

    def times(self, factor: int) -> OperationCount:
        """So many times this."""
        return OperationCount(*(factor * number for number in astuple(self)))

    def __str__(self) -> str:
        """In words, without what there is none of: "321 multiplications, 306 additions, 14 sin/cos"."""
        words = {"square_roots": "square roots", "trigonometric": "sin/cos"}
        return ", ".join(f"{n} {words.get(kind, kind)}" for kind, n in asdict(self).items() if n) or "no operations"


def count_equations(equations: Iterable[Equation]) -> OperationCount:
    """The operations in these equations."""
    by_kind: Counter[str] = Counter()
    for op, number in Counter(equation.op for equation in equations).items():
        by_kind[OPERATIONS[op].counted_as] += number
    del by_kind[""]
    return OperationCount(**by_kind)


def count(program: ScalarProgram) -> OperationCount:
    """The operations of the whole program."""
    return count_equations(program.equations)


def weight(program: ScalarProgram) -> int:
    """The price of the program in additions, by the weights of `OPERATIONS`."""
    return sum(OPERATIONS[equation.op].weight for equation in program.equations)


@dataclass(frozen=True)
class CostTable:
    """Named operation counts; prints as a table with a total where there are several rows."""

    rows: tuple[tuple[str, OperationCount], ...]
    heading: str = "function"

    @property
    def total(self) -> OperationCount:
        """The sum of all rows."""
        return sum((row for _, row in self.rows), OperationCount())

    def __str__(self) -> str:
        rows = (*self.rows, ("total", self.total)) if len(self.rows) > 1 else self.rows
        headings = (self.heading, "mult", "add", "div", "sqrt", "sin/cos", "total")
        return text_table(headings, [(name, *astuple(row), row.total) for name, row in rows])


def cost_by(
    program: ScalarProgram, part: Callable[[Origin], str] = lambda origin: origin.sweep, heading: str = "sweep"
) -> CostTable:
    """Counts by a part of the equations' origins, in order of appearance."""
    groups: dict[str, list[Equation]] = {}
    for equation in program.equations:
        groups.setdefault(part(equation.origin), []).append(equation)
    return CostTable(tuple((name, count_equations(group)) for name, group in groups.items()), heading)
