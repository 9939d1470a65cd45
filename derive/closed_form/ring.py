"""The ring of closed forms: sparse polynomials with exact rational coefficients and decidable equality.

    ℚ[parameters, slides, rates, …][c, s of each angle, x, y, z, w of each quaternion] / (s² = 1 − c², w² = 1 − x² − y² − z²)

An element is a dictionary from monomials to integers over one common denominator. s and w never occur squared, which makes
the form canonical: two elements are equal if and only if their difference has no terms. Variables may be added at any time.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from derive.closed_form.element import Element, Terms
from derive.closed_form.errors import ClosedFormError, TooLargeError
from derive.closed_form.monomials import BITS, exponents
from derive.closed_form.variables import Angle, Kind, Variable, angle_name, exact_fraction, oriented
from derive.scalars import Scalars

LONG = 1 << 10  # bits of two numbers whose product takes as long as everything else about a product of terms


class Ring:
    """The variables, their squares where those are replaced, and how elements are made."""

    def __init__(self) -> None:
        self.variables: list[Variable] = []
        self._position: dict[Variable, int] = {}
        self.quaternions: list[tuple[Variable, ...]] = []  # x, y, z, w of each
        self._squares: dict[int, Terms] = {}  # lowest bit of a variable's field → what its square is
        self._mask = 0  # those bits
        self.inverses: dict[Variable, Variable] = {}  # 1/D3 → D3, as it is printed
        self.aliases: dict[Variable, Variable] = {}  # a variable → the name its inverse is printed with
        self.named: Callable[[Element], Element] | None = None  # gives a denominator a name
        self._cancels: dict[Variable, Variable] = {}  # 1/D3 → the variable it cancels
        self._terms = math.inf  # the most terms a product may have
        self._work = math.inf  # how many products of two terms may still be made

    # -- making elements ------------------------------------------------------------------------------------------------

    def constant(self, number: float | Fraction) -> Element:
        """A number as an element; a float is the rational its shortest decimal says."""
        exact = exact_fraction(number)
        return Element(self, {0: exact.numerator} if exact else {}, exact.denominator, 0)

    def variable(self, variable: Variable) -> Element:
        """The variable as an element; added to the ring when new."""
        return Element(self, {1 << self._shift(variable): 1}, 1, 1)

    def parameter(self, name: str) -> Element:
        """A named parameter."""
        return self.variable(Variable(name, Kind.PARAMETER))

    def coordinate(self, index: int, name: str) -> Element:
        """The coordinate q[index] itself."""
        return self.variable(Variable(name, Kind.COORDINATE, index))

    def rate(self, index: int, name: str) -> Element:
        """The rate q̇[index]."""
        return self.variable(Variable(name, Kind.RATE, index))

    def quaternion(self, index: int, names: tuple[str, str, str, str]) -> tuple[Element, Element, Element, Element]:
        """The unit quaternion x, y, z, w at q[index:index + 4]; w² is 1 − x² − y² − z²."""
        x, y, z, w = (self.coordinate(index + i, name) for i, name in enumerate(names))
        self.quaternions.append(tuple(v for e in (x, y, z, w) for v in e.variables()))
        (bit,) = w.terms
        self._mask |= bit
        self._squares[bit] = (self.constant(1) - x * x - y * y - z * z).terms
        return x, y, z, w

    def cosine_and_sine(self, angle: Angle) -> tuple[Element, Element]:
        """cos and sin of an angle."""
        name = angle_name(angle)
        first = angle[0][0][0] if angle[0] else 0
        c = self.variable(Variable(f"c{name}", Kind.COS, first, angle))
        s = self.variable(Variable(f"s{name}", Kind.SIN, first, angle))
        (bit,), (cosine,) = s.terms, c.terms
        if not bit & self._mask:
            self._mask |= bit
            self._squares[bit] = {0: 1, 2 * cosine: -1}
        return c, s

    def cos(self, x: Element) -> Element:
        """cos of a sum of coordinates and a number."""
        angle, _ = oriented(self.angle_of(x))
        return self.cosine_and_sine(angle)[0]

    def sin(self, x: Element) -> Element:
        """sin of a sum of coordinates and a number."""
        angle, sign = oriented(self.angle_of(x))
        s = self.cosine_and_sine(angle)[1]
        return s if sign > 0 else -s

    def angle_of(self, x: Element) -> Angle:
        """x as multiples of coordinates and an offset."""
        offset, parts = Fraction(0), {}
        for monomial, coefficient in x.coefficients():
            factors = self.factors(monomial)
            if not factors:
                offset = coefficient
                continue
            ((variable, power),) = factors if len(factors) == 1 else ((None, 0),)
            if variable is None or power != 1 or variable.kind is not Kind.COORDINATE:
                raise ClosedFormError(f"the sine of {x} is not a closed form of the coordinates")
            parts[variable.index] = coefficient
        return tuple(sorted(parts.items())), offset

    def reciprocal(self, x: Element) -> Element:
        """1/x of a number or of a single variable; anything else must be given a name first."""
        if not any(x.terms):
            return self.constant(1 / Fraction(x.terms[0], x.denominator)) if x.terms else _no_inverse()
        variables = x.variables()
        if len(x.terms) > 1 or len(variables) > 1 or x != self.variable(variables[0]):
            if self.named is None:
                raise ClosedFormError(f"1/({x}) is not in the ring; name the denominator")
            return self.reciprocal(self.named(x))
        shown = self.aliases.get(variables[0], variables[0])
        inverse = Variable(shown.name, Kind.INVERSE, shown.index)
        self.inverses[inverse], self._cancels[inverse] = shown, variables[0]
        return self.variable(inverse)

    def cancelling(self, inverse: Variable) -> Variable:
        """The variable that an inverse cancels."""
        return self._cancels[inverse]

    @property
    def scalars(self) -> Scalars:
        """What a recursion needs to run on elements."""
        return Scalars(self.cos, self.sin, _no_root, self.constant)

    @contextmanager
    def at_most(self, terms: int, work: float = math.inf) -> Iterator[None]:
        """While this lasts, more terms in a result or more products of two terms in all raise TooLargeError."""
        before, self._terms, self._work = (self._terms, self._work), terms, work
        try:
            yield
        finally:
            self._terms, self._work = before

    # -- monomials ------------------------------------------------------------------------------------------------------

    def _shift(self, variable: Variable) -> int:
        position = self._position.get(variable)
        if position is None:
            position = self._position[variable] = len(self.variables)
            self.variables.append(variable)
        return position * BITS

    def bit(self, variable: Variable) -> int:
        """The monomial that is this variable alone."""
        return 1 << self._shift(variable)

    def factors(self, monomial: int) -> tuple[tuple[Variable, int], ...]:
        """The variables of a monomial with their exponents, in the order they were added."""
        return tuple((self.variables[shift // BITS], power) for shift, power in exponents(monomial))

    def product(self, a: Terms, b: Terms) -> Terms:
        """The product of two dictionaries of terms, squares replaced, zeros dropped."""
        mask, squares, most = self._mask, self._squares, self._terms
        self._work -= len(a) * len(b) * (1 + _digits(a) * _digits(b) // LONG**2)
        if self._work < 0:
            raise TooLargeError("some entries take too many products of terms to expand")
        total: Terms = {}
        get = total.get
        for left, x in a.items():
            watched = left & mask
            for right, y in b.items():
                if hits := watched & right:
                    _add_reduced(total, left + right, hits, x * y, squares)
                else:
                    monomial = left + right
                    total[monomial] = get(monomial, 0) + x * y
            if len(total) > most:
                raise TooLargeError(f"some entries have more than {most} terms when expanded")
        return {m: c for m, c in total.items() if c}


def _add_reduced(total: Terms, monomial: int, hits: int, coefficient: int, squares: Mapping[int, Terms]) -> None:
    bit = hits & -hits
    base, rest = monomial - 2 * bit, hits ^ bit
    for replacement, factor in squares[bit].items():
        term = base + replacement
        if rest:
            _add_reduced(total, term, rest, coefficient * factor, squares)
        else:
            total[term] = total.get(term, 0) + coefficient * factor


def _digits(terms: Terms) -> int:
    """How long the coefficients are in bits, by the first."""
    return next(iter(terms.values()), 0).bit_length()


def _no_inverse() -> Element:
    raise ZeroDivisionError("1/0 in a closed form")


def _no_root(x: Any) -> Any:
    raise ClosedFormError("square roots are not closed forms of this ring")
