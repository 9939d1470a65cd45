"""The laws, each a row: what it says, its left and its right side. A law applies where all its kernels are there.

Derivatives are by finite rotations (see `stencils.py`), not by small steps. A new function needs a row here, or its mutants
live; a new law needs nothing else: the check and both self-tests read this table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from codegen.source import FunctionFacts
from codegen.trust.laws.tree import (
    Call,
    Diagonal,
    Given,
    Gradient,
    Identity,
    LogDeterminant,
    Moved,
    Node,
    Skew,
    functions_of,
)
from derive.model import Model


@dataclass(frozen=True)
class Law:
    """left = right at every state; `name` in ASCII, so that it can be printed anywhere."""

    name: str
    left: Node
    right: Node

    @property
    def functions(self) -> tuple[str, ...]:
        """The kernels it speaks of."""
        return tuple(sorted(functions_of(self.left) | functions_of(self.right)))


class Kernel:
    """The kernels of a robot as functions on nodes: `k("jacobian", q)`; `k("…", q, output=1)` is the second output."""

    def __init__(self, model: Model, functions: Sequence[FunctionFacts]) -> None:
        self.facts: Mapping[str, FunctionFacts] = {facts.name: facts for facts in functions}
        sizes = {"q": model.nq, "qd": model.nv, "qdd": model.nv, "tau": model.nv, "f_tip": 6}
        self.nv = model.nv
        self.q, self.qd, self.qdd, self.tau, self.f = (Given(size, 1, name) for name, size in sizes.items())
        self.moved = Moved(model.nq, 1)
        self.has_quaternions = any(not joint.kind.is_vector_space for joint in model.joints)

    def __call__(self, function: str, *inputs: Node, output: int = 0) -> Call:
        """An output; KeyError if there is no such kernel."""
        rows, columns = matrix_shape(self.facts[function].outputs[output].shape)
        return Call(rows, columns, function, output, inputs)

    def gradient(self, of: Node) -> Gradient:
        """∂/∂θ_j for every rate, one below the other."""
        return Gradient(self.nv * of.rows, of.columns, of)

    def along_rates(self, stacked: Node) -> Node:
        """Σ qd_j of matrices that stand one below the other."""
        rows = stacked.rows // self.nv
        total = self.qd.T @ stacked.reshaped(self.nv, rows * stacked.columns)
        return total.reshaped(rows, stacked.columns)


def matrix_shape(shape: tuple[int, ...]) -> tuple[int, int]:
    """An array as a matrix: a vector is a column, leading axes become rows."""
    if len(shape) <= 1:
        return (shape[0] if shape else 1), 1
    rows = 1
    for extent in shape[:-1]:
        rows *= extent
    return rows, shape[-1]


def laws(model: Model, functions: Sequence[FunctionFacts]) -> tuple[Law, ...]:
    """The laws that these kernels can be held to; none where nothing moves."""
    if not model.nv:
        return ()
    kernel = Kernel(model, functions)
    found = []
    for name, row in TABLE.items():
        try:
            sides = row(kernel)
        except KeyError:  # a kernel that is not there
            continue
        if sides is not None:
            found.append(Law(name, *sides))
    return tuple(found)


Sides = tuple[Node, Node] | None
F, T = "_with_tip_force", "tip_force_acceleration"


def _factored(k: Kernel) -> tuple[Node, Node]:
    """D as a matrix, and L."""
    D, L = k("innovations_factors", k.q), k("innovations_factors", k.q, output=1)
    return (Diagonal(k.nv, k.nv, D) if D.columns == 1 and k.nv > 1 else D), L


def _factors(k: Kernel) -> Sides:
    D, L = _factored(k)
    return k("mass_matrix", k.q), L @ D @ L.T


def _determinant(k: Kernel) -> Sides:
    D, _ = _factored(k)
    return LogDeterminant(1, 1, k("mass_matrix", k.q)), LogDeterminant(1, 1, D)


def _energy_rate(k: Kernel) -> Sides:
    """d/dt ½ q̇*M q̇ = Σ q̇_j ∂_j T + q̇* M q̇̇ at fixed rates, and Σ q̇_j ∂_j V."""
    energy = k("kinetic_energy", k.moved, k.qd) + k("potential_energy", k.moved)
    speeding = k.qd.T @ k("mass_matrix", k.q) @ k.qdd
    return k.qd.T @ k.gradient(energy) + speeding, k.qd.T @ k("inverse_dynamics", k.q, k.qd, k.qdd)


def _lagrange(k: Kernel) -> Sides:
    """C_i = Σ_k q̇_k ∂_k (M q̇)_i − ∂_i T, where rates are derivatives of coordinates."""
    if k.has_quaternions:
        return None
    momenta = k.gradient(k("mass_matrix", k.moved) @ k.qd).reshaped(k.nv, k.nv)
    coriolis = momenta.T @ k.qd - k.gradient(k("kinetic_energy", k.moved, k.qd))
    return k("bias_forces", k.q, k.qd), coriolis + k("gravity_forces", k.q)


def _tip_turns(k: Kernel) -> Sides:
    angular = k("jacobian", k.q).row_range(0, 3)
    return k.gradient(k("forward_kinematics", k.moved)), Skew(3 * k.nv, 3, angular) @ k("forward_kinematics", k.q)


def _tip_moves(k: Kernel) -> Sides:
    linear = k("jacobian", k.q).row_range(3, 6).T.reshaped(3 * k.nv, 1)
    return k.gradient(k("forward_kinematics", k.moved, output=1)), linear


def _by_symbols(k: Kernel) -> Sides:
    """∂M(k,j)/∂θ_i = ℂ_k(j,i) + ℂ_j(i,k) at [i, k, j], every entry by itself [SOA-131].

    Where rates are not derivatives of coordinates the order of the last two indices matters, and ℂ_j(k,i) takes the place of
    ℂ_j(i,k): there "C = sum of christoffel qd" and "dM/dt = C + C*" say it, being linear in rates that are drawn independently.
    """
    if k.has_quaternions:
        return None
    symbols, square = k("christoffel", k.q), k.nv * k.nv
    first = symbols.reshaped(square, k.nv).T  # [i, (k, j)] = ℂ_k(j,i)
    second = symbols.reshaped(k.nv, square).T.reshaped(k.nv, square)  # [i, (k, j)] = ℂ_j(i,k)
    return k("mass_matrix_sensitivity", k.q).reshaped(k.nv, square), first + second


def _skew_rate(k: Kernel) -> Sides:
    """Ṁ − 2C against its own negative transpose, Ṁ from the mass matrix alone."""
    rate = k.along_rates(k.gradient(k("mass_matrix", k.moved)))
    difference = rate - 2.0 * k("coriolis_matrix", k.q, k.qd)
    return difference, -1.0 * difference.T


def _quadratic_forms(k: Kernel) -> Sides:
    """C(i) = q̇* ℂ_i q̇."""
    forms = (k("christoffel", k.q) @ k.qd).reshaped(k.nv, k.nv) @ k.qd
    return k("bias_forces", k.q, k.qd) - k("gravity_forces", k.q), forms


def _quadratic(k: Kernel) -> Sides:
    g, twice = k("gravity_forces", k.q), k("bias_forces", k.q, -2.0 * k.qd)
    return twice - g, 4.0 * (k("bias_forces", k.q, k.qd) - g)


def _undone(k: Kernel, output: int) -> Sides:
    """At the acceleration that forward dynamics gives."""
    found = k("forward_dynamics_derivatives", k.q, k.qd, k.tau, output=output)
    qdd = k("forward_dynamics", k.q, k.qd, k.tau)
    return k("mass_matrix", k.q) @ found, -1.0 * k("inverse_dynamics_derivatives", k.q, k.qd, qdd, output=output)


TABLE: Mapping[str, Callable[[Kernel], Sides]] = {
    "M = M*": lambda k: (k("mass_matrix", k.q), k("mass_matrix", k.q).T),
    "M M^-1 = I": lambda k: (
        k("mass_matrix", k.q) @ k("mass_matrix_inverse", k.q),
        Identity(k.nv, k.nv),
    ),
    "M = L D L*": _factors,
    "L L^-1 = I": lambda k: (
        k("innovations_factors", k.q, output=1) @ k("innovations_factors", k.q, output=2),
        Identity(k.nv, k.nv),
    ),
    "ln det M = ln det D": _determinant,
    "FD(ID(qdd)) = qdd": lambda k: (
        k("forward_dynamics", k.q, k.qd, k("inverse_dynamics", k.q, k.qd, k.qdd)),
        k.qdd,
    ),
    "M FD(tau) = tau - C - g": lambda k: (
        k("mass_matrix", k.q) @ k("forward_dynamics", k.q, k.qd, k.tau),
        k.tau - k("bias_forces", k.q, k.qd),
    ),
    "ID = M qdd + C + g": lambda k: (
        k("inverse_dynamics", k.q, k.qd, k.qdd),
        k("mass_matrix", k.q) @ k.qdd + k("bias_forces", k.q, k.qd),
    ),
    "ID with tip force = ID + J* f": lambda k: (
        k(f"inverse_dynamics{F}", k.q, k.qd, k.qdd, k.f),
        k("inverse_dynamics", k.q, k.qd, k.qdd) + k("jacobian", k.q).T @ k.f,
    ),
    "FD with tip force undoes ID with it": lambda k: (
        k(f"forward_dynamics{F}", k.q, k.qd, k(f"inverse_dynamics{F}", k.q, k.qd, k.qdd, k.f), k.f),
        k.qdd,
    ),
    "bias at rest = g": lambda k: (k("bias_forces", k.q, 0.0 * k.qd), k("gravity_forces", k.q)),
    "bias is quadratic in qd": _quadratic,
    "Lagrange: bias = d/dt(M qd) - dT/dq + g": _lagrange,
    "g = dV/dq": lambda k: (
        k("gravity_forces", k.q),
        k.gradient(k("potential_energy", k.moved)),
    ),
    "T = 1/2 qd* M qd": lambda k: (
        k("kinetic_energy", k.q, k.qd),
        0.5 * (k.qd.T @ k("mass_matrix", k.q) @ k.qd),
    ),
    "energy rate = power": _energy_rate,
    "R R* = I": lambda k: (
        k("forward_kinematics", k.q) @ k("forward_kinematics", k.q).T,
        Identity(3, 3),
    ),
    "J turns the tip": _tip_turns,
    "J moves the tip": _tip_moves,
    "Omega = J M^-1 J*": lambda k: (
        k("operational_space_inertia", k.q),
        k("jacobian", k.q) @ k("mass_matrix_inverse", k.q) @ k("jacobian", k.q).T,
    ),
    "M dqdd = -J* f": lambda k: (
        k("mass_matrix", k.q) @ k(T, k.q, k.f),
        -1.0 * (k("jacobian", k.q).T @ k.f),
    ),
    "dM/dq by finite rotations": lambda k: (
        k("mass_matrix_sensitivity", k.q),
        k.gradient(k("mass_matrix", k.moved)),
    ),
    "C = sum of christoffel qd": lambda k: (
        k("coriolis_matrix", k.q, k.qd),
        (k("christoffel", k.q) @ k.qd).reshaped(k.nv, k.nv),
    ),
    "qd* christoffel qd = bias - g": _quadratic_forms,
    "dM_kj/dq_i = christoffel_kji + christoffel_jik": _by_symbols,
    "dM/dt - 2C is skew": _skew_rate,
    "dM/dt = C + C*": lambda k: (
        k.along_rates(k("mass_matrix_sensitivity", k.q)),
        k("coriolis_matrix", k.q, k.qd) + k("coriolis_matrix", k.q, k.qd).T,
    ),
    "C qd = bias - g": lambda k: (
        k("coriolis_matrix", k.q, k.qd) @ k.qd,
        k("bias_forces", k.q, k.qd) - k("gravity_forces", k.q),
    ),
    "C* qd": lambda k: (
        k("coriolis_transpose_times_velocity", k.q, k.qd),
        k("coriolis_matrix", k.q, k.qd).T @ k.qd,
    ),
    "dtau/dq by finite rotations": lambda k: (
        k("inverse_dynamics_derivatives", k.q, k.qd, k.qdd),
        k.gradient(k("inverse_dynamics", k.moved, k.qd, k.qdd)).reshaped(k.nv, k.nv).T,
    ),
    "dtau/dqd qd = 2 (bias - g)": lambda k: (
        k("inverse_dynamics_derivatives", k.q, k.qd, k.qdd, output=1) @ k.qd,
        2.0 * (k("bias_forces", k.q, k.qd) - k("gravity_forces", k.q)),
    ),
    "dtau/dqdd = M": lambda k: (
        k("inverse_dynamics_derivatives", k.q, k.qd, k.qdd, output=2),
        k("mass_matrix", k.q),
    ),
    "M dqdd/dq = -dtau/dq": lambda k: _undone(k, 0),
    "M dqdd/dqd = -dtau/dqd": lambda k: _undone(k, 1),
    "M dqdd/dtau = I": lambda k: (
        k("mass_matrix", k.q) @ k("forward_dynamics_derivatives", k.q, k.qd, k.tau, output=2),
        Identity(k.nv, k.nv),
    ),
    "dJ/dt by finite rotations": lambda k: (
        k("jacobian_derivative", k.q, k.qd),
        k.along_rates(k.gradient(k("jacobian", k.moved))),
    ),
    "grad ln det M = tr(M^-1 dM)": lambda k: (
        k("log_det_gradient", k.q),
        k("mass_matrix_sensitivity", k.q).reshaped(k.nv, k.nv * k.nv)
        @ k("mass_matrix_inverse", k.q).reshaped(k.nv * k.nv, 1),
    ),
}
