"""Pinocchio's C++ algorithms, compiled from the headers that its wheel installs, with the flags our kernels get.

The headers need Eigen, which comes as the package cmeel-eigen (or from the system). Compiling takes some minutes and is done
once per machine and version.
"""

from __future__ import annotations

import ctypes
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from codegen.bench.measure import Contender
from codegen.bench.native import CPP_COMPILERS, Library, address, compilers, library, pointers
from codegen.bench.peers.peer import PeerError, installed
from codegen.bench.peers.pinocchio_algorithms import Algorithm, algorithms_for
from codegen.bench.peers.pinocchio_cpp_text import timing_text
from codegen.bench.peers.pinocchio_model import PinocchioRobot
from codegen.bench.peers.pinocchio_states import pinocchio_states
from codegen.bench.problem import Problem
from codegen.compiler import LOCAL_FLAGS, Compiler
from codegen.errors import BuildError
from derive.states import Array

# What Pinocchio's own build defines for those who include its headers.
DEFINES = (
    "NDEBUG",
    "BOOST_MPL_LIMIT_LIST_SIZE=30",
    "BOOST_MPL_LIMIT_VECTOR_SIZE=30",
    "BOOST_MPL_CFG_NO_PREPROCESSED_HEADERS",
    "BOOST_FUSION_INVOKE_MAX_ARITY=12",
)
SYSTEM_EIGEN = (Path("/usr/include/eigen3"), Path("/usr/local/include/eigen3"), Path("/opt/homebrew/include/eigen3"))
DIALECT = "-std=c++17"


@dataclass(frozen=True)
class PinocchioCpp:
    """Pinocchio's C++ with every C++ compiler that is there.

    One state per call its results stay where it leaves them. Batched, it does our batch's job: states are read from arrays with
    a row per state, and a row of results is stored for each, column by column, of symmetric ones the half that it computes.
    """

    name: str = "Pinocchio C++"
    batched: bool = False

    def version(self) -> str:
        """What is installed, headers and compilers included."""
        found = installed("pinocchio", "pin")
        include_folders()
        if not compilers(CPP_COMPILERS):
            raise PeerError(f"no C++ compiler found (looked for {', '.join(CPP_COMPILERS)}); install one")
        return found

    def contenders(self, problem: Problem, function: str) -> list[Contender]:
        """A contender per compiler and way to compute it."""
        algorithms = algorithms_for(function)
        if not algorithms:
            raise PeerError(f"Pinocchio has no algorithm for {function}")
        robot, arrays = pinocchio_states(problem, function)
        found = compilers(CPP_COMPILERS, (DIALECT, *LOCAL_FLAGS))
        with ThreadPoolExecutor() as pool:  # minutes, the first time
            libraries = list(pool.map(timing_library, found))
        return [
            self.contender(problem, robot, arrays, algorithm, loaded, compiler.command[0])
            for compiler, loaded in zip(found, libraries, strict=True)
            for algorithm in algorithms
        ]

    def contender(
        self,
        problem: Problem,
        robot: PinocchioRobot,
        arrays: list[Array],
        algorithm: Algorithm,
        loaded: Library,
        compiler: str,
    ) -> Contender:
        """One algorithm as one compiler compiled it, on these states."""
        handle = ctypes.c_void_p(new_robot(loaded, robot, problem.gravity))
        loop, where, rows = getattr(loaded, algorithm.symbol), pointers(arrays), problem.rows
        shape = algorithm.outcome.shape_for(robot)
        kept = np.empty((rows, *reversed(shape))) if self.batched else None

        def run(rounds: int, out: Array | None = kept, keep: object = arrays) -> None:
            target = ctypes.c_void_p(None if out is None else address(out))
            loop(handle, where, target, ctypes.c_long(rows), ctypes.c_long(rounds))

        def results() -> tuple[Array, ...]:
            raw = np.full((rows, *reversed(shape)), np.nan)
            run(1, raw)
            return algorithm.outcome.translated(robot, raw.swapaxes(-1, -2))

        variant = f"{compiler} {algorithm.variant}".strip()
        return Contender(self.name, run, rows, results, variant, batched=self.batched)


def new_robot(loaded: Library, robot: PinocchioRobot, gravity: tuple[float, ...]) -> Any:
    """The address of a robot made by compiled code, which lives as long as the process."""
    loaded.robot_new.restype = ctypes.c_void_p
    return loaded.robot_new(*robot_arguments(robot, gravity))


def robot_arguments(robot: PinocchioRobot, gravity: tuple[float, ...]) -> list[Any]:
    """What `model_of` in the templates takes; the arrays are kept by the pointers."""
    on, placement = robot.tip
    arrays = [np.ascontiguousarray(a, dtype=float) for a in (robot.table, gravity, placement)]
    table, down, tip = (a.ctypes.data_as(ctypes.POINTER(ctypes.c_double)) for a in arrays)
    return [ctypes.c_long(len(robot.rows)), table, down, ctypes.c_long(on), tip]


@cache
def timing_library(compiler: Compiler) -> Library:
    """The compiled algorithms."""
    return compiled(timing_text(), compiler)


def compiled(text: str, compiler: Compiler, more_folders: tuple[str, ...] = (), more_versions: str = "") -> Library:
    """C++ that includes Pinocchio's headers, compiled and loaded; PeerError if it does not compile."""
    include, eigen = include_folders()
    versions = f"{installed('pinocchio', 'pin')}, {_eigen_version(eigen)}, {more_versions}"
    try:
        return library(text, compiler, ".cpp", (include, eigen, *more_folders), DEFINES, versions)
    except BuildError as error:
        raise PeerError(f"Pinocchio's headers do not compile: {error}") from error


def include_folders() -> tuple[str, str]:
    """The folder of Pinocchio's and Boost's headers, and that of Eigen's."""
    import pinocchio

    include = Path(pinocchio.__file__).parents[4] / "include"
    if not (include / "pinocchio" / "algorithm" / "rnea.hpp").is_file():
        raise PeerError(f"there are no headers of Pinocchio in {include}; pip install pin")
    for folder in (include / "eigen3", *SYSTEM_EIGEN):
        if (folder / "Eigen" / "Core").is_file():
            return str(include), str(folder)
    raise PeerError("Pinocchio's headers need Eigen; pip install cmeel-eigen")


def _eigen_version(folder: str) -> str:
    """The version in Eigen's own headers."""
    text = (Path(folder) / "Eigen" / "src" / "Core" / "util" / "Macros.h").read_text(errors="replace")
    return "Eigen " + ".".join(re.findall(r"#define EIGEN_(?:WORLD|MAJOR|MINOR)_VERSION (\d+)", text))
