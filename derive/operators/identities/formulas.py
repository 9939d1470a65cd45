"""The formulas of section 2 as the specification writes them, for a robot in motion, in inertial axes.

Positions and velocities are those of `Motion`; the joint maps are written out kind by kind, apart from the tables that
`derive.joints` and `derive.reference` have.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy import cross

from derive.frames import in_plane_axes
from derive.operators.block_system import Array, BlockSystem
from derive.operators.identities.motion import Motion
from derive.operators.identities.vectorwise import shift, spatial_inertia
from derive.parameters import number


class Column(NamedTuple):
    """A column [angular; linear] of H*(k) in inertial axes, and the body it is fixed in: the parent or k itself."""

    angular: Array
    linear: Array
    carrier: int


def joint_columns(motion: Motion, k: int) -> list[Column]:
    """The columns of H*(k), by the kind of joint k [SOA-10, SOA-13]."""
    joint, p = motion.bodies[k].joint, motion.parent[k]
    on_parent, own_axes = motion.R[p] @ motion.bodies[k].rotation, motion.R[k].T
    h, still = on_parent @ np.array(joint.geometry.axis), np.zeros(3)
    match joint.kind.name:
        case "revolute" | "continuous":
            return [Column(h, still, p)]
        case "prismatic":
            return [Column(still, h, p)]
        case "helical":
            return [Column(h, number(joint.geometry.pitch) * h, p)]
        case "cylindrical":
            return [Column(h, still, p), Column(still, h, p)]
        case "universal":
            return [Column(h, still, p), Column(motion.R[k] @ np.array(joint.geometry.axis2), still, k)]
        case "planar":
            u, w = (on_parent @ np.array(axis) for axis in in_plane_axes(joint.geometry.axis))
            return [Column(still, u, p), Column(still, w, p), Column(h, still, p)]
        case "spherical":
            return [Column(axis, still, k) for axis in own_axes]
        case "floating":
            return [Column(axis, still, k) for axis in own_axes] + [Column(still, axis, k) for axis in own_axes]
    raise ValueError(f"no joint map for a {joint.kind.name} joint")


def H_star(motion: Motion, k: int) -> Array:
    """H*(k), 6×r [SOA-10]."""
    return np.array([[*column.angular, *column.linear] for column in joint_columns(motion, k)]).T


def phi(motion: Motion, k: int) -> Array:
    """φ(p,k) in inertial axes [SOA-2]."""
    return shift(ell(motion, k))


def ell(motion: Motion, k: int) -> Array:
    """ℓ(p,k), from the parent's O to O_k."""
    return np.asarray(motion.O[k] - motion.O[motion.parent[k]])


def bias_acceleration(motion: Motion, k: int) -> Array:
    """a(k) = [(d/dt H*_ω)β; ω(p) × (ω(p) × ℓ + v_r) + (d/dt H*_v)β] for any joint [SOA-13]."""
    omega_p, v_r = motion.V[motion.parent[k]][:3], H_star(motion, k)[3:] @ motion.beta[k]
    turning, sliding = np.zeros(3), cross(omega_p, cross(omega_p, ell(motion, k)) + v_r)
    for column, rate in zip(joint_columns(motion, k), motion.beta[k], strict=True):
        omega_c = motion.V[column.carrier][:3]
        turning = turning + cross(omega_c, column.angular) * rate
        sliding = sliding + cross(omega_c, column.linear) * rate
    return np.concatenate([turning, sliding])


def tip_bias(motion: Motion) -> Array:
    """a(0) = [0; ω × (ω × ℓ(1,0))] of the tip's body [SOA-14]."""
    body, point = motion.tip
    omega = motion.V[body][:3]
    return np.concatenate([np.zeros(3), cross(omega, cross(omega, point - motion.O[body]))])


def link_inertia(motion: Motion, k: int) -> Array:
    """M(k) in inertial axes [SOA-3]."""
    body, R = motion.bodies[k], motion.R[k]
    return spatial_inertia(body.mass, R @ body.com, R @ body.inertia @ R.T)


def gyroscopic_bias(motion: Motion, k: int) -> Array:
    """b(k) = [ω × 𝓘(k)ω; m ω × (ω × p)] [SOA-15]."""
    body, omega = motion.bodies[k], motion.V[k][:3]
    spin = link_inertia(motion, k)[:3, :3] @ omega
    return np.concatenate([cross(omega, spin), body.mass * cross(omega, cross(omega, motion.R[k] @ body.com))])


def inertial_system(motion: Motion) -> BlockSystem:
    """The operators in inertial axes, the tip as their one point, with the values of q̇, a, b and f(0)."""
    n, (body, point) = motion.n, motion.tip
    vectors = {
        "qd": motion.in_paper_order(motion.qd),
        "a": np.concatenate([bias_acceleration(motion, k) for k in range(n)]),
        "b": np.concatenate([gyroscopic_bias(motion, k) for k in range(n)]),
        "f_0": motion.f_tip,
    }
    return BlockSystem(
        name=motion.model.name,
        parent=motion.parent,
        phi=tuple(phi(motion, k) for k in range(n)),
        H=tuple(H_star(motion, k).T for k in range(n)),
        M=tuple(link_inertia(motion, k) for k in range(n)),
        points=((body, shift(point - motion.O[body])),),
        armature=np.zeros(len(motion.qd)),
        vectors={name: np.asarray(value)[:, None] for name, value in vectors.items()},
    )
