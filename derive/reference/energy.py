"""Kinetic and potential energy, body by body."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from derive.model import GROUND, Model
from derive.reference.bodies import GRAVITY, joint_motions, placed, textbook, world_poses
from derive.states import rates


def kinetic_energy(model: Model, q: ArrayLike, qd: ArrayLike) -> Any:
    """½ Σ m|v_c|² + ω·I·ω over bodies, plus ½ armature·q̇² over joints: a scalar."""
    motions = joint_motions(model, q, qd)
    speeds = model.joint_rates(rates(model, qd))
    velocities: list[tuple[Any, Any]] = []
    energy: Any = 0.0
    for k, (body, motion) in enumerate(zip(textbook(model), motions, strict=True)):
        R, p = placed(body, motion)
        own = motion.S @ np.array(speeds[k])
        omega_p, v_p = (np.zeros(3), np.zeros(3)) if body.parent == GROUND else velocities[body.parent]
        omega, v = R.T @ omega_p + own[:3], R.T @ (v_p + np.cross(omega_p, p)) + own[3:]
        velocities.append((omega, v))
        v_com = v + np.cross(omega, body.com)
        energy = energy + 0.5 * (body.mass * v_com @ v_com + omega @ body.inertia @ omega)
        energy = energy + 0.5 * np.sum(body.armature * np.array(speeds[k]) ** 2)
    return energy


def potential_energy(model: Model, q: ArrayLike, *, gravity: ArrayLike = GRAVITY) -> Any:
    """−Σ m g·c over bodies, zero at the world's origin: a scalar."""
    poses = world_poses(model, joint_motions(model, q))
    total: Any = 0.0
    for body, (R, p) in zip(textbook(model), poses, strict=True):
        total = total - body.mass * np.dot(np.asarray(gravity), p + R @ body.com)
    return total
