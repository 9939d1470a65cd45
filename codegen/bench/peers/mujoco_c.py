"""MuJoCo's C library, the parts of a step that compute what we compute, on the same robot written as MJCF."""

from __future__ import annotations

import ctypes
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar

import numpy as np

from codegen.bench.measure import Contender
from codegen.bench.native import Library, address, library, pointers
from codegen.bench.peers.mujoco_algorithms import MUJOCO_ALGORITHMS, MujocoAlgorithm
from codegen.bench.peers.mujoco_model import MujocoRobot, mjcf, mujoco_robot
from codegen.bench.peers.peer import PeerError, installed
from codegen.bench.problem import Problem
from codegen.compiler import find_compiler
from codegen.errors import BuildError
from codegen.skeletons import fill
from derive.errors import one_line
from derive.states import Array

FAULT_SIZE = 1000


@dataclass(frozen=True)
class MujocoContext:
    """The parts of a step in loops over rows."""

    template: ClassVar[str] = "bench/mujoco_timing.c.jinja"
    algorithms: tuple[MujocoAlgorithm, ...] = MUJOCO_ALGORITHMS


class MujocoC:
    """MuJoCo called from C."""

    name = "MuJoCo C"
    batched = False

    def version(self) -> str:
        """What is installed."""
        return installed("mujoco", "mujoco")

    def contenders(self, problem: Problem, function: str) -> list[Contender]:
        """One contender."""
        algorithm = next((a for a in MUJOCO_ALGORITHMS if a.function == function), None)
        if algorithm is None:
            raise PeerError(f"there is no part of a MuJoCo step that is {function}")
        robot = mujoco_robot(problem.model)
        handle = ctypes.c_void_p(_loaded(robot, problem.gravity))
        states = problem.rows_of(function)
        arrays = [np.array(column) for column in zip(*(_given(robot, state) for state in states), strict=True)]
        loop, where, rows = getattr(_library(), algorithm.symbol), pointers(arrays), problem.rows

        def run(rounds: int, out: Array | None = None, keep: object = arrays) -> None:
            target = ctypes.c_void_p(None if out is None else address(out))
            loop(handle, where, target, ctypes.c_long(rows), ctypes.c_long(rounds))

        def results() -> tuple[Array, ...]:
            shape = [robot.rows.nv if isinstance(size, str) else size for size in algorithm.shape]
            raw = np.full((rows, *shape), np.nan)
            run(1, raw)
            taken = OUTCOMES[function]
            return (np.array([taken(robot, state, found) for state, found in zip(states, raw, strict=True)]),)

        return [Contender(self.name, run, rows, results)]


def _given(robot: MujocoRobot, state: Mapping[str, Array]) -> list[Array]:
    """MuJoCo's inputs of ours: q, then rates, accelerations or forces."""
    q, T = state["q"], robot.T(state["q"])
    given = [robot.q(q)]
    if "qd" in state:
        given.append(T @ state["qd"])
    if "qdd" in state:
        given.append(T @ state["qdd"] + robot.turning(q, state["qd"]))
    if "tau" in state:
        given.append(np.linalg.solve(T.T, state["tau"]))
    return given


def _forces(robot: MujocoRobot, state: Mapping[str, Array], found: Array) -> Array:
    return np.asarray(robot.T(state["q"]).T @ found)


def _accelerations(robot: MujocoRobot, state: Mapping[str, Array], found: Array) -> Array:
    return np.linalg.solve(robot.T(state["q"]), found - robot.turning(state["q"], state["qd"]))


def _mass(robot: MujocoRobot, state: Mapping[str, Array], found: Array) -> Array:
    T = robot.T(state["q"])
    return np.asarray(T.T @ found @ T)


def _inverse(robot: MujocoRobot, state: Mapping[str, Array], found: Array) -> Array:
    inverse = np.linalg.inv(robot.T(state["q"]))
    return np.asarray(inverse @ found @ inverse.T)


def _jacobian(robot: MujocoRobot, state: Mapping[str, Array], found: Array) -> Array:
    return np.asarray(np.roll(found, 3, axis=0) @ robot.T(state["q"]))


def _omega(robot: MujocoRobot, state: Mapping[str, Array], found: Array) -> Array:
    return np.roll(found, (3, 3), axis=(0, 1))


OUTCOMES: Mapping[str, Callable[[MujocoRobot, Mapping[str, Array], Array], Array]] = {
    "inverse_dynamics": _forces,
    "gravity_forces": _forces,
    "mass_matrix": _mass,
    "mass_matrix_inverse": _inverse,
    "forward_dynamics": _accelerations,
    "jacobian": _jacobian,
    "operational_space_inertia": _omega,
}


def _loaded(robot: MujocoRobot, gravity: tuple[float, ...]) -> int:
    """The address of MuJoCo's robot, a new one at each call; PeerError with MuJoCo's complaint."""
    make = _library().robot_new
    make.restype = ctypes.c_void_p
    fault = ctypes.create_string_buffer(FAULT_SIZE)
    with tempfile.TemporaryDirectory(prefix="soagen-") as folder:
        path = Path(folder) / "robot.xml"
        path.write_text(mjcf(robot, gravity), encoding="utf-8")
        handle = make(str(path).encode(), fault, FAULT_SIZE)
    if not handle:
        raise PeerError(f"MuJoCo refuses the robot: {one_line(fault.value.decode(errors='replace'))}")
    return int(handle)


@cache
def _library() -> Library:
    spec = find_spec("mujoco")
    assert spec is not None
    assert spec.origin is not None
    package = Path(spec.origin).parent
    shared = next(
        (path for pattern in ("libmujoco.so*", "libmujoco*.dylib") for path in sorted(package.glob(pattern))), None
    )
    if shared is None or not (package / "include" / "mujoco" / "mujoco.h").is_file():
        raise PeerError(f"there are no headers and library of MuJoCo in {package}; pip install mujoco")
    ctypes.CDLL(str(shared), ctypes.RTLD_GLOBAL)
    try:
        return library(
            fill(MujocoContext()), find_compiler(), ".c", (str(package / "include"),), (), installed("mujoco", "mujoco")
        )
    except BuildError as error:
        raise PeerError(f"MuJoCo's headers do not fit, another version may: {error}") from error
