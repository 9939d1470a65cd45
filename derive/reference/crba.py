"""Composite rigid bodies (Walker and Orin 1982, after Featherstone 2008, table 6.2)."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from derive.model import GROUND, Model
from derive.reference.bodies import TextbookBody, joint_motions, placed, selection_matrix, textbook
from derive.reference.joint_motion import motion_transform, skew
from derive.states import Array


def mass_matrix(model: Model, q: ArrayLike) -> Array:
    """Joint-space mass matrix, (nv, nv), armature included."""
    bodies = textbook(model)
    motions = joint_motions(model, q)
    X = [motion_transform(*placed(body, motion)) for body, motion in zip(bodies, motions, strict=True)]
    composite = [rigid_body_inertia(body) for body in bodies]
    size = len(selection_matrix(model))
    M = np.zeros((size, size), dtype=np.result_type(float, *(x.dtype for x in X)))
    for k in reversed(range(len(bodies))):
        if bodies[k].parent != GROUND:
            composite[bodies[k].parent] = composite[bodies[k].parent] + X[k].T @ composite[k] @ X[k]
        force = composite[k] @ motions[k].S
        M[bodies[k].rows, bodies[k].rows] = motions[k].S.T @ force + np.diag(bodies[k].armature)
        j = k
        while bodies[j].parent != GROUND:
            force = X[j].T @ force
            j = bodies[j].parent
            M[bodies[j].rows, bodies[k].rows] = motions[j].S.T @ force
            M[bodies[k].rows, bodies[j].rows] = M[bodies[j].rows, bodies[k].rows].T
    Z = selection_matrix(model)
    return np.asarray(Z.T @ M @ Z)


def rigid_body_inertia(body: TextbookBody) -> Array:
    """6×6 inertia about the body's origin, for twists [ω; v]."""
    C = skew(body.com)
    return np.block(
        [[body.inertia + body.mass * C @ C.T, body.mass * C], [body.mass * C.T, body.mass * np.eye(3)]],
    )
