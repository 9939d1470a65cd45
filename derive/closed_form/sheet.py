"""A sheet of formulas: what `inspect` prints, in any notation. Labels, expressions, and the definitions they rest on."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

from derive.closed_form.expression import ZERO, Expression, count_terms, variables_of
from derive.closed_form.variables import Variable


@dataclass(frozen=True)
class Label:
    """The name of a formula: a letter and 1-based indices, M[1,2], dM[3][1,2] as letter dM with derivative 3."""

    letter: str
    indices: tuple[int, ...] = ()
    along: int = 0  # the joint of a derivative, 0 where there is none

    def __str__(self) -> str:
        along = f"[{self.along}]" if self.along else ""
        return f"{self.letter}{along}" + (f"[{','.join(map(str, self.indices))}]" if self.indices else "")


@dataclass(frozen=True)
class Formula:
    """label = expression; `note` is a remark, such as why it is zero or how many terms it has when expanded."""

    label: Label
    expression: Expression
    note: str = ""

    @property
    def terms(self) -> int:
        """Number of terms."""
        return count_terms(self.expression)


@dataclass(frozen=True)
class Definition:
    """variable = expression, shown once before the formulas that use it.

    `value` is its number where all its parameters have one; `body` (0-based) whose quantity it is, −1 for none.
    """

    variable: Variable
    expression: Expression
    value: Fraction | None = None
    body: int = -1


@dataclass(frozen=True)
class Sheet:
    """Formulas of one robot: an array of `shape`, () for one entry; if `symmetric`, its last two indices may be exchanged."""

    robot: str
    title: str
    formulas: tuple[Formula, ...]
    definitions: tuple[Definition, ...] = ()
    shape: tuple[int, ...] = ()
    symmetric: bool = False
    notes: tuple[str, ...] = ()
    parameters: tuple[tuple[str, float], ...] = ()

    @property
    def nonzero(self) -> tuple[Formula, ...]:
        """The formulas of entries that are not zero."""
        return tuple(f for f in self.formulas if f.expression != ZERO)

    @property
    def zeros(self) -> tuple[tuple[str, tuple[Label, ...]], ...]:
        """Reasons, each with the entries that are zero because of it, in order."""
        found: dict[str, list[Label]] = {}
        for formula in self.formulas:
            if formula.expression == ZERO:
                found.setdefault(formula.note, []).append(formula.label)
        return tuple((note, tuple(labels)) for note, labels in found.items())

    def variables(self) -> tuple[Variable, ...]:
        """The variables that occur in what is shown and are not defined in it."""
        defined = {d.variable for d in self.definitions}
        shown: Iterable[Expression] = [
            *(d.expression for d in self.definitions),
            *(f.expression for f in self.formulas),
        ]
        found = dict.fromkeys(v for e in shown for v in variables_of(e))
        return tuple(v for v in found if v not in defined)
