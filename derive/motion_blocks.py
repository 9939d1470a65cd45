"""Operators made of fields, body by body: Ṽ, 𝒬[f], and the Coriolis blocks 𝓑[R,V] and 𝒟[R,V] of a rigid body.

With R = (m, h, 𝓘) and the pseudo-inertia Σ = ½tr(𝓘) − 𝓘, for V = [ω; v] and the momentum p = mv − h×ω:

    𝓑[R,V] = −[[ω̃Σ + h̃ṽ, 0], [p̃, 0]]      𝒟[R,V] = RṼ + 𝓑[R,V] = [[(Σω)~, h̃ω̃], [−ω̃h̃, mω̃]]

𝓑 keeps this form when it is moved and added (`CoriolisBlock`), and neither is formed to be multiplied with a vector.
Here Ṽ, 𝒬 are those of [SOA-4, SOA-5]. Any scalar will do.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from derive.algebra import (
    Any3,
    Any3x3,
    added,
    applied,
    crossed,
    minus,
    multiplied,
    plus,
    scaled,
    times,
    transposed,
)
from derive.rigid import RigidInertia
from derive.scalars import Scalars
from derive.spatial import Vector
from derive.transition import Transition

NOTHING: Any3 = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class RigidBody:
    """(m, h, 𝓘) of a rigid body's spatial inertia, with Σ = ½tr(𝓘) − 𝓘."""

    mass: Any
    moment: Any3
    pseudo_inertia: Any3x3

    @classmethod
    def of(cls, R: RigidInertia, scalars: Scalars) -> RigidBody:
        """From its ten numbers."""
        xx, xy, xz, yy, yz, zz = R.inertia
        half = times(scalars.number(Fraction(1, 2)), plus(plus(xx, yy), zz))
        x, y, z = (minus(half, diagonal) for diagonal in (xx, yy, zz))
        a, b, c = (minus(0.0, product) for product in (yz, xz, xy))
        return cls(R.mass, R.moment, ((x, c, b), (c, y, a), (b, a, z)))

    def momentum(self, V: Vector) -> Any3:
        """p = mv − h×ω."""
        return _difference(scaled(V[3:], self.mass), crossed(self.moment, V[:3]))

    def gyroscopic(self, V: Vector, x: Vector) -> Vector:
        """𝒟[R,V] x; the linear part of V does not matter."""
        omega, h = V[:3], self.moment
        turned = crossed(applied(self.pseudo_inertia, omega), x[:3])
        top = added(turned, crossed(h, crossed(omega, x[3:])))
        bottom = _difference(scaled(crossed(omega, x[3:]), self.mass), crossed(omega, crossed(h, x[:3])))
        return (*top, *bottom)

    def coriolis(self, V: Vector, x: Vector) -> Vector:
        """𝓑[R,V] x; the linear part of x does not matter."""
        omega, v, spin = V[:3], V[3:], x[:3]
        top = added(crossed(omega, applied(self.pseudo_inertia, spin)), crossed(self.moment, crossed(v, spin)))
        return (*_negative(top), *crossed(spin, self.momentum(V)))

    def coriolis_adjoint(self, V: Vector, y: Vector) -> Vector:
        """𝓑*[R,V] y, which has no linear part."""
        omega, v, spin = V[:3], V[3:], y[:3]
        turned = applied(self.pseudo_inertia, crossed(omega, spin))
        slid = crossed(v, crossed(self.moment, spin))
        return (*added(_difference(turned, slid), crossed(self.momentum(V), y[3:])), *NOTHING)

    def coriolis_block(self, V: Vector) -> CoriolisBlock:
        """𝓑[R,V]."""
        omega, v = V[:3], V[3:]
        spin = transposed(tuple(crossed(omega, row) for row in self.pseudo_inertia))  # Σ is symmetric
        slide = multiplied(_tilde(self.moment), _tilde(v))
        return CoriolisBlock(_sum(spin, slide), self.momentum(V))


@dataclass(frozen=True, eq=False)
class CoriolisBlock:
    """−[[N, 0], [p̃, 0]]."""

    N: Any3x3
    p: Any3

    def plus(self, other: CoriolisBlock) -> CoriolisBlock:
        """The sum."""
        return CoriolisBlock(_sum(self.N, other.N), added(self.p, other.p))

    def moved(self, phi: Transition) -> CoriolisBlock:
        """φ · φ*."""
        N, p = self.N, phi.turned(self.p)
        for part in reversed(phi.parts):
            N = part.of_matrix(N)
        return CoriolisBlock(_sum(N, multiplied(_tilde(phi.translation), _tilde(p))), p)

    def applied(self, x: Vector, *, adjoint: bool) -> Vector:
        """This times x, or its adjoint times x."""
        if adjoint:
            return (*_difference(crossed(self.p, x[3:]), applied(transposed(self.N), x[:3])), *NOTHING)
        return (*_negative(applied(self.N, x[:3])), *crossed(x[:3], self.p))


ZERO_BLOCK = CoriolisBlock((NOTHING, NOTHING, NOTHING), NOTHING)


def companion(f: Vector, x: Vector) -> Vector:
    """𝒬[f] x = x̃*f = [n×ω + f×v; f×ω] for f = [n; f], x = [ω; v] [SOA-5]."""
    return (*added(crossed(f[:3], x[:3]), crossed(f[3:], x[3:])), *crossed(f[3:], x[:3]))


def _tilde(x: Any3) -> Any3x3:
    return ((0.0, minus(0.0, x[2]), x[1]), (x[2], 0.0, minus(0.0, x[0])), (minus(0.0, x[1]), x[0], 0.0))


def _sum(A: Any3x3, B: Any3x3) -> Any3x3:
    return (added(A[0], B[0]), added(A[1], B[1]), added(A[2], B[2]))


def _difference(a: Any3, b: Any3) -> Any3:
    return (minus(a[0], b[0]), minus(a[1], b[1]), minus(a[2], b[2]))


def _negative(a: Any3) -> Any3:
    return _difference(NOTHING, a)
