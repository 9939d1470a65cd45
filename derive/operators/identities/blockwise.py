"""Residuals of statements about blocks and recursions, which no operator equation can say; zero where they hold.

Each takes a `BlockSystem` and compares blocks, sums or loops written as the specification writes them with the
dense operators of `evaluate`. Indices run from 0 here, body 1 of the papers first.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from derive.operators.block_system import NO_PARENT, Array, BlockSystem
from derive.operators.counterexample import relative_difference
from derive.operators.evaluate import block_diagonal, body_block, letter_value


def shift_operator(system: BlockSystem) -> float:
    """Lemma 2.1 of 004: what S and S* do to block-diagonal A and B (or I) on a chain [SOA-7]."""
    rng, one = np.random.default_rng(system.n), np.eye(6 * system.n)
    A, B = (block_diagonal(list(rng.standard_normal((system.n, 6, 6)))) for _ in range(2))
    S = letter_value("S", system)
    T = S.T
    pairs = []
    for X, Y in ((A, B), (A, one), (one, A)):
        pairs += [
            (S @ X @ T @ S @ Y, S @ X @ Y),
            (T @ X @ S @ T @ Y, T @ X @ Y),
            (X @ T @ S @ Y @ T, X @ Y @ T),
            (X @ S @ T @ Y @ S, X @ Y @ S),
            (S @ X @ T @ S @ Y @ T, S @ X @ Y @ T),
            (T @ X @ S @ T @ Y @ S, T @ X @ Y @ S),
        ]
    return max(relative_difference(a, b) for a, b in pairs)


def step_is_nilpotent(system: BlockSystem) -> float:
    """E_φⁿ = 0, and E_φ is strictly lower block triangular [SOA-20, SOA-95]."""
    E = letter_value("E_phi", system)
    above = sum(np.abs(body_block(E, i, j)).sum() for i in range(system.n) for j in range(i, system.n))
    return float(np.abs(np.linalg.matrix_power(E, system.n)).max() + above)


def phi_blocks(system: BlockSystem) -> float:
    """φ(i,j) is the product of the steps on the path from j to its ancestor i, else zero [SOA-20, SOA-96]."""
    return relative_difference(_path_products(system, list(system.phi)), letter_value("phi", system))


def psi_blocks(system: BlockSystem) -> float:
    """ψ(i,j) is the product of the steps φ(p,k)τ̄(k) [SOA-42]."""
    tau_bar = letter_value("tau_bar", system)
    steps = [phi @ body_block(tau_bar, k, k) for k, phi in enumerate(system.phi)]
    return relative_difference(_path_products(system, steps), letter_value("psi", system))


def _path_products(system: BlockSystem, steps: Sequence[Array]) -> Array:
    result = np.zeros((6 * system.n, 6 * system.n))
    for j in range(system.n):
        i, product = j, np.eye(6)
        while i != NO_PARENT:
            result[6 * i : 6 * i + 6, 6 * j : 6 * j + 6] = product
            product, i = steps[i] @ product, system.parent[i]
    return result


def covariance(system: BlockSystem) -> float:
    """𝓜 = (HφM^½)(HφM^½)* [SOA-26]."""
    root = np.linalg.cholesky(letter_value("M", system))
    factor = letter_value("H", system) @ letter_value("phi", system) @ root
    return relative_difference(factor @ factor.T, letter_value("Mass", system))


def mass_matrix_is_positive_definite(system: BlockSystem) -> float:
    """Zero if the smallest eigenvalue of 𝓜 is positive, else one [SOA-30]."""
    return float(np.linalg.eigvalsh(letter_value("Mass", system)).min() <= 0)


def sum_over_outboard_bodies(system: BlockSystem) -> float:
    """R(k) = Σ φ(k,i)M(i)φ*(k,i) over the bodies i outboard of k, k included [SOA-31]."""
    phi, R = letter_value("phi", system), letter_value("R", system)
    sums = []
    for k in range(system.n):
        steps = [body_block(phi, k, i) for i in range(system.n)]
        sums.append(np.asarray(sum(s @ m @ s.T for s, m in zip(steps, system.M, strict=True))))
    return relative_difference(block_diagonal(sums), R)


def two_families(system: BlockSystem) -> float:
    """XMZ* = r + X̃r + rZ̃* for any two families of steps on a chain [SOA-32]."""
    n, rng = system.n, np.random.default_rng(system.n)
    steps = [[rng.standard_normal((6, 6)) / 3 for _ in range(n)] for _ in range(2)]
    X, Z = (_path_products(system, family) for family in steps)
    r = [system.M[0]]
    for k in range(1, n):
        r.append(steps[0][k - 1] @ r[-1] @ steps[1][k - 1].T + system.M[k])
    diagonal, one = block_diagonal(r), np.eye(6 * n)
    right = diagonal + (X - one) @ diagonal + diagonal @ (Z - one).T
    return relative_difference(X @ letter_value("M", system) @ Z.T, right)


def mass_matrix_blocks(system: BlockSystem) -> float:
    """𝓜(i,j) = H(i)φ(i,j)R(j)H*(j) for i ≥ j, which is zero between branches [SOA-34]."""
    phi, R, H = (letter_value(name, system) for name in ("phi", "R", "H"))
    lower = H @ phi @ R @ H.T
    mass, rows = letter_value("Mass", system), np.repeat(np.arange(system.n), [len(h) for h in system.H])
    keep = rows[:, None] >= rows[None, :]
    return relative_difference(np.where(keep, mass, 0.0), np.where(keep, lower, 0.0))


def composite_plus_q(system: BlockSystem) -> float:
    """R = P + q with q(k) = Σ φ(k,i)G(i)D(i)G*(i)φ*(k,i), i < k, on a chain [SOA-35]."""
    phi, P, R, G, D = (letter_value(name, system) for name in ("phi", "P", "R", "G", "D"))
    GDG = G @ D @ G.T
    q = []
    for k in range(system.n):
        total = np.zeros((6, 6))
        for i in range(k):
            total += body_block(phi, k, i) @ body_block(GDG, i, i) @ body_block(phi, k, i).T
        q.append(total)
    return relative_difference(P + block_diagonal(q), R)


def telescoping(system: BlockSystem) -> float:
    """φ(k,m) − ψ(k,m) = Σ ψ(k,i+1)φ(i+1,i)G(i)H(i)φ(i,m), m ≤ i < k, on a chain [SOA-57]."""
    phi, psi, tau = (letter_value(name, system) for name in ("phi", "psi", "tau"))
    worst = 0.0
    for k in range(system.n):
        for m in range(k):
            total = np.zeros((6, 6))
            for i in range(m, k):
                gain = system.phi[i] @ body_block(tau, i, i) @ body_block(phi, i, m)
                total += body_block(psi, k, i + 1) @ gain
            worst = max(worst, relative_difference(body_block(phi, k, m) - body_block(psi, k, m), total))
    return worst


def _joint_slices(system: BlockSystem) -> list[slice]:
    ends = np.cumsum([0] + [len(h) for h in system.H])
    return [slice(int(a), int(b)) for a, b in itertools.pairwise(ends)]


def _children(system: BlockSystem, k: int) -> list[int]:
    return [c for c, p in enumerate(system.parent) if p == k]


def filters(system: BlockSystem) -> float:
    """The loops of the innovations filter, the whitening filter and the smoother [SOA-59], on trees [SOA-99]."""
    H, phi, psi, K = (letter_value(name, system) for name in ("H", "phi", "psi", "K"))
    one, at = np.eye(system.N), _joint_slices(system)
    E_phi, E_psi = letter_value("E_phi", system), letter_value("E_psi", system)
    x = system.vectors["T"][:, 0]
    coloured, white, smooth = np.zeros(system.N), np.zeros(system.N), np.zeros(system.N)
    z, w, lam = (np.zeros(6 * system.n) for _ in range(3))
    for k in range(system.n):
        here = slice(6 * k, 6 * k + 6)
        for c in _children(system, k):
            there = slice(6 * c, 6 * c + 6)
            z[here] += E_phi[here, there] @ z[there] + K[here, at[c]] @ x[at[c]]
            w[here] += E_psi[here, there] @ w[there] + K[here, at[c]] @ x[at[c]]
        coloured[at[k]] = system.H[k] @ z[here] + x[at[k]]
        white[at[k]] = x[at[k]] - system.H[k] @ w[here]
    for k in reversed(range(system.n)):
        here, p = slice(6 * k, 6 * k + 6), system.parent[k]
        lam[here] = system.H[k].T @ x[at[k]]
        smooth[at[k]] = x[at[k]]
        if p != NO_PARENT:
            there = slice(6 * p, 6 * p + 6)
            lam[here] += E_psi[there, here].T @ lam[there]
            smooth[at[k]] -= K[there, at[k]].T @ lam[there]
    pairs = [
        (coloured, (one + H @ phi @ K) @ x),
        (white, (one - H @ psi @ K) @ x),
        (smooth, (one - H @ psi @ K).T @ x),
    ]
    return max(relative_difference(a, b) for a, b in pairs)


def tree_forward_dynamics(system: BlockSystem) -> float:
    """The two loops of 002 (A.2) solve 𝓜β̇ = T̂ [SOA-99]."""
    D, E_psi, K = (letter_value(name, system) for name in ("D", "E_psi", "K"))
    at, force = _joint_slices(system), system.vectors["T"][:, 0]
    nu, rate = np.zeros(system.N), np.zeros(system.N)
    z, alpha = np.zeros(6 * system.n), np.zeros(6 * system.n)
    for k in range(system.n):
        here = slice(6 * k, 6 * k + 6)
        for c in _children(system, k):
            there = slice(6 * c, 6 * c + 6)
            z[here] += E_psi[here, there] @ z[there] + K[here, at[c]] @ force[at[c]]
        nu[at[k]] = np.linalg.solve(D[at[k], at[k]], force[at[k]] - system.H[k] @ z[here])
    for k in reversed(range(system.n)):
        here, p = slice(6 * k, 6 * k + 6), system.parent[k]
        alpha[here] = system.H[k].T @ nu[at[k]]
        rate[at[k]] = nu[at[k]]
        if p != NO_PARENT:
            there = slice(6 * p, 6 * p + 6)
            alpha[here] += E_psi[there, here].T @ alpha[there]
            rate[at[k]] -= K[there, at[k]].T @ alpha[there]
    return relative_difference(rate, np.linalg.solve(letter_value("Mass", system), force))


def floating_base(system: BlockSystem) -> float:
    """For a free base n: D(n) = P(n), G(n) = I, τ̄(n) = 0 [SOA-66]."""
    D, P, G, tau_bar = (letter_value(name, system) for name in ("D", "P", "G", "tau_bar"))
    last = system.n - 1
    pairs = [
        (D[-6:, -6:], body_block(P, last, last)),
        (G[-6:, -6:], np.eye(6)),
        (body_block(tau_bar, last, last), np.zeros((6, 6))),
    ]
    return max(relative_difference(a, b) for a, b in pairs)


def jacobian_columns(system: BlockSystem) -> float:
    """J(a,k) = φ*(k, C_a)H*(k) for the bodies k inboard of point a, else zero [SOA-98]."""
    phi, J = letter_value("phi", system), letter_value("J", system)
    rows = [np.hstack([(body_block(phi, k, m) @ B).T @ h.T for k, h in enumerate(system.H)]) for m, B in system.points]
    return relative_difference(np.vstack(rows), J) if rows else 0.0


def _upsilon(system: BlockSystem) -> list[Array]:
    """Υ(k) = ψ*(p,k)Υ(p)ψ(p,k) + H*(k)D⁻¹(k)H(k), base to tip [SOA-76]."""
    E_psi, D, at = letter_value("E_psi", system), letter_value("D", system), _joint_slices(system)
    result: list[Array] = [np.zeros((6, 6))] * system.n
    for k in reversed(range(system.n)):
        own, p = system.H[k].T @ np.linalg.solve(D[at[k], at[k]], system.H[k]), system.parent[k]
        step = body_block(E_psi, p, k) if p != NO_PARENT else np.zeros((6, 6))
        result[k] = own + (step.T @ result[p] @ step if p != NO_PARENT else 0.0)
    return result


def upsilon_recursion(system: BlockSystem) -> float:
    """The recursion gives the diagonal blocks of Ω, on trees too [SOA-76]."""
    Omega = letter_value("Omega", system)
    diagonal = block_diagonal([body_block(Omega, k, k) for k in range(system.n)])
    return relative_difference(block_diagonal(_upsilon(system)), diagonal)


def omega_on_a_tree(system: BlockSystem) -> float:
    """Ω(i,j) = ψ*(c,i)Υ(c)ψ(c,j) for the closest common ancestor c, zero without one [SOA-77]."""
    psi, Omega, upsilon = letter_value("psi", system), letter_value("Omega", system), _upsilon(system)
    result = np.zeros_like(Omega)
    for i in range(system.n):
        for j in range(system.n):
            inboard = [_inboard(system, k) for k in (i, j)]
            common = next((c for c in inboard[0] if c in inboard[1]), None)
            if common is not None:
                block = body_block(psi, common, i).T @ upsilon[common] @ body_block(psi, common, j)
                result[6 * i : 6 * i + 6, 6 * j : 6 * j + 6] = block
    return relative_difference(result, Omega)


def omega_from_its_diagonal(system: BlockSystem) -> float:
    """Ω = Υ + ψ̃*Υ + Υψ̃ with Υ the diagonal blocks of Ω, which 002 claims for trees too [SOA-75, E-16]."""
    psi_tilde, Omega = letter_value("psi_tilde", system), letter_value("Omega", system)
    Upsilon = block_diagonal([body_block(Omega, k, k) for k in range(system.n)])
    return relative_difference(Omega, Upsilon + psi_tilde.T @ Upsilon + Upsilon @ psi_tilde)


def _inboard(system: BlockSystem, k: int) -> list[int]:
    path = []
    while k != NO_PARENT:
        path.append(k)
        k = system.parent[k]
    return path
