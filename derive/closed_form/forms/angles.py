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

from derive.closed_form.element import Element, Terms
from derive.closed_form.forms.merging import (
    Group,
    Rule,
    addition_theorems,
    merged,
    span,
    squared_cosines,
    with_sine_squares,
)
from derive.closed_form.forms.terms import Polynomial, cost
from derive.closed_form.ring import Ring
from derive.closed_form.variables import Variable

LONGEST_CHAIN = 3  # joints; 16 trees
LARGEST = 4000  # terms above which only the joint angles themselves are tried
MOST = 6  # choices that are looked at further
WORTH = 2  # choices of angles that make the raw form this much longer than the best are not looked at further


def in_angle_sums(element: Element, groups: Sequence[Group]) -> Polynomial:
    """The element in the angles, sums of angles and squares that make it shortest."""
    theorems = merging_rules(element, groups)
    written = ((_squares_chosen(c, theorems), c.denominator) for c in bases(element, groups))
    terms, denominator = min(written, key=lambda found: cost(found[0]))
    return {m: Fraction(c, denominator) for m, c in terms.items()}


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


def merging_rules(element: Element, groups: Sequence[Group]) -> list[tuple[Rule, ...]]:
    """The addition theorems that may shorten the element, for each chain."""
    return [addition_theorems(element.ring, group) for group in _relevant(element, groups)]


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


def _squares_chosen(element: Element, theorems: Sequence[Sequence[Rule]]) -> Terms:
    """s² for every angle, but c² where that is shorter; pairs merged. The terms are over the element's denominator."""
    ring = element.ring

    def written(by_sine: Sequence[Variable]) -> Terms:
        return merged(reduce(lambda p, v: with_sine_squares(p, ring, v), by_sine, element.terms), ring, theorems)

    chosen = squared_cosines(element)
    best = written(chosen)
    for cosine in tuple(chosen):
        fewer = [v for v in chosen if v != cosine]
        other = written(fewer)
        if cost(other) < cost(best):
            best, chosen = other, fewer
    return best
