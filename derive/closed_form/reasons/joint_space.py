"""Why entries of 𝓜, of its derivatives, of Christoffel symbols, Coriolis and gravity forces are zero."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, reduce
from itertools import product
from typing import Any

from derive.algebra import plus
from derive.closed_form.reasons.couplings import Coupling, is_round
from derive.closed_form.reasons.facts import UNKNOWN, Fact, Facts, all_of, because
from derive.closed_form.reasons.motions import Motion, Motions
from derive.closed_form.reasons.screws import common_normal, is_zero, vanishes
from derive.closed_form.sheet import Label
from derive.model import GROUND

BRANCHES = (Fact("on different branches: neither moves what the other carries"),)
VERTICAL = "the vertical"


class JointSpace:
    """Reasons of one robot; rates are 0-based. UNKNOWN where an entry is not zero, or for no reason that is known."""

    def __init__(self, motions: Motions, gravity: tuple[Any, Any, Any]) -> None:
        self._motions = motions
        self._weight = Motion(GROUND, (0.0, 0.0, 0.0, *gravity), VERTICAL)
        self.mass_matrix = cache(self._mass_matrix)
        self.change = cache(self._change)

    def gravity(self, i: int) -> Facts:
        """Of g(i): the momentum that the joint's motion gives does not fall."""
        if vanishes(self._weight.vector):
            return (Fact("there is no gravity"),)
        return all_of(self._coupled(self._weight, x) for x in self._motions.of_rate[i])

    def _mass_matrix(self, i: int, j: int) -> Facts:
        """Of 𝓜(i, j)."""
        if i == j and self._motions.forms.has_armature:
            return UNKNOWN
        return all_of(self._coupled(*motions) for motions in self._driven(i, j))

    def _change(self, i: int, j: int, k: int) -> Facts:
        """Of ∂𝓜(j, k) along rate i."""
        if structural := all_of(self._structure(*motions) for motions in self._driven(i, j, k)):
            return structural
        itself = because(Label("M", (j + 1, k + 1)), self.mass_matrix(j, k))
        return itself or all_of(self._of_motions(*motions) for motions in self._driven(i, j, k))

    def christoffel(self, i: int, j: int, k: int) -> Facts:
        """Of ½(∂𝓜(i,j)/∂q_k + ∂𝓜(i,k)/∂q_j − ∂𝓜(j,k)/∂q_i); where i is j or k, two of them cancel."""
        if i in (j, k):
            other = k if i == j else j
            return self._of_one(other, i, i)
        if j == k:
            return all_of((self._of_one(j, i, j), self._of_one(i, j, j)))
        terms = ((k, i, j), (j, i, k), (i, j, k))
        return all_of(self._of_one(*term) for term in terms) or self._cancelling(*terms)

    def coriolis(self, i: int, j: int) -> Facts:
        """Of Σ_k Γ(i,j,k) q̇_k."""
        return all_of(self.christoffel(i, j, k) for k in range(len(self._motions.of_rate)))

    def coriolis_force(self, i: int) -> Facts:
        """Of Σ_jk Γ(i,j,k) q̇_j q̇_k."""
        return all_of(self.coriolis(i, j) for j in range(len(self._motions.of_rate)))

    def _of_one(self, i: int, j: int, k: int) -> Facts:
        return self.change(i, min(j, k), max(j, k))

    def _cancelling(self, *terms: tuple[int, int, int]) -> Facts:
        """The third is zero, and the other two are equal but for their sign in the symbol."""
        values = [self._value(*term) for term in terms]
        for zero, (one, other), sign in ((0, (1, 2), 1), (1, (0, 2), 1), (2, (0, 1), -1)):
            same = values[one] - values[other] if sign > 0 else values[one] + values[other]
            if (facts := self._of_one(*terms[zero])) and is_zero(same):
                equal = f"{_derivative(*terms[one])} = {'' if sign > 0 else '−'}{_derivative(*terms[other])}"
                return (Fact(equal), *because(_derivative(*terms[zero]), facts))
        return UNKNOWN

    def _value(self, i: int, j: int, k: int) -> Any:
        """−∂𝓜(j, k) along rate i."""
        moving = (motions for motions in self._driven(i, j, k) if not self._structure(*motions))
        parts = [coupling.value for motions in moving for coupling in self._couplings(*motions)]
        return self._motions.forms.element(reduce(plus, parts, 0.0))

    def _driven(self, *rates: int) -> Iterator[tuple[Motion, ...]]:
        return product(*(self._motions.of_rate[rate] for rate in rates))

    def _structure(self, x: Motion, y: Motion, z: Motion) -> Facts:
        """Why ∂⟨y, z⟩ along x is zero whatever the numbers are."""
        carries, (inner, outer) = self._motions.carries, self._ordered(y, z)
        if not carries(inner.body, outer.body):
            return BRANCHES
        if carries(x.body, inner.body):
            return (Fact("all that it is made of moves rigidly with", (x.joint,)),)
        if not carries(x.body, outer.body) and not carries(outer.body, x.body):
            return (Fact("on branches that it does not depend on:", (x.joint,)),)
        return UNKNOWN

    def _of_motions(self, x: Motion, y: Motion, z: Motion) -> Facts:
        """Why ∂⟨y, z⟩ along x is zero."""
        if structural := self._structure(x, y, z):
            return structural
        if x.body >= max(y.body, z.body) and is_round(self._motions.seen(x, x.body), self._motions.load(x.body)):
            return (Fact(f"what {x.joint} carries is the same wherever it stands"),)
        return all_of(coupling.why() for coupling in self._couplings(x, y, z))

    def _couplings(self, x: Motion, y: Motion, z: Motion) -> list[Coupling]:
        """What −∂⟨y, z⟩ along x is the sum of: what is outboard of x is moved by it, as one rigid body."""
        inner, outer = self._ordered(y, z)
        if self._motions.carries(x.body, outer.body):
            return [self._moved(x, inner, outer, outer.body)]
        return [self._moved(x, inner, outer, x.body), self._moved(x, outer, inner, x.body)]

    def _ordered(self, x: Motion, y: Motion) -> tuple[Motion, Motion]:
        """The inner one first, if one carries the other."""
        return (x, y) if self._motions.carries(x.body, y.body) else (y, x)

    def _moved(self, x: Motion, moved: Motion, other: Motion, body: int) -> Coupling:
        """⟨x̃ moved, other⟩ through a body's load."""
        a, b, c = (self._motions.seen(m, body) for m in (x, moved, other))
        return Coupling(self._motions, common_normal(a, b), c, body)

    def _coupled(self, x: Motion, y: Motion) -> Facts:
        inner, outer = self._ordered(x, y)
        if not self._motions.carries(inner.body, outer.body):
            return BRANCHES
        a, b = (self._motions.seen(m, outer.body) for m in (inner, outer))
        return Coupling(self._motions, a, b, outer.body).why()


def _derivative(i: int, j: int, k: int) -> Label:
    return Label("dM", (min(j, k) + 1, max(j, k) + 1), i + 1)
