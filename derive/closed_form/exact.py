"""A model with exact numbers: every float becomes the rational its shortest decimal says, as a constant of the ring.

Rotations and axes at odd angles have irrational entries, of which the model holds floats. They become rationals that are
within 1e-15 of the floats and form a rotation (a unit vector) exactly, so that what is proved of the closed forms is true to
the last digit. The numbers 0 and ±1 stay plain floats: `derive.algebra` knows them as facts.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from typing import Any, TypeAlias

from derive.closed_form.errors import ClosedFormError
from derive.closed_form.ring import Ring
from derive.closed_form.variables import exact_fraction
from derive.frames import Placement
from derive.joints import Geometry, JointKind
from derive.model import Mimic, Model

FINE = 10**9  # denominators up to this leave an error of 1e-18
Exact3: TypeAlias = tuple[Fraction, Fraction, Fraction]


def exact_model(model: Model, ring: Ring) -> Model:
    """`model` with its numbers as constants of `ring`; what runs on any scalar runs on it."""
    for joint in model.joints:
        if joint.kind.name == "planar" and max(map(abs, joint.geometry.axis)) != 1.0:
            raise ClosedFormError(
                f"joint '{joint.name}' of model '{model.name}' is planar with an oblique axis, along which no exact frame is "
                "known; turn the joint's frame so that its axis is x, y or z"
            )
    joints = tuple(
        replace(
            joint,
            placement=_lifted(joint.placement, ring),
            geometry=_lifted(joint.geometry, ring),
            armature=_lifted(joint.armature, ring),
        )
        for joint in model.joints
    )
    return replace(
        model,
        joints=joints,
        bodies=_lifted(model.bodies, ring),
        tips=_lifted(model.tips, ring),
        links=_lifted(model.links, ring),
    )


def is_rounded(model: Model) -> tuple[str, ...]:
    """Names of the joints whose placement or axis is at an odd angle, so that its entries are rationals near the floats."""
    return tuple(
        j.name
        for j in model.joints
        if not _is_rotation(_fractions(j.placement.rotation)) or not _is_unit(_exact3(j.geometry.axis))
    )


def exact_rotation(rotation: Sequence[Sequence[float]]) -> tuple[Exact3, Exact3, Exact3]:
    """The rotation as rationals: the decimals themselves if they are orthogonal, else a rational quaternion's matrix."""
    rows = _fractions(rotation)
    if _is_rotation(rows):
        return rows
    x, y, z, w = _ratios(_quaternion(rotation))
    n = x * x + y * y + z * z + w * w
    return (
        (1 - 2 * (y * y + z * z) / n, 2 * (x * y - w * z) / n, 2 * (x * z + w * y) / n),
        (2 * (x * y + w * z) / n, 1 - 2 * (x * x + z * z) / n, 2 * (y * z - w * x) / n),
        (2 * (x * z - w * y) / n, 2 * (y * z + w * x) / n, 1 - 2 * (x * x + y * y) / n),
    )


def exact_direction(axis: Sequence[float]) -> Exact3:
    """The unit vector as rationals of length 1: the decimals themselves, else by stereographic projection."""
    exact = _exact3(axis)
    if _is_unit(exact):
        return exact
    pole = max(range(3), key=lambda i: abs(axis[i]))
    sign = 1 if axis[pole] > 0 else -1
    u, v = (_near(axis[i] / (1.0 + abs(axis[pole]))) for i in range(3) if i != pole)
    n = 1 + u * u + v * v
    others = iter((2 * u / n, 2 * v / n))
    a, b, c = (sign * (2 / n - 1) if i == pole else next(others) for i in range(3))
    return (a, b, c)


def _lifted(node: Any, ring: Ring) -> Any:
    """`node` (frozen dataclasses, tuples, floats) with its numbers in the ring."""
    if isinstance(node, float):
        return node if node in (0.0, 1.0, -1.0) else ring.constant(node)
    if isinstance(node, Fraction):
        return float(node) if node in (0, 1, -1) else ring.constant(node)
    if isinstance(node, tuple):
        return tuple(_lifted(x, ring) for x in node)
    if isinstance(node, Placement):
        rows = _lifted(exact_rotation(node.rotation), ring)
        return Placement(rows, _lifted(node.translation, ring))
    if isinstance(node, Geometry):
        axis, axis2 = (_lifted(exact_direction(axis), ring) for axis in (node.axis, node.axis2))
        return Geometry(axis, axis2, _lifted(node.pitch, ring))
    if is_dataclass(node) and not isinstance(node, (JointKind, Mimic, type)):
        return replace(node, **{f.name: _lifted(getattr(node, f.name), ring) for f in fields(node)})
    return node


def _quaternion(R: Sequence[Sequence[float]]) -> tuple[float, float, float, float]:
    """The quaternion xyzw of a rotation matrix, in floats, divided by its largest component."""
    squares = (
        1.0 + R[0][0] - R[1][1] - R[2][2],
        1.0 - R[0][0] + R[1][1] - R[2][2],
        1.0 - R[0][0] - R[1][1] + R[2][2],
        1.0 + R[0][0] + R[1][1] + R[2][2],
    )
    largest = max(range(4), key=squares.__getitem__)
    pairs = (
        (squares[0], R[0][1] + R[1][0], R[0][2] + R[2][0], R[2][1] - R[1][2]),
        (R[0][1] + R[1][0], squares[1], R[1][2] + R[2][1], R[0][2] - R[2][0]),
        (R[0][2] + R[2][0], R[1][2] + R[2][1], squares[2], R[1][0] - R[0][1]),
        (R[2][1] - R[1][2], R[0][2] - R[2][0], R[1][0] - R[0][1], squares[3]),
    )
    x, y, z, w = (p / squares[largest] for p in pairs[largest])
    return (x, y, z, w)


def _ratios(values: Sequence[float]) -> tuple[Fraction, ...]:
    return tuple(_near(v) for v in values)


def _near(value: float) -> Fraction:
    return Fraction(0) if abs(value) < math.ulp(1.0) else Fraction(value).limit_denominator(FINE)


def _fractions(rows: Sequence[Sequence[float]]) -> tuple[Exact3, Exact3, Exact3]:
    a, b, c = (_exact3(row) for row in rows)
    return (a, b, c)


def _exact3(v: Sequence[float]) -> Exact3:
    return (exact_fraction(v[0]), exact_fraction(v[1]), exact_fraction(v[2]))


def _is_unit(v: Exact3) -> bool:
    return sum(x * x for x in v) == 1


def _is_rotation(rows: tuple[Exact3, Exact3, Exact3]) -> bool:
    products = [[sum(a * b for a, b in zip(x, y, strict=True)) for y in rows] for x in rows]
    return all(products[i][j] == (i == j) for i in range(3) for j in range(3))
