"""Fewer terms for the same sum: squares of sines or of cosines, and pairs of terms that make one by an addition theorem."""

from __future__ import annotations

import itertools
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from typing import TypeAlias, TypeVar

from derive.closed_form.element import Element
from derive.closed_form.monomials import FIELD, exponent, exponents
from derive.closed_form.ring import Ring
from derive.closed_form.variables import Angle, Kind, Variable, sine_of

Group: TypeAlias = tuple[tuple[int, int], ...]  # (coordinate, sign) from the base outwards
Coefficient = TypeVar("Coefficient", int, Fraction)


@dataclass(frozen=True)
class Rule:
    """k·first·X + k·ratio·second·X → sign·k·result·X, in monomials; `first` is one variable squared or two variables."""

    first: int
    second: int
    ratio: int
    result: int
    sign: int

    @cached_property
    def within(self) -> tuple[int, int]:
        """What a monomial that `first` divides has bits in."""
        masks = [(FIELD + 1 - power) << shift for shift, power in exponents(self.first)]
        return masks[0], masks[-1]

    def applied(self, total: dict[int, Coefficient]) -> bool:
        """Whether it did something to the terms."""
        (a, b), change = self.within, self.second - self.first
        changed = False
        for monomial in [m for m in total if m & a and m & b]:
            partner = monomial + change
            if partner not in total or monomial not in total or partner == monomial:
                continue
            coefficient = total[monomial]
            if total[partner] == self.ratio * coefficient:
                del total[monomial], total[partner]
                _add(total, monomial - self.first + self.result, coefficient * self.sign)
                changed = True
        return changed


def _add(total: dict[int, Coefficient], monomial: int, coefficient: Coefficient) -> None:
    value = total.get(monomial, 0) + coefficient
    if value:
        total[monomial] = value
    else:
        del total[monomial]


def merged(
    polynomial: Mapping[int, Coefficient], ring: Ring, theorems: Sequence[Sequence[Rule]]
) -> dict[int, Coefficient]:
    """Pairs of terms replaced by one: 1 − s² by c², and what the addition theorems allow, until nothing changes."""
    total: dict[int, Coefficient] = dict(polynomial)
    rules = [*_squares(total, ring), *itertools.chain.from_iterable(theorems)]
    present, changed = _present(total), True
    while changed:
        changed = False
        for rule in rules:
            a, b = rule.within
            if present & a and present & b and rule.applied(total):
                present, changed = _present(total), True
    return total


def _squares(monomials: Iterable[int], ring: Ring) -> Iterator[Rule]:
    """1 − s² by c² and 1 − c² by s², for every angle that occurs with a cosine."""
    used = dict.fromkeys(v for monomial in monomials for v, _ in ring.factors(monomial) if v.kind is Kind.COS)
    for c, s in ((ring.bit(v), ring.bit(sine_of(v))) for v in used):
        yield Rule(2 * s, 0, -1, 2 * c, -1)
        yield Rule(2 * c, 0, -1, 2 * s, -1)


def _present(total: Mapping[int, Coefficient]) -> int:
    """All bits that some monomial has."""
    return reduce(operator.or_, total, 0)


# -- squares ------------------------------------------------------------------------------------------------------------


def squared_cosines(element: Element) -> list[Variable]:
    """The cosines that occur squared."""
    present = [(v, (FIELD - 1) * element.ring.bit(v)) for v in element.variables() if v.kind is Kind.COS]
    return [v for v, square in present if any(m & square for m in element.terms)]


def with_sine_squares(polynomial: Mapping[int, Coefficient], ring: Ring, cosine: Variable) -> dict[int, Coefficient]:
    """c² written as 1 − s²."""
    c, s = ring.bit(cosine), ring.bit(sine_of(cosine))
    square = (FIELD - 1) * c
    total: dict[int, Coefficient] = {}
    for monomial, coefficient in polynomial.items():
        if not monomial & square:
            total[monomial] = total.get(monomial, 0) + coefficient
            continue
        pairs = exponent(monomial, c) // 2
        base = monomial - (2 * pairs) * c
        row = 1
        for k in range(pairs + 1):  # (1 − s²)^pairs
            term = base + 2 * k * s
            total[term] = total.get(term, 0) + coefficient * row * (-1) ** k
            row = row * (pairs - k) // (k + 1)
    return {m: c for m, c in total.items() if c}


# -- addition theorems --------------------------------------------------------------------------------------------------


def span(group: Group, start: int, end: int) -> Angle:
    """The angle from direction `start` to `end` of a chain of parallel joints, its first joint counted positive."""
    part = group[start:end]
    return tuple(sorted((i, Fraction(sign * part[0][1])) for i, sign in part)), Fraction(0)


def addition_theorems(ring: Ring, group: Group) -> tuple[Rule, ...]:
    """The addition theorems for one chain of parallel joints."""
    spans = [(i, j) for i in range(len(group)) for j in range(i + 1, len(group) + 1)]
    return tuple(rule for a, b in itertools.combinations(spans, 2) for rule in _additions(ring, group, a, b))


def _additions(ring: Ring, group: Group, a: tuple[int, int], b: tuple[int, int]) -> Iterator[Rule]:
    def bits(edge: tuple[int, int]) -> tuple[int, int]:
        (c,), (s,) = (x.terms for x in ring.cosine_and_sine(span(group, *edge)))
        return c, s

    def sign(edge: tuple[int, int]) -> int:
        """Which way the first joint of the edge turns: sin of the edge's angle is this times the sine of its name."""
        return group[edge[0]][1]

    if a[1] == b[0]:
        turn = sign(a) * sign(b)
        (ca, sa), (cb, sb), (co, so) = bits(a), bits(b), bits((a[0], b[1]))
        yield Rule(ca + cb, sa + sb, -turn, co, 1)
        yield Rule(sa + cb, ca + sb, turn, so, 1)
    elif a[0] == b[0] or a[1] == b[1]:
        long, short = (a, b) if a[1] - a[0] > b[1] - b[0] else (b, a)
        rest = (short[1], long[1]) if a[0] == b[0] else (long[0], short[0])
        turn = sign(long) * sign(short)
        (cl, sl), (cs, ss), (cr, sr) = bits(long), bits(short), bits(rest)
        yield Rule(cl + cs, sl + ss, turn, cr, 1)
        yield Rule(sl + cs, cl + ss, -turn, sr, sign(rest) * sign(long))
