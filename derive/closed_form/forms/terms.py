"""Terms as the forms handle them: monomials with exact coefficients, squares of sines allowed, in the order readers expect."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from typing import TypeAlias

from derive.closed_form.element import Element
from derive.closed_form.expression import ONE, Expression, Number, Quotient, Symbol, multiplied, power, summed
from derive.closed_form.monomials import exponents
from derive.closed_form.ring import Ring
from derive.closed_form.variables import Kind, Variable

Polynomial: TypeAlias = dict[int, Fraction]  # monomial → coefficient, as printed: not reduced
Order: TypeAlias = Callable[[Variable], tuple[object, ...]]
TRIGONOMETRIC = (Kind.SIN, Kind.COS)
_RANK = {kind: i for i, kind in enumerate(Kind)}


@dataclass(frozen=True)
class Reading:
    """How formulas of one robot are laid out: `first` are the parameters that stand in front of others, masses as a rule."""

    ring: Ring
    first: frozenset[str] = frozenset()

    def rank(self, variable: Variable) -> tuple[object, ...]:
        """The place of a variable in a product."""
        angle = variable.angle[0] if variable.angle else ()
        return (_RANK[variable.kind], variable.name not in self.first, variable.index, angle, variable.name)

    def factors(self, monomial: int) -> list[tuple[Variable, int]]:
        """The variables of a monomial in the order they are printed; sines and cosines by angle."""
        found = list(self.ring.factors(monomial))
        plain = sorted((vp for vp in found if vp[0].kind not in TRIGONOMETRIC), key=lambda vp: self.rank(vp[0]))
        angles = sorted(
            (vp for vp in found if vp[0].kind in TRIGONOMETRIC),
            key=lambda vp: (vp[0].index, len(vp[0].angle[0]) if vp[0].angle else 0, _RANK[vp[0].kind]),
        )
        return plain + angles

    def product(self, monomial: int) -> list[Expression]:
        """The factors of a monomial as expressions."""
        return [self._factor(v, p) for v, p in self.factors(monomial)]

    def _factor(self, variable: Variable, exponent: int) -> Expression:
        base = self.ring.inverses.get(variable)
        return power(Symbol(variable), exponent) if base is None else Quotient(ONE, power(Symbol(base), exponent))

    def term(self, monomial: int, coefficient: Fraction) -> Expression:
        """One term."""
        return multiplied([Number(coefficient), *self.product(monomial)])

    @cached_property
    def key(self) -> Callable[[int], tuple[object, ...]]:
        """The place of a term in a sum: those without angles first, then by number of trigonometric factors."""
        return cache(self._key)

    def _key(self, monomial: int) -> tuple[object, ...]:
        factors = self.factors(monomial)
        trigonometric = [(v, p) for v, p in factors if v.kind in TRIGONOMETRIC]
        rates = [v.index for v, p in factors if v.kind is Kind.RATE for _ in range(p)]
        names = [(*self.rank(v), p) for v, p in factors if v.kind not in TRIGONOMETRIC]
        angles = [(v.index, len(v.angle[0]) if v.angle else 0, _RANK[v.kind], p) for v, p in trigonometric]
        return (rates, sum(p for _, p in trigonometric), len(names), angles, names)

    def sum(self, polynomial: Polynomial) -> Expression:
        """A flat sum of products."""
        ordered = sorted(polynomial, key=self.key)
        return summed(self.term(monomial, polynomial[monomial]) for monomial in ordered)


def polynomial_of(element: Element) -> Polynomial:
    """The terms of an element."""
    return dict(element.coefficients())


def cost(monomials: Collection[int]) -> tuple[int, int]:
    """How long a flat sum is: terms, then factors."""
    return len(monomials), sum(power for monomial in monomials for _, power in exponents(monomial))
