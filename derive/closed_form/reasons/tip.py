"""Why entries of the jacobian and of the tip's pose are zero: how the axes lie to the tip and to the world."""

from __future__ import annotations

from itertools import takewhile

from derive.algebra import Any3, crossed, dot, transposed
from derive.closed_form.reasons.facts import UNKNOWN, Fact, Facts, all_of
from derive.closed_form.reasons.motions import Motion, Motions
from derive.closed_form.reasons.screws import (
    AXIS,
    PERPENDICULAR,
    Screw,
    is_zero,
    lie,
    line,
    passes,
    relation,
    vanishes,
)
from derive.frames import AXES
from derive.model import GROUND

LETTERS = "xyz"


class Tip:
    """Reasons of one robot that has a moving tip; rows and rates are 0-based."""

    def __init__(self, motions: Motions) -> None:
        self._motions = motions
        self._body, fixed = motions.robot.points[0]
        self._point: Any3 = fixed.translation
        self._axes = transposed(fixed.rotation)

    def jacobian(self, row: int, rate: int) -> Facts:
        """Of J(row, rate)."""
        reason = self._turning if row < 3 else self._moving
        return all_of(
            reason(row % 3, motion)
            if self._motions.carries(motion.body, self._body)
            else (Fact("the tip is not moved by", (motion.joint,)),)
            for motion in self._motions.of_rate[rate]
        )

    def rotation(self, i: int, j: int) -> Facts:
        """Of the component of the tip's axis j along the world's axis i: what turns on the way leaves one of them as it is."""
        world, axis = self._world(i), Screw((0.0, 0.0, 0.0, *self._axes[j]), f"the tip's {LETTERS[j]}")
        if not is_zero(dot(world.slide, axis.slide)):
            return UNKNOWN
        turning = [screw for screw in self._on_the_way() if screw.turns]
        inner = list(takewhile(lambda s: vanishes(crossed(s.spin, world.slide)), turning))
        outer = turning[len(inner) :]
        if not all(vanishes(crossed(s.spin, axis.slide)) for s in outer):
            return UNKNOWN
        along = [*((s, world) for s in inner), *((s, axis) for s in outer)]
        kept = [Fact(f"along {way.name} are the axes of", (s.name.removeprefix(AXIS),)) for s, way in along]
        return (*kept, lie(world, axis, PERPENDICULAR))

    def position(self, i: int) -> Facts:
        """Of the tip's coordinate i: it starts at zero, and no joint moves it along that axis."""
        still = all_of(self.jacobian(3 + i, rate) for rate in range(len(self._motions.of_rate)))
        if not still or self._motions.forms.tip_pose[1][i]:
            return UNKNOWN
        return (Fact(f"the tip starts with {LETTERS[i]} = 0, and no joint moves it along the world's {LETTERS[i]}"),)

    def _turning(self, row: int, motion: Motion) -> Facts:
        screw, world = self._motions.seen(motion, self._body), self._world(row)
        if not screw.turns:
            return (Fact("what only slides turns nothing:", (motion.joint,)),)
        turn = Screw((*screw.spin, 0.0, 0.0, 0.0), screw.name)
        return _if_perpendicular(turn, world)

    def _moving(self, row: int, motion: Motion) -> Facts:
        return all_of(self._moved(self._world(row), part) for part in self._motions.seen(motion, self._body).parts())

    def _moved(self, world: Screw, screw: Screw) -> Facts:
        """Why the tip does not move along an axis of the world, as a screw without pitch moves it."""
        if not screw.turns:
            return _if_perpendicular(screw, world)
        if passes(screw, 1.0, self._point):
            return (Fact(f"the tip is on {screw.name}"),)
        through = line(world.slide, crossed(self._point, world.slide), f"{world.name} through the tip")
        how = relation(through, screw)
        return (lie(through, screw, how),) if how and how != PERPENDICULAR else UNKNOWN

    def _on_the_way(self) -> list[Screw]:
        """The motions from the base to the tip."""
        motions = (m for driven in self._motions.of_rate for m in driven)
        way = sorted((m for m in motions if self._motions.carries(m.body, self._body)), key=lambda m: m.body)
        return [self._motions.seen(m, self._body) for m in way]

    def _world(self, i: int) -> Screw:
        """A direction of the world, seen from the body that has the tip."""
        return self._motions.seen(Motion(GROUND, (0.0, 0.0, 0.0, *AXES[i]), f"the world's {LETTERS[i]}"), self._body)


def _if_perpendicular(a: Screw, b: Screw) -> Facts:
    return (lie(a, b, PERPENDICULAR),) if is_zero(dot(a.direction, b.direction)) else UNKNOWN
