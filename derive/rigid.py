"""A rigid body's spatial inertia by its ten numbers, mass, first moment and inertia, on any scalar [SOA-3]."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from derive.algebra import Any3, added, crossed, dot, minus, plus, scaled, times
from derive.inertia import INDEX, PLACES, Inertia
from derive.spatial import Matrix, Vector
from derive.turns import Symmetric


@dataclass(frozen=True, eq=False)
class RigidInertia:
    """M(k) = [[𝓘, h̃], [−h̃, m 1]] about the body frame's origin, h = m p."""

    mass: Any
    moment: Any3
    inertia: Symmetric

    @classmethod
    def of(cls, body: Inertia) -> RigidInertia:
        """The model's inertia."""
        return cls(body.mass, body.moment, body.inertia)

    def __add__(self, other: RigidInertia) -> RigidInertia:
        total = tuple(plus(a, b) for a, b in zip(self.inertia, other.inertia, strict=True))
        return RigidInertia(plus(self.mass, other.mass), added(self.moment, other.moment), total)

    def shifted(self, by: Any3) -> RigidInertia:
        """The body moved by ℓ: h' = h + mℓ, 𝓘' = 𝓘 + ℓ·(h + h') 1 − ½[ℓ(h + h')* + (h + h')ℓ*]."""
        moved = added(self.moment, scaled(by, self.mass))
        both = added(self.moment, moved)
        along = [times(by[i], both[i]) for i in range(3)]

        def entry(i: int, j: int) -> Any:
            if i == j:
                return plus(self.inertia[INDEX[i][i]], plus(along[(i + 1) % 3], along[(i + 2) % 3]))
            return minus(self.inertia[INDEX[i][j]], plus(times(by[i], moved[j]), times(self.moment[i], by[j])))

        return RigidInertia(self.mass, moved, tuple(entry(i, j) for i, j in PLACES))

    def of_motion(self, v: Vector) -> Vector:
        """M v: the momentum (or force) that goes with a velocity (or acceleration)."""
        spin, linear = v[:3], v[3:]
        angular = tuple(dot([self.inertia[INDEX[i][j]] for j in range(3)], spin) for i in range(3))
        return (
            *added(angular, crossed(self.moment, linear)),
            *added(scaled(linear, self.mass), crossed(spin, self.moment)),
        )

    @property
    def matrix(self) -> Matrix:
        """The 6×6 matrix."""
        x, y, z = self.moment
        m, mass = ((0.0, minus(0.0, z), y), (z, 0.0, minus(0.0, x)), (minus(0.0, y), x, 0.0)), self.mass
        upper = tuple((*(self.inertia[INDEX[i][j]] for j in range(3)), *m[i]) for i in range(3))
        lower = tuple((*(m[j][i] for j in range(3)), *(mass if i == j else 0.0 for j in range(3))) for i in range(3))
        return upper + lower
