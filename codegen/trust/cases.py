"""The states kernels are put to: ordinary ones at random, and hard ones on purpose. The same seed gives the same states.

A hard state is a row of `HARD`. Each state also comes rounded to float32, for kernels of that type: what they are given is then
exactly what their judges are given.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np

from codegen.errors import ArgumentError
from codegen.source import Real
from codegen.trust.rounding import UNIT
from derive import reference
from derive.model import GROUND, Model
from derive.states import Array, configuration, neutral, random_state

QUATERNION = ("qx", "qy", "qz", "qw")
INPUTS = ("q", "qd", "qdd", "tau", "f_tip")
FAR = 10.0  # metres a slide goes at most
SINGLE = 12  # of the random states are also put to float kernels; the hard ones all are


@dataclass(frozen=True)
class Case:
    """A state with forces, for kernels of these types."""

    name: str
    inputs: Mapping[str, Array]
    reals: tuple[Real, ...] = ("double",)

    @property
    def single(self) -> bool:
        """Whether its numbers are float32's."""
        return "float" in self.reals

    def to_json(self) -> dict[str, object]:
        """Numbers as JSON has them, which round-trip."""
        return {"name": self.name, **{name: array.tolist() for name, array in self.inputs.items()}}


def draw_cases(model: Model, samples: int, seed: int) -> list[Case]:
    """`samples` random states, the hard ones, and the float32 neighbours of some."""
    rng = np.random.default_rng(seed)
    random = random_cases(model, samples, rng)
    hard = [Case(name, make(model, rng)) for name, make in HARD.items() if model.nv]
    return [*hard, *random, *(rounded(case, model) for case in (*hard, *random[:SINGLE]))]


def random_cases(model: Model, count: int, rng: np.random.Generator) -> list[Case]:
    """Ordinary states."""
    return [Case(f"random {i}", _drawn(model, rng)) for i in range(count)]


def rounded(case: Case, model: Model) -> Case:
    """The same with every number as float32 has it; a quaternion is then too far from length 1 for kernels of type double."""
    with np.errstate(over="ignore", under="ignore"):
        inputs = {name: array.astype(np.float32).astype(float) for name, array in case.inputs.items()}
    reals: tuple[Real, ...] = ("float",) if quaternion_entries(model).any() else ("double", "float")
    return Case(f"{case.name}, float32", inputs, reals)


def quaternion_entries(model: Model) -> Array:
    """Which coordinates are entries of quaternions, (nq,)."""
    return np.array([label in QUATERNION for label in _labels(model)], dtype=bool)


def input_errors(model: Model, states: Mapping[str, Array], real: Real) -> dict[str, Array]:
    """How exact inputs are: all are, but the length of a quaternion is 1 only up to rounding."""
    errors = {name: np.zeros_like(array) for name, array in states.items()}
    at = quaternion_entries(model)
    errors["q"][:, at] = 4.0 * UNIT[real] * np.abs(states["q"][:, at])
    return errors


def read_case(model: Model, path: str) -> Case:
    """A state from a JSON file with q and any of qd, qdd, tau, f_tip (zero if left out)."""
    sizes = {"q": model.nq, "qd": model.nv, "qdd": model.nv, "tau": model.nv, "f_tip": 6}
    form = 'an object such as {"q": [0.1, 0.2], "qd": [0, 0]}, with any of ' + ", ".join(sizes)
    try:
        data = json.loads(Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        names = ", ".join(HARD)
        raise ArgumentError(
            f"{path!r} is no state of the table ({names}, random 0 …), nor a file that can be read ({error.strerror})"
        ) from error
    except ValueError as error:
        raise ArgumentError(f"the state {path} is not JSON: {error}; write {form}") from error
    if not isinstance(data, dict):
        raise ArgumentError(f"the state {path} holds a JSON {_kind(data)}; write {form}")
    if unknown := [key for key in data if key not in (*sizes, "name")]:
        raise ArgumentError(f"the state {path} has {unknown[0]!r}; it may have {', '.join(sizes)}")
    if "q" not in data:
        raise ArgumentError(f"the state {path} has no q; give {model.nq} numbers: {', '.join(model.coordinate_names)}")
    inputs = {name: _numbers(path, name, data.get(name, [0.0] * size), size) for name, size in sizes.items()}
    configuration(model, inputs["q"])  # which refuses quaternions that are none
    return Case(str(data.get("name", path)), inputs)


def _numbers(path: str, name: str, given: object, size: int) -> Array:
    """An entry of a state's file as an array of this many finite numbers."""
    many = f"{size} finite number{'s' if size != 1 else ''}"
    plain = isinstance(given, list) and all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in given)
    if not plain:
        raise ArgumentError(f"the state {path}: {name} is no list of numbers; give {many}")
    array = np.array(given, dtype=float)
    if array.shape != (size,) or not np.isfinite(array).all():
        shown = f"{len(array)} numbers" if array.shape != (size,) else "NaN or infinity"
        raise ArgumentError(f"the state {path}: {name} has {shown}; give {many}")
    return array


def _kind(data: object) -> str:
    """What JSON calls it."""
    return {list: "array", str: "string", bool: "boolean", type(None): "null"}.get(type(data), "number")


