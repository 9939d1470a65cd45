"""Kernels against the independent reference: every function, every backend, on seeded random states."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from codegen.kernel import Kernels
from derive import reference
from derive.model import Model
from derive.states import Array, random_state

# Relative to the largest entry: what rounding may cost, in ε of the kernel's type; an inverse may lose cond(M)·ε on top.
EPS = {"double": float(np.finfo(np.float64).eps), "float": float(np.finfo(np.float32).eps)}
STRAIGHT, PER_CONDITION = 4096.0, 64.0


@dataclass(frozen=True)
class Verdict:
    """One function of one backend: its worst error over the samples, what was allowed there, and which sample it was."""

    function: str
    backend: str
    worst: float
    allowed: float
    sample: int

    @property
    def passes(self) -> bool:
        """Whether every sample is within what is allowed; NaN is not."""
        return self.worst <= self.allowed


@dataclass(frozen=True)
class Sample:
    """A state of the robot with forces, and the reference's mass matrix and jacobian there."""

    arguments: Mapping[str, Array]
    mass: Array
    jacobian: Array | None

    @property
    def condition(self) -> float:
        """Condition number of the mass matrix."""
        return float(np.linalg.cond(self.mass)) if self.mass.size else 1.0


def validate(kernels: Kernels, model: Model, samples: int = 100, seed: int = 0) -> list[Verdict]:
    """A verdict for each kernel against `derive.reference`, under the gravity the kernels were made for."""
    drawn = draw_samples(model, samples, seed)
    gravity = kernels.source.robot.gravity
    return [_judged(kernels, name, model, drawn, gravity) for name in kernels]


def draw_samples(model: Model, count: int, seed: int) -> list[Sample]:
    """Random states, the same for the same seed."""
    rng = np.random.default_rng(seed)
    drawn = []
    for _ in range(count):
        q, qd, qdd = random_state(model, rng)
        arguments = {"q": q, "qd": qd, "qdd": qdd, "tau": rng.normal(size=model.nv), "f_tip": rng.normal(size=6)}
        tip = reference.jacobian(model, q) if model.tips else None
        drawn.append(Sample(arguments, reference.mass_matrix(model, q), tip))
    return drawn


def _judged(kernels: Kernels, name: str, model: Model, samples: Sequence[Sample], gravity: Sequence[float]) -> Verdict:
    kernel = getattr(kernels, name)
    inputs = [spec["name"] for spec in kernel.info["inputs"]]
    function = name.removesuffix("_with_tip_force")
    eps = EPS[kernels.source.real]
    worst, allowed, at = 0.0, STRAIGHT * eps, 0
    for number, sample in enumerate(samples):
        given = [sample.arguments[argument] for argument in inputs]
        found = kernel(*given)
        results = found if isinstance(found, tuple) else (found,)
        expected = ORACLES[function](model, sample, gravity, "f_tip" in inputs)
        error = max(_relative(a, b) for a, b in zip(results, expected, strict=True))
        limit = eps * (STRAIGHT + (PER_CONDITION * sample.condition if function in INVERSES else 0.0))
        if not error / limit <= worst / allowed:
            worst, allowed, at = error, limit, number
    return Verdict(name, kernels.source.backend, worst, allowed, at)


def _relative(found: Any, expected: Any) -> float:
    """The largest difference, relative to the largest entry expected (at least 1)."""
    if np.shape(found) != np.shape(expected):
        return float("nan")
    difference = np.abs(np.asarray(found, dtype=float) - expected)
    return float(np.max(difference, initial=0.0) / max(1.0, float(np.max(np.abs(expected), initial=0.0))))


def _factors(model: Model, sample: Sample) -> tuple[Array, Array, Array]:
    """D, L and L⁻¹ of M = L D L*, by eliminating joint after joint from the tip; D as a vector if joints have one freedom."""
    rest, L, D = sample.mass.copy(), np.eye(model.nv), np.zeros((model.nv, model.nv))
    for rows in reversed(model.v_slices):
        D[rows, rows] = rest[rows, rows]
        before = slice(0, rows.start)
        L[before, rows] = np.linalg.solve(rest[rows, rows].T, rest[before, rows].T).T
        rest[before, before] -= L[before, rows] @ rest[rows, before]
    single = all(joint.kind.nv == 1 for joint in model.joints)
    return np.diag(D) if single else D, L, np.linalg.inv(L)


Oracle = Callable[[Model, Sample, Sequence[float], bool], tuple[Any, ...]]
INVERSES = frozenset(
    {
        "mass_matrix_inverse",
        "forward_dynamics",
        "innovations_factors",
        "operational_space_inertia",
        "tip_force_acceleration",
    }
)


def _state(sample: Sample, first: str, second: str, third: str) -> tuple[Array, Array, Array]:
    return sample.arguments[first], sample.arguments[second], sample.arguments[third]


def _force(sample: Sample, given: bool) -> Array | None:
    return sample.arguments["f_tip"] if given else None


def _omega(sample: Sample) -> Array:
    assert sample.jacobian is not None
    return np.asarray(sample.jacobian @ np.linalg.solve(sample.mass, sample.jacobian.T))


def _tip_force_acceleration(sample: Sample) -> Array:
    assert sample.jacobian is not None
    return np.asarray(-np.linalg.solve(sample.mass, sample.jacobian.T @ sample.arguments["f_tip"]))


ORACLES: Mapping[str, Oracle] = {
    "forward_kinematics": lambda m, s, g, f: reference.forward_kinematics(m, s.arguments["q"]),
    "jacobian": lambda m, s, g, f: (s.jacobian,),
    "inverse_dynamics": lambda m, s, g, f: (
        reference.inverse_dynamics(m, *_state(s, "q", "qd", "qdd"), f_tip=_force(s, f), gravity=g),
    ),
    "bias_forces": lambda m, s, g, f: (reference.bias_forces(m, s.arguments["q"], s.arguments["qd"], gravity=g),),
    "gravity_forces": lambda m, s, g, f: (reference.gravity_forces(m, s.arguments["q"], gravity=g),),
    "mass_matrix": lambda m, s, g, f: (s.mass,),
    "mass_matrix_inverse": lambda m, s, g, f: (np.linalg.inv(s.mass),),
    "forward_dynamics": lambda m, s, g, f: (
        reference.forward_dynamics(m, *_state(s, "q", "qd", "tau"), f_tip=_force(s, f), gravity=g),
    ),
    "innovations_factors": lambda m, s, g, f: _factors(m, s),
    "operational_space_inertia": lambda m, s, g, f: (_omega(s),),
    "tip_force_acceleration": lambda m, s, g, f: (_tip_force_acceleration(s),),
    "kinetic_energy": lambda m, s, g, f: (reference.kinetic_energy(m, s.arguments["q"], s.arguments["qd"]),),
    "potential_energy": lambda m, s, g, f: (reference.potential_energy(m, s.arguments["q"], gravity=g),),
}
