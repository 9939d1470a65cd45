"""Where the tips are and how they move: poses, and the geometric jacobian column by column."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from derive.errors import StateError
from derive.model import GROUND, Frame, Model
from derive.reference.bodies import joint_motions, selection_matrix, textbook, tip_arrays, world_poses
from derive.states import Array, rates


def forward_kinematics(model: Model, q: ArrayLike, tip: str | None = None) -> tuple[Array, Array]:
    """World rotation (3, 3) and position (3,) of a tip, or of any link, by name; the model's first tip by default."""
    poses = world_poses(model, joint_motions(model, q))
    body, R, p = tip_arrays(_frame(model, tip))
    if body == GROUND:
        return R, p
    return poses[body][0] @ R, poses[body][1] + poses[body][0] @ p


def jacobian(model: Model, q: ArrayLike, tip: str | None = None) -> Array:
    """(6, nv): q̇ to [angular; linear] velocity of the tip point, in world axes."""
    bodies, motions = textbook(model), joint_motions(model, q)
    poses = world_poses(model, motions)
    frame = _frame(model, tip)
    _, point = forward_kinematics(model, q, tip)
    columns = np.zeros((6, len(selection_matrix(model))), dtype=point.dtype)
    for k in model.path(frame.body):
        R, origin = poses[k]
        angular, linear = R @ motions[k].S[:3], R @ motions[k].S[3:]
        columns[:3, bodies[k].rows] = angular
        columns[3:, bodies[k].rows] = linear + np.cross(angular, point - origin, axisa=0, axisc=0)
    return np.asarray(columns @ selection_matrix(model))


def tip_velocity(model: Model, q: ArrayLike, qd: ArrayLike, tip: str | None = None) -> Array:
    """(6,): [angular; linear] velocity of the tip point, in world axes."""
    return np.asarray(jacobian(model, q, tip) @ rates(model, qd))


def _frame(model: Model, tip: str | None) -> Frame:
    numeric = model.numeric()
    if tip is None and numeric.tips:
        return numeric.tips[0]
    for frame in (*numeric.tips, *numeric.links):
        if frame.name == tip:
            return frame
    names = ", ".join(frame.name for frame in (*numeric.tips, *numeric.links)[:6])
    raise StateError(f"model '{model.name}' has no tip or link '{tip}'; it has: {names} …")
