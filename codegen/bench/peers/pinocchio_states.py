"""The states of a problem in Pinocchio's coordinates, as rows."""

from __future__ import annotations

import numpy as np

from codegen.bench.peers.peer import PeerError
from codegen.bench.peers.pinocchio_model import PinocchioRobot, pinocchio_robot
from codegen.bench.problem import Problem
from derive.states import Array


def pinocchio_states(problem: Problem, function: str) -> tuple[PinocchioRobot, list[Array]]:
    """The robot and the function's inputs; PeerError if Pinocchio's algorithms do not cover the robot."""
    if problem.model.has_mimics:
        raise PeerError("the robot has mimic joints, which Pinocchio's algorithms do not cover alike")
    robot = pinocchio_robot(problem.model)
    q = np.array([robot.q(q) for q in problem.states["q"]])
    rates = [np.ascontiguousarray(rate @ robot.from_ours.T) for rate in problem.inputs(function)[1:]]
    return robot, [q, *rates]
