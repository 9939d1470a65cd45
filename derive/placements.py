"""Where the bodies are in the world, on any scalar: what needs no operator, only the steps one after the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from derive.algebra import Any3, Any3x3, added, applied, dot, minus, multiplied, scaled
from derive.frames import IDENTITY, ZERO
from derive.instance import Instance
from derive.model import GROUND


def world_placements(robot: Instance) -> list[tuple[Any3x3, Any3]]:
    """Rotation and origin of every body's frame in the world."""
    placed: list[tuple[Any3x3, Any3]] = []
    for step, parent in zip(robot.steps, robot.parent, strict=True):
        R, p = (IDENTITY, ZERO) if parent == GROUND else placed[parent]
        placed.append((multiplied(R, step.rotation), added(p, applied(R, step.translation))))
    return placed


def point_placement(robot: Instance, point: int = 0) -> tuple[Any3x3, Any3]:
    """World rotation and position of a point of an instance made with its tips' own axes."""
    body, fixed = robot.points[point]
    R, p = world_placements(robot)[body]
    return multiplied(R, fixed.rotation), added(p, applied(R, fixed.translation))


def potential_energy(robot: Instance, gravity: Sequence[Any]) -> Any:
    """−Σ m g·c over bodies, zero at the world's origin [as in derive.reference.energy]."""
    total: Any = 0.0
    for (R, p), M in zip(world_placements(robot), robot.M, strict=True):
        # M(k) = [[𝓘, m c̃], [−m c̃, m 1]]: mass and first moment stand in its right column [SOA-3]
        mass, moment = M[3][3], (M[2][4], M[0][5], M[1][3])
        total = minus(total, dot(gravity, added(scaled(p, mass), applied(R, moment))))
    return total
