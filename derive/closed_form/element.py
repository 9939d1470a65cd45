"""Elements of the ring of closed forms: exact polynomials one can calculate with, differentiate and compare."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from derive.closed_form.errors import TooLargeError
from derive.closed_form.monomials import FIELD, divides, exponent
from derive.closed_form.variables import Kind, Variable, exact_fraction

if TYPE_CHECKING:
    from derive.closed_form.ring import Ring

Terms: TypeAlias = dict[int, int]


class Element:
    """An immutable element: `terms` over `denominator`; `degree` bounds the exponents, so that fields never overflow."""

    __slots__ = ("degree", "denominator", "ring", "terms")

    def __init__(self, ring: Ring, terms: Terms, denominator: int, degree: int) -> None:
        if degree > FIELD:
            raise TooLargeError(f"a closed form of degree {degree}; {FIELD} is the most")
        self.ring, self.terms, self.denominator, self.degree = ring, terms, denominator, degree

    def _lifted(self, other: Any) -> Element:
        if not isinstance(other, Element):
            return self.ring.constant(other)
        if other.ring is not self.ring:
            raise ValueError("elements of different rings do not mix")
        return other

    def __add__(self, other: Any) -> Element:
        return self._combined(self._lifted(other), 1)

    def __sub__(self, other: Any) -> Element:
        return self._combined(self._lifted(other), -1)

    def _combined(self, other: Element, sign: int) -> Element:
        denominator = self.denominator
        if denominator == other.denominator:
            total, scale = dict(self.terms), sign
        else:
            denominator = math.lcm(denominator, other.denominator)
            own, scale = denominator // self.denominator, sign * (denominator // other.denominator)
            total = {m: own * c for m, c in self.terms.items()} if own != 1 else dict(self.terms)
        for monomial, coefficient in other.terms.items():
            value = total.get(monomial, 0) + scale * coefficient
            if value:
                total[monomial] = value
            else:
                del total[monomial]
        return Element(self.ring, total, denominator, max(self.degree, other.degree))

    def __mul__(self, other: Any) -> Element:
        factor = self._lifted(other)
        terms = self.ring.product(self.terms, factor.terms)
        return Element(self.ring, terms, self.denominator * factor.denominator, self.degree + factor.degree)

    def __neg__(self) -> Element:
        return Element(self.ring, {m: -c for m, c in self.terms.items()}, self.denominator, self.degree)

    def __abs__(self) -> Element:
        """The absolute value, of an element without variables."""
        return -self if float(self) < 0 else self

    def __round__(self) -> int:
        """The nearest integer, of an element without variables."""
        return round(float(self))

    def __rsub__(self, other: Any) -> Element:
        return self._lifted(other) - self

    def __truediv__(self, divisor: float | Fraction) -> Element:
        return self * (1 / exact_fraction(divisor))

    def __rtruediv__(self, other: Any) -> Element:
        return self._lifted(other) * self.ring.reciprocal(self)

    def __pow__(self, power: int) -> Element:
        result = self.ring.constant(1)
        for _ in range(power):
            result = result * self
        return result

    __radd__ = __add__
    __rmul__ = __mul__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Element | int | float | Fraction):
            return NotImplemented
        if isinstance(other, Element) and other.ring is not self.ring:
            return False
        return not (self - other).terms

    def __hash__(self) -> int:
        """Of the value in its ring, so that what is remembered of one ring is never given to another."""
        reduced = self.reduced()
        return hash((id(self.ring), reduced.denominator, frozenset(reduced.terms.items())))

    def __bool__(self) -> bool:
        return bool(self.terms)

    def __len__(self) -> int:
        return len(self.terms)

    def __float__(self) -> float:
        """The number, of an element without variables."""
        if any(self.terms):
            raise TypeError(f"{self} is not a number")
        return float(Fraction(self.terms.get(0, 0), self.denominator))

    def __str__(self) -> str:
        parts = []
        for monomial, coefficient in self.coefficients():
            factors = [v.name if p == 1 else f"{v.name}^{p}" for v, p in self.ring.factors(monomial)]
            parts.append("*".join([str(coefficient), *factors]))
        return " + ".join(parts) or "0"

    __repr__ = __str__

    def coefficients(self) -> Iterator[tuple[int, Fraction]]:
        """Monomials with their exact coefficients."""
        return ((m, Fraction(c, self.denominator)) for m, c in self.terms.items())

    def variables(self) -> tuple[Variable, ...]:
        """The variables that occur."""
        used = 0
        for monomial in self.terms:
            used |= monomial
        return tuple(v for v, _ in self.ring.factors(used))

    def cancelled(self) -> Element:
        """With every variable against its inverse."""
        total: Terms = {}
        pairs = [
            (self.ring.bit(v), self.ring.bit(self.ring.cancelling(v)))
            for v in self.variables()
            if v.kind is Kind.INVERSE
        ]
        if not pairs:
            return self
        for monomial, coefficient in self.terms.items():
            for inverse, base in pairs:
                common = min(exponent(monomial, inverse), exponent(monomial, base))
                monomial -= common * (inverse + base)
            total[monomial] = total.get(monomial, 0) + coefficient
        return Element(self.ring, {m: c for m, c in total.items() if c}, self.denominator, self.degree)

    def divided(self, inverse: Variable, divisor: Element) -> Element:
        """With inverse·divisor = 1 used on the leading term of `divisor` until it no longer stands beside `inverse`."""
        over = self.ring.bit(inverse)
        leading = max(divisor.terms)
        scale = Fraction(divisor.terms[leading], divisor.denominator)
        rest = divisor - Element(self.ring, {leading: divisor.terms[leading]}, divisor.denominator, divisor.degree)
        total, target = self, leading + over
        while True:
            hit = {m - target: c for m, c in total.terms.items() if divides(target, m)}
            if not hit:
                return total
            quotient = Element(self.ring, hit, total.denominator, total.degree)
            kept = {m: c for m, c in total.terms.items() if m - target not in hit or not divides(target, m)}
            unit = Element(self.ring, {over: 1}, 1, 1)
            changed = quotient * (self.ring.constant(1) - rest * unit) / scale
            total = Element(self.ring, kept, total.denominator, total.degree) + changed

    def reduced(self) -> Element:
        """The same with the smallest denominator."""
        common = math.gcd(self.denominator, *self.terms.values())
        if common == 1:
            return self
        terms = {m: c // common for m, c in self.terms.items()}
        return Element(self.ring, terms, self.denominator // common, self.degree)

    def tightened(self) -> Element:
        """The same with the degree it has, where sums of degrees were a bound."""
        degree = max((power for m in self.terms for _, power in self.ring.factors(m)), default=0)
        return Element(self.ring, self.terms, self.denominator, degree)

    def derivative(self, rate: Callable[[Variable], Element | None]) -> Element:
        """The derivation with `rate(variable)` for each variable; None is zero."""
        total = Element(self.ring, {}, self.denominator, self.degree)
        for variable in self.variables():
            change = rate(variable)
            if change is not None and change.terms:
                total = total + self.partial(variable) * change
        return total

    def partial(self, variable: Variable) -> Element:
        """The formal derivative by one variable, all others held."""
        bit = self.ring.bit(variable)
        terms = {m - bit: c * power for m, c in self.terms.items() if (power := exponent(m, bit))}
        return Element(self.ring, terms, self.denominator, self.degree)

    def substituted(self, values: Mapping[Variable, Element]) -> Element:
        """With every variable in `values` replaced."""
        powers: dict[tuple[Variable, int], Element] = {}
        total = Element(self.ring, {}, self.denominator, 0)
        groups: dict[tuple[tuple[Variable, int], ...], Terms] = {}
        for monomial, coefficient in self.terms.items():
            replaced = tuple((v, p) for v, p in self.ring.factors(monomial) if v in values)
            rest = monomial - sum(p * self.ring.bit(v) for v, p in replaced)
            groups.setdefault(replaced, {})[rest] = coefficient
        for replaced, terms in groups.items():
            part = Element(self.ring, terms, self.denominator, self.degree)
            for key in replaced:
                if key not in powers:
                    powers[key] = values[key[0]] ** key[1]
                part = part * powers[key]
            total = total + part
        return total

    def evaluate(self, value: Callable[[Variable], Any]) -> Any:
        """The number at `value(variable)`, on any scalar."""
        known = {v: value(v) for v in self.variables()}
        total: Any = 0
        for monomial, coefficient in self.coefficients():
            product: Any = coefficient
            for v, power in self.ring.factors(monomial):
                product = product * known[v] ** power
            total = total + product
        return total


def elements_sum(ring: Ring, parts: Iterable[Element]) -> Element:
    """Σ parts."""
    total = ring.constant(0)
    for part in parts:
        total = total + part
    return total
