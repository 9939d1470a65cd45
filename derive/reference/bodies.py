"""A model as textbook quantities: masses, mass centres, inertias and placements as arrays, and mimic joints as a matrix."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from derive.errors import StateError
from derive.inertia import com, inertia_about_com
from derive.model import GROUND, Frame, Joint, Model
from derive.parameters import number
from derive.reference.joint_motion import JointMotion, joint_motion
from derive.states import Array, configuration, rates

GRAVITY = (0.0, 0.0, -9.81)


@dataclass(frozen=True)
class TextbookBody:
    """Mass, mass centre, inertia about it; the joint that carries the body and where it is on the parent."""

    joint: Joint
    parent: int
    rows: slice  # this joint's rates among those of all joints, mimics included
    rotation: Array
    translation: Array
    mass: float
    com: Array
    inertia: Array
    armature: Array


@lru_cache(maxsize=16)
def textbook(model: Model) -> tuple[TextbookBody, ...]:
    """The bodies of `model` at its parameters' default values, parents first."""
    bodies = []
    start = 0
    for joint, body in zip(model.numeric().joints, model.numeric().bodies, strict=True):
        xx, xy, xz, yy, yz, zz = inertia_about_com(body.inertia)
        bodies.append(
            TextbookBody(
                joint=joint,
                parent=joint.parent,
                rows=slice(start, start + joint.kind.nv),
                rotation=np.array(joint.placement.rotation),
                translation=np.array([number(x) for x in joint.placement.translation]),
                mass=number(body.inertia.mass),
                com=np.array(com(body.inertia)),
                inertia=np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]),
                armature=np.array([number(a) for a in joint.armature]),
            )
        )
        start += joint.kind.nv
    return tuple(bodies)


@lru_cache(maxsize=16)
def selection_matrix(model: Model) -> Array:
    """Z with (rates of all joints) = Z·q̇: the identity, but for a row per mimic joint with its multiplier."""
    bodies = textbook(model)
    Z = np.zeros((sum(b.joint.kind.nv for b in bodies), model.nv))
    for body, columns in zip(bodies, model.v_slices, strict=True):
        mimic = body.joint.mimic
        Z[body.rows, columns] = np.eye(body.joint.kind.nv) if mimic is None else mimic.multiplier
    return Z


def joint_motions(model: Model, q: ArrayLike, qd: ArrayLike | None = None) -> list[JointMotion]:
    """How each joint moves its body at (q, q̇), mimics worked out; checks the state."""
    q = configuration(model, q)
    qd = rates(model, np.zeros(model.nv) if qd is None else qd)
    each = zip(textbook(model), model.joint_coordinates(q), model.joint_rates(qd), strict=True)
    return [joint_motion(body.joint, np.array(own), np.array(speed)) for body, own, speed in each]


def placed(body: TextbookBody, motion: JointMotion) -> tuple[Array, Array]:
    """Rotation and origin of the body's frame in its parent's."""
    return body.rotation @ motion.rotation, body.translation + body.rotation @ motion.origin


def world_poses(model: Model, motions: list[JointMotion]) -> list[tuple[Array, Array]]:
    """Rotation and origin of every body's frame in the world."""
    poses: list[tuple[Array, Array]] = []
    for body, motion in zip(textbook(model), motions, strict=True):
        R, p = placed(body, motion)
        if body.parent != GROUND:
            R_parent, p_parent = poses[body.parent]
            R, p = R_parent @ R, p_parent + R_parent @ p
        poses.append((R, p))
    return poses


def tip_arrays(tip: Frame) -> tuple[int, Array, Array]:
    """Body, rotation and position of a tip frame on it."""
    return tip.body, np.array(tip.placement.rotation), np.array([number(x) for x in tip.placement.translation])


def tip_forces_on_bodies(model: Model, q: ArrayLike, f_tip: ArrayLike | None) -> list[Array]:
    """The spatial force [N; F] each body must supply at its frame, in its axes, for its tips to exert `f_tip` (world axes).

    `f_tip` is (6,) at the first tip or (number of tips, 6).
    """
    forces = [np.zeros(6) for _ in model.bodies]
    if f_tip is None:
        return forces
    given = np.asarray(f_tip)
    if given.shape == (6,):
        given = given[None]
    if (
        given.shape not in ((1, 6), (len(model.tips), 6))
        or not np.all(np.isfinite(given))
        or len(given) > len(model.tips)
    ):
        raise StateError(
            f"f_tip has shape {given.shape} or is not finite; give (6,) or ({len(model.tips)}, 6), [moment; force]"
        )
    poses = world_poses(model, joint_motions(model, q))
    for tip, force in zip(model.numeric().tips, given, strict=False):
        body, _, point = tip_arrays(tip)
        if body != GROUND:
            moment, push = poses[body][0].T @ force[:3], poses[body][0].T @ force[3:]
            forces[body] = forces[body] + np.concatenate([moment + np.cross(point, push), push])
    return forces
