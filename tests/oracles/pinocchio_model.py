"""Pinocchio as an outside judge: its own reading of a URDF, or our `Model` rebuilt joint by joint in it.

`PinocchioRobot` takes and gives arrays in our coordinate order and conventions; the translation is here and nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from derive.inertia import com, inertia_about_com
from derive.model import GROUND, Model
from derive.parameters import number
from derive.reference.bodies import selection_matrix
from derive.reference.joint_motion import screws


@dataclass
class PinocchioRobot:
    """A Pinocchio model and, per joint of ours, its Pinocchio joints in order."""

    ours: Model
    model: pin.Model
    joints: list[list[int]]

    def __post_init__(self) -> None:
        self.data = self.model.createData()
        rates = [self._rate_rows(k, ids) for k, ids in enumerate(self.joints)]
        order = np.array([i for rows in rates for i in rows], dtype=int)
        Z = selection_matrix(self.ours)
        self.from_ours = np.zeros((self.model.nv, self.ours.nv))  # v_pin = from_ours @ v_ours
        self.from_ours[order] = Z

    def _rate_rows(self, k: int, ids: list[int]) -> list[int]:
        rows = [self.model.joints[i].idx_v + j for i in ids for j in range(self.model.joints[i].nv)]
        return rows[3:] + rows[:3] if self.ours.joints[k].kind.name == "floating" else rows  # theirs is [v; ω]

    def q(self, q: np.ndarray) -> np.ndarray:
        result = pin.neutral(self.model)
        for own, ids in zip(self.ours.joint_coordinates(q), self.joints, strict=True):
            pairs = [([x], i) for x, i in zip(own, ids, strict=True)] if len(ids) > 1 else [(list(own), ids[0])]
            for values, i in pairs:
                joint = self.model.joints[i]
                if joint.nq == 2 and joint.nv == 1:  # unbounded revolute: (cos, sin)
                    values = [np.cos(values[0]), np.sin(values[0])]
                result[joint.idx_q : joint.idx_q + joint.nq] = values
        return result

    def inverse_dynamics(self, q, qd, qdd) -> np.ndarray:
        Z = self.from_ours
        return Z.T @ pin.rnea(self.model, self.data, self.q(q), Z @ qd, Z @ qdd)

    def mass_matrix(self, q) -> np.ndarray:
        M = np.array(pin.crba(self.model, self.data, self.q(q)))
        M = np.triu(M) + np.triu(M, 1).T
        return self.from_ours.T @ M @ self.from_ours

    def forward_dynamics(self, q, qd, tau) -> np.ndarray:
        if self.ours.has_mimics:  # their articulated bodies do not know mimic joints either
            bias = self.inverse_dynamics(q, qd, np.zeros(self.ours.nv))
            return np.linalg.solve(self.mass_matrix(q), tau - bias)
        Z = self.from_ours
        return Z.T @ pin.aba(self.model, self.data, self.q(q), Z @ qd, Z @ tau)

    def tip_pose(self, q) -> tuple[np.ndarray, np.ndarray]:
        pin.framesForwardKinematics(self.model, self.data, self.q(q))
        placement = self.data.oMf[self.model.getFrameId(self.ours.tips[0].name)]
        return placement.rotation, placement.translation


def from_urdf(path: str, ours: Model, floating: bool) -> PinocchioRobot:
    """Pinocchio's own reading of the file, matched to ours by joint name."""
    model = pin.buildModelFromUrdf(path, pin.JointModelFreeFlyer()) if floating else pin.buildModelFromUrdf(path)
    return PinocchioRobot(ours, model, [[model.getJointId(j.name)] for j in ours.joints])


def rebuilt(ours: Model) -> PinocchioRobot:
    """Our model, snapped and lumped as we have it, as a Pinocchio model; joints of several screws become several joints."""
    numeric = ours.numeric()
    model = pin.Model()
    last: dict[int, int] = {}
    joints: list[list[int]] = [[] for _ in numeric.joints]
    for k in _depth_first(numeric):
        joint, body = numeric.joints[k], numeric.bodies[k]
        placement = _se3(joint.placement)
        parent = 0 if joint.parent == GROUND else last[joint.parent]
        ids = []
        for number_of, motion in enumerate(_pin_joints(joint)):
            name = joint.name if number_of == 0 else f"{joint.name}/{number_of}"
            parent = model.addJoint(parent, motion, placement, name)
            placement = pin.SE3.Identity()
            ids.append(parent)
        model.inertias[parent] = _pin_inertia(body.inertia)
        armature = np.array([number(a) for a in joint.armature])
        rows = [model.joints[i].idx_v + r for i in ids for r in range(model.joints[i].nv)]
        armatures = np.array(model.armature)
        armatures[rows] = armature
        model.armature = armatures
        last[k] = parent
        joints[k] = ids
    for tip in numeric.tips:
        if tip.body != GROUND:
            model.addFrame(pin.Frame(tip.name, last[tip.body], _se3(tip.placement), pin.FrameType.OP_FRAME))
    return PinocchioRobot(ours, model, joints)


def _depth_first(model: Model) -> list[int]:
    """Bodies with each subtree contiguous, as Pinocchio's composite-body algorithm needs them."""
    order, todo = [], list(reversed(model.roots))
    while todo:
        k = todo.pop()
        order.append(k)
        todo += reversed(model.children[k])
    return order


def _pin_inertia(inertia) -> pin.Inertia:
    xx, xy, xz, yy, yz, zz = inertia_about_com(inertia)
    result = pin.Inertia.Zero()  # the constructor refuses the implausible inertias some files have
    result.mass, result.lever = number(inertia.mass), np.array(com(inertia))
    result.inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return result


def _pin_joints(joint) -> list[pin.JointModel]:
    if joint.kind.name == "floating":
        return [pin.JointModelFreeFlyer()]
    if joint.kind.name == "spherical":
        return [pin.JointModelSpherical()]
    if joint.kind.name == "helical":
        return [pin.JointModelHelicalUnaligned(np.array(joint.geometry.axis), number(joint.geometry.pitch))]
    turning = [s[:3].any() for s in screws(joint)]
    return [
        pin.JointModelRevoluteUnaligned(s[:3]) if turn else pin.JointModelPrismaticUnaligned(s[3:])
        for s, turn in zip(screws(joint), turning, strict=True)
    ]


def _se3(placement) -> pin.SE3:
    return pin.SE3(np.array(placement.rotation), np.array([number(x) for x in placement.translation]))
