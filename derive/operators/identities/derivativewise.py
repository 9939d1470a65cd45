"""Residuals of statements about derivatives along joints [section 14]; zero where they hold.

Formulas are as the specification writes them, in inertial axes; what they are compared with are complex steps of poses and of
Lagrange's mass matrix (`changes`). Indices run from 0, body 1 first. Most statements are about joints of one freedom, so that
joint, body and rate have one number.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

import numpy as np

from derive.operators.block_system import NO_PARENT, Array, block_system
from derive.operators.differentiate import Frame, differentiate
from derive.operators.evaluate import block_diagonal, body_block, evaluate, letter_value
from derive.operators.expr import Letter
from derive.operators.identities.changes import change, mass_changes, paper_rates, rates_of
from derive.operators.identities.formulas import H_star, inertial_system, link_inertia, phi
from derive.operators.identities.motion import Motion
from derive.operators.identities.vectorwise import companion_Q, companion_S, shift, worst
from derive.operators.parse import parse_expression

Pick: TypeAlias = Callable[[Motion, int, int], Array]
POINT = np.array([0.3, -0.2, 0.5])  # 𝕀, fixed in space


def inboard(motion: Motion, i: int, k: int) -> bool:
    """Whether body i is body k or inboard of it."""
    while k != NO_PARENT and k < i:
        k = motion.parent[k]
    return k == i


def strictly_inboard(motion: Motion, i: int, k: int) -> bool:
    """Whether body i is inboard of body k."""
    return i != k and inboard(motion, i, k)


def HH(motion: Motion, i: int) -> Array:
    """ℍ(i) = 𝒮[H*(i)] [SOA-118]."""
    return companion_S(H_star(motion, i)[:, 0])


def HH_as_printed(motion: Motion, i: int) -> Array:
    """𝒮*[H*(i)] [E-28]."""
    return HH(motion, i).T


def at_and_outboard(motion: Motion, i: int, k: int) -> Array:
    """ℍⁱ(k) = ℍ(i)δ_{k≤i}."""
    return HH(motion, i) if inboard(motion, i, k) else np.zeros((6, 6))


def outboard(motion: Motion, i: int, k: int) -> Array:
    """ℍⁱ_s(k) = ℍ(i)δ_{k<i}."""
    return HH(motion, i) if strictly_inboard(motion, i, k) else np.zeros((6, 6))


def outboard_as_printed(motion: Motion, i: int, k: int) -> Array:
    """ℍ(i) for k > i, zero for k ≤ i [E-29]."""
    return HH(motion, i) if k > i else np.zeros((6, 6))


def at(motion: Motion, i: int, k: int) -> Array:
    """ℍⁱ_δ(k) = ℍ(i)δ_{k=i}."""
    return HH(motion, i) if k == i else np.zeros((6, 6))


def stacked(motion: Motion, pick: Pick, i: int) -> Array:
    """The block-diagonal operator."""
    return block_diagonal([pick(motion, i, k) for k in range(motion.n)])


# -- pick-off operators [SOA-118] ------------------------------------------------------------------------------------------


def pick_off(motion: Motion, small: Pick = outboard) -> float:
    """ℍ(i) = diag(h̃, h̃) turns what is outboard: [H*]_{θ_i} = ℍⁱ_sH*; ℍⁱ = ℍⁱ_s + ℍⁱ_δ; H(i)ℍ(i) = 0."""
    pairs: list[tuple[Array, Array]] = []
    H = letter_value("H", inertial_system(motion))
    for i in range(motion.n):
        whole, part, own = (stacked(motion, pick, i) for pick in (at_and_outboard, small, at))
        pairs.append((whole, part + own))
        pairs.append((own, -own.T))
        pairs.append((H @ own, np.zeros_like(H)))
        pairs.append((change(motion, "H", *rates_of(motion, i)).T, part @ H.T))
    return worst(pairs)


def printed_pick_off(motion: Motion) -> float:
    """The derivative of H* with 𝒮* for 𝒮 [E-28]."""
    H = letter_value("H", inertial_system(motion))
    printed = [
        block_diagonal([HH_as_printed(motion, i) * strictly_inboard(motion, i, k) for k in range(motion.n)])
        for i in range(motion.n)
    ]
    return worst((change(motion, "H", *rates_of(motion, i)).T, printed[i] @ H.T) for i in range(motion.n))


def shifted_pick_off(motion: Motion) -> float:
    """ℍⁱ_s = S*ℍⁱS on a chain."""
    S = letter_value("S", inertial_system(motion))
    return worst((stacked(motion, outboard, i), S.T @ stacked(motion, at_and_outboard, i) @ S) for i in range(motion.n))


def compositions(motion: Motion) -> float:
    """Lemma 2.4: blocks of products of pick-off operators with any X, Y."""
    n, pairs = motion.n, []
    X, Y = np.random.default_rng(n).standard_normal((2, 6 * n, 6 * n))
    for i in range(n):
        for pick in (outboard, at_and_outboard, at):
            left, right = stacked(motion, pick, i) @ X, X @ stacked(motion, pick, i)
            for k in range(n):
                for j in range(n):
                    pairs.append((body_block(left, k, j), pick(motion, i, k) @ body_block(X, k, j)))
                    pairs.append((body_block(right, k, j), body_block(X, k, j) @ pick(motion, i, j)))
        both = X @ stacked(motion, at, i) @ Y
        pairs += [
            (body_block(both, k, j), body_block(X, k, i) @ HH(motion, i) @ body_block(Y, i, j))
            for k in range(n)
            for j in range(n)
        ]
    return worst(pairs)


# -- links and operators [SOA-119 … SOA-121] -------------------------------------------------------------------------------


def turn(motion: Motion, k: int) -> Array:
    """Ω̃(k) = diag(ω̃(k), ω̃(k)), zero for the ground."""
    return companion_S(np.array([*motion.V[k][:3], 0.0, 0.0, 0.0]))


def link_rates(motion: Motion) -> float:
    """Ṁ(k) = Ω̃(k)M(k) − M(k)Ω̃(k), Ḣ*(k) = Ω̃(p)H*(k), φ̇(p,k) = Ω̃(p)φ(p,k) − φ(p,k)Ω̃(p) [SOA-119]."""
    dM, dH, dE = (change(motion, letter) for letter in ("M", "H", "E_phi"))
    pairs = []
    for k, p in enumerate(motion.parent):
        own, parents = turn(motion, k), turn(motion, p)
        M, h, step = link_inertia(motion, k), H_star(motion, k), phi(motion, k)
        pairs.append((body_block(dM, k, k), own @ M - M @ own))
        pairs.append((dH[k : k + 1, 6 * k : 6 * k + 6].T, parents @ h))
        if p != NO_PARENT:
            pairs.append((body_block(dE, p, k), parents @ step - step @ parents))
    return worst(pairs)


def link_sensitivities(motion: Motion) -> float:
    """[φ(p,k)]_{θ_i} = [ℍ(i)φ − φℍ(i)]δ_{k<i}, [H*(k)]_{θ_i} = ℍ(i)H*(k)δ_{k<i}, [M(k)]_{θ_i} = [ℍ(i)M − Mℍ(i)]δ_{k≤i}."""
    pairs = []
    for i in range(motion.n):
        dM, dH, dE = (change(motion, letter, *rates_of(motion, i)) for letter in ("M", "H", "E_phi"))
        for k, p in enumerate(motion.parent):
            small, large = outboard(motion, i, k), at_and_outboard(motion, i, k)
            M, step = link_inertia(motion, k), phi(motion, k)
            pairs.append((body_block(dM, k, k), large @ M - M @ large))
            pairs.append((dH[k : k + 1, 6 * k : 6 * k + 6].T, small @ H_star(motion, k)))
            if p != NO_PARENT:
                pairs.append((body_block(dE, p, k), small @ step - step @ small))
    return worst(pairs)


def phi_blocks(motion: Motion) -> float:
    """[φ]_{θ_i}(k,j) = [φ(k,i)ℍ(i)φ(i,j)δ_{k≥i} − φ(k,j)ℍ(i) + ℍ(i)φ(k,j)δ_{k<i}]δ_{j<i}; the same for H(k)φ(k,j) [SOA-121]."""
    step, H, pairs = letter_value("phi", inertial_system(motion)), letter_value("H", inertial_system(motion)), []
    for i in range(motion.n):
        dphi, dH, h = (*(change(motion, letter, *rates_of(motion, i)) for letter in ("phi", "H")), HH(motion, i))
        block = np.zeros_like(step)
        for k, j in np.ndindex(motion.n, motion.n):
            if strictly_inboard(motion, i, j):
                inner = body_block(step, k, i) @ h @ body_block(step, i, j) if inboard(motion, k, i) else 0.0
                outer = h @ body_block(step, k, j) if strictly_inboard(motion, i, k) else 0.0
                body_block(block, k, j)[:] = inner - body_block(step, k, j) @ h + outer
        own, whole = stacked(motion, at, i), stacked(motion, at_and_outboard, i)
        pairs.append((dphi, block))
        pairs.append((dH @ step + H @ dphi, H @ step @ (own @ step - whole)))
    return worst(pairs)


def operator_sensitivities(motion: Motion) -> float:
    """[E_φ] = ℍⁱE_φ − E_φℍⁱ_s, [H*] = ℍⁱ_sH*, [M] = ℍⁱM − Mℍⁱ, [φ] = φℍⁱ_δφ − φℍⁱ + ℍⁱ_sφ [SOA-120, SOA-121]."""
    E, phi_, H, M = (letter_value(letter, inertial_system(motion)) for letter in ("E_phi", "phi", "H", "M"))
    pairs = []
    for i in range(motion.n):
        whole, part, own = (stacked(motion, pick, i) for pick in (at_and_outboard, outboard, at))
        dE, dphi, dH, dM = (change(motion, letter, *rates_of(motion, i)) for letter in ("E_phi", "phi", "H", "M"))
        pairs.append((dE, whole @ E - E @ part))
        pairs.append((dH.T, part @ H.T))
        pairs.append((dM, whole @ M - M @ whole))
        pairs.append((dphi, phi_ @ own @ phi_ - phi_ @ whole + part @ phi_))
    return worst(pairs)


def operator_rates(motion: Motion) -> float:
    """Ė_φ = Ω̃E_φ − E_φΩ̃_s, Ḣ* = Ω̃_sH*, Ṁ = Ω̃M − MΩ̃, φ̇ = φΩ̃_δφ + Ω̃_sφ − φΩ̃ = φΩ̃φ̃ − φ̃Ω̃_sφ with Ω̃ = Σℍⁱθ̇(i) [SOA-120 …].

    And (Hφ)˙ = Hφ(Ω̃_δφ − Ω̃) [SOA-122].
    """
    E, phi_, H, M = (letter_value(letter, inertial_system(motion)) for letter in ("E_phi", "phi", "H", "M"))
    rates = [motion.beta[i][0] for i in range(motion.n)]
    whole, part = (
        np.sum([stacked(motion, pick, i) * rate for i, rate in enumerate(rates)], axis=0)
        for pick in (at_and_outboard, outboard)
    )
    dphi, own, strict = change(motion, "phi"), whole - part, phi_ - np.eye(len(phi_))
    return worst(
        [
            (whole, block_diagonal([turn(motion, k) for k in range(motion.n)])),
            (change(motion, "E_phi"), whole @ E - E @ part),
            (change(motion, "H").T, part @ H.T),
            (change(motion, "M"), whole @ M - M @ whole),
            (dphi, phi_ @ own @ phi_ + part @ phi_ - phi_ @ whole),
            (dphi, phi_ @ whole @ strict - strict @ part @ phi_),
            (change(motion, "H") @ phi_ + H @ dphi, H @ phi_ @ (own @ phi_ - whole)),
        ]
    )


def step_rates(motion: Motion) -> float:
    """[Δ_φ] = ℍⁱ_sΔ_φ − Δ_φℍⁱ_s, Δ̇_φ = Ω̃_sΔ_φ − Δ_φΩ̃_s on a chain, Ω̃_s = S*Ω̃S; the step to the ground counts too [SOA-120]."""
    D, S = (letter_value(letter, inertial_system(motion)) for letter in ("Delta_phi", "S"))
    pairs = []
    for i in range(motion.n):
        part = stacked(motion, outboard, i)
        pairs.append((change(motion, "Delta_phi", *rates_of(motion, i)), part @ D - D @ part))
    turned = S.T @ block_diagonal([turn(motion, k) for k in range(motion.n)]) @ S
    pairs.append((change(motion, "Delta_phi"), turned @ D - D @ turned))
    return worst(pairs)


# -- any joint [SOA-129] ---------------------------------------------------------------------------------------------------

SERIAL_LETTERS = ("S", "Delta_phi", "Delta_psi", "L")
_LETTERS = ("E_phi", "phi", "H", "M", "P", "D", "G", "K", "psi", "R")


def derivation(motion: Motion, frame: Frame = "link", letters: tuple[str, ...] = _LETTERS) -> float:
    """`differentiate` gives the derivative of every letter along a rate of any joint, articulated letters too."""
    system = block_system(motion.model, motion.q) if frame == "link" else inertial_system(motion)
    rates, pairs = paper_rates(motion), []
    for position in {0, len(rates) // 2, len(rates) - 1}:
        along = replace(system, along={"i": np.eye(len(rates))[position]}, memo={})
        for name in letters:
            truth = change(motion, name, rates[position], link_frames=frame == "link")
            pairs.append((evaluate(differentiate(Letter(name), frame=frame), along), truth))
    return worst(pairs)


def sensitivity_of_mass(motion: Motion, text: str) -> float:
    """∂𝓜/∂θ_i by an expression in 𝒮ᵢ, along every rate."""
    system, expr = inertial_system(motion), parse_expression(text)
    found = [evaluate(expr, system, along={"i": position}) for position, _ in enumerate(paper_rates(motion))]
    return worst(zip(found, mass_changes(motion), strict=True))


def log_det(motion: Motion) -> float:
    """∂ log det 𝓜 = tr(D⁻¹∂D) = 2 H(i)u(i)."""
    system = block_system(motion.model, motion.q)
    D, dD = letter_value("D", system), differentiate("D")
    inverse = np.linalg.inv(letter_value("Mass", system))
    truth = np.array([np.trace(inverse @ change) for change in mass_changes(motion)])
    traces = [np.trace(np.linalg.solve(D, evaluate(dD, system, along={"i": i}))) for i in range(len(truth))]
    gradient = 2.0 * letter_value("H", system) @ letter_value("u", system)
    return worst([(truth, np.array(traces)), (truth, gradient[:, 0])])


# -- components [SOA-127, SOA-128] -----------------------------------------------------------------------------------------


def components(motion: Motion) -> float:
    """𝓜_{θ_i}(j,k) by φ, R and ℍ [SOA-127]."""
    system = inertial_system(motion)
    phi_, R, H = (letter_value(letter, system) for letter in ("phi", "R", "H"))
    found = np.zeros_like(mass_changes(motion))
    for i, j, k in np.ndindex(found.shape):
        X = np.zeros((6, 6))
        turned = HH(motion, i) @ body_block(R, i, i) - body_block(R, i, i) @ HH(motion, i)
        if strictly_inboard(motion, k, i) and strictly_inboard(motion, j, i):
            X = X + body_block(phi_, k, i) @ turned @ body_block(phi_, j, i).T
        if inboard(motion, i, j) and strictly_inboard(motion, k, i):
            X = X + body_block(phi_, k, i) @ HH(motion, i) @ body_block(phi_, i, j) @ body_block(R, j, j)
        if inboard(motion, i, k) and strictly_inboard(motion, j, i):
            X = X - body_block(R, k, k) @ body_block(phi_, i, k).T @ HH(motion, i) @ body_block(phi_, j, i).T
        found[i, j, k] = H[k, 6 * k : 6 * k + 6] @ X @ H[j, 6 * j : 6 * j + 6]
    return worst([(found, mass_changes(motion))])


def seen_from(motion: Motion, k: int) -> Array:
    """H_𝕀*(k) = φ*(k,𝕀)H*(k) [SOA-128]."""
    return np.asarray(shift(POINT - motion.O[k]).T @ H_star(motion, k)[:, 0])


def composite_seen_from(motion: Motion, k: int) -> Array:
    """R_𝕀(k) = φ(𝕀,k)R(k)φ*(𝕀,k) [SOA-128]."""
    step = shift(motion.O[k] - POINT)
    return np.asarray(step @ body_block(letter_value("R", inertial_system(motion)), k, k) @ step.T)


def composite_as_printed(motion: Motion, k: int) -> Array:
    """φ(n,k)R(k)φ*(n,k) [E-31]."""
    step = shift(motion.O[k] - motion.O[motion.n - 1])
    return np.asarray(step @ body_block(letter_value("R", inertial_system(motion)), k, k) @ step.T)


def inertial_quantities(motion: Motion) -> float:
    """H_𝕀* = [h; v + ℓ(𝕀,k) × h], ℍ_𝕀(k) = φ(𝕀,k)ℍ(k)φ(k,𝕀), ℍ_𝕀(i)X = −𝒬[X]H_𝕀*(i), H_𝕀(i)ℍ_𝕀(i) = 0 [SOA-128].

    v is zero for turning joints and the axis, with h zero, for sliding ones.
    """
    X, pairs = np.random.default_rng(motion.n).standard_normal(6), []
    for k in range(motion.n):
        h, v, seen = H_star(motion, k)[:3, 0], H_star(motion, k)[3:, 0], seen_from(motion, k)
        pairs.append((seen, np.array([*h, *(v + np.cross(motion.O[k] - POINT, h))])))
        pairs.append((companion_S(seen), shift(motion.O[k] - POINT) @ HH(motion, k) @ shift(POINT - motion.O[k])))
        pairs.append((companion_S(seen) @ X, -companion_Q(X) @ seen))
        pairs.append((seen @ companion_S(seen), np.zeros(6)))
    return worst(pairs)


def inertial_components(
    motion: Motion, composite: Callable[[Motion, int], Array] = composite_seen_from, *, printed: bool = False
) -> float:
    """𝓜_{θ_i}(j,k) by inertially referenced quantities [SOA-127]; `printed` lacks the case j ≤ i < k [E-32]."""
    h = [seen_from(motion, k) for k in range(motion.n)]
    S = [companion_S(column) for column in h]
    R = [composite(motion, k) for k in range(motion.n)]
    found = np.zeros_like(mass_changes(motion))
    for i, j, k in np.ndindex(found.shape):
        if strictly_inboard(motion, j, i) and strictly_inboard(motion, k, i):
            found[i, j, k] = h[j] @ (S[i] @ R[i] + R[i] @ S[i].T) @ h[k]
        elif strictly_inboard(motion, j, i) and inboard(motion, i, k):
            found[i, j, k] = h[j] @ S[i] @ R[k] @ h[k]
        elif strictly_inboard(motion, k, i) and inboard(motion, i, j) and not printed:
            found[i, j, k] = h[j] @ R[j] @ S[i].T @ h[k]
    return worst([(found, mass_changes(motion))])
