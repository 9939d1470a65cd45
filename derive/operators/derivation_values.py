"""The dense meaning of the letters of derivatives along a joint motion, from their definitions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from derive.operators.block_system import Array, BlockSystem, cross_matrix
from derive.operators.derivation_letters import INDICES
from derive.operators.rate_values import Letters, diagonal, parts, spatial_cross_matrix


def direction(system: BlockSystem, index: str) -> Array:
    """The joint motion a derivative is along: the system's, or the middle freedom for i and the first for j."""
    if index in system.along:
        return system.along[index]
    return np.asarray(np.eye(system.N)[{"i": system.N // 2, "j": 0}[index]])


def _motion(system: BlockSystem, letters: Letters, index: str) -> Array:
    return np.asarray(letters("H").T @ direction(system, index))


def _S(system: BlockSystem, letters: Letters, index: str) -> Array:
    """𝒮[H*(k)x(k)] = −(H*(k)x(k))~* [SOA-5]."""
    return diagonal([-spatial_cross_matrix(s).T for s in parts(_motion(system, letters, index))])


def _W(system: BlockSystem, letters: Letters, index: str) -> Array:
    """diag(w̃, w̃), w the angular part of φ*H*x."""
    turns = parts(letters("phi").T @ _motion(system, letters, index))
    return diagonal([np.kron(np.eye(2), cross_matrix(w[:3])) for w in turns])


def _dH(system: BlockSystem, letters: Letters, index: str) -> Array:
    """Σ x_c ∂H(k)/∂θ_c over the freedoms c of joint k."""
    result, start, x = np.zeros_like(letters("H")), 0, direction(system, index)
    for k, changes in enumerate(system.H_along):
        rows = slice(start, start + len(changes))
        result[rows, 6 * k : 6 * k + 6] = np.tensordot(x[rows], changes, axes=1)
        start = rows.stop
    return result


def _lyapunov(E: Array, X: Array) -> Array:
    """Y = EYE* + X; E is nilpotent, so n rounds are exact."""
    Y = X
    for _ in range(len(E) // 6):
        Y = E @ Y @ E.T + X
    return Y


def _dP(system: BlockSystem, letters: Letters, index: str) -> Array:
    E, P, K, S, dH = (letters(name) for name in ("E_phi", "P", "K", f"S_{index}", f"dH_{index}"))
    E_psi = letters("E_psi")
    turned = E @ S @ letters("tau_bar") @ P @ E.T - K @ dH @ P @ E_psi.T
    return _lyapunov(E_psi, turned + turned.T)


def _dR(system: BlockSystem, letters: Letters, index: str) -> Array:
    E = letters("E_phi")
    turned = E @ letters(f"S_{index}") @ letters("R") @ E.T
    return _lyapunov(E, turned + turned.T)


_VALUES: dict[str, Callable[[BlockSystem, Letters, str], Array]] = {"S": _S, "W": _W, "dH": _dH, "dP": _dP, "dR": _dR}

DERIVATION_VALUES: dict[str, Callable[[BlockSystem, Letters], Array]] = {
    f"{name}_{index}": lambda system, letters, value=value, index=index: value(system, letters, index)  # type: ignore[misc]
    for name, value in _VALUES.items()
    for index in INDICES
}
