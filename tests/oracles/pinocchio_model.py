"""Pinocchio as an outside judge: its own reading of a URDF, or our `Model` rebuilt joint by joint in it.

`PinocchioRobot` takes and gives arrays in our coordinate order and conventions; the translation is here and nowhere else.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pinocchio as pin

from codegen.bench.peers.pinocchio_model import pinocchio_robot
from derive.model import Model
from derive.reference.bodies import selection_matrix


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

    def inverse_dynamics_derivatives(self, q, qd, qdd) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """∂τ/∂θ, ∂τ/∂θ̇, M."""
        Z = self.from_ours
        found = pin.computeRNEADerivatives(self.model, self.data, self.q(q), Z @ qd, Z @ qdd)
        dq, dqd = (Z.T @ np.array(part) @ Z for part in found[:2])
        return dq, dqd, self.mass_matrix(q)

    def forward_dynamics_derivatives(self, q, qd, tau) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """∂θ̈/∂θ, ∂θ̈/∂θ̇, M⁻¹."""
        Z = self.from_ours
        found = pin.computeABADerivatives(self.model, self.data, self.q(q), Z @ qd, Z @ tau)
        dq, dqd, inverse = (Z.T @ np.array(part) @ Z for part in found)
        return dq, dqd, np.triu(inverse) + np.triu(inverse, 1).T

    def coriolis_matrix(self, q, qd) -> np.ndarray:
        Z = self.from_ours
        return Z.T @ np.array(pin.computeCoriolisMatrix(self.model, self.data, self.q(q), Z @ qd)) @ Z

    def jacobian_derivative(self, q, qd) -> np.ndarray:
        """[angular; linear] at the tip point, world axes."""
        Z = self.from_ours
        pin.computeJointJacobiansTimeVariation(self.model, self.data, self.q(q), Z @ qd)
        pin.updateFramePlacements(self.model, self.data)
        tip = self.model.getFrameId(self.ours.tips[0].name)
        rate = pin.getFrameJacobianTimeVariation(self.model, self.data, tip, pin.LOCAL_WORLD_ALIGNED)
        rate = np.reshape(rate, (6, -1))
        return np.vstack([rate[3:], rate[:3]]) @ Z

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
    robot = pinocchio_robot(ours)
    return PinocchioRobot(ours, robot.model(), [list(numbers) for numbers in robot.joints])
