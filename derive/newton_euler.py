"""What one body needs of Newton and Euler, on any scalar: everything goes through U = ω̇̃ + ω̃ω̃.

A point r of a body accelerates by v̇ + Ur. So U carries the origin's acceleration to the next body, and the force on a body of
mass m, first moment h = Σ m r and pseudo-inertia Σ m r r* is the sum over its points:

    f = m v̇ + Uh                n = h × v̇ + the axis of  U Σ m r r* − (U Σ m r r*)*        (= 𝓘ω̇ + ω × 𝓘ω)

U costs 6 multiplications and 9 additions once per body, and is shared by all of these.
"""

from __future__ import annotations

from typing import Any

from derive.algebra import Any3, Any3x3, added, applied, crossed, minus, plus, scaled, times
from derive.rigid import RigidInertia
from derive.spatial import Vector
from derive.turns import Symmetric

STILL: Any3 = (0.0, 0.0, 0.0)


def rate_matrix(omega: Any3, omega_rate: Any3) -> Any3x3:
    """U = ω̇̃ + ω̃ω̃."""
    x, y, z = omega
    a, b, c = omega_rate
    xx, yy, zz = times(x, x), times(y, y), times(z, z)
    xy, xz, yz = times(x, y), times(x, z), times(y, z)
    return (
        (minus(0.0, plus(yy, zz)), minus(xy, c), plus(xz, b)),
        (plus(xy, c), minus(0.0, plus(xx, zz)), minus(yz, a)),
        (minus(xz, b), plus(yz, a), minus(0.0, plus(xx, yy))),
    )


def centrifugal(omega: Any3, ell: Any3) -> Any3:
    """ω × (ω × ℓ)."""
    return applied(rate_matrix(omega, STILL), ell)


def carried(alpha: Vector, omega: Any3, ell: Any3) -> Vector:
    """The acceleration of the body at its point ℓ: [ω̇; v̇ + ω̇ × ℓ + ω × (ω × ℓ)]."""
    return (*alpha[:3], *added(alpha[3:], applied(rate_matrix(omega, alpha[:3]), ell)))


def wrench(body: RigidInertia, omega: Any3, alpha: Vector) -> Vector:
    """M α + b: the force that gives the body this acceleration [SOA-15]."""
    W, h, linear = rate_matrix(omega, alpha[:3]), body.moment, alpha[3:]
    force = added(scaled(linear, body.mass), applied(W, h))
    return (*added(_turning(W, omega, body.inertia), crossed(h, linear)), *force)


def gyroscopic(body: RigidInertia, omega: Any3) -> Vector:
    """b = [ω × 𝓘ω; ω × (ω × h)] [SOA-15]."""
    return wrench(body, omega, (0.0,) * 6)


def body_rate(alpha: Vector, V: Vector) -> Vector:
    """α − [0; ω × v]: from the inertial derivative of V to that of its components in the body's axes [SOA-142]."""
    turned = crossed(V[:3], V[3:])
    return (*alpha[:3], *(minus(a, b) for a, b in zip(alpha[3:], turned, strict=True)))


def coupling(omega: Any3, carried_omega: Any3, relative: Vector) -> Vector:
    """[ω' × ω_r; (ω + ω') × v_r]: what the joint's own rate [ω_r; v_r] adds to a, ω' the parent's rate [SOA-13]."""
    return (*crossed(carried_omega, relative[:3]), *crossed(added(omega, carried_omega), relative[3:]))


def _turning(W: Any3x3, omega: Any3, inertia: Symmetric) -> Any3:
    """The axis of UJ − (UJ)*, J = ½ tr 𝓘 − 𝓘; the differences of U's diagonal are differences of squares."""
    xx, xy, xz, yy, yz, zz = _pseudo_inertia(inertia)
    squares = [times(x, x) for x in omega]
    zy, xz_, yx = (minus(squares[i], squares[j]) for i, j in ((2, 1), (0, 2), (1, 0)))
    return (
        _sum((W[2][0], xy), (W[2][1], yy), (zy, yz), (W[1][0], minus(0.0, xz)), (W[1][2], minus(0.0, zz))),
        _sum((W[0][1], yz), (W[0][2], zz), (xz_, xz), (W[2][0], minus(0.0, xx)), (W[2][1], minus(0.0, xy))),
        _sum((W[1][0], xx), (W[1][2], xz), (yx, xy), (W[0][1], minus(0.0, yy)), (W[0][2], minus(0.0, yz))),
    )


def _pseudo_inertia(inertia: Symmetric) -> Symmetric:
    """J = ½ tr 𝓘 − 𝓘 = Σ m r r*."""
    xx, xy, xz, yy, yz, zz = inertia
    half = times(0.5, plus(plus(xx, yy), zz))
    return (
        minus(half, xx),
        minus(0.0, xy),
        minus(0.0, xz),
        minus(half, yy),
        minus(0.0, yz),
        minus(half, zz),
    )


def _sum(*products: tuple[Any, Any]) -> Any:
    total: Any = 0.0
    for a, b in products:
        total = plus(total, times(a, b))
    return total
