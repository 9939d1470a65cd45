"""Rigid placements in three dimensions: rotations, vectors and how they compose, in plain Python.

Rotations are numeric; translations may hold named parameters. Nothing here knows about joints or dynamics.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from derive.algebra import added, applied, multiplied
from derive.parameters import Scalar

Direction: TypeAlias = tuple[float, float, float]
Vector: TypeAlias = tuple[Scalar, Scalar, Scalar]
Rotation: TypeAlias = tuple[Direction, Direction, Direction]  # by rows

ZERO: Direction = (0.0, 0.0, 0.0)
IDENTITY: Rotation = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
AXES: Rotation = IDENTITY  # its rows are the unit vectors x, y, z

DEFAULT_SNAP_TOL = 1e-9
ROUND_OFF = 9e-16  # a snap this small is cos(π/2) in floating point, not news
MAX_SNAP_ROUNDS = 40


@dataclass(frozen=True)
class Placement:
    """Where a frame is in another: x_outer = rotation·x_inner + translation."""

    rotation: Rotation = IDENTITY
    translation: Vector = ZERO

    def then(self, inner: Placement) -> Placement:
        """The placement of `inner`'s frame in this one's outer frame."""
        moved = applied(self.rotation, inner.translation)
        return Placement(multiplied(self.rotation, inner.rotation), added(self.translation, moved))


def cross(a: Direction, b: Direction) -> Direction:
    """a × b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def norm(v: Direction) -> float:
    """Length of v, safe for very small and very large components."""
    return math.hypot(*v)


def normalised(v: Direction) -> Direction:
    """v / |v|; v must not be zero."""
    scale = max(abs(x) for x in v)
    w = (v[0] / scale, v[1] / scale, v[2] / scale)
    length = norm(w)
    return (w[0] / length, w[1] / length, w[2] / length)


def rotation_about(axis: Direction, angle: float) -> Rotation:
    """Rotation by `angle` about the unit vector `axis` (Rodrigues); quarter turns are exact."""
    c, s = math.cos(angle), math.sin(angle)
    if min(abs(c), abs(s)) <= ROUND_OFF:  # cos(π/2) is 6e-17 in floating point
        c, s = round(c) + 0.0, round(s) + 0.0
    x, y, z = axis
    skew = ((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0))
    return _rows(
        [
            tuple(axis[i] * axis[j] + c * (IDENTITY[i][j] - axis[i] * axis[j]) + s * skew[i][j] for j in range(3))
            for i in range(3)
        ]
    )


def rotation_from_rpy(roll: float, pitch: float, yaw: float) -> Rotation:
    """Fixed-axis roll, pitch, yaw as URDF means it: Rz(yaw)·Ry(pitch)·Rx(roll)."""
    x, y, z = AXES
    return multiplied(rotation_about(z, yaw), multiplied(rotation_about(y, pitch), rotation_about(x, roll)))


def in_plane_axes(normal: Direction) -> tuple[Direction, Direction]:
    """Two unit vectors u, w that make (u, w, normal) right-handed; (x, y) when the normal is z."""
    reference = min(AXES, key=lambda e: abs(sum(a * b for a, b in zip(e, normal, strict=True))))
    along = sum(a * b for a, b in zip(reference, normal, strict=True))
    u = normalised(
        (reference[0] - along * normal[0], reference[1] - along * normal[1], reference[2] - along * normal[2])
    )
    return u, cross(normal, u)


def snap_rotation(R: Rotation, tol: float) -> tuple[Rotation, float]:
    """The rotation nearest R whose entries within `tol` of −1, 0, 1 are exactly that, and the largest change.

    Zeroing alone would leave a matrix that is a rotation only to within `tol`, so zeroing and orthonormalising alternate
    until both hold; should they not agree (no rotation nearby has those zeros), R is left as it is.
    """
    zeros = [[abs(x) <= tol for x in row] for row in R]
    snapped = R
    for _ in range(MAX_SNAP_ROUNDS):
        snapped = _exact_units(_cleared(orthonormalised(_cleared(snapped, zeros)), zeros))
        if _orthogonality_defect(snapped) <= ROUND_OFF:
            return snapped, _largest_change(R, snapped)
    return R, 0.0


def orthonormalised(R: Rotation) -> Rotation:
    """The rotation nearest to the nearly orthogonal R: two Newton steps of the polar decomposition, R ← ½(R + R⁻*)."""
    for _ in range(2):
        cofactors = (cross(R[1], R[2]), cross(R[2], R[0]), cross(R[0], R[1]))
        determinant = sum(x * y for x, y in zip(R[0], cofactors[0], strict=True))
        R = _rows(
            [
                [0.5 * (x + y / determinant) for x, y in zip(r, c, strict=True)]
                for r, c in zip(R, cofactors, strict=True)
            ]
        )
    return R


def _cleared(R: Rotation, zeros: Sequence[Sequence[bool]]) -> Rotation:
    return _rows(
        [[0.0 if zero else x for x, zero in zip(row, where, strict=True)] for row, where in zip(R, zeros, strict=True)]
    )


def _exact_units(R: Rotation) -> Rotation:
    """R with ±1 wherever an entry stands alone in its row and is 1 up to rounding."""
    return _rows(
        [
            [math.copysign(1.0, x) if row.count(0.0) == 2 and abs(abs(x) - 1.0) <= ROUND_OFF else x for x in row]
            for row in R
        ]
    )


def _orthogonality_defect(R: Rotation) -> float:
    return _largest_change(multiplied(R, tuple(zip(*R, strict=True))), IDENTITY)


def _largest_change(old: Rotation, new: Rotation) -> float:
    return max(abs(a - b) for before, after in zip(old, new, strict=True) for a, b in zip(before, after, strict=True))


def snap_direction(v: Direction, tol: float) -> tuple[Direction, float]:
    """The unit vector `v` with components within `tol` of zero made exact and renormalised, and the largest change."""
    kept = normalised(
        (0.0 if abs(v[0]) <= tol else v[0], 0.0 if abs(v[1]) <= tol else v[1], 0.0 if abs(v[2]) <= tol else v[2])
    )
    return kept, max(abs(a - b) for a, b in zip(v, kept, strict=True))


def _rows(rows: Sequence[Sequence[float]]) -> Rotation:
    a, b, c = ((row[0], row[1], row[2]) for row in rows)
    return (a, b, c)
