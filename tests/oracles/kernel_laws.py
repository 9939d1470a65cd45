"""What each public function must give, as equations between its outputs and `derive.reference`.

Inverses are judged by what they undo: M·M⁻¹ against I, M·q̈ against forces. An equation is held to a tolerance times its
largest term, so that the conditioning of the mass matrix is the robot's business and not the kernel's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from codegen.functions import FUNCTIONS
from derive import Model, reference
from derive.states import random_state

GRAVITY = (0.0, 0.0, -9.81)


@dataclass(frozen=True)
class Situation:
    """A robot in a state under forces; `inputs` are the arguments of the public functions by name."""

    model: Model
    inputs: dict[str, Any]
    gravity: tuple[float, ...] = GRAVITY

    @cached_property
    def sensitivity(self) -> Any:
        """∂M/∂θ_i at [i]."""
        return reference.mass_matrix_sensitivity(self.model, self.inputs["q"])

    @cached_property
    def symbols(self) -> Any:
        """ℂ_i(j,k) at [i, j, k]."""
        return reference.christoffel(self.model, self.inputs["q"], self.sensitivity)

    def arguments(self, function: str, f_tip: bool = False) -> dict[str, Any]:
        """What `function` takes, the optional tip force if asked for."""
        row = FUNCTIONS[function]
        return {name: self.inputs[name] for name in (*row.inputs, *(row.optional if f_tip else ()))}

    @cached_property
    def mass(self) -> Any:
        """The reference's mass matrix."""
        return reference.mass_matrix(self.model, self.inputs["q"])

    @cached_property
    def jacobian(self) -> Any:
        """The reference's jacobian of the tip."""
        return reference.jacobian(self.model, self.inputs["q"])


def situation(model: Model, seed: int = 0, gravity: tuple[float, ...] = GRAVITY) -> Situation:
    """A random one."""
    rng = np.random.default_rng(seed)
    q, qd, qdd = random_state(model, rng)
    given = {"q": q, "qd": qd, "qdd": qdd, "tau": rng.normal(size=model.nv), "f_tip": rng.normal(size=6)}
    return Situation(model, given, gravity)


def rounded(s: Situation) -> Situation:
    """The same with every number as float32 has it, so that a float kernel is given exactly what its judge is given.

    The judge wants quaternions of length 1 to 1e-6, which float32 keeps.
    """
    return replace(s, inputs={name: x.astype(np.float32).astype(float) for name, x in s.inputs.items()})


Equations = Iterator[tuple[str, Any, Any, float]]  # what, left, right, size of the largest term
LAWS: dict[str, Callable[..., Equations]] = {}


def law(function: Callable[..., Equations]) -> Callable[..., Equations]:
    """Enter a law under the name of the function it is about: f(situation, f_tip or None, *outputs)."""
    LAWS[function.__name__] = function
    return function


def check_law(function: str, s: Situation, outputs: Any, tolerance: float, f_tip: bool = False) -> None:
    """Hold the outputs of one call to the law of their function."""
    values = outputs if isinstance(outputs, tuple) else (outputs,)
    shapes = expected_shapes(function, s.model)
    assert [np.shape(value) for value in values] == shapes, f"{function} gives other shapes than {shapes}"
    force = s.inputs["f_tip"] if f_tip else None
    for what, left, right, size in LAWS[function](s, force, *(np.asarray(v, dtype=float) for v in values)):
        np.testing.assert_allclose(left, right, rtol=0, atol=tolerance * size, err_msg=f"{s.model.name}: {what}")


def expected_shapes(function: str, model: Model) -> list[tuple[int, ...]]:
    """The shapes the interface promises."""
    n = model.nv
    one_freedom_each = all(joint.kind.nv == 1 for joint in model.joints)
    special: dict[str, list[tuple[int, ...]]] = {
        "forward_kinematics": [(3, 3), (3,)],
        "jacobian": [(6, n)],
        "mass_matrix": [(n, n)],
        "mass_matrix_inverse": [(n, n)],
        "innovations_factors": [(n,) if one_freedom_each else (n, n), (n, n), (n, n)],
        "operational_space_inertia": [(6, 6)],
        "kinetic_energy": [()],
        "potential_energy": [()],
        "coriolis_matrix": [(n, n)],
        "christoffel": [(n, n, n)],
        "mass_matrix_sensitivity": [(n, n, n)],
        "inverse_dynamics_derivatives": [(n, n)] * 3,
        "forward_dynamics_derivatives": [(n, n)] * 3,
        "jacobian_derivative": [(6, n)],
    }
    return special.get(function, [(n,)])


def size(*arrays: Any) -> float:
    """The largest entry."""
    return max((float(np.max(np.abs(a), initial=0.0)) for a in arrays), default=0.0)


