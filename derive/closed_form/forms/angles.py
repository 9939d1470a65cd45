"""Sums of angles: c23 for cos(q2 + q3) where axes are parallel, and s² or c², whichever makes the entry shorter.

The angles of a chain of parallel joints are the differences of its absolute directions, so any spanning tree on those
directions is a set of angles to write an entry in: q2 and q3, or q2 and q2 + q3, or q3 and q2 + q3. Every tree is tried for
short chains, pairs of terms are merged by the addition theorems, and the shortest result is taken.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import reduce
from typing import TypeAlias

from derive.closed_form.element import Element
from derive.closed_form.forms.terms import Polynomial, cost, polynomial_of
from derive.closed_form.monomials import divides, exponent
from derive.closed_form.ring import Ring
from derive.closed_form.variables import Angle, Kind, Variable, sine_of

Group: TypeAlias = tuple[tuple[int, int], ...]  # (coordinate, sign) from the base outwards
LONGEST_CHAIN = 3  # joints; 16 trees
LARGEST = 4000  # terms above which only the joint angles themselves are tried
MOST = 6  # choices that are looked at further
WORTH = 2  # choices of angles that make the raw form this much longer than the best are not looked at further


def in_angle_sums(element: Element, groups: Sequence[Group]) -> Polynomial:
    """The element in the angles, sums of angles and squares that make it shortest."""
    ring, rules = element.ring, merging_rules(element, groups)
    return min((_squares_chosen(c, rules) for c in bases(element, groups)), key=lambda p: cost(p, ring))


def bases(element: Element, groups: Sequence[Group]) -> list[Element]:
    """The element in the joint angles themselves, and in every other choice of angles worth trying."""
    relevant = _relevant(element, groups)
    if not relevant or len(element) > LARGEST or any(len(g) > LONGEST_CHAIN for g in relevant):
        return [element]
    found = [element]
    for group in relevant:
        found = [e.substituted(_in_basis(element.ring, group, tree)) for e in found for tree in _trees(len(group))]
        shortest = min(map(len, found))
        found = sorted((e for e in found if len(e) <= WORTH * shortest), key=len)[:MOST]
    return found


def merging_rules(element: Element, groups: Sequence[Group]) -> list[Pairs]:
    """The addition theorems that may shorten the element."""
    return [Pairs(element.ring, group) for group in _relevant(element, groups)]


def _relevant(element: Element, groups: Sequence[Group]) -> list[Group]:
    used = {i for v in element.variables() if v.angle is not None for i, _ in v.angle[0]}
    return [part for group in groups if len(part := _used_part(group, used)) > 1]


def _used_part(group: Group, used: set[int]) -> Group:
    """The joints of the chain from the first to the last that occurs."""
    places = [i for i, (coordinate, _) in enumerate(group) if coordinate in used]
    return group[places[0] : places[-1] + 1] if places else ()


# -- bases of angles ----------------------------------------------------------------------------------------------------


def _trees(joints: int) -> Iterator[tuple[tuple[int, int], ...]]:
    """The spanning trees on directions 0 … joints, as edges (i, j): the angle from direction i to j."""
    points = range(joints + 1)
    for edges in itertools.combinations(itertools.combinations(points, 2), joints):
        reached = {0}
        for _ in points:
            reached |= {p for edge in edges if reached & set(edge) for p in edge}
        if len(reached) == joints + 1:
            yield edges


def _in_basis(ring: Ring, group: Group, tree: tuple[tuple[int, int], ...]) -> dict[Variable, Element]:
    """cos and sin of each joint's angle in those of the tree's edges."""
    values: dict[Variable, Element] = {}
    for position, (coordinate, sign) in enumerate(group):
        c, s = ring.constant(1), ring.constant(0)
        for edge, direction in _path(tree, position, position + 1):
            ce, se = ring.cosine_and_sine(span(group, *edge))
            se = se * (direction * group[edge[0]][1])
            c, s = c * ce - s * se, s * ce + c * se
        own = ((coordinate, Fraction(1)),), Fraction(0)
        cosine, sine = ring.cosine_and_sine(own)
        if (position, position + 1) not in tree:
            values[_single(cosine)] = c
            values[_single(sine)] = s * sign
    return values


def span(group: Group, start: int, end: int) -> Angle:
    """The angle from direction `start` to `end` of a chain, its first joint counted positive."""
    part = group[start:end]
    return tuple(sorted((i, Fraction(sign * part[0][1])) for i, sign in part)), Fraction(0)


def _path(tree: Sequence[tuple[int, int]], start: int, end: int) -> list[tuple[tuple[int, int], int]]:
    """The edges from one direction to another, each with +1 if run along and −1 if against."""
    todo: list[tuple[int, list[tuple[tuple[int, int], int]]]] = [(start, [])]
    seen = {start}
    while todo:
        at, path = todo.pop()
        if at == end:
            return path
        for edge in tree:
            if at in edge:
                other = edge[1] if edge[0] == at else edge[0]
                if other not in seen:
                    seen.add(other)
                    todo.append((other, [*path, (edge, 1 if edge[0] == at else -1)]))
    raise AssertionError("a spanning tree connects all directions")


def _single(element: Element) -> Variable:
    (variable,) = element.variables()
    return variable


# -- squares and pairs --------------------------------------------------------------------------------------------------


def _squares_chosen(element: Element, rules: Sequence[Pairs]) -> Polynomial:
    """s² for every angle, but c² where that is shorter; pairs merged."""
    ring, raw = element.ring, polynomial_of(element)

    def written(by_sine: Sequence[Variable]) -> Polynomial:
        return merged(reduce(lambda p, v: with_sine_squares(p, ring, v), by_sine, raw), ring, rules)

    chosen = squared_cosines(element)
    best = written(chosen)
    for cosine in tuple(chosen):
        fewer = [v for v in chosen if v != cosine]
        other = written(fewer)
        if cost(other, ring) < cost(best, ring):
            best, chosen = other, fewer
    return best


def squared_cosines(element: Element) -> list[Variable]:
    """The cosines that occur squared."""
    cosines = [v for v in element.variables() if v.kind is Kind.COS]
    return [v for v in cosines if any(divides(2 * element.ring.bit(v), m) for m in element.terms)]


def with_sine_squares(polynomial: Polynomial, ring: Ring, cosine: Variable) -> Polynomial:
    """c² written as 1 − s²."""
    c, s = ring.bit(cosine), ring.bit(sine_of(cosine))
    total: Polynomial = {}
    for monomial, coefficient in polynomial.items():
        pairs = exponent(monomial, c) // 2
        base = monomial - (2 * pairs) * c
        row = 1
        for k in range(pairs + 1):  # (1 − s²)^pairs
            term = base + 2 * k * s
            total[term] = total.get(term, Fraction(0)) + coefficient * row * (-1) ** k
            row = row * (pairs - k) // (k + 1)
    return {m: c for m, c in total.items() if c}


class Pairs:
    """The addition theorems for one chain of parallel joints."""

    def __init__(self, ring: Ring, group: Group) -> None:
        self._ring, self._group = ring, group
        spans = [(i, j) for i in range(len(group)) for j in range(i + 1, len(group) + 1)]
        self.rules = [rule for a, b in itertools.combinations(spans, 2) for rule in self._addition(a, b)]

    def _bits(self, edge: tuple[int, int]) -> tuple[int, int]:
        c, s = self._ring.cosine_and_sine(span(self._group, *edge))
        return self._ring.bit(_single(c)), self._ring.bit(_single(s))

    def _addition(self, a: tuple[int, int], b: tuple[int, int]) -> Iterator[tuple[int, int, int, int, int]]:
        """(first, second, ratio, result, sign): k·first + k·ratio·second is sign·k·result."""
        if a[1] == b[0]:
            turn = self._sign(a) * self._sign(b)
            (ca, sa), (cb, sb), (co, so) = self._bits(a), self._bits(b), self._bits((a[0], b[1]))
            yield ca + cb, sa + sb, -turn, co, 1
            yield sa + cb, ca + sb, turn, so, 1
        elif a[0] == b[0] or a[1] == b[1]:
            long, short = (a, b) if a[1] - a[0] > b[1] - b[0] else (b, a)
            rest = (short[1], long[1]) if a[0] == b[0] else (long[0], short[0])
            turn = self._sign(long) * self._sign(short)
            (cl, sl), (cs, ss), (cr, sr) = self._bits(long), self._bits(short), self._bits(rest)
            yield cl + cs, sl + ss, turn, cr, 1
            yield sl + cs, cl + ss, -turn, sr, self._sign(rest) * self._sign(long)

    def _sign(self, edge: tuple[int, int]) -> int:
        """Which way the first joint of the edge turns: sin of the edge's angle is this times the sine of its name."""
        return self._group[edge[0]][1]


