"""Which turning joints keep their axes parallel, from the model alone."""

from __future__ import annotations

from typing import Any, TypeAlias

from derive.algebra import applied, dot
from derive.model import GROUND, Model

TURNING = ("revolute", "continuous", "helical")
Vector: TypeAlias = tuple[Any, Any, Any]


def parallel_groups(model: Model) -> tuple[tuple[tuple[int, int], ...], ...]:
    """Chains of turning joints whose axes stay parallel: (coordinate, ±1) from the base outwards, the sign of its turn.

    Joints between that only slide do not matter. A joint belongs to the first chain that reaches it.
    """
    groups: list[list[tuple[int, int]]] = []
    member: dict[int, tuple[list[tuple[int, int]], int]] = {}  # body → its group and its sign there
    for k, joint in enumerate(model.joints):
        if joint.kind.name not in TURNING or joint.mimic is not None:
            continue
        coordinate = model.q_slices[k].start
        inner, direction = _inner_turn(model, k)
        sign = _same_line(direction, model.joints[inner].geometry.axis) if inner != GROUND else 0
        if sign and inner in member and member[inner][0][-1][0] == model.q_slices[inner].start:
            group, before = member[inner]
            group.append((coordinate, before * sign))
            member[k] = (group, before * sign)
        else:
            groups.append([(coordinate, 1)])
            member[k] = (groups[-1], 1)
    return tuple(tuple(group) for group in groups if len(group) > 1)


def _inner_turn(model: Model, k: int) -> tuple[int, Vector]:
    """The next joint inboard of k that turns, and the axis of k in that body's frame; GROUND if another kind is met."""
    direction: Any = model.joints[k].geometry.axis
    while True:
        direction = applied(model.joints[k].placement.rotation, direction)
        k = model.joints[k].parent
        if k == GROUND or model.joints[k].kind.name in TURNING:
            return (k if k == GROUND or model.joints[k].mimic is None else GROUND), direction
        if model.joints[k].kind.name != "prismatic":
            return GROUND, direction


def _same_line(a: Vector, b: Vector) -> int:
    """+1 or −1 if the unit vectors are equal or opposite up to rounding, else 0."""
    along = float(dot(a, b))
    return 0 if abs(abs(along) - 1.0) > 1e-12 else 1 if along > 0 else -1