def product_size(*factors: Any) -> float:
    """The largest entry of the product, had nothing cancelled."""
    total = np.abs(factors[0])
    for factor in factors[1:]:
        total = total @ np.abs(factor)
    return size(total)


def _reach(s: Situation) -> float:
    """A length no tip or mass centre of the robot is far beyond: what a position is measured against."""
    lengths = [size(j.placement.translation) for j in s.model.numeric().joints]
    return max(1e-3, sum(lengths) + size(s.inputs["q"]))


def _holding(s: Situation) -> float:
    """The size of the forces gravity asks of the joints; a robot in balance asks for none, so never below that of 1 mm."""
    weight = sum(float(b.inertia.mass) for b in s.model.numeric().bodies) * size(s.gravity)
    return max(size(reference.gravity_forces(s.model, s.inputs["q"], gravity=s.gravity)), 1e-3 * weight)


def _stored_once(s: Situation) -> float:
    """0 where entries on both sides of the diagonal are one number, to the bit: where every joint has one freedom."""
    return float(any(joint.kind.nv > 1 for joint in s.model.joints))


@law
def forward_kinematics(s: Situation, f_tip: Any, rotation: Any, position: Any) -> Equations:
    R, p = reference.forward_kinematics(s.model, s.inputs["q"])
    yield "tip rotation", rotation, R, 1.0
    yield "tip position", position, p, _reach(s)


@law
def jacobian(s: Situation, f_tip: Any, J: Any) -> Equations:
    yield "J", J, s.jacobian, size(s.jacobian)


@law
def inverse_dynamics(s: Situation, f_tip: Any, tau: Any) -> Equations:
    q, qd, qdd = (s.inputs[name] for name in ("q", "qd", "qdd"))
    expected = reference.inverse_dynamics(s.model, q, qd, qdd, f_tip, gravity=s.gravity)
    yield "τ", tau, expected, size(expected)


@law
def bias_forces(s: Situation, f_tip: Any, tau: Any) -> Equations:
    expected = reference.bias_forces(s.model, s.inputs["q"], s.inputs["qd"], gravity=s.gravity)
    yield "C + g", tau, expected, max(size(expected), _holding(s))


@law
def gravity_forces(s: Situation, f_tip: Any, tau: Any) -> Equations:
    yield "g", tau, reference.gravity_forces(s.model, s.inputs["q"], gravity=s.gravity), _holding(s)


@law
def mass_matrix(s: Situation, f_tip: Any, M: Any) -> Equations:
    yield "M", M, s.mass, size(s.mass)
    yield "M = M*", M, M.T, _stored_once(s) * size(M)


@law
def mass_matrix_inverse(s: Situation, f_tip: Any, inverse: Any) -> Equations:
    M = s.mass
    yield "M·M⁻¹ = I", M @ inverse, np.eye(s.model.nv), product_size(M, inverse)
    yield "M⁻¹ = M⁻¹*", inverse, inverse.T, _stored_once(s) * size(inverse)


@law
def forward_dynamics(s: Situation, f_tip: Any, qdd: Any) -> Equations:
    q, qd, tau = (s.inputs[name] for name in ("q", "qd", "tau"))
    M = s.mass
    bias = reference.inverse_dynamics(s.model, q, qd, np.zeros(s.model.nv), f_tip, gravity=s.gravity)
    expected = reference.forward_dynamics(s.model, q, qd, tau, f_tip, gravity=s.gravity)
    yield "M·q̈ = M·q̈ of articulated bodies", M @ qdd, M @ expected, product_size(M, expected)
    yield "M·q̈ = τ − C − g − J*f", M @ qdd, tau - bias, product_size(M, qdd)


@law
def innovations_factors(s: Situation, f_tip: Any, D: Any, L: Any, L_inverse: Any) -> Equations:
    M = s.mass
    blocks = np.diag(D) if D.ndim == 1 else D
    yield "L D L* = M", L @ blocks @ L.T, M, product_size(L, blocks, L.T)
    yield "L L⁻¹ = I", L @ L_inverse, np.eye(s.model.nv), product_size(L, L_inverse)
    same_joint = np.zeros((s.model.nv, s.model.nv), dtype=bool)
    for rows in s.model.v_slices:
        same_joint[rows, rows] = True
    yield "D couples only rates of one joint", blocks[~same_joint], 0.0, 0.0
    yield "L is I on its diagonal blocks", L[same_joint], np.eye(s.model.nv)[same_joint], 0.0


@law
def operational_space_inertia(s: Situation, f_tip: Any, omega: Any) -> Equations:
    M, J = s.mass, s.jacobian
    inverse = np.linalg.inv(M)
    yield "Ω = J M⁻¹ J*", omega, J @ inverse @ J.T, product_size(J, inverse, J.T)