def stacked(cases: Sequence[Case]) -> dict[str, Array]:
    """The inputs of all cases, a row each."""
    return {name: np.array([case.inputs[name] for case in cases]) for name in INPUTS}


# -- states -----------------------------------------------------------------------------------------------------------------


def _drawn(model: Model, rng: np.random.Generator) -> dict[str, Array]:
    q, qd, qdd = random_state(model, rng)
    return {"q": q, "qd": qd, "qdd": qdd, "tau": rng.normal(size=model.nv), "f_tip": rng.normal(size=6)}


def _with(model: Model, rng: np.random.Generator, **given: Array) -> dict[str, Array]:
    return {**_drawn(model, rng), **given}


def _everywhere(value: float) -> Callable[[Model, np.random.Generator], dict[str, Array]]:
    """Every coordinate but quaternions at this value."""
    return lambda model, rng: _with(model, rng, q=_coordinates(model, [value]))


def _coordinates(model: Model, values: Sequence[float], pattern: Sequence[int] = ()) -> Array:
    """The neutral configuration with angle (or slide, which stays within FAR) number i at values[pattern[i]]."""
    q, free = neutral(model), _plain(model)
    for i, (at, slides) in enumerate(free):
        value = values[pattern[i % len(pattern)]] if pattern else values[0]
        q[at] = max(-FAR, min(FAR, value)) if slides else value
    return q


def _plain(model: Model) -> list[tuple[int, bool]]:
    """Where q has no quaternion, and whether it is a slide there."""
    slides = [joint.kind.name == "helical" for joint in model.independent_joints for _ in joint.kind.coordinates]
    return [(i, slides[i] or "angle" not in label) for i, label in enumerate(_labels(model)) if label not in QUATERNION]


def _labels(model: Model) -> list[str]:
    return [label for joint in model.independent_joints for label in joint.kind.coordinates]


def _scaled(rates: float, forces: float) -> Callable[[Model, np.random.Generator], dict[str, Array]]:
    def make(model: Model, rng: np.random.Generator) -> dict[str, Array]:
        drawn = _drawn(model, rng)
        return {**drawn, "qd": rates * drawn["qd"], "qdd": rates * drawn["qdd"], "tau": forces * drawn["tau"]}

    return make


def _limits(model: Model, rng: np.random.Generator, upper: bool) -> dict[str, Array]:
    """Every joint that has one at its limit."""
    drawn = _drawn(model, rng)
    start = 0
    for joint in model.independent_joints:
        limit = joint.limits.upper if upper else joint.limits.lower
        if limit is not None and joint.kind.nq == 1:
            drawn["q"][start] = limit
        start += joint.kind.nq
    return drawn


def _worst(model: Model, rng: np.random.Generator, badness: Callable[[Array], float]) -> dict[str, Array]:
    """The worst of configurations with angles that are multiples of a quarter turn, and of random ones."""
    free = _plain(model)
    quarters = [0.0, np.pi / 2, -np.pi / 2, np.pi]
    if 4 ** len(free) <= CANDIDATES:
        patterns = [list(p) for p in product(range(4), repeat=len(free))]
    else:
        patterns = [rng.integers(0, 4, len(free)).tolist() for _ in range(CANDIDATES)]
    found = [_coordinates(model, quarters, pattern) for pattern in patterns if pattern]
    found += [_drawn(model, rng)["q"] for _ in range(CANDIDATES // 4)]
    return _with(model, rng, q=max(found, key=badness))


CANDIDATES = 64


def _singular(model: Model, rng: np.random.Generator) -> dict[str, Array]:
    """Where the tip loses a direction; the neutral configuration if there is no tip that moves."""
    if not model.tips or model.tips[0].body == GROUND:
        return _with(model, rng, q=neutral(model))

    def badness(q: Array) -> float:
        values = np.linalg.svd(reference.jacobian(model, q), compute_uv=False)
        return -float(values[min(6, model.nv) - 1] / values[0])

    return _worst(model, rng, badness)


def _ill_conditioned(model: Model, rng: np.random.Generator) -> dict[str, Array]:
    """Where D is nearest to singular: the worst condition number of the mass matrix."""
    return _worst(model, rng, lambda q: float(np.linalg.cond(reference.mass_matrix(model, q))))


DENORMAL = 1e-310
HARD: Mapping[str, Callable[[Model, np.random.Generator], dict[str, Array]]] = {
    "q = 0": _everywhere(0.0),
    "q = pi": _everywhere(float(np.pi)),
    "q = -pi": _everywhere(float(-np.pi)),
    "q = pi/2": _everywhere(float(np.pi / 2)),
    "q = 1e5": _everywhere(1e5),
    "q = -1e5": _everywhere(-1e5),
    "q denormal": _everywhere(DENORMAL),
    "at rest": _scaled(0.0, 0.0),
    "rates tiny": _scaled(1e-12, 1.0),
    "rates huge": _scaled(1e6, 1e12),
    "rates denormal": _scaled(DENORMAL, DENORMAL),
    "lower limits": lambda model, rng: _limits(model, rng, upper=False),
    "upper limits": lambda model, rng: _limits(model, rng, upper=True),
    "singular tip": _singular,
    "D near singular": _ill_conditioned,
}
