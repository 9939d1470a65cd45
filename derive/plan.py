"""How a stacked statement is worked out: its terms over the given letters alone, equal parts once.

ψ, K and τ̄ are written out with φ, G and H, and words that begin alike are merged, so that ψz + KT at a child is one step
φ[z + G(T − Hz)], and ψ*λ + H*ν + τ̄*a is α⁺ + H*(ν − G*α⁺) with α⁺ = φ*λ + a: the cheap forms of [SOA-63] come out of the
published ones. Nodes are numbered; a node that occurs in several statements is worked out once per body.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import TypeAlias

from derive.recursion import Factor, Place, Statement, Term

Words: TypeAlias = list[tuple[Fraction, tuple[Factor, ...]]]


class Op(Enum):
    """What a node does with what is inside it."""

    READ = "read a field at the body or point"
    APPLY = "multiply by a diagonal block"
    FROM_CHILDREN = "Σ φ(k,c) · inner(c)"
    FROM_PARENT = "φ*(p,k) · inner(p)"
    FROM_POINTS = "Σ φ(k,0) · inner(0) over the points of the body"
    AT_POINT = "φ*(k,0) · inner(k) at a point"
    CARRIED = "φ*(p,k) · inner(p) + c, in one [see derive.newton_euler]"
    WRENCH = "M · inner + b, in one"
    SUM = "Σ coefficient · inner"


@dataclass(frozen=True)
class Node:
    """One node: for READ and APPLY the factor, for the others the numbers of the nodes inside."""

    op: Op
    inner: tuple[tuple[Fraction, int], ...] = ()
    factor: Factor | None = None


@dataclass(frozen=True)
class Plan:
    """Numbered nodes, and the node of each statement's target."""

    nodes: tuple[Node, ...]
    roots: dict[str, int]
    fused: frozenset[str] = frozenset()  # letters that are only part of other nodes


def plan(statements: Iterable[Statement], fused: Set[str] = frozenset()) -> Plan:
    """The plan of stacked statements; `fused` are the letters (c, b) that need not be there on their own."""
    table = _Table(fused)
    roots = {s.target.name: table.node_of(_written_out(s.terms)) for s in statements}
    return Plan(tuple(table.nodes), roots, frozenset(table.used - _read(table.nodes, roots.values())))


def _read(nodes: Sequence[Node], roots: Iterable[int]) -> set[str]:
    """The fields that the nodes with these numbers read, they and all inside them."""
    left, seen = list(roots), set[int]()
    while left:
        number = left.pop()
        if number not in seen:
            seen.add(number)
            left += [inner for _, inner in nodes[number].inner]
    return {factor.name for n in seen if nodes[n].op is Op.READ and (factor := nodes[n].factor) is not None}


def _written_out(terms: Iterable[Term]) -> Words:
    """Words over φ, G, H and fields: every abbreviation replaced."""
    words: Words = []
    for term in terms:
        partial: Words = [(term.coefficient, ())]
        for factor in term.factors:
            partial = [(c * d, word + more) for c, word in partial for d, more in _meaning(factor)]
        words += partial
    return words


def _meaning(factor: Factor) -> Words:
    """The factor over φ, G and H; its parts stand at the child where the step comes from there, else at k."""
    one = Fraction(1)
    if factor.name not in ("psi", "K", "tau_bar"):
        return [(one, (factor,))]
    step = factor.name != "tau_bar"
    at = Place.HERE if step and factor.place is Place.PARENT else factor.place
    G, H = Factor("G", at, factor.adjoint), Factor("H", at, factor.adjoint)
    phi = (replace(factor, name="phi"),) if step else ()
    projector = (H, G) if factor.adjoint else (G, H)
    parts: Words = [(one, (G,))] if factor.name == "K" else [(one, ()), (-one, projector)]
    return [(c, (*part, *phi) if factor.adjoint else (*phi, *part)) for c, part in parts]


class _Table:
    """Hash-conses nodes."""

    def __init__(self, fused: Set[str]) -> None:
        self._fused = fused
        self.used: set[str] = set()
        self.nodes: list[Node] = []
        self._number: dict[Node, int] = {}

    def node_of(self, words: Words) -> int:
        """The number of the node that is the sum of the words."""
        groups: dict[Factor, Words] = {}
        for coefficient, (lead, *rest) in words:
            groups.setdefault(lead, []).append((coefficient, tuple(rest)))
        parts: dict[int, Fraction] = {}
        for lead, rests in groups.items():
            for number, coefficient in self._parts(lead, rests):
                parts[number] = parts.get(number, Fraction(0)) + coefficient
        parts = self._with_fused(parts)
        kept = tuple(sorted((number, c) for number, c in parts.items() if c))
        if len(kept) == 1 and kept[0][1] == 1:
            return kept[0][0]
        return self._numbered(Node(Op.SUM, tuple((c, number) for number, c in kept)))

    def _parts(self, lead: Factor, rests: Words) -> list[tuple[int, Fraction]]:
        """lead · Σ rests as numbered nodes with coefficients; `lead` alone is a field to read."""
        alone = [c for c, rest in rests if not rest]
        longer = [(c, rest) for c, rest in rests if rest]
        parts = []
        if alone:
            read = Node(Op.READ, factor=replace(lead, place=Place.HERE))
            parts.append((self._numbered(read), sum(alone, Fraction(0))))
        if longer:
            scale = longer[0][0] if len({c for c, _ in longer}) == 1 else Fraction(1)
            inner = self.node_of([(c / scale, _from(lead, rest)) for c, rest in longer])
            parts.append((self._numbered(_applied(lead, inner)), scale))
        return parts

    def _with_fused(self, parts: dict[int, Fraction]) -> dict[int, Fraction]:
        """φ*x + c and Mx + b as one node each."""
        for letter, op, whole in (("c", Op.FROM_PARENT, Op.CARRIED), ("b", Op.APPLY, Op.WRENCH)):
            bias = self._part(parts, lambda node: node.op is Op.READ and node.factor == Factor(letter))  # noqa: B023
            other = self._part(parts, lambda node: node.op is op and node.factor in (None, Factor("M")))  # noqa: B023
            if letter in self._fused and bias is not None and other is not None:
                self.used.add(letter)
                rest = {number: c for number, c in parts.items() if number not in (bias, other)}
                parts = {**rest, self._numbered(Node(whole, self.nodes[other].inner)): Fraction(1)}
        return parts

    def _part(self, parts: dict[int, Fraction], fits: Callable[[Node], bool]) -> int | None:
        return next((number for number, c in parts.items() if c == 1 and fits(self.nodes[number])), None)

    def _numbered(self, node: Node) -> int:
        if node not in self._number:
            self._number[node] = len(self.nodes)
            self.nodes.append(node)
        return self._number[node]


def _is_step(factor: Factor) -> bool:
    return factor.name == "phi" and factor.place in (Place.CHILD, Place.PARENT)


def _from(lead: Factor, rest: tuple[Factor, ...]) -> tuple[Factor, ...]:
    """The factors right of a step, as seen from the body it comes from."""
    return tuple(replace(f, place=Place.HERE) for f in rest) if _is_step(lead) else rest


def _applied(lead: Factor, inner: int) -> Node:
    inside = ((Fraction(1), inner),)
    if _is_step(lead):
        return Node(Op.FROM_CHILDREN if lead.place is Place.CHILD else Op.FROM_PARENT, inside)
    if lead.name == "B":
        return Node(Op.AT_POINT if lead.adjoint else Op.FROM_POINTS, inside)
    return Node(Op.APPLY, inside, lead)
