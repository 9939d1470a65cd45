"""Articulated bodies (Featherstone 1983; 2008, table 7.1), and forward dynamics for models with mimic joints."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from derive.errors import SingularModelError
from derive.model import GROUND, Model
from derive.reference.bodies import GRAVITY, TextbookBody, joint_motions, placed, textbook, tip_forces_on_bodies
from derive.reference.crba import mass_matrix, rigid_body_inertia
from derive.reference.joint_motion import cross_motion, motion_transform
from derive.reference.rnea import inverse_dynamics
from derive.states import Array, rates

SINGULAR = 64 * np.finfo(float).eps  # D(k) below this times the articulated inertia is rounding


def forward_dynamics(
    model: Model,
    q: ArrayLike,
    qd: ArrayLike,
    tau: ArrayLike,
    f_tip: ArrayLike | None = None,
    *,
    gravity: ArrayLike = GRAVITY,
) -> Array:
    """Accelerations (nv,) under the joint forces; SingularModelError names a joint that moves nothing.

    Mimic joints close loops that the articulated-body algorithm does not know, so with them M·q̈ = τ − bias is solved.
    """
    if not model.has_mimics:
        return articulated_body_algorithm(model, q, qd, tau, f_tip, gravity=gravity)
    model.require_invertible_mass_matrix()
    bias = inverse_dynamics(model, q, qd, np.zeros(model.nv), f_tip, gravity=gravity)
    return np.asarray(np.linalg.solve(mass_matrix(model, q), rates(model, tau, "tau") - bias))


def articulated_body_algorithm(
    model: Model,
    q: ArrayLike,
    qd: ArrayLike,
    tau: ArrayLike,
    f_tip: ArrayLike | None = None,
    *,
    gravity: ArrayLike = GRAVITY,
) -> Array:
    """`forward_dynamics` of a model without mimic joints, in linear time."""
    model.require_invertible_mass_matrix()
    bodies = textbook(model)
    motions = joint_motions(model, q, qd)
    speeds, torques = model.joint_rates(rates(model, qd)), model.joint_rates(rates(model, tau, "tau"))
    X = [motion_transform(*placed(body, motion)) for body, motion in zip(bodies, motions, strict=True)]
    S = [motion.S for motion in motions]

    V: list[Array] = []  # velocity of body k
    c: list[Array] = []  # velocity-product acceleration across joint k
    for k, body in enumerate(bodies):
        across = S[k] @ np.array(speeds[k])
        V.append(across if body.parent == GROUND else X[k] @ V[body.parent] + across)
        c.append(motions[k].c + cross_motion(V[k]) @ across)

    inertia = [rigid_body_inertia(body) for body in bodies]
    bias = [-cross_motion(V[k]).T @ inertia[k] @ V[k] + f for k, f in enumerate(tip_forces_on_bodies(model, q, f_tip))]
    U, D_inverse, u = [np.zeros(0)] * len(bodies), [np.zeros(0)] * len(bodies), [np.zeros(0)] * len(bodies)
    for k in reversed(range(len(bodies))):
        U[k] = inertia[k] @ S[k]
        D_inverse[k] = _inverse(model, bodies[k], S[k].T @ U[k] + np.diag(bodies[k].armature), inertia[k])
        u[k] = np.array(torques[k]) - S[k].T @ bias[k]
        if bodies[k].parent != GROUND:
            handed = inertia[k] - U[k] @ D_inverse[k] @ U[k].T
            load = bias[k] + handed @ c[k] + U[k] @ D_inverse[k] @ u[k]
            inertia[bodies[k].parent] = inertia[bodies[k].parent] + X[k].T @ handed @ X[k]
            bias[bodies[k].parent] = bias[bodies[k].parent] + X[k].T @ load

    A: list[Array] = []  # acceleration of body k, gravity as an upward acceleration of the ground
    qdd = [np.zeros(0)]
    for k, body in enumerate(bodies):
        carried = X[k] @ (
            np.concatenate([np.zeros(3), -np.asarray(gravity)]) if body.parent == GROUND else A[body.parent]
        )
        qdd.append(D_inverse[k] @ (u[k] - U[k].T @ (carried + c[k])))
        A.append(carried + c[k] + S[k] @ qdd[-1])
    return np.concatenate(qdd)


def _inverse(model: Model, body: TextbookBody, D: Array, inertia: Array) -> Array:
    smallest = np.linalg.eigvalsh(D.real)[0]
    if not smallest > SINGULAR * np.max(np.abs(inertia), initial=0.0):
        raise SingularModelError(
            f"model '{model.name}': joint '{body.joint.name}' feels no inertia here (D = {smallest:.1e}), so accelerations "
            f"are not determined; give its links mass or the joint an armature, or lock it"
        )
    return np.asarray(np.linalg.inv(D))
