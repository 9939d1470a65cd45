"""Where the bodies are in the world, on any scalar: what needs no operator, only the steps one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from typing import Any, TypeAlias

from derive.algebra import Any3, Any3x3, added, applied, crossed, dot, minus, plus, scaled
from derive.frames import IDENTITY, ZERO
from derive.instance import Instance
from derive.model import GROUND
from derive.scalars import Scalars
from derive.spatial import Vector, vector_scaled, vector_sum
from derive.transition import Transition
from derive.turns import Part, Turn

Bind: TypeAlias = Callable[[str, int, Any], Any]


def as_it_is(quantity: str, body: int, value: Any) -> Any:
    """Every value stands for itself."""
    return value


def world_placements(robot: Instance, bind: Bind = as_it_is) -> list[tuple[Any3x3, Any3]]:
    """Rotation and origin of every body's frame in the world; turns about parallel axes are one turn by their sum.

    What is read further out is `bind("Q" or "p", body, value)`, a position as the one column it is.
    """
    placed: list[tuple[Any3x3, Any3]] = []
    before: list[tuple[Any3x3, Turn | None]] = []  # the rotation up to a body's last turn, and that turn
    for k, (step, parent) in enumerate(zip(robot.steps, robot.parent, strict=True)):
        R, p = (IDENTITY, ZERO) if parent == GROUND else placed[parent]
        outer, turn = _split(R, step)
        if parent != GROUND and (joined := _joined(before[parent][1], step, robot.scalars)) is not None:
            outer, turn = before[parent][0], joined
        before.append((outer, turn))
        rotation = outer if turn is None else _turned(outer, turn)
        position = bind("p", k, {0: (added(p, applied(R, step.translation)),)})
        placed.append((bind("Q", k, rotation), position[0][0]))
    return placed


def point_placement(robot: Instance, point: int = 0, bind: Bind = as_it_is) -> tuple[Any3x3, Any3]:
    """World rotation and position of a point of an instance made with its tips' own axes."""
    body, fixed = robot.points[point]
    R, p = world_placements(robot, bind)[body]
    rotation = reduce(_turned, fixed.parts, R)
    return rotation, added(p, applied(R, fixed.translation))


def world_jacobian(robot: Instance, point: int = 0) -> list[list[Any]]:
    """J of a point, [angular; linear] in world axes: column by column φ*(k,0)H*(k), turned to the world [SOA-23]."""
    placed = world_placements(robot)
    body, fixed = robot.points[point]
    reach: Any3 = applied(placed[body][0], fixed.translation)  # from the body's origin to the point, in the world
    columns: list[Vector] = [(0.0,) * 6] * robot.model.nv
    while body != GROUND:
        R, _ = placed[body]
        mimic = robot.model.joints[body].mimic
        weight = 1.0 if mimic is None else mimic.multiplier
        for at, h in enumerate(robot.H[body], start=robot.model.v_slices[body].start):
            spin, slide = applied(R, h[:3]), applied(R, h[3:])
            column = (*spin, *added(slide, crossed(spin, reach)))
            columns[at] = vector_sum(columns[at], vector_scaled(weight, column))
        parent = robot.parent[body]
        outer = IDENTITY if parent == GROUND else placed[parent][0]
        reach = added(reach, applied(outer, robot.steps[body].translation))
        body = parent
    return [list(row) for row in zip(*columns, strict=True)]


def jacobian_rate(J: Sequence[Sequence[Any]], qd: Sequence[Any]) -> list[list[Any]]:
    """dJ/dt from J in world axes, where joints of one freedom follow one another from the base to the point; others have zeros.

    A column turns with the joints inboard of it, ω × column; and the point moves away from the joint's axis, with the velocity
    that the joint and those outboard give it.
    """
    columns = list(zip(*J, strict=True))
    outboard: list[Any3] = [ZERO]
    for column, rate in zip(reversed(columns), reversed(qd), strict=True):
        outboard.append(added(outboard[-1], scaled(column[3:], rate)))
    found = []
    omega: Any3 = ZERO
    for column, rate, velocity in zip(columns, qd, reversed(outboard), strict=False):
        spin, slide = column[:3], column[3:]
        found.append((*crossed(omega, spin), *added(crossed(omega, slide), crossed(spin, velocity))))
        omega = added(omega, scaled(spin, rate))
    return [list(row) for row in zip(*found, strict=True)]


def _split(R: Any3x3, step: Transition) -> tuple[Any3x3, Turn | None]:
    """R Q without Q's last turn, and that turn."""
    *fixed, last = step.parts or (None,)
    turn = last if isinstance(last, Turn) else None
    parts = fixed if turn is not None else step.parts
    for part in parts:
        assert part is not None
        R = _turned(R, part)
    return R, turn


def _joined(outer: Turn | None, step: Transition, scalars: Scalars) -> Turn | None:
    """The turn of the parent and that of the step as one, where both are about the same axis."""
    (inner,) = step.parts if len(step.parts) == 1 else (None,)
    if outer is None or not isinstance(inner, Turn) or inner.axis != outer.axis:
        return None
    if outer.angle is None or inner.angle is None:
        return None
    angle = plus(outer.angle, inner.angle)
    return Turn(inner.axis, scalars.cos(angle), scalars.sin(angle), angle)


def _turned(R: Any3x3, part: Part) -> Any3x3:
    """R Q for one part of Q, row by row: a turn is cheaper than a matrix."""
    first, second, third = (part.back(row) for row in R)
    return (first, second, third)


def potential_energy(robot: Instance, gravity: Sequence[Any], bind: Bind = as_it_is) -> Any:
    """−Σ m g·c over bodies, zero at the world's origin [as in derive.reference.energy]; `bind("U", body, …)` is a summand."""
    total: Any = 0.0
    for k, ((R, p), M) in enumerate(zip(world_placements(robot, bind), robot.M, strict=True)):
        weight = dot(gravity, added(scaled(p, M.mass), applied(R, M.moment)))
        total = minus(total, bind("U", k, {0: ((weight,),)})[0][0][0])
    return total
