"""Lagrange's equations on 4×4 transforms (Uicker 1965, Paul 1981): T = ½ Σ tr(Ṫₖ Jₖ Ṫₖ*), with Jₖ the pseudo-inertia.

Nothing here knows about angular velocities, cross products or spatial vectors: only where the bodies are, differentiated
exactly. A motion is carried as the transform and its first two time derivatives (T, Ṫ, T̈) by the product rule. Lagrange's
equations of that kinetic energy are τⱼ = Σₖ tr(Uₖⱼ Jₖ T̈ₖ*) − Σₖ mₖ g·(Uₖⱼ cₖ) with Uₖⱼ = ∂Tₖ/∂qⱼ; for quaternion joints
∂/∂qⱼ is the derivative along the j-th body-frame rate.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from derive.model import GROUND, Model
from derive.reference.bodies import GRAVITY, TextbookBody, selection_matrix, textbook
from derive.reference.joint_motion import exponential, rotation_of_quaternion, screws, skew
from derive.states import Array, configuration, rates


class Jet(NamedTuple):
    """A 4×4 transform along a motion, with its first two time derivatives."""

    T: Array
    T1: Array
    T2: Array

    def then(self, other: Jet) -> Jet:
        """The product, by Leibniz' rule."""
        return Jet(
            self.T @ other.T,
            self.T1 @ other.T + self.T @ other.T1,
            self.T2 @ other.T + 2 * self.T1 @ other.T1 + self.T @ other.T2,
        )


def inverse_dynamics(
    model: Model, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, *, gravity: ArrayLike = GRAVITY
) -> Array:
    """Joint forces (nv,) from Lagrange's equations."""
    bodies = textbook(model)
    Z = selection_matrix(model)
    motion = pose_jets(model, q, qd, qdd)
    g = np.array([*np.asarray(gravity), 0.0])
    tau = []
    for column, partial in zip(Z.T, _partials(model, q), strict=True):
        inertial = sum(
            np.sum((U @ pseudo_inertia(b)) * jet.T2) for b, U, jet in zip(bodies, partial, motion, strict=True)
        )
        weight = sum(b.mass * g @ U @ np.array([*b.com, 1.0]) for b, U in zip(bodies, partial, strict=True))
        rotor = column @ (_armature(bodies) * (Z @ np.asarray(qdd)))
        tau.append(inertial - weight + rotor)
    return np.array(tau)


def pose_jets(model: Model, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike) -> list[Jet]:
    """Each body's transform to the world and its first two time derivatives along the motion."""
    Z = selection_matrix(model)
    return _poses(model, q, Z @ rates(model, qd), Z @ rates(model, qdd, "qdd"))


def mass_matrix(model: Model, q: ArrayLike) -> Array:
    """(nv, nv): ∂²T/∂q̇ᵢ∂q̇ⱼ = Σₖ tr(Uₖᵢ Jₖ Uₖⱼ*)."""
    bodies, partials = textbook(model), list(_partials(model, q))
    Z = selection_matrix(model)
    M = [
        [
            sum(np.sum((U @ pseudo_inertia(b)) * W) for b, U, W in zip(bodies, left, right, strict=True))
            for right in partials
        ]
        for left in partials
    ]
    return np.asarray(np.array(M).reshape(model.nv, model.nv) + Z.T @ (_armature(bodies)[:, None] * Z))


def pseudo_inertia(body: TextbookBody) -> Array:
    """J = ∫ [x; 1][x; 1]* dm in the body's frame."""
    second = 0.5 * np.trace(body.inertia) * np.eye(3) - body.inertia + body.mass * np.outer(body.com, body.com)
    first = (body.mass * body.com)[:, None]
    return np.block([[second, first], [first.T, np.array([[body.mass]])]])


def _armature(bodies: tuple[TextbookBody, ...]) -> Array:
    return np.concatenate([np.zeros(0), *(body.armature for body in bodies)])


def _partials(model: Model, q: ArrayLike) -> list[list[Array]]:
    """[j][k] = ∂T_k/∂q_j: first derivatives along unit rates."""
    Z = selection_matrix(model)
    return [[jet.T1 for jet in _poses(model, q, column, 0 * column)] for column in Z.T]


def _poses(model: Model, q: ArrayLike, qd_all: Array, qdd_all: Array) -> list[Jet]:
    """Each body's transform to the world and its derivatives, for rates of all joints, mimics included."""
    poses: list[Jet] = []
    for body, own in zip(textbook(model), model.joint_coordinates(configuration(model, q)), strict=True):
        rest = Jet(_transform(body.rotation, body.translation), np.zeros((4, 4)), np.zeros((4, 4)))
        moved = rest.then(_joint_jet(body, np.array(own), qd_all[body.rows], qdd_all[body.rows]))
        poses.append(moved if body.parent == GROUND else poses[body.parent].then(moved))
    return poses


def _joint_jet(body: TextbookBody, q: Array, qd: Array, qdd: Array) -> Jet:
    if not body.joint.kind.is_vector_space:
        origin = q[:3] if body.joint.kind.name == "floating" else np.zeros(3)
        T = _transform(rotation_of_quaternion(q[-4:]), origin)
        A, A1 = _generator(_padded(qd)), _generator(_padded(qdd))
        return Jet(T, T @ A, T @ (A @ A + A1))
    jet = Jet(np.eye(4), np.zeros((4, 4)), np.zeros((4, 4)))
    for twist, position, speed, acceleration in zip(screws(body.joint), q, qd, qdd, strict=True):
        T, A = _transform(*exponential(twist, position)), _generator(twist)
        jet = jet.then(Jet(T, T @ A * speed, T @ (A @ A * speed**2 + A * acceleration)))
    return jet


def _padded(rates: Array) -> Array:
    """[ω; v] of a spherical or floating joint's body-frame rates."""
    return np.concatenate([rates, np.zeros(6 - len(rates))])


def _generator(twist: Array) -> Array:
    """4×4 A with d/dt exp(A t) = exp(A t)·A, for the twist [ω; v] in the moving frame."""
    return np.block([[skew(twist[:3]), twist[3:, None]], [np.zeros((1, 4))]])


def _transform(R: Array, p: Array) -> Array:
    return np.block([[R, p[:, None]], [np.zeros((1, 3)), np.ones((1, 1))]])