@law
def tip_force_acceleration(s: Situation, f_tip: Any, qdd: Any) -> Equations:
    M, J = s.mass, s.jacobian
    yield "M·Δq̈ = −J* f", M @ qdd, -J.T @ s.inputs["f_tip"], product_size(M, qdd)


@law
def kinetic_energy(s: Situation, f_tip: Any, energy: Any) -> Equations:
    expected = reference.kinetic_energy(s.model, s.inputs["q"], s.inputs["qd"])
    yield "½ q̇* M q̇", energy, expected, size(expected)


@law
def potential_energy(s: Situation, f_tip: Any, energy: Any) -> Equations:
    weight = sum(float(b.inertia.mass) for b in s.model.numeric().bodies) * size(s.gravity)
    expected = reference.potential_energy(s.model, s.inputs["q"], gravity=s.gravity)
    yield "−Σ m g·c", energy, expected, max(size(expected), weight * 1e-2)


# -- derivatives, by complex steps of the reference ------------------------------------------------------------------------


@law
def mass_matrix_sensitivity(s: Situation, f_tip: Any, dM: Any) -> Equations:
    mass = reference.mass_matrix(s.model, s.inputs["q"])
    yield "∂M/∂θ_i", dM, s.sensitivity, size(mass)


@law
def christoffel(s: Situation, f_tip: Any, symbols: Any) -> Equations:
    yield "ℂ_i(j,k)", symbols, s.symbols, size(reference.mass_matrix(s.model, s.inputs["q"]))


@law
def coriolis_matrix(s: Situation, f_tip: Any, C: Any) -> Equations:
    q, qd = s.inputs["q"], s.inputs["qd"]
    largest = size(reference.mass_matrix(s.model, q)) * size(qd)
    rate = np.tensordot(qd, s.sensitivity, axes=1)
    still = reference.bias_forces(s.model, q, qd, gravity=(0.0, 0.0, 0.0))
    yield "C(i,j) = Σ_k ℂ_i(j,k) θ̇_k", C, s.symbols @ qd, largest
    yield "Ṁ = C + C*", C + C.T, rate, largest
    yield "C θ̇ = bias without gravity", C @ qd, still, largest * size(qd)


@law
def coriolis_transpose_times_velocity(s: Situation, f_tip: Any, tau: Any) -> Equations:
    q, qd = s.inputs["q"], s.inputs["qd"]
    largest = size(reference.mass_matrix(s.model, q)) * size(qd) ** 2
    yield "C*θ̇", tau, (s.symbols @ qd).T @ qd, largest


@law
def inverse_dynamics_derivatives(s: Situation, f_tip: Any, dq: Any, dqd: Any, M: Any) -> Equations:
    state = [s.inputs[name] for name in ("q", "qd", "qdd")]
    along, by_rates, mass = reference.inverse_dynamics_derivatives(s.model, *state, gravity=s.gravity)
    tau = reference.inverse_dynamics(s.model, *state, gravity=s.gravity)
    largest = max(size(tau), size(mass) * size(s.inputs["qd"]), _holding(s))
    yield "∂τ/∂θ", dq, along, largest
    yield "∂τ/∂θ̇", dqd, by_rates, largest
    yield "M", M, mass, size(mass)


@law
def forward_dynamics_derivatives(s: Situation, f_tip: Any, dq: Any, dqd: Any, inverse: Any) -> Equations:
    state = [s.inputs[name] for name in ("q", "qd", "tau")]
    along, by_rates, _ = reference.forward_dynamics_derivatives(s.model, *state, gravity=s.gravity)
    mass = reference.mass_matrix(s.model, s.inputs["q"])
    least = max(size(mass) * size(s.inputs["qd"]), _holding(s))
    yield "M ∂θ̈/∂θ", mass @ dq, mass @ along, max(product_size(mass, along), least)
    yield "M ∂θ̈/∂θ̇", mass @ dqd, mass @ by_rates, max(product_size(mass, by_rates), least)
    yield "M·M⁻¹ = I", mass @ inverse, np.eye(s.model.nv), product_size(mass, inverse)


@law
def jacobian_derivative(s: Situation, f_tip: Any, rate: Any) -> Equations:
    expected = reference.jacobian_derivative(s.model, s.inputs["q"], s.inputs["qd"])
    yield "dJ/dt", rate, expected, max(size(expected), size(s.inputs["qd"]) * _reach(s))


@law
def log_det_gradient(s: Situation, f_tip: Any, gradient: Any) -> Equations:
    q = s.inputs["q"]
    inverse, dM = np.linalg.inv(reference.mass_matrix(s.model, q)), s.sensitivity
    expected = np.einsum("ij,kji->k", inverse, dM)
    yield (
        "tr(M⁻¹∂M)",
        gradient,
        expected,
        max(1.0, float(np.max(np.einsum("ij,kji->k", abs(inverse), abs(dM)), initial=0.0))),
    )
