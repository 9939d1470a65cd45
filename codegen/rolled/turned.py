"""Frames of bodies turned to a common form: z along the joint's axis and, where one is free to choose, x the common normal.

This is Denavit and Hartenberg's choice: a step to the next body is then a turn about x and the joint's own about z. Turning a
body's frame changes nothing that is seen from outside.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from derive.algebra import applied, multiplied, transposed
from derive.frames import (
    AXES,
    IDENTITY,
    Direction,
    Rotation,
    cross,
    in_plane_axes,
    norm,
    normalised,
    orthonormalised,
    rotation_about,
)
from derive.joints import Geometry
from derive.model import GROUND, Joint, Model
from derive.parameters import number

Z = AXES[2]
SMALL = 1e-14  # rounding of a rotation
UNTURNED = ("spherical", "floating")  # their rates are along the axes of the body's frame
TURNING = ("revolute", "continuous", "helical", "cylindrical")  # turn about z last, so that a constant turn joins them
BENT = (*TURNING, "prismatic")  # placed by two or three turns rather than a matrix


@dataclass(frozen=True)
class Placed:
    """Where a joint is in its parent's frame: origin, and Rz(α) Rx(β) Rz(γ) as cos α, sin α, cos β, sin β, γ."""

    offset: Direction
    bend: tuple[float, float, float, float, float]
    rotation: Rotation


def turns_of(model: Model, order: Sequence[int]) -> dict[int, Rotation]:
    """How each body's frame is turned: its joint's axis becomes z, and x such that the step to its heaviest branch bends
    about x alone, as Denavit and Hartenberg have it; a slide, whose own turn is constant, is given none instead."""
    weight = [1] * model.n
    for k in reversed(range(model.n)):
        if model.joints[k].parent != GROUND:
            weight[model.joints[k].parent] += weight[k]
    turns: dict[int, Rotation] = {GROUND: IDENTITY}
    for k in order:
        joint = model.joints[k]
        turns[k] = _axes_turned(joint)
        if joint.kind.name == "prismatic":
            before = multiplied(multiplied(transposed(turns[joint.parent]), joint.placement.rotation), turns[k])
            _, _, last = _angles(before)
            turns[k] = orthonormalised(multiplied(turns[k], rotation_about(Z, -last)))
        elif joint.kind.name in TURNING:
            branches = [c for c in model.children[k] if model.joints[c].kind.name in BENT]
            if branches:
                branch = model.joints[max(branches, key=lambda c: weight[c])]
                axis = applied(transposed(turns[k]), applied(branch.placement.rotation, branch.geometry.axis))
                turns[k] = orthonormalised(multiplied(turns[k], rotation_about(Z, math.atan2(axis[0], -axis[1]))))
    return turns


def _axes_turned(joint: Joint) -> Rotation:
    """The rotation that takes z to the joint's axis; of a universal joint, z to its second axis and x towards its first."""
    geometry = joint.geometry
    if joint.kind.name in UNTURNED:
        return IDENTITY
    if joint.kind.name != "universal":
        u, w = in_plane_axes(geometry.axis)
        return orthonormalised(transposed((u, w, geometry.axis)))
    w = cross(geometry.axis2, geometry.axis)
    if norm(w) < SMALL:
        u, w = in_plane_axes(geometry.axis2)
    else:
        w = normalised(w)
        u = cross(w, geometry.axis2)
    return orthonormalised(transposed((u, w, geometry.axis2)))


def placed(joint: Joint) -> Placed:
    """The placement of a joint as steps need it."""
    R = joint.placement.rotation
    x, y, z = (float(number(entry)) for entry in joint.placement.translation)
    first, middle, last = _angles(R)
    if joint.kind.name == "helical":  # its angle counts from `last`, its slide with it
        back = float(number(joint.geometry.pitch)) * last
        x, y, z = x - back * R[0][2], y - back * R[1][2], z - back * R[2][2]
    bend = (math.cos(first), math.sin(first), math.cos(middle), math.sin(middle), last)
    return Placed((x, y, z), bend if first else (1.0, 0.0, *bend[2:]), R)


def _angles(R: Rotation) -> tuple[float, float, float]:
    """α, β, γ with R = Rz(α) Rx(β) Rz(γ); α is 0 where the axis R z is in the plane of y and z, or as good as z."""
    first = math.atan2(R[0][2], -R[1][2]) if math.hypot(R[0][2], R[1][2]) > SMALL else 0.0
    if abs(math.sin(first)) < SMALL:
        first = 0.0
    left = multiplied(rotation_about(Z, -first), R)
    return first, math.atan2(-left[1][2], left[2][2]), math.atan2(-left[0][1], left[0][0])


def turned_geometry(geometry: Geometry, kind: str, turn: Rotation) -> Geometry:
    """The geometry of a joint in its turned frame: its axis is z; the axes of a universal joint are as they are."""
    if kind != "universal":
        return Geometry(Z, pitch=geometry.pitch)
    first, second = (_snapped(applied(transposed(turn), axis)) for axis in (geometry.axis, geometry.axis2))
    return Geometry(first, second)


def _snapped(axis: Direction) -> Direction:
    """The axis, x or z where it is that but for rounding."""
    return next((unit for unit in AXES if max(abs(a - b) for a, b in zip(axis, unit, strict=True)) < SMALL), axis)