def merged(polynomial: Polynomial, ring: Ring, rules: Sequence[Pairs]) -> Polynomial:
    """Pairs of terms replaced by one: 1 − s² by c², and what the addition theorems allow, until nothing changes."""
    total = dict(polynomial)
    used = dict.fromkeys(v for monomial in total for v, _ in ring.factors(monomial))
    pairs = [(ring.bit(v), ring.bit(sine_of(v))) for v in used if v.kind is Kind.COS]
    squares = [pair for c, s in pairs for pair in ((c, s), (s, c))]
    changed = True
    while changed:
        changed = False
        for pair in squares:
            changed = _merge_squares(total, *pair) or changed
        for rule in (r for theorems in rules for r in theorems.rules):
            changed = _merge_pair(total, *rule) or changed
    return total


def _merge_squares(total: Polynomial, x: int, y: int) -> bool:
    """k·X − k·y²X → k·x²X."""
    changed = False
    for monomial in list(total):
        if monomial not in total or not divides(2 * y, monomial):
            continue
        base = monomial - 2 * y
        if base in total and total[base] == -total[monomial]:
            coefficient = total.pop(base)
            del total[monomial]
            _add(total, base + 2 * x, coefficient)
            changed = True
    return changed


def _merge_pair(total: Polynomial, first: int, second: int, ratio: int, result: int, sign: int) -> bool:
    """k·first·X + k·ratio·second·X → sign·k·result·X."""
    changed = False
    for monomial in list(total):
        if monomial not in total or not divides(first, monomial):
            continue
        partner = monomial - first + second
        if partner in total and partner != monomial and total[partner] == ratio * total[monomial]:
            coefficient = total.pop(monomial) * sign
            del total[partner]
            _add(total, monomial - first + result, coefficient)
            changed = True
    return changed


def _add(total: Polynomial, monomial: int, coefficient: Fraction) -> None:
    total[monomial] = total.get(monomial, Fraction(0)) + coefficient
    if not total[monomial]:
        del total[monomial]
