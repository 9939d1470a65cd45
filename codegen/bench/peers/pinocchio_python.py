"""Pinocchio called from Python, one state per call."""

from __future__ import annotations

from itertools import cycle, repeat

import numpy as np

from codegen.bench.measure import Contender
from codegen.bench.peers.peer import PeerError, installed
from codegen.bench.peers.pinocchio_algorithms import algorithms_for
from codegen.bench.peers.pinocchio_states import pinocchio_states
from codegen.bench.problem import Problem
from derive.states import Array

CHECKED = 16  # states
CALLS = {
    "inverse_dynamics": "rnea",
    "bias_forces": "nonLinearEffects",
    "gravity_forces": "computeGeneralizedGravity",
    "mass_matrix": "crba",
    "forward_dynamics": "aba",
    "mass_matrix_inverse": "computeMinverse",
    "jacobian": "computeFrameJacobian",
    "coriolis_matrix": "computeCoriolisMatrix",
    "inverse_dynamics_derivatives": "computeRNEADerivatives",
    "forward_dynamics_derivatives": "computeABADerivatives",
}


class PinocchioPython:
    """Pinocchio's Python bindings."""

    name = "Pinocchio from Python"
    batched = False

    def version(self) -> str:
        """What is installed."""
        return installed("pinocchio", "pin")

    def contenders(self, problem: Problem, function: str) -> list[Contender]:
        """One contender, cycling through the states."""
        import pinocchio as pin

        if function not in CALLS:
            raise PeerError(f"{function} takes several calls from Python")
        call = getattr(pin, CALLS[function])
        robot, arrays = pinocchio_states(problem, function)
        model = robot.model()
        model.gravity.linear = np.array(problem.gravity)
        data = model.createData()
        more = [model.getFrameId(problem.model.tips[0].name), pin.LOCAL_WORLD_ALIGNED] if function == "jacobian" else []
        states = [[*(array[i].copy() for array in arrays), *more] for i in range(problem.rows)]
        endless = cycle(states)

        def run(rounds: int) -> None:
            for _ in repeat(None, rounds):
                call(model, data, *next(endless))

        def results() -> tuple[Array, ...]:
            found = [_side_by_side(call(model, data, *state)) for state in states[:CHECKED]]
            stacked = np.array([array.reshape(len(array), -1) for array in found])
            return algorithms_for(function)[0].outcome.translated(robot, stacked)

        return [Contender(self.name, run, 1, results)]


def _side_by_side(found: Array | tuple[Array, ...]) -> Array:
    """One array, or the matrices of a tuple as one."""
    return np.hstack(found) if isinstance(found, tuple) else np.array(found)
