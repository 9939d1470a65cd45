"""Motions of one freedom as screws: turning about a line, or sliding; and how two lines lie, decided in the ring.

A screw is [ω; v] in the axes of whatever body it is seen from. A line is the screw that turns about it, so that two lines meet
or are parallel where ω₁·v₂ + ω₂·v₁ is zero.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from derive.algebra import Any3, added, crossed, dot, is_constant, minus, plus, scaled, times
from derive.closed_form.reasons.facts import Fact
from derive.spatial import Vector, spatial_cross

AXIS = "the axis of "
PERPENDICULAR = "perpendicular"
AT_RIGHT_ANGLES = "intersecting at right angles"


@dataclass(frozen=True, eq=False)
class Screw:
    """A motion at unit rate, and what its line is called."""

    vector: Vector
    name: str
    why_still: Fact | None = None  # of one that is no motion at all

    @property
    def spin(self) -> Any3:
        """ω."""
        x, y, z = self.vector[:3]
        return (x, y, z)

    @property
    def slide(self) -> Any3:
        """v of the point at the origin."""
        x, y, z = self.vector[3:]
        return (x, y, z)

    @property
    def turns(self) -> bool:
        """Whether it turns anything."""
        return not vanishes(self.spin)

    @property
    def direction(self) -> Any3:
        """Of its line."""
        return self.spin if self.turns else self.slide

    def parts(self) -> tuple[Screw, ...]:
        """Itself, or a turn and a slide along the same line, up to their size."""
        along = dot(self.spin, self.slide)
        if not self.turns or is_zero(along):
            return (self,)
        size = dot(self.spin, self.spin)
        across = tuple(minus(times(size, v), times(along, w)) for v, w in zip(self.slide, self.spin, strict=True))
        turn, slide = (*scaled(self.spin, size), *across), (0.0, 0.0, 0.0, *scaled(self.spin, along))
        return Screw(turn, self.name), Screw(slide, self.name)


def line(direction: Any3, moment: Any3, name: str) -> Screw:
    """The line whose points p have p × direction = moment."""
    return Screw((*direction, *moment), name)


def common_normal(a: Screw, b: Screw) -> Screw:
    """ã b: how b changes as a moves it, a screw about the line that is perpendicular to both."""
    first, second = sorted(screw.name.removeprefix(AXIS) for screw in (a, b))
    vector, why = spatial_cross(a.vector, b.vector), None
    if vanishes(vector):
        sliding = not a.turns and not b.turns
        why = Fact(f"{first} and {second} both slide") if sliding else lie(a, b, relation(a, b))
    return Screw(vector, f"the common normal of {first} and {second}", why)


def relation(a: Screw, b: Screw) -> str:
    """How two lines or directions lie: in words, or "" where nothing special holds."""
    lines = a.turns and b.turns
    if vanishes(crossed(a.direction, b.direction)):
        return "the same line" if lines and _coincide(a, b) else "parallel"
    perpendicular = is_zero(dot(a.direction, b.direction))
    if lines and is_zero(plus(dot(a.spin, b.slide), dot(b.spin, a.slide))):
        return AT_RIGHT_ANGLES if perpendicular else "intersecting"
    return PERPENDICULAR if perpendicular else ""


def lie(a: Screw, b: Screw, how: str) -> Fact:
    """The fact that two lines lie as `how` says."""
    first, second = sorted((a.name, b.name))
    if first.startswith(AXIS) and second.startswith(AXIS):
        return Fact(f"the axes of {first.removeprefix(AXIS)} and {second.removeprefix(AXIS)} are {how}")
    return Fact(f"{first} and {second} are {how}")


def passes(a: Screw, mass: Any, moment: Any3) -> bool:
    """Whether a line goes through the centre of mass of a body, given m and m c."""
    off = tuple(minus(times(mass, v), w) for v, w in zip(a.slide, crossed(moment, a.spin), strict=True))
    return vanishes(off)


def nearest(a: Screw, b: Screw) -> tuple[Any3, Any]:
    """The point of line a nearest to a line b that is perpendicular to it, as a multiple, and the multiplier."""
    size, other = dot(a.spin, a.spin), dot(b.spin, b.spin)
    along = dot(crossed(b.spin, b.slide), a.spin)
    return added(scaled(crossed(a.spin, a.slide), other), scaled(a.spin, along)), times(size, other)


def is_zero(x: Any) -> bool:
    """Whether a scalar is zero, exactly."""
    return is_constant(x, 0.0) or x == 0


def vanishes(v: Vector) -> bool:
    """Whether all entries are zero."""
    return all(is_zero(x) for x in v)


def _coincide(a: Screw, b: Screw) -> bool:
    """Whether parallel lines are the same."""
    ratio, size = dot(a.spin, b.spin), dot(a.spin, a.spin)
    return vanishes(tuple(minus(times(ratio, v), times(size, w)) for v, w in zip(a.slide, b.slide, strict=True)))
