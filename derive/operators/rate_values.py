"""The dense meaning of the letters of a robot in motion, from their definitions; never by sweeps."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from derive.operators.block_system import Array, BlockSystem, cross_matrix

Letters: TypeAlias = Callable[[str], Array]


def spatial_cross_matrix(z: Array) -> Array:
    """z̃ = [[x̃, 0], [ỹ, x̃]] of z = [x; y] [SOA-4]."""
    x, y = cross_matrix(z[:3]), cross_matrix(z[3:])
    return np.block([[x, np.zeros((3, 3))], [y, x]])


def companion(z: Array) -> Array:
    """𝒬[z] = [[x̃, ỹ], [ỹ, 0]] [SOA-5]."""
    x, y = cross_matrix(z[:3]), cross_matrix(z[3:])
    return np.block([[x, y], [y, np.zeros((3, 3))]])


def coriolis_block(M: Array, V: Array) -> Array:
    """𝓑[M,V] = −½(Ṽ*M + MṼ + 𝒬[MV])."""
    cross = spatial_cross_matrix(V)
    return np.asarray(-0.5 * (cross.T @ M + M @ cross + companion(M @ V)))


def gyroscopic_block(M: Array, V: Array) -> Array:
    """𝒟[M,V] = MṼ + 𝓑[M,V]."""
    return np.asarray(M @ spatial_cross_matrix(V) + coriolis_block(M, V))


def diagonal(blocks: list[Array]) -> Array:
    """The block-diagonal matrix of 6×6 blocks."""
    result = np.zeros((6 * len(blocks), 6 * len(blocks)), dtype=np.result_type(float, *blocks))
    for k, block in enumerate(blocks):
        result[6 * k : 6 * k + 6, 6 * k : 6 * k + 6] = block
    return result


def parts(stacked: Array) -> list[Array]:
    """The spatial vectors of a stacked one."""
    return list(stacked.reshape(-1, 6))


def _blocks(matrix: Array) -> list[Array]:
    return [matrix[i : i + 6, i : i + 6] for i in range(0, len(matrix), 6)]


def _crosses(stacked: Array) -> Array:
    return diagonal([spatial_cross_matrix(part) for part in parts(stacked)])


def _own(letters: Letters) -> Array:
    """Δ = H*θ̇."""
    return np.asarray(letters("H").T @ letters("qd"))


def _alpha(letters: Letters) -> Array:
    """α = φ*(H*θ̈ + a)."""
    return np.asarray(letters("phi").T @ (letters("H").T @ letters("qdd") + letters("a")))


def _inbound(letters: Letters) -> Array:
    """A: α without what the body's own joint adds, H*θ̈ + ṼH*θ̇."""
    return _alpha(letters) - letters("H").T @ letters("qdd") - letters("Vx") @ _own(letters)


def _force(letters: Letters) -> Array:
    """f = φ(Mα + b)."""
    return np.asarray(letters("phi") @ (letters("M") @ _alpha(letters) + letters("b")))


def _coriolis(letters: Letters, inertia: str, velocity: Array) -> Array:
    pairs = zip(_blocks(letters(inertia)), parts(velocity), strict=True)
    return diagonal([coriolis_block(M, V) for M, V in pairs])


def _outboard(letters: Letters) -> Array:
    """Γ, the diagonal blocks of φ̃𝓑[R,Δ]φ̃*: E_φ is nilpotent, so n rounds of Γ = E_φ(Γ + 𝓑[R,Δ])E_φ* are exact."""
    E, own = letters("E_phi"), _coriolis(letters, "R", _own(letters))
    Gamma = np.zeros_like(own)
    for _ in range(len(own) // 6):
        Gamma = E @ (Gamma + own) @ E.T
    return Gamma


def _pairs(system: BlockSystem, letters: Letters) -> Array:
    """Columns (i, j), j running faster: at body j, 𝒟[R, φ*(i,j)H*(i)]H*(j); zero unless i is inboard of j or on it."""
    carried = letters("phi").T @ letters("H").T  # of freedom i, at each body
    R = _blocks(letters("R"))
    joint = [k for k, h in enumerate(system.H) for _ in h]
    result = np.zeros((6 * system.n, system.N, system.N))
    for j, k in enumerate(joint):
        rows = slice(6 * k, 6 * k + 6)
        for i in range(system.N):
            result[rows, i, j] = gyroscopic_block(R[k], carried[rows, i]) @ letters("H")[j, rows]
    return result.reshape(6 * system.n, -1)


def _point_velocities(letters: Letters) -> Array:
    """[[0, 0], [ṽ, 0]] of the velocity v of each point."""
    points = parts(letters("B").T @ letters("V"))
    zero = np.zeros((3, 3))
    return diagonal([np.block([[zero, zero], [cross_matrix(v[3:]), zero]]) for v in points])


def _axial(letters: Letters) -> Array:
    """u with s·u(k) = tr(𝒮[s] X(k,k)), X = φMφ*H*𝓜⁻¹Hφ̃; 𝓜 with armature where D has it."""
    H, phi, D = letters("H"), letters("phi"), letters("D")
    L = np.eye(len(H)) + H @ phi @ letters("K")
    X = phi @ letters("M") @ phi.T @ H.T @ np.linalg.solve(L @ D @ L.T, H @ (phi - np.eye(len(phi))))
    along = [-spatial_cross_matrix(e).T for e in np.eye(6)]  # 𝒮[e] of each direction
    return np.array([[np.trace(S @ block)] for block in _blocks(X) for S in along])


RATE_VALUES: dict[str, Callable[[BlockSystem, Letters], Array]] = {
    "Vx": lambda system, letters: _crosses(letters("V")),
    "Wx": lambda system, letters: _crosses(letters("V") - _own(letters)),
    "Dx": lambda system, letters: _crosses(_own(letters)),
    "Ax": lambda system, letters: _crosses(_inbound(letters)),
    "Qf": lambda system, letters: diagonal([companion(f) for f in parts(_force(letters))]),
    "BB": lambda system, letters: _coriolis(letters, "M", letters("V")),
    "BB_R": lambda system, letters: _coriolis(letters, "R", letters("V")),
    "Gamma": lambda system, letters: _outboard(letters),
    "DD_S": _pairs,
    "u": lambda system, letters: _axial(letters),
    "V_0x": lambda system, letters: _point_velocities(letters),
}
