"""What an oracle knows of a robot in one state, and how every function's outputs follow from that.

An oracle gives the quantities it has a way of its own to; the rest follow from those by elementary mechanics, so a new
function is a row of `EXPECTED` and a new oracle a subclass of `Quantities`. A quantity that an oracle does not have raises
`NotOfferedError`, and the functions that need it are not put to that oracle.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from derive.model import Model
from derive.reference.derivatives import brackets
from derive.states import Array


class NotOfferedError(Exception):
    """An oracle has no way to this quantity."""


@dataclass(frozen=True)
class Quantities:
    """A robot in a state: `inputs` are q, qd, qdd, tau and f_tip. Matrices are in model order, the tip in world axes."""

    model: Model
    inputs: Mapping[str, Array]
    gravity: Sequence[float]

    @cached_property
    def pose(self) -> tuple[Array, Array]:
        """Rotation (3, 3) and position (3,) of the first tip."""
        raise NotOfferedError

    @cached_property
    def jacobian(self) -> Array:
        """(6, nv)."""
        raise NotOfferedError

    @cached_property
    def mass(self) -> Array:
        """(nv, nv)."""
        raise NotOfferedError

    @cached_property
    def bias(self) -> Array:
        """C(q, q̇) + g(q)."""
        raise NotOfferedError

    @cached_property
    def weight(self) -> Array:
        """g(q)."""
        raise NotOfferedError

    @cached_property
    def kinetic_energy(self) -> Any:
        """½ q̇* M q̇."""
        return self.inputs["qd"] @ self.mass @ self.inputs["qd"] / 2

    @cached_property
    def potential_energy(self) -> Any:
        """−Σ m g·c."""
        raise NotOfferedError

    @cached_property
    def sensitivity(self) -> Array:
        """[i] = ∂M/∂θ_i, (nv, nv, nv)."""
        raise NotOfferedError

    @cached_property
    def jacobian_rate(self) -> Array:
        """dJ/dt, (6, nv)."""
        raise NotOfferedError

    def force_derivatives(self, qdd: Array) -> tuple[Array, Array]:
        """∂τ/∂θ and ∂τ/∂θ̇ of inverse dynamics at this acceleration, (nv, nv) each."""
        raise NotOfferedError

    @cached_property
    def acceleration_derivatives(self) -> tuple[Array, Array]:
        """∂θ̈/∂θ and ∂θ̈/∂θ̇: −M⁻¹ times those of the forces at the acceleration that there is."""
        dq, dqd = self.force_derivatives(self.accelerations(None))
        return -self.solve(self.mass, dq), -self.solve(self.mass, dqd)

    @cached_property
    def christoffel(self) -> Array:
        """[i, j, k] by Koszul's formula: the textbook's symbols, and brackets where rates are not derivatives."""
        d = np.moveaxis(self.sensitivity, 0, -1)  # [i, j, k] = ∂M_ij/∂θ_k
        lowered = np.tensordot(self.mass, brackets(self.model), axes=([0], [0])).swapaxes(1, 2)  # ⟨[e_k, e_j], e_i⟩
        symbols = d + d.swapaxes(1, 2) - d.transpose(2, 0, 1)
        return np.asarray((symbols + lowered - lowered.swapaxes(0, 1) - lowered.transpose(1, 2, 0)) / 2)

    @cached_property
    def coriolis(self) -> Array:
        """C(q, q̇) of the Christoffel symbols."""
        return np.asarray(self.christoffel @ self.inputs["qd"])

    @cached_property
    def log_det_gradient(self) -> Array:
        """tr(M⁻¹ ∂M/∂θ_i)."""
        return np.array([np.trace(self.solve(self.mass, d)) for d in self.sensitivity])

    def forces(self, f_tip: Array | None) -> Array:
        """τ = M q̈ + C + g + J* f."""
        return np.asarray(self.mass @ self.inputs["qdd"] + self.bias + self.loaded(f_tip))

    def accelerations(self, f_tip: Array | None) -> Array:
        """q̈ = M⁻¹ (τ − C − g − J* f)."""
        return self.solve(self.mass, self.inputs["tau"] - self.bias - self.loaded(f_tip))

    def loaded(self, f_tip: Array | None) -> Any:
        """J* f."""
        return 0 if f_tip is None else self.jacobian.T @ f_tip

    def solve(self, matrix: Array, right: Array) -> Array:
        """The solution of a linear system."""
        return np.asarray(np.linalg.solve(matrix, right))

    @cached_property
    def mass_inverse(self) -> Array:
        """M⁻¹."""
        return self.solve(self.mass, np.eye(self.model.nv))

    @cached_property
    def factors(self) -> tuple[Array, Array, Array]:
        """D, L and L⁻¹ of M = L D L*, eliminating joint after joint from the tip; D a vector if joints have one freedom."""
        rest = self.mass.copy()
        L, D = np.eye(self.model.nv, dtype=rest.dtype), np.zeros_like(rest)
        for rows in reversed(self.model.v_slices):
            D[rows, rows] = rest[rows, rows]
            before = slice(0, rows.start)
            if rows.start:
                L[before, rows] = self.solve(rest[rows, rows].T, rest[before, rows].T).T
                rest[before, before] -= L[before, rows] @ rest[rows, before]
        single = all(joint.kind.nv == 1 for joint in self.model.joints)
        return np.diag(D) if single else D, L, self.solve(L, np.eye(self.model.nv, dtype=rest.dtype))


Row = Callable[[Quantities, Array | None], tuple[Any, ...]]
EXPECTED: Mapping[str, Row] = {
    "forward_kinematics": lambda k, f: k.pose,
    "jacobian": lambda k, f: (k.jacobian,),
    "inverse_dynamics": lambda k, f: (k.forces(f),),
    "bias_forces": lambda k, f: (k.bias,),
    "gravity_forces": lambda k, f: (k.weight,),
    "mass_matrix": lambda k, f: (k.mass,),
    "mass_matrix_inverse": lambda k, f: (k.mass_inverse,),
    "forward_dynamics": lambda k, f: (k.accelerations(f),),
    "innovations_factors": lambda k, f: k.factors,
    "operational_space_inertia": lambda k, f: (k.jacobian @ k.solve(k.mass, k.jacobian.T),),
    "tip_force_acceleration": lambda k, f: (k.solve(k.mass, -k.jacobian.T @ k.inputs["f_tip"]),),
    "kinetic_energy": lambda k, f: (k.kinetic_energy,),
    "potential_energy": lambda k, f: (k.potential_energy,),
    "coriolis_matrix": lambda k, f: (k.coriolis,),
    "coriolis_transpose_times_velocity": lambda k, f: (k.coriolis.T @ k.inputs["qd"],),
    "christoffel": lambda k, f: (k.christoffel,),
    "mass_matrix_sensitivity": lambda k, f: (k.sensitivity,),
    "inverse_dynamics_derivatives": lambda k, f: (*k.force_derivatives(k.inputs["qdd"]), k.mass),
    "forward_dynamics_derivatives": lambda k, f: (*k.acceleration_derivatives, k.mass_inverse),
    "jacobian_derivative": lambda k, f: (k.jacobian_rate,),
    "log_det_gradient": lambda k, f: (k.log_det_gradient,),
}

DERIVATIVES = frozenset(  # what takes an oracle many evaluations
    {
        "coriolis_matrix",
        "coriolis_transpose_times_velocity",
        "christoffel",
        "mass_matrix_sensitivity",
        "inverse_dynamics_derivatives",
        "forward_dynamics_derivatives",
        "jacobian_derivative",
        "log_det_gradient",
    }
)


def expected(function: str, known: Quantities, with_tip_force: bool = False) -> tuple[Any, ...]:
    """What the function should give; NotOfferedError if this oracle cannot tell."""
    f_tip = known.inputs["f_tip"] if with_tip_force else None
    return EXPECTED[function](known, f_tip)
