"""Residuals of statements about Christoffel symbols and the Coriolis matrix [section 15]; zero where they hold.

What the symbols are is `changes.symbols`: their definition, from complex steps of Lagrange's mass matrix. Indices run from 0,
body 1 first; the joints have one freedom.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from derive.operators.block_system import Array, block_system
from derive.operators.evaluate import body_block, evaluate, letter_value
from derive.operators.expr import Letter
from derive.operators.identities.changes import mass_changes, rates_of, symbols
from derive.operators.identities.derivativewise import HH, composite_seen_from, inboard, seen_from, strictly_inboard
from derive.operators.identities.formulas import inertial_system
from derive.operators.identities.motion import Motion
from derive.operators.identities.vectorwise import companion_Q, companion_S, worst
from derive.operators.parse import parse_expression
from derive.states import integrate


def coriolis_forces(motion: Motion) -> float:
    """𝓒(i) = θ̇*ℂ_iθ̇: Lagrange's forces without gravity and acceleration [SOA-130]."""
    qd = motion.in_paper_order(motion.qd)
    forces = motion.torques(np.zeros(3)) - motion.mass_matrix(motion.q) @ motion.in_paper_order(motion.qdd)
    return worst([(symbols(motion) @ qd @ qd, forces)])


def symmetries(motion: Motion) -> float:
    """ℂ_i(j,k) = ℂ_i(k,j); = −ℂ_k(j,i) for j ≥ k, i; ℂ_i(j,i) = 0 for j ≥ i; ∂𝓜(k,j)/∂θ_i = ℂ_j(i,k) + ℂ_k(j,i) [SOA-131].

    On trees as well, where j ≥ i is said of numbers, not only of joints inboard: zero is zero between branches.
    """
    C, d = symbols(motion), mass_changes(motion)
    pairs = [(C, C.transpose(0, 2, 1))]
    for i, j, k in np.ndindex(C.shape):
        if j >= k and j >= i:
            pairs.append((C[i, j, k], -C[k, j, i]))
        if j >= i:
            pairs.append((C[i, j, i], np.zeros(())))
        pairs.append((d[i, k, j], C[j, i, k] + C[k, j, i]))
    return worst(pairs)


def outboard_only(motion: Motion) -> float:
    """ℂ_i(j,k) does not change with θ(m), θ(m+1), …, where m = max(i,j,k) [SOA-131]."""
    C, pairs = symbols(motion), []
    most = np.max(np.indices(C.shape), axis=0)
    for joint in range(motion.n):
        turned = np.zeros(motion.model.nv)
        turned[list(rates_of(motion, joint))] = 0.7
        there = symbols(replace(motion, q=integrate(motion.model, motion.q, turned)))
        pairs.append((there[most <= joint], C[most <= joint]))
    return worst(pairs)


def by_composites(motion: Motion) -> float:
    """ℂ_i(j,k) for j inboard of k and i, by φ, R and ℍ [SOA-132]."""
    system = inertial_system(motion)
    phi_, R, H = (letter_value(letter, system) for letter in ("phi", "R", "H"))
    C, pairs = symbols(motion), []

    def half(j: int, k: int, i: int) -> Array:
        """What k's turn does to i, seen at j."""
        turned = HH(motion, k) @ body_block(R, k, k) - body_block(R, k, k) @ HH(motion, k)
        X = np.zeros((6, 6))
        if strictly_inboard(motion, i, k):
            X = body_block(phi_, j, k) @ turned @ body_block(phi_, i, k).T
        elif inboard(motion, k, i):
            X = body_block(phi_, j, k) @ HH(motion, k) @ body_block(phi_, k, i) @ body_block(R, i, i)
        return np.asarray(H[j, 6 * j : 6 * j + 6] @ X @ H[i, 6 * i : 6 * i + 6])

    for i, j, k in np.ndindex(C.shape):
        if strictly_inboard(motion, j, k) and strictly_inboard(motion, j, i):
            pairs.append((C[i, j, k], 0.5 * (half(j, k, i) - half(j, i, k))))
    return worst(pairs)


def script_Y(motion: Motion) -> Array:
    """[a, b, c] = 𝒴(a,b,c) = ½H_𝕀(a)[−𝒬[R_𝕀(c)H_𝕀*(c)] + ℍ_𝕀(c)R_𝕀(c) + R_𝕀(c)ℍ_𝕀*(c)]H_𝕀*(b) [SOA-133]."""
    h = np.array([seen_from(motion, k) for k in range(motion.n)])
    between = []
    for c in range(motion.n):
        R = composite_seen_from(motion, c)
        turned = companion_S(h[c]) @ R
        between.append(h @ (turned + turned.T - companion_Q(R @ h[c])) @ h.T)
    return 0.5 * np.moveaxis(np.array(between), 0, -1)


def by_Y(motion: Motion, *, printed: bool = False) -> float:
    """ℂ_i(j,k) by 𝒴, case by case on a chain [SOA-133]; `printed` lacks j = k > i and i > j = k [E-33]."""
    C, Y = symbols(motion), script_Y(motion)
    found = np.zeros_like(C)
    for i, j, k in np.ndindex(C.shape):
        if j >= k and not (printed and j == k and k != i):
            found[i, j, k] = found[i, k, j] = -Y[k, j, i] if k > i else Y[i, j, k]
    return worst([(found, C)])


def coriolis_matrix(motion: Motion) -> float:
    """𝖢 = Hφ(Mφ*Ṽ + 𝓑φ*)H* is Σ_k ℂ_i(j,k)θ̇_k, and Ṁ − 2𝖢 is skew; 𝖢*θ̇ = HṼ*φMV; in link frames."""
    values = {"qd": motion.in_paper_order(motion.qd)[:, None]}
    system = block_system(motion.model, motion.q)
    C = evaluate(Letter("CC"), system, values=values)
    qd = values["qd"][:, 0]
    rate = np.tensordot(qd, mass_changes(motion), axes=1)
    transposed = evaluate(parse_expression("X_V' phi M V"), system, values=values)[:, 0]
    return worst([(C, symbols(motion) @ qd), (C + C.T, rate), (C.T @ qd, transposed)])
