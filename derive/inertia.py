"""Mass properties of a rigid body, about its frame's origin: mass, first moment, inertia [SOA-3].

The first moment m·c is kept rather than the mass centre c, so that lumping is a sum, also for named parameters and zero mass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

from derive.algebra import added, applied, dot, multiplied, plus, scaled, times
from derive.frames import ZERO, Direction, Placement, Vector
from derive.parameters import Scalar, number, value

Symmetric: TypeAlias = tuple[Scalar, Scalar, Scalar, Scalar, Scalar, Scalar]  # xx, xy, xz, yy, yz, zz
NO_INERTIA: Symmetric = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
PLACES = ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))
INDEX = ((0, 1, 2), (1, 3, 4), (2, 4, 5))  # where entry (i, j) stands in a Symmetric
JACOBI_SWEEPS = 8  # three would do: convergence is quadratic
ROUNDING = 1e-14
SLACK = 1e-6  # relative: what rounding to a few digits in a file may do to a triangle inequality


@dataclass(frozen=True)
class Inertia:
    """m, m·c and 𝓘 about the origin of the frame they are written in."""

    mass: Scalar = 0.0
    moment: Vector = ZERO
    inertia: Symmetric = NO_INERTIA

    @classmethod
    def about_com(cls, mass: Scalar, com: Vector, inertia: Symmetric) -> Inertia:
        """From the inertia about the mass centre (same axes)."""
        moment = scaled(com, mass)
        shifted = _symmetric(lambda i, j: _entry(inertia, i, j) + _point(moment, com, i, j))
        return cls(mass, moment, shifted)

    def placed(self, placement: Placement) -> Inertia:
        """The same body in the outer frame of `placement`."""
        R, p = placement.rotation, placement.translation
        turned_moment = applied(R, self.moment)
        turned = multiplied(R, [[_entry(self.inertia, i, j) for j in range(3)] for i in range(3)])
        mass_shift = scaled(p, self.mass)
        inertia = _symmetric(
            lambda i, j: (
                dot(turned[i], R[j])
                + _point(turned_moment, p, i, j)
                + _point(p, turned_moment, i, j)
                + _point(mass_shift, p, i, j)
            )
        )
        return Inertia(self.mass, added(turned_moment, mass_shift), inertia)

    def __add__(self, other: Inertia) -> Inertia:
        total = _symmetric(lambda i, j: _entry(self.inertia, i, j) + _entry(other.inertia, i, j))
        return Inertia(self.mass + other.mass, added(self.moment, other.moment), total)

    def numeric(self, values: Mapping[str, float]) -> Inertia:
        """With every parameter at its value."""
        x, y, z = (value(c, values) for c in self.moment)
        return Inertia(
            value(self.mass, values), (x, y, z), _symmetric(lambda i, j: value(_entry(self.inertia, i, j), values))
        )

    @property
    def scalars(self) -> tuple[Scalar, ...]:
        """The ten inertial parameters."""
        return (self.mass, *self.moment, *self.inertia)

    @property
    def is_zero(self) -> bool:
        """Whether the body has neither mass nor inertia."""
        return all(s == 0.0 for s in self.scalars)


def com(body: Inertia) -> Direction:
    """Mass centre of a numeric body; the origin when it has no mass."""
    mass = number(body.mass)
    x, y, z = (number(c) / mass if mass else 0.0 for c in body.moment)
    return (x, y, z)


def inertia_about_com(body: Inertia) -> tuple[float, ...]:
    """Inertia of a numeric body about its mass centre: xx, xy, xz, yy, yz, zz."""
    c = com(body)
    return tuple(
        number(entry - _point(body.moment, c, i, j)) for entry, (i, j) in zip(body.inertia, PLACES, strict=True)
    )


def implausible(inertia: tuple[float, ...], scale: float = 0.0) -> str | None:
    """What is wrong with an inertia about the mass centre for a rigid body, or None when one can have it.

    `scale` is the size of the numbers it was computed from, whose rounding is forgiven.
    """
    low, middle, high = principal_moments(inertia)
    slack = max(SLACK * max(abs(low), abs(high)), ROUNDING * scale)
    if low < -slack:
        return f"inertia is not positive definite (smallest principal moment {low:.6g})"
    if low + middle < high - slack:
        return f"principal moments {low:.6g}, {middle:.6g}, {high:.6g} break the triangle inequality"
    return None


def principal_moments(inertia: tuple[float, ...]) -> tuple[float, float, float]:
    """Eigenvalues of a symmetric 3×3 matrix (xx, xy, xz, yy, yz, zz), ascending, by Jacobi rotations."""
    A = [[inertia[INDEX[i][j]] for j in range(3)] for i in range(3)]
    for _ in range(JACOBI_SWEEPS):
        for p, q in ((0, 1), (0, 2), (1, 2)):
            if A[p][q] != 0.0:
                half = 0.5 * math.atan2(2 * A[p][q], A[q][q] - A[p][p])
                c, s = math.cos(half), math.sin(half)
                for row in A:
                    row[p], row[q] = c * row[p] - s * row[q], s * row[p] + c * row[q]
                A[p], A[q] = (
                    [c * x - s * y for x, y in zip(A[p], A[q], strict=True)],
                    [s * x + c * y for x, y in zip(A[p], A[q], strict=True)],
                )
                A[p][q] = A[q][p] = 0.0
    low, middle, high = sorted((A[0][0], A[1][1], A[2][2]))
    return (low, middle, high)


def _entry(s: Symmetric, i: int, j: int) -> Scalar:
    return s[INDEX[i][j]]


def _point(a: Vector, b: Vector, i: int, j: int) -> Any:
    """Entry (i, j) of (a·b)·1 − ½(a b* + b a*): the inertia about the origin of the first moment a placed at b."""
    products = plus(times(a[i], b[j]), times(b[i], a[j]))
    return plus(dot(a, b) if i == j else 0.0, times(-0.5, products))


def _symmetric(entry: Callable[[int, int], Scalar]) -> Symmetric:
    xx, xy, xz, yy, yz, zz = (entry(i, j) for i, j in PLACES)
    return (xx, xy, xz, yy, yz, zz)
