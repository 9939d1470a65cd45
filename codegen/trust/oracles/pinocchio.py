"""Pinocchio's own algorithms on our model rebuilt in it joint by joint, if it is installed."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from codegen.bench.peers.peer import PeerError, installed
from codegen.bench.peers.pinocchio_model import PinocchioRobot, pinocchio_robot
from codegen.trust.oracles.oracle import Oracle
from codegen.trust.quantities import NotOfferedError, Quantities
from derive.model import Model
from derive.states import Array


def _obstacle(model: Model) -> str | None:
    try:
        installed("pinocchio", "pin")
    except PeerError as error:
        return str(error)
    return None


@lru_cache(maxsize=4)
def _rebuilt(model: Model) -> tuple[PinocchioRobot, Any, Any]:
    robot = pinocchio_robot(model)
    built = robot.model()
    return robot, built, built.createData()


class PinocchioQuantities(Quantities):
    """Translated to our coordinates."""

    @cached_property
    def _state(self) -> tuple[Any, Any, Array, Array]:
        """Pinocchio's model and data, its q, and v_pinocchio = Z v."""
        robot, model, data = _rebuilt(self.model)
        model.gravity.linear = np.array(self.gravity, dtype=float)
        return model, data, robot.q(self.inputs["q"]), robot.from_ours

    @cached_property
    def pose(self) -> tuple[Array, Array]:
        """By frame placements."""
        import pinocchio as pin

        model, data, q, _ = self._state
        pin.framesForwardKinematics(model, data, q)
        tip = data.oMf[model.getFrameId(self.model.tips[0].name)]
        return np.array(tip.rotation), np.array(tip.translation)

    @cached_property
    def jacobian(self) -> Array:
        """By computeFrameJacobian; theirs is [linear; angular]."""
        import pinocchio as pin

        model, data, q, Z = self._state
        J = pin.computeFrameJacobian(model, data, q, model.getFrameId(self.model.tips[0].name), pin.LOCAL_WORLD_ALIGNED)
        return np.asarray(np.vstack([J[3:], J[:3]]) @ Z)

    @cached_property
    def mass(self) -> Array:
        """By crba."""
        import pinocchio as pin

        model, data, q, Z = self._state
        M = np.array(pin.crba(model, data, q))
        return np.asarray(Z.T @ (np.triu(M) + np.triu(M, 1).T) @ Z)

    @cached_property
    def bias(self) -> Array:
        """By nonLinearEffects."""
        import pinocchio as pin

        model, data, q, Z = self._state
        return np.asarray(Z.T @ pin.nonLinearEffects(model, data, q, Z @ self.inputs["qd"]))

    @cached_property
    def weight(self) -> Array:
        """By computeGeneralizedGravity."""
        import pinocchio as pin

        model, data, q, Z = self._state
        return np.asarray(Z.T @ pin.computeGeneralizedGravity(model, data, q))

    def forces(self, f_tip: Array | None) -> Array:
        """By rnea."""
        import pinocchio as pin

        model, data, q, Z = self._state
        tau = pin.rnea(model, data, q, Z @ self.inputs["qd"], Z @ self.inputs["qdd"])
        return np.asarray(Z.T @ tau + self.loaded(f_tip))

    def accelerations(self, f_tip: Array | None) -> Array:
        """By aba, which does not know mimic joints."""
        import pinocchio as pin

        if self.model.has_mimics:
            raise NotOfferedError
        model, data, q, Z = self._state
        tau = self.inputs["tau"] - self.loaded(f_tip)
        return np.asarray(Z.T @ pin.aba(model, data, q, Z @ self.inputs["qd"], Z @ tau))

    @cached_property
    def coriolis(self) -> Array:
        """By computeCoriolisMatrix."""
        import pinocchio as pin

        model, data, q, Z = self._state
        return np.asarray(Z.T @ pin.computeCoriolisMatrix(model, data, q, Z @ self.inputs["qd"]) @ Z)

    @cached_property
    def jacobian_rate(self) -> Array:
        """By computeJointJacobiansTimeVariation; theirs is [linear; angular]."""
        import pinocchio as pin

        model, data, q, Z = self._state
        pin.computeJointJacobiansTimeVariation(model, data, q, Z @ self.inputs["qd"])
        pin.updateFramePlacements(model, data)
        tip = model.getFrameId(self.model.tips[0].name)
        rate = np.reshape(pin.getFrameJacobianTimeVariation(model, data, tip, pin.LOCAL_WORLD_ALIGNED), (6, -1))
        return np.asarray(np.vstack([rate[3:], rate[:3]]) @ Z)

    def force_derivatives(self, qdd: Array) -> tuple[Array, Array]:
        """By computeRNEADerivatives."""
        import pinocchio as pin

        model, data, q, Z = self._state
        dq, dqd, _ = pin.computeRNEADerivatives(model, data, q, Z @ self.inputs["qd"], Z @ qdd)
        return np.asarray(Z.T @ dq @ Z), np.asarray(Z.T @ dqd @ Z)

    @cached_property
    def acceleration_derivatives(self) -> tuple[Array, Array]:
        """By computeABADerivatives, which does not know mimic joints."""
        import pinocchio as pin

        if self.model.has_mimics:
            raise NotOfferedError
        model, data, q, Z = self._state
        dq, dqd, _ = pin.computeABADerivatives(model, data, q, Z @ self.inputs["qd"], Z @ self.inputs["tau"])
        return np.asarray(Z.T @ dq @ Z), np.asarray(Z.T @ dqd @ Z)

    @cached_property
    def potential_energy(self) -> float:
        """By computePotentialEnergy."""
        import pinocchio as pin

        model, data, q, _ = self._state
        return float(pin.computePotentialEnergy(model, data, q))


PINOCCHIO = Oracle(
    "Pinocchio",
    "Pinocchio's rnea, crba, aba, their derivatives, Coriolis matrix and frame jacobians on the model rebuilt in it",
    PinocchioQuantities,
    _obstacle,
    version=lambda: installed("pinocchio", "pin"),
)
