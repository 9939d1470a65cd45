"""MuJoCo's own algorithms on our model written as MJCF, if it is installed and has the robot's joints."""

from __future__ import annotations

from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from codegen.bench.peers.mujoco_model import MujocoRobot, mjcf, mujoco_robot
from codegen.bench.peers.peer import PeerError, installed
from codegen.trust.oracles.oracle import Oracle
from codegen.trust.quantities import NotOfferedError, Quantities
from derive.model import Model
from derive.states import Array


def _obstacle(model: Model) -> str | None:
    try:
        installed("mujoco", "mujoco")
        _compiled(model, (0.0, 0.0, 0.0))
    except PeerError as error:
        return str(error)
    except ValueError as error:
        return f"MuJoCo refuses it: {' '.join(str(error).split())}"
    return None


@lru_cache(maxsize=4)
def _compiled(model: Model, gravity: tuple[float, ...]) -> tuple[MujocoRobot, Any, Any]:
    import mujoco

    robot = mujoco_robot(model)
    compiled = mujoco.MjModel.from_xml_string(mjcf(robot, gravity))
    return robot, compiled, mujoco.MjData(compiled)


class MujocoQuantities(Quantities):
    """Translated to our coordinates: q̈ of MuJoCo is T q̈ + Ṫ q̇."""

    def _at(self, qd: Array) -> tuple[Any, Any, Array]:
        """Model and data with positions and velocities worked out, and T."""
        import mujoco

        robot, model, data = _compiled(self.model, tuple(map(float, self.gravity)))
        T = robot.T(self.inputs["q"])
        data.qpos[:], data.qvel[:] = robot.q(self.inputs["q"]), T @ qd
        mujoco.mj_kinematics(model, data)
        mujoco.mj_comPos(model, data)
        mujoco.mj_comVel(model, data)
        return model, data, T

    @cached_property
    def pose(self) -> tuple[Array, Array]:
        """The site's."""
        _, data, _ = self._at(self.inputs["qd"])
        if not len(data.site_xpos):
            raise NotOfferedError
        return np.array(data.site_xmat[0]).reshape(3, 3), np.array(data.site_xpos[0])

    @cached_property
    def jacobian(self) -> Array:
        """By mj_jacSite."""
        import mujoco

        model, data, T = self._at(self.inputs["qd"])
        if not len(data.site_xpos):
            raise NotOfferedError
        linear, angular = np.zeros((3, model.nv)), np.zeros((3, model.nv))
        mujoco.mj_jacSite(model, data, linear, angular, 0)
        return np.asarray(np.vstack([angular, linear]) @ T)

    @cached_property
    def mass(self) -> Array:
        """By mj_makeM, column by column."""
        import mujoco

        model, data, T = self._at(self.inputs["qd"])
        mujoco.mj_makeM(model, data)
        M = np.zeros((model.nv, model.nv))
        for unit, column in zip(np.eye(model.nv), M, strict=True):
            mujoco.mj_mulM(model, data, column, unit)
        return np.asarray(T.T @ M @ T)

    @cached_property
    def bias(self) -> Array:
        """By mj_rne, at the acceleration that T gains by turning."""
        return self._newton_euler(self.inputs["qd"])

    @cached_property
    def weight(self) -> Array:
        """By mj_rne."""
        return self._newton_euler(0 * self.inputs["qd"])

    def _newton_euler(self, qd: Array) -> Array:
        import mujoco

        model, data, T = self._at(qd)
        robot, _, _ = _compiled(self.model, tuple(map(float, self.gravity)))
        data.qacc[:] = robot.turning(self.inputs["q"], qd)
        force = np.zeros(model.nv)
        mujoco.mj_rne(model, data, 1, force)
        return np.asarray(T.T @ force)


MUJOCO = Oracle(
    "MuJoCo",
    "MuJoCo's mj_rne, mj_makeM and site jacobians on the model written as MJCF",
    MujocoQuantities,
    _obstacle,
    slack=32.0,  # it turns inertias to principal axes and frames to quaternions first
    version=lambda: installed("mujoco", "mujoco"),
)
