"""Why the momentum that one motion gives to a rigid body does not work on another: ⟨a, b⟩ = a*R b is zero.

Entries of 𝓜, of its derivatives, Christoffel symbols and gravity forces are sums of such couplings [SOA-30, SOA-129, SOA-130].
Two slides do not couple where they are perpendicular. A slide and a turn do not where the line along which the slide pushes the
centre of mass meets the axis of the turn, or is parallel to it. Two turns do not where their axes are perpendicular and one of
them is a principal axis of the load at the point where it is nearest to the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from derive.algebra import crossed, dot, minus, scaled, times
from derive.closed_form.reasons.facts import UNKNOWN, Fact, Facts, all_of
from derive.closed_form.reasons.motions import Motions
from derive.closed_form.reasons.screws import (
    AT_RIGHT_ANGLES,
    PERPENDICULAR,
    Screw,
    lie,
    line,
    nearest,
    passes,
    relation,
    vanishes,
)
from derive.rigid import RigidInertia
from derive.spatial import identity, spatial_cross, spatial_cross_adjoint, vector_sum

RIGHT = (PERPENDICULAR, AT_RIGHT_ANGLES)


@dataclass(frozen=True, eq=False)
class Coupling:
    """a*R b with R what `body` carries, all in that body's axes."""

    motions: Motions
    a: Screw
    b: Screw
    body: int

    @cached_property
    def load(self) -> RigidInertia:
        """R."""
        return self.motions.load(self.body)

    @property
    def value(self) -> Any:
        """The coupling itself."""
        return dot(self.a.vector, self.load.of_motion(self.b.vector))

    def why(self) -> Facts:
        """What makes it zero; UNKNOWN if it is not, or for no reason that is known."""
        for screw in (self.a, self.b):
            if screw.why_still:
                return (screw.why_still,)
            if vanishes(self.load.of_motion(screw.vector)):
                return (Fact(f"nothing with mass moves about {screw.name}"),)
        return all_of(self._why(a, b) for a in self.a.parts() for b in self.b.parts())

    def _why(self, a: Screw, b: Screw) -> Facts:
        """The same of two screws without pitch."""
        if a.turns and b.turns:
            return self._balanced(a, b) or self._balanced(b, a)
        if a.turns or b.turns:
            return self._pushed(*((a, b) if b.turns else (b, a)))
        how = relation(a, b)
        return (lie(a, b, how),) if how == PERPENDICULAR else UNKNOWN

    def _pushed(self, slide: Screw, turn: Screw) -> Facts:
        """Of a slide and a turn."""
        if relation(slide, turn) == "parallel":
            return (lie(slide, turn, "parallel"),)
        if passes(turn, self.load.mass, self.load.moment):
            return (self._on(turn),)
        push = line(
            scaled(slide.slide, self.load.mass),
            crossed(self.load.moment, slide.slide),
            f"the line along {slide.name} through the centre of mass of what {self._carrier} carries",
        )
        how = relation(push, turn)
        return (lie(push, turn, how),) if how and how != PERPENDICULAR else UNKNOWN

    def _balanced(self, a: Screw, b: Screw) -> Facts:
        """Of two turns, the second about a principal axis."""
        how = relation(a, b)
        if how not in RIGHT:
            return UNKNOWN
        momentum = self.load.of_motion(b.vector)
        principal = Fact(f"{b.name} is a principal axis of what {self._carrier} carries")
        if passes(b, self.load.mass, self.load.moment):
            return (lie(a, b, how), self._on(b), principal) if self._principal(b, momentum[:3]) else UNKNOWN
        point, multiplier = nearest(b, a)
        there = tuple(
            minus(times(multiplier, n), m) for n, m in zip(momentum[:3], crossed(point, momentum[3:]), strict=True)
        )
        where = "where it meets" if how == AT_RIGHT_ANGLES else "where it is nearest to"
        return (lie(a, b, how), Fact(f"{principal.words} {where} {a.name}")) if self._principal(b, there) else UNKNOWN

    @staticmethod
    def _principal(axis: Screw, angular: Any) -> bool:
        return vanishes(crossed(angular, axis.spin))

    def _on(self, axis: Screw) -> Fact:
        return Fact(f"what {self._carrier} carries has its centre of mass on {axis.name}")

    @property
    def _carrier(self) -> str:
        return self.motions.carrier(self.body)


def is_round(motion: Screw, load: RigidInertia) -> bool:
    """Whether the load is the same however far the motion has gone: ã*R − R ã is zero."""
    for unit in identity(6):
        turned = load.of_motion(spatial_cross(motion.vector, unit))
        if not vanishes(vector_sum(spatial_cross_adjoint(motion.vector, load.of_motion(unit)), turned)):
            return False
    return True
