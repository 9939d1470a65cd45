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
        world, axis = self._world(i, self._body), Screw((0.0, 0.0, 0.0, *self._axes[j]), f"the tip's {LETTERS[j]}")
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
        turns = self._motions.seen(motion, motion.body).turns
        return self._across(row, motion) if turns else (Fact("what only slides turns nothing:", (motion.joint,)),)

    def _moving(self, row: int, motion: Motion) -> Facts:
        """Why a joint does not move the tip along an axis of the world: directions where it is, the rest where the tip is."""
        screw = self._motions.seen(motion, motion.body)
        if not screw.turns:
            return self._across(row, motion)
        world = self._world(row, motion.body)
        if len(screw.parts()) == 1 and relation(screw, world) == "parallel":
            return (lie(screw, world, "parallel"),)
        return all_of(
            self._moved(self._world(row, self._body), part) for part in self._motions.seen(motion, self._body).parts()
        )

    def _moved(self, world: Screw, screw: Screw) -> Facts:
        """The same of a part of a motion that is without pitch."""
        if not screw.turns:
            return (lie(screw, world, PERPENDICULAR),) if is_zero(dot(screw.slide, world.slide)) else UNKNOWN
        if passes(screw, 1.0, self._point):
            return (Fact(f"the tip is on {screw.name}"),)
        through = line(world.slide, crossed(self._point, world.slide), f"{world.name} through the tip")
        how = relation(through, screw)
        return (lie(through, screw, how),) if how and how != PERPENDICULAR else UNKNOWN

    def _across(self, row: int, motion: Motion) -> Facts:
        """That the direction of a motion is perpendicular to an axis of the world."""
        own, world = self._motions.seen(motion, motion.body), self._world(row, motion.body)
        return (lie(own, world, PERPENDICULAR),) if is_zero(dot(own.direction, world.slide)) else UNKNOWN

    def _on_the_way(self) -> list[Screw]:
        """The motions from the base to the tip."""
        motions = (m for driven in self._motions.of_rate for m in driven)
        way = sorted((m for m in motions if self._motions.carries(m.body, self._body)), key=lambda m: m.body)
        return [self._motions.seen(m, self._body) for m in way]

    def _world(self, i: int, body: int) -> Screw:
        """A direction of the world, seen from a body."""
        return self._motions.seen(Motion(GROUND, (0.0, 0.0, 0.0, *AXES[i]), f"the world's {LETTERS[i]}"), body)
