"""Derivatives of the reference by complex steps, and Koszul's formula for the Christoffel symbols.

A complex step f(x + ih)/h has no rounding of its own, so these are as exact as what they differentiate. Configurations move
along the rates (`derive.states.integrate`), which is what a derivative by q means for spherical and floating joints.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from derive.model import Model
from derive.reference.aba import forward_dynamics
from derive.reference.bodies import GRAVITY
from derive.reference.crba import mass_matrix
from derive.reference.kinematics import jacobian
from derive.reference.rnea import inverse_dynamics
from derive.states import Array, configuration, integrate, rates

STEP = 1e-30


def by_rates(f: Callable[[Array], Any], size: int) -> Array:
    """df/dx at x = 0 for x of `size` entries, the index of x last."""
    columns = [np.asarray(f(1j * STEP * direction)).imag / STEP for direction in np.eye(size)]
    return np.stack(columns, axis=-1) if columns else np.zeros((*np.shape(f(np.zeros(0))), 0))


def along(model: Model, q: ArrayLike, f: Callable[[Array], Any]) -> Array:
    """The derivative of f(q) along each rate, that index last."""
    start = configuration(model, q).astype(complex)
    return by_rates(lambda v: f(integrate(model, start, v)), model.nv)


def mass_matrix_sensitivity(model: Model, q: ArrayLike) -> Array:
    """[i] = ∂M/∂θ_i, (nv, nv, nv)."""
    return np.moveaxis(along(model, q, lambda x: mass_matrix(model, x)), -1, 0)


def christoffel(model: Model, q: ArrayLike, sensitivity: Array | None = None) -> Array:
    """[i, j, k] = ⟨∇_k e_j, e_i⟩ by Koszul's formula: the textbook's symbols, and brackets where rates are not derivatives.

    Pass the `sensitivity` of the mass matrix if it is known already.
    """
    dM = mass_matrix_sensitivity(model, q) if sensitivity is None else sensitivity
    d = np.moveaxis(dM, 0, -1)  # [i, j, k] = ∂M_ij/∂θ_k
    lowered = np.einsum("akj,ai->ijk", brackets(model), mass_matrix(model, q))  # ⟨[e_k, e_j], e_i⟩
    textbook = d + np.einsum("ikj->ijk", d) - np.einsum("jki->ijk", d)
    return np.asarray(0.5 * (textbook + lowered - np.einsum("jik->ijk", lowered) - np.einsum("kij->ijk", lowered)))


def inverse_dynamics_derivatives(
    model: Model, q: ArrayLike, qd: ArrayLike, qdd: ArrayLike, *, gravity: ArrayLike = GRAVITY
) -> tuple[Array, Array, Array]:
    """∂τ/∂θ, ∂τ/∂θ̇ and ∂τ/∂θ̈ = M."""
    v = rates(model, qd)

    def tau(x: ArrayLike, u: Array) -> Array:
        return inverse_dynamics(model, x, u, qdd, gravity=gravity)

    return along(model, q, lambda x: tau(x, v)), by_rates(lambda u: tau(q, v + u), model.nv), mass_matrix(model, q)


def forward_dynamics_derivatives(
    model: Model, q: ArrayLike, qd: ArrayLike, tau: ArrayLike, *, gravity: ArrayLike = GRAVITY
) -> tuple[Array, Array, Array]:
    """∂θ̈/∂θ, ∂θ̈/∂θ̇ and ∂θ̈/∂τ = M⁻¹."""
    v = rates(model, qd)

    def qdd(x: ArrayLike, u: Array) -> Array:
        return forward_dynamics(model, x, u, tau, gravity=gravity)

    inverse = np.linalg.inv(mass_matrix(model, q))
    return along(model, q, lambda x: qdd(x, v)), by_rates(lambda u: qdd(q, v + u), model.nv), inverse


def jacobian_derivative(model: Model, q: ArrayLike, qd: ArrayLike, tip: str | None = None) -> Array:
    """dJ/dt, (6, nv), [angular; linear] at the tip point, world axes."""
    return np.asarray(along(model, q, lambda x: jacobian(model, x, tip)) @ rates(model, qd))


def log_det_gradient(model: Model, q: ArrayLike, sensitivity: Array | None = None) -> Array:
    """tr(M⁻¹ ∂M/∂θ_i), (nv,)."""
    dM = mass_matrix_sensitivity(model, q) if sensitivity is None else sensitivity
    return np.asarray(np.einsum("ij,kji->k", np.linalg.inv(mass_matrix(model, q)), dM))


def brackets(model: Model) -> Array:
    """[a, k, j]: component a of [e_k, e_j]; rates of spherical and floating joints are body-frame twists."""
    brackets = np.zeros((model.nv, model.nv, model.nv))
    for joint, at in zip(model.joints, model.v_slices, strict=True):
        if not joint.kind.is_vector_space:
            axes = np.eye(joint.kind.nv)
            for k, j in np.ndindex(axes.shape):
                brackets[at, at.start + k, at.start + j] = _bracket(axes[k], axes[j])
    return brackets


def _bracket(x: Array, y: Array) -> Array:
    turn = np.cross(x[:3], y[:3])
    return turn if len(x) == 3 else np.concatenate([turn, np.cross(x[3:], y[:3]) + np.cross(x[:3], y[3:])])
