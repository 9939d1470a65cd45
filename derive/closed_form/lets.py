"""Let-bound forms: a recursion run with a name for every entry of every quantity, each shown once and never expanded.

`Lets.bind` is handed to `derive.run.run`: what a statement gives at a body is replaced by names, R3_xx, P3_12, f2_5_1, and the
rest of the recursion is worked out in those names. Numbers, and entries that are a variable already, keep standing for
themselves, so exact zeros and the robot's constants are folded in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from derive.closed_form.element import Element
from derive.closed_form.ring import Ring
from derive.closed_form.variables import Kind, Variable
from derive.inertia import PLACES
from derive.rigid import RigidInertia

AXES = "xyz"
COLUMNS = "abcdef"
SHORT = {"energy": "T", "P_plus": "Pp", "mass": "M", "tau": "t", "z": "psi"}
PLAIN = (Kind.LET, Kind.PARAMETER, Kind.INVERSE, Kind.COS, Kind.SIN, Kind.RATE)
Rate = Callable[[Variable], Element | None]


@dataclass(frozen=True)
class Let:
    """One named scalar: an entry of `field` at a body (0-based; −1 for a denominator or a derivative)."""

    variable: Variable
    value: Element
    field: str
    body: int
    column: int = -1  # the block column, of a quantity that has several
    part: str = ""  # the letter of the column in it, if it has several


class Lets:
    """The names given so far, in the order the recursion made them; with `only`, of these fields and no others.

    Without `fold` zeros and numbers get names too, so that `needed` tells what an entry is read from even where it vanishes.
    """

    def __init__(self, ring: Ring, only: frozenset[str] | None = None, fold: bool = True) -> None:
        self.ring, self._only, self.fold = ring, only, fold
        self.lets: dict[Variable, Let] = {}
        self.blocks: dict[tuple[str, int], Any] = {}  # field and body → what is read of it, in names
        self._column, self._part = -1, ""
        self._by_name: dict[str, Variable] = {}
        self._changes: dict[tuple[Variable, int], Element] = {}

    @contextmanager
    def naming_denominators(self) -> Iterator[None]:
        """While this lasts, what is divided by gets a name of its own."""
        self.ring.aliases.clear()
        self.ring.named = self._denominator
        try:
            yield
        finally:
            self.ring.named = None

    def bind(self, field: str, body: int, value: Any) -> Any:
        """The value with its entries replaced by names."""
        bound = self._bound(field, body, value)
        if field == "D" and len(bound) == 1:
            self._alias(body, bound[0][0])
        self.blocks[field, body] = bound
        return bound

    def _bound(self, field: str, body: int, value: Any) -> Any:
        if isinstance(value, RigidInertia):
            return self._rigid(field, body, value) if field == "R" else self._matrix(field, body, value.matrix)
        if not isinstance(value, dict):
            return self._matrix(field, body, value)
        vector, bound = is_vector(value), {}
        for j, columns in value.items():
            self._column = -1 if vector else j
            bound[j] = self._columns(field, body, "" if vector else f"_{j + 1}", columns)
        self._column = -1
        return bound

    def name(self, field: str, body: int, value: Element) -> Element:
        """A name for a number of a body, also where it is short."""
        return self._named(f"{SHORT.get(field, field)}{body + 1}", value, field, body)

    def unfolded(self, element: Element) -> Element:
        """What a name stands for; anything else as it is."""
        variables = element.variables()
        if len(variables) == 1 and variables[0] in self.lets and element == self.ring.variable(variables[0]):
            return self.unfolded(self.lets[variables[0]].value)
        return element

    def needed(self, elements: Iterable[Element], done: Callable[[Variable], bool] = lambda v: False) -> list[Let]:
        """The lets that these elements rest on, in order, without those that are done and what these rest on."""
        wanted: set[Variable] = set()
        todo = [v for e in elements for v in self._read(e)]
        while todo:
            variable = todo.pop()
            if variable not in wanted and not done(variable):
                wanted.add(variable)
                todo += self._read(self.lets[variable].value)
        return [self.lets[v] for v in sorted(wanted, key=lambda v: v.index)]

    def derivative(self, element: Element, rate: int, change: Rate) -> Element:
        """The derivative along a rate, name by name: what a name changes by gets a name of its own. Without denominators."""
        for let in self.needed([element], lambda v: (v, rate) in self._changes):
            value = let.value.derivative(lambda v: self._change(v, rate, change))
            self._changes[let.variable, rate] = self._scalar("d", -1, f"{rate + 1}_{let.variable.name}", value)
        return element.derivative(lambda v: self._change(v, rate, change))

    def _change(self, variable: Variable, rate: int, change: Rate) -> Element | None:
        return self._changes.get((variable, rate)) if variable in self.lets else change(variable)

    # -- names ----------------------------------------------------------------------------------------------------------

    def _scalar(self, field: str, body: int, entry: str, value: Any) -> Any:
        """A name for one entry; exact zeros, numbers and single variables stay as they are."""
        if not isinstance(value, Element):
            if self.fold:
                return value
            value = self.ring.constant(value)
        value = value.cancelled().reduced()
        if self._only is not None:
            value = self._divided(value).tightened()
        if self.fold and not value.terms:
            return self.ring.constant(0) if body < 0 else 0.0
        if (self._only is not None and field not in self._only) or (self.fold and _is_plain(value)):
            return value
        return self._named(f"{SHORT.get(field, field)}{body + 1 if body >= 0 else ''}{entry}", value, field, body)

    def _named(self, name: str, value: Element, field: str, body: int) -> Element:
        """The name as an element; what is worked out again keeps its name."""
        known = self._by_name.get(name)
        if known is None or self.lets[known].value != value:
            known = self._by_name[name] = Variable(name, Kind.LET, len(self.lets))
            self.lets[known] = Let(known, value, field, body, self._column, self._part)
        return self.ring.variable(known)

    def _denominator(self, value: Element) -> Element:
        """A name for a pivot that is divided by."""
        return self._named(f"pivot{len(self.lets)}", value, "D_inv", -1)

    def _alias(self, body: int, value: Any) -> None:
        """D(k) that is an entry of P(k) gets its own name where it is divided by."""
        if isinstance(value, Element) and (variables := value.variables()):
            let = self.lets.get(variables[0])
            if let is not None and let.field != "D":
                self.ring.aliases[variables[0]] = self._named(f"D{body + 1}", value, "D", body).variables()[0]

    def _read(self, element: Element) -> list[Variable]:
        bases = (self.ring.inverses.get(v, v) for v in element.variables())
        return [v for v in bases if v in self.lets]

    def _divided(self, value: Element) -> Element:
        """With D(k)/D(k) = 1 used wherever the leading term of D(k) stands over D(k), so that sums over D(k) are short."""
        for variable in [v for v in value.variables() if v.kind is Kind.INVERSE]:
            let = self.lets.get(self.ring.inverses[variable])
            if let is not None:
                value = value.divided(variable, let.value)
        return value

    # -- shapes ---------------------------------------------------------------------------------------------------------

    def _rigid(self, field: str, body: int, value: RigidInertia) -> RigidInertia:
        mass = self._scalar(field, body, "_m", value.mass)
        moment: Any = tuple(self._scalar(field, body, f"_h{AXES[i]}", x) for i, x in enumerate(value.moment))
        places = zip(PLACES, value.inertia, strict=True)
        inertia: Any = tuple(self._scalar(field, body, f"_{AXES[i]}{AXES[j]}", x) for (i, j), x in places)
        return RigidInertia(mass, moment, inertia)

    def _columns(self, field: str, body: int, lead: str, columns: Any) -> Any:
        """Columns of one block, by letter if there are several; an entry by its row if there are several."""
        named = []
        for letter, column in zip(column_letters(columns), columns, strict=True):
            self._part = letter
            rows = [f"_{i + 1}" if len(column) > 1 else "" for i in range(len(column))]
            each = zip(rows, column, strict=True)
            named.append(tuple(self._scalar(field, body, f"{lead}{letter}{row}", x) for row, x in each))
        self._part = ""
        return tuple(named)

    def _matrix(self, field: str, body: int, rows: Any) -> Any:
        """A block; of a symmetric one half is named and the other mirrors it."""
        height, width = len(rows), len(rows[0])
        named: dict[tuple[int, int], Any] = {}
        for i in range(height):
            for j in range(width):
                if height == width and j < i and _same(rows[j][i], rows[i][j]):
                    named[i, j] = named[j, i]
                    continue
                entry = "" if height == width == 1 else f"_{i + 1}" if width == 1 else f"_{i + 1}{j + 1}"
                named[i, j] = self._scalar(field, body, entry, rows[i][j])
        return tuple(tuple(named[i, j] for j in range(width)) for i in range(height))


def is_vector(columns: dict[int, Any]) -> bool:
    """Whether block columns are those of a stacked vector, which has one."""
    return list(columns) == [0] and len(columns[0]) == 1


def column_letters(columns: Sequence[Any]) -> str | list[str]:
    """What the columns of one block are called, nothing if there is one."""
    return COLUMNS[: len(columns)] if len(columns) > 1 else [""]


def _is_plain(value: Element) -> bool:
    """Whether it is a number, or plus or minus one variable."""
    if not any(value.terms):
        return True
    if len(value.terms) > 1 or value.variables()[0].kind not in PLAIN:
        return False
    ((monomial, coefficient),) = value.terms.items()
    return abs(coefficient) == value.denominator and monomial & (monomial - 1) == 0


def _same(a: Any, b: Any) -> bool:
    alike = isinstance(a, Element) == isinstance(b, Element)
    return a is b or (alike and bool(a == b))
