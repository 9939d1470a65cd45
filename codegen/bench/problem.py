"""What is timed: one robot, random states of it, our kernels, and their results, which everything else must reproduce."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from codegen.bench.measure import Contender
from codegen.functions import FUNCTIONS
from codegen.kernel import Kernel, Kernels
from derive.model import Model
from derive.states import Array, random_state

# As in a control loop, whose states change little, branch predictors learn these; past some thousand they do not, and code
# whose sines branch, which peers' does, takes a quarter longer.
STATES = 512
AGREEMENT = 1e-9


@dataclass(frozen=True)
class Problem:
    """A robot with kernels for it and rows of states: "q", "qd", "qdd", "tau", "f_tip"."""

    model: Model
    kernels: Kernels
    states: Mapping[str, Array]

    @property
    def gravity(self) -> tuple[float, ...]:
        """The gravity the kernels were made for."""
        return tuple(self.kernels.source.robot.gravity)

    @property
    def rows(self) -> int:
        """The number of states."""
        return len(self.states["q"])

    def kernel(self, function: str) -> Kernel:
        """Our kernel of the function."""
        kernel: Kernel = getattr(self.kernels, function)
        return kernel

    def inputs(self, function: str) -> list[Array]:
        """The states as the function takes them."""
        return [self.states[name] for name in FUNCTIONS[function].inputs]

    def rows_of(self, function: str) -> list[dict[str, Array]]:
        """The same, a dict of named inputs per state."""
        names = FUNCTIONS[function].inputs
        return [{name: self.states[name][i] for name in names} for i in range(self.rows)]

    def expected(self, function: str) -> tuple[Array, ...]:
        """Our own results at all states."""
        return as_tuple(self.kernel(function)(*self.inputs(function)))


def draw_states(model: Model, rows: int, seed: int = 0) -> dict[str, Array]:
    """Random states, the same for the same seed."""
    rng = np.random.default_rng(seed)
    drawn = [random_state(model, rng) for _ in range(rows)]
    return {
        "q": np.array([state.q for state in drawn]),
        "qd": np.array([state.qd for state in drawn]),
        "qdd": np.array([state.qdd for state in drawn]),
        "tau": rng.normal(size=(rows, model.nv)),
        "f_tip": rng.normal(size=(rows, 6)),
    }


def disagreement(contender: Contender, expected: Sequence[Array]) -> float:
    """The largest difference from ours at any state, relative to the largest entry there (at least 1)."""
    worst = 0.0
    for found, ours in zip(contender.results(), expected, strict=True):
        rows = len(found)
        if found.shape[1:] != ours.shape[1:] or rows == 0:
            return float("nan")
        difference = np.abs(found - ours[:rows]).reshape(rows, -1).max(axis=1, initial=0.0)
        scale = np.maximum(1.0, np.abs(ours[:rows]).reshape(rows, -1).max(axis=1, initial=0.0))
        worst = float(np.max([worst, np.max(difference / scale)]))
    return worst


def as_tuple(results: Any) -> tuple[Array, ...]:
    """One array or several, as a tuple of arrays."""
    return results if isinstance(results, tuple) else (np.asarray(results),)
