"""How a joint moves its body, as a product of exponentials of constant twists: the reference's own joint kinematics.

Every joint is a sequence of screws exp(ξ₁q₁)·exp(ξ₂q₂)…, or a free rotation or motion given by a quaternion. Poses,
velocities and velocity-product terms all follow from that one description by composing motions. Twists are [ω; v].
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from derive.frames import in_plane_axes
from derive.model import Joint
from derive.parameters import number
from derive.states import Array

STILL = np.zeros(3)


@dataclass(frozen=True)
class JointMotion:
    """The child relative to the joint frame: rotation and origin there; S (6×r) and c = Ṡ·q̇ in the child's axes."""

    rotation: Array
    origin: Array
    S: Array
    c: Array


def joint_motion(joint: Joint, q: Array, qd: Array) -> JointMotion:
    """Pose and motion subspace at q; the velocity-product term at (q, q̇)."""
    if not joint.kind.is_vector_space:
        origin = q[:3] if joint.kind.name == "floating" else STILL
        S = np.eye(6)[:, : joint.kind.nv]
        return JointMotion(rotation_of_quaternion(q[-4:]), origin, S, np.zeros(6))
    rotation, origin = np.eye(3), STILL
    S = np.zeros((6, 0))
    velocity, c = np.zeros(6), np.zeros(6)
    for twist, angle, rate in zip(screws(joint), q, qd, strict=True):
        R, p = exponential(twist, angle)
        into_child = motion_transform(R, p)
        S = np.column_stack([into_child @ S, twist])
        c = into_child @ c + cross_motion(into_child @ velocity) @ twist * rate
        velocity = into_child @ velocity + twist * rate
        origin = origin + rotation @ p
        rotation = rotation @ R
    return JointMotion(rotation, origin, S, c)


def screws(joint: Joint) -> list[Array]:
    """The constant twists of a joint whose rates are derivatives of its coordinates, in the order they act."""
    axis = np.array(joint.geometry.axis)
    turn, slide = np.concatenate([axis, STILL]), np.concatenate([STILL, axis])
    match joint.kind.name:
        case "revolute" | "continuous":
            return [turn]
        case "prismatic":
            return [slide]
        case "helical":
            return [turn + number(joint.geometry.pitch) * slide]
        case "cylindrical":
            return [turn, slide]
        case "universal":
            return [turn, np.concatenate([joint.geometry.axis2, STILL])]
        case "planar":
            u, w = in_plane_axes(joint.geometry.axis)
            return [np.concatenate([STILL, u]), np.concatenate([STILL, w]), turn]
    raise ValueError(f"{joint.kind.name} is not a sequence of screws")


def exponential(twist: Array, amount: complex) -> tuple[Array, Array]:
    """exp(twist·amount) as rotation and translation; twist is a pure slide, or has |ω| = 1 and its axis through the origin."""
    omega, v = twist[:3], twist[3:]
    W = skew(omega)
    return np.eye(3) + np.sin(amount) * W + (1 - np.cos(amount)) * (W @ W), v * amount


def rotation_of_quaternion(xyzw: Array) -> Array:
    """1 + 2·w·ũ + 2·ũ² for the unit quaternion (u, w)."""
    U = skew(xyzw[:3])
    return np.asarray(np.eye(3) + 2 * xyzw[3] * U + 2 * U @ U)


def skew(x: Array) -> Array:
    """x̃ with x̃·y = x × y."""
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


def motion_transform(R: Array, p: Array) -> Array:
    """6×6 X that takes a twist at the parent's origin, in parent axes, to the child's (child at rotation R, origin p)."""
    return np.block([[R.T, np.zeros((3, 3))], [-R.T @ skew(p), R.T]])


def cross_motion(V: Array) -> Array:
    """6×6 matrix of V × on motions; on forces it is −(V×)ᵀ."""
    return np.block([[skew(V[:3]), np.zeros((3, 3))], [skew(V[3:]), skew(V[:3])]])
