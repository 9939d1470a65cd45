"""Numbers against statements: whether an equation holds on sample robots, and where it fails worst.

The samples are `random_chain` and `random_tree` models in random states: chains, trees, joints with several degrees
of freedom, floating bases, small ones first. Letters that mean something only on serial chains, or only along a
revolute joint, are tried on such robots. Vectors and armature are drawn at random.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from derive.model import Model
from derive.operators.alphabet import ALPHABET
from derive.operators.block_system import Array, BlockSystem, block_system
from derive.operators.errors import EvaluationError
from derive.operators.evaluate import evaluate, has_armature
from derive.operators.expr import Equation, OpExpr
from derive.operators.normal import unfold
from derive.random_models import random_chain, random_tree
from derive.states import random_state

TOLERANCE = 1e-10  # relative to the larger side: dense algebra on well-scaled robots of up to 8 bodies
_CLEAR = 1e-7  # a difference no rounding explains

_MIXED = ("revolute", "prismatic", "cylindrical", "universal", "spherical", "planar")


@dataclass(frozen=True, eq=False)
class Sample:
    """A robot in a state."""

    model: Model
    q: tuple[float, ...]
    system: BlockSystem


@dataclass(frozen=True, eq=False)
class Counterexample:
    """A robot and a state where the two sides of an equation differ, and the entry where they differ most."""

    robot: str
    model: Model
    q: tuple[float, ...]
    lhs: Array
    rhs: Array
    entry: tuple[int, int]

    def __str__(self) -> str:
        i, j = self.entry
        return (
            f"{self.robot}: entry ({i + 1}, {j + 1}) is {self.lhs[i, j]:.6g} on the left and {self.rhs[i, j]:.6g} on "
            "the right"
        )


def find_counterexample(equation: Equation) -> Counterexample | None:
    """The first sample robot where the sides clearly differ, or None."""
    for sample in samples_for(equation):
        values = _sides(equation, sample)
        if values is not None and relative_difference(*values) > _CLEAR:
            lhs, rhs = values
            i, j = np.unravel_index(int(np.argmax(np.abs(lhs - rhs))), lhs.shape)
            return Counterexample(sample.system.name, sample.model, sample.q, lhs, rhs, (int(i), int(j)))
    return None


def numeric_difference(equation: Equation) -> tuple[int, float]:
    """On how many sample robots the equation could be evaluated, and the worst relative difference of its sides."""
    sides = [values for sample in samples_for(equation) if (values := _sides(equation, sample)) is not None]
    return len(sides), max((relative_difference(*values) for values in sides), default=0.0)


def relative_difference(lhs: Array, rhs: Array) -> float:
    """The largest entry of lhs − rhs, relative to the largest entry of either (at least 1)."""
    if not lhs.size:
        return 0.0
    return float(np.abs(lhs - rhs).max() / max(1.0, np.abs(lhs).max(), np.abs(rhs).max()))


def samples_for(equation: Equation) -> Iterator[Sample]:
    """The sample robots on which every letter of the equation has a meaning."""
    letters = unfold(equation.lhs).letters | unfold(equation.rhs).letters
    serial = any(ALPHABET[name].scope == "serial" for name in letters)
    turning = not letters.isdisjoint({"HH_delta", "HH_s"})
    for sample in _samples():
        if (sample.system.is_serial or not serial) and (sample.system.pivot is not None or not turning):
            yield sample


def _sides(equation: Equation, sample: Sample) -> tuple[Array, Array] | None:
    armature = has_armature(equation.lhs) or has_armature(equation.rhs)

    def side(expr: OpExpr) -> Array:
        return evaluate(expr, sample.system, armature=armature)

    try:
        return side(equation.lhs), side(equation.rhs)
    except EvaluationError:  # an inverse that does not exist on this robot
        return None


@cache
def _samples() -> tuple[Sample, ...]:
    models = [
        *(random_chain(n, seed=n, kinds=("revolute",)) for n in (2, 3)),
        random_tree(4, seed=1),
        random_chain(2, seed=5, kinds=_MIXED),
        random_tree(3, seed=3, kinds=("revolute",), floating=True),
        random_tree(5, seed=2, kinds=_MIXED),
        random_chain(1, seed=7),
        random_chain(7, seed=4),
    ]
    return tuple(sample(model, seed) for seed, model in enumerate(models))


def sample(model: Model, seed: int) -> Sample:
    """`model` in a random state, with random vectors and armature."""
    rng = np.random.default_rng(seed)
    q = random_state(model, rng).q
    system = block_system(model, q)
    sizes = dict.fromkeys(("T", "qd", "qdd"), system.N) | dict.fromkeys(("a", "b", "g"), 6 * system.n)
    sizes["f_0"] = 6 * len(system.points)
    vectors: dict[str, Array] = {name: rng.standard_normal((size, 1)) for name, size in sizes.items()}
    system = replace(system, vectors=vectors, armature=rng.uniform(0.1, 1.0, system.N), memo={})
    return Sample(model, tuple(float(x) for x in q), system)
