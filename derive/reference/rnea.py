"""Recursive Newton–Euler in 3-vectors (Luh, Walker, Paul 1980), every body in its own axes."""

from __future__ import annotations

import numpy as np
from numpy import cross
from numpy.typing import ArrayLike

from derive.model import GROUND, Model
from derive.reference.bodies import GRAVITY, joint_motions, placed, selection_matrix, textbook, tip_forces_on_bodies
from derive.states import Array, rates


def inverse_dynamics(
    model: Model,
    q: ArrayLike,
    qd: ArrayLike,
    qdd: ArrayLike,
    f_tip: ArrayLike | None = None,
    *,
    gravity: ArrayLike = GRAVITY,
    joint_losses: bool = False,
) -> Array:
    """Joint forces (nv,) for the motion. `f_tip` is the force the tip exerts on its environment, [moment; force], world axes.

    `joint_losses` adds the damping and dry friction the file gives, which are off otherwise.
    """
    bodies = textbook(model)
    motions = joint_motions(model, q, qd)
    speeds = model.joint_rates(rates(model, qd))
    accelerations = model.joint_rates(rates(model, qdd, "qdd"))
    at_tips = tip_forces_on_bodies(model, q, f_tip)
    placements = [placed(body, motion) for body, motion in zip(bodies, motions, strict=True)]

    omega: list[Array] = []  # angular velocity of body k, in its axes
    alpha: list[Array] = []  # its angular acceleration
    a: list[Array] = []  # acceleration of its origin, with gravity as an upward acceleration of the ground
    for k, (body, motion) in enumerate(zip(bodies, motions, strict=True)):
        grounded = body.parent == GROUND
        omega_p = np.zeros(3) if grounded else omega[body.parent]
        alpha_p = np.zeros(3) if grounded else alpha[body.parent]
        a_p = -np.asarray(gravity) if grounded else a[body.parent]
        R, p = placements[k]
        S_angular, S_linear = motion.S[:3], motion.S[3:]
        omega_r, v_r = S_angular @ np.array(speeds[k]), S_linear @ np.array(speeds[k])  # relative to the parent
        carried = R.T @ omega_p
        omega.append(carried + omega_r)
        alpha.append(R.T @ alpha_p + cross(carried, omega_r) + S_angular @ np.array(accelerations[k]) + motion.c[:3])
        at_joint = R.T @ (a_p + cross(alpha_p, p) + cross(omega_p, cross(omega_p, p)))
        relative = S_linear @ np.array(accelerations[k]) + motion.c[3:] + cross(omega_r, v_r)
        a.append(at_joint + 2 * cross(carried, v_r) + relative)

    tau = [np.zeros(body.joint.kind.nv) for body in bodies]
    moments = [force[:3] for force in at_tips]  # about the body's origin, to be supplied through its joint
    forces = [force[3:] for force in at_tips]
    for k in reversed(range(len(bodies))):
        body, motion = bodies[k], motions[k]
        a_com = a[k] + cross(alpha[k], body.com) + cross(omega[k], cross(omega[k], body.com))
        F = body.mass * a_com
        N = body.inertia @ alpha[k] + cross(omega[k], body.inertia @ omega[k])
        forces[k] = forces[k] + F
        moments[k] = moments[k] + N + cross(body.com, F)
        tau[k] = motion.S[:3].T @ moments[k] + motion.S[3:].T @ forces[k] + body.armature * np.array(accelerations[k])
        if joint_losses:
            speed = np.array(speeds[k])
            tau[k] = tau[k] + np.array(body.joint.damping) * speed + np.array(body.joint.friction) * np.sign(speed)
        if body.parent != GROUND:
            R, p = placements[k]
            forces[body.parent] = forces[body.parent] + R @ forces[k]
            moments[body.parent] = moments[body.parent] + R @ moments[k] + cross(p, R @ forces[k])
    return np.asarray(selection_matrix(model).T @ np.concatenate([np.zeros(0), *tau]))


def bias_forces(model: Model, q: ArrayLike, qd: ArrayLike, *, gravity: ArrayLike = GRAVITY) -> Array:
    """C(q, q̇) + g(q), shape (nv,): the joint forces of a motion without acceleration."""
    return inverse_dynamics(model, q, qd, np.zeros(model.nv), gravity=gravity)


def gravity_forces(model: Model, q: ArrayLike, *, gravity: ArrayLike = GRAVITY) -> Array:
    """g(q), shape (nv,): the joint forces that hold the robot still."""
    return bias_forces(model, q, np.zeros(model.nv), gravity=gravity)
