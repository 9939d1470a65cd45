"""Section 17 of the specification: every link's quantities in its own axes, and the two ways to write biases there.

The sensitivities in link frames, SOA-141, are with those of section 14 in `sensitivity`.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from derive.operators.block_system import NO_PARENT, Array, block_system, cross_matrix, transition
from derive.operators.evaluate import block_diagonal, letter_value
from derive.operators.identities.entry import Identity, MotionCheck
from derive.operators.identities.formulas import bias_acceleration, gyroscopic_bias, inertial_system
from derive.operators.identities.motion import GRAVITY, Motion, twist_rate
from derive.operators.identities.vectorwise import ZERO, spatial_cross, worst
from derive.reference.bodies import tip_arrays
from derive.reference.lagrange import Jet
from derive.states import neutral

#: joints whose H̄ does not depend on the configuration
CONSTANT_H = ("revolute", "continuous", "prismatic", "helical", "cylindrical", "spherical", "floating")


def _turn(R: Array) -> Array:
    """diag(R, R)."""
    return block_diagonal([R, R])


def projection(motion: Motion) -> float:
    """Ē_φ = 𝐓*E_φ𝐓, H̄ = H𝐓, M̄ = 𝐓*M𝐓, P̄ = 𝐓*P𝐓, V̄ = 𝐓*V, while D, 𝓜 and 𝓜⁻¹ are the same in both [SOA-140]."""
    link, inertial = block_system(motion.model, motion.q), inertial_system(motion)
    T = block_diagonal([_turn(R) for R in motion.R[:-1]])
    turned = [(letter_value(name, link), T.T @ letter_value(name, inertial) @ T) for name in ("E_phi", "M", "P")]
    same = [(letter_value(name, link), letter_value(name, inertial)) for name in ("D", "Mass")]
    H, phi, mass = (letter_value(name, link) for name in ("H", "phi", "Mass"))
    V = phi.T @ H.T @ motion.in_paper_order(motion.qd)
    return worst(
        [
            *turned,
            *same,
            (H, letter_value("H", inertial) @ T),
            (np.linalg.inv(mass), np.linalg.inv(letter_value("Mass", inertial))),
            (V, T.T @ np.concatenate(motion.V[:-1])),
        ]
    )


def steps_with_rotation(motion: Motion) -> float:
    """φ(p,k) = [[Q, ℓ̃Q], [0, Q]] and φ⁻¹(p,k) = [[Q*, −Q*ℓ̃], [0, Q*]], Q = R_p*R_k, ℓ in parent axes [SOA-140]."""
    link = block_system(motion.model, motion.q)
    pairs = []
    for k, p in enumerate(motion.parent):
        Q, ell = motion.R[p].T @ motion.R[k], cross_matrix(motion.R[p].T @ (motion.O[k] - motion.O[p]))
        pairs.append((link.phi[k], np.block([[Q, ell @ Q], [ZERO, Q]])))
        pairs.append((np.linalg.inv(link.phi[k]), np.block([[Q.T, -Q.T @ ell], [ZERO, Q.T]])))
    return worst(pairs)


def constant_joint_maps(motion: Motion) -> float:
    """H̄(k) = H(k)𝐓(k) is what it is in the neutral configuration, for the kinds `CONSTANT_H` [SOA-140]."""
    return worst(
        (h @ _turn(motion.R[k]), block_system(motion.model, neutral(motion.model)).H[k])
        for k, h in enumerate(inertial_system(motion).H)
    )


def _accelerations_and_forces(
    motion: Motion, a: Sequence[Array], b: Sequence[Array], base: Array
) -> tuple[list[Array], Array]:
    """α(k) and T by the recursions of section 2 in link frames, for biases a, b and acceleration `base` of the ground."""
    link = block_system(motion.model, motion.q)
    alpha = [base] * (motion.n + 1)
    for k in reversed(range(motion.n)):
        alpha[k] = link.phi[k].T @ alpha[link.parent[k]] + link.H[k].T @ motion.beta_dot[k] + a[k]
    f = [link.M[k] @ alpha[k] + b[k] for k in range(motion.n)]
    for k, p in enumerate(link.parent):
        if p != NO_PARENT:
            f[p] = f[p] + link.phi[k] @ f[k]
    return alpha[:-1], np.concatenate([h @ force for h, force in zip(link.H, f, strict=True)])


def conventional_biases(motion: Motion) -> float:
    """a(k), b(k) of section 2 in link axes give 𝐓*α, and T under gravity [SOA-142]."""
    turns = [_turn(R) for R in motion.R[:-1]]
    a = [turn.T @ bias_acceleration(motion, k) for k, turn in enumerate(turns)]
    b = [turn.T @ gyroscopic_bias(motion, k) for k, turn in enumerate(turns)]
    alpha, _ = _accelerations_and_forces(motion, a, b, np.zeros(6))
    _, T = _accelerations_and_forces(motion, a, b, np.array([0, 0, 0, *-GRAVITY]))
    truth = [turn.T @ x for turn, x in zip(turns, motion.alpha, strict=False)]
    return worst([*zip(alpha, truth, strict=True), (T, motion.torques(GRAVITY))])


def body_derivative_biases(motion: Motion) -> float:
    """a(k) = Ṽ(k)H*(k)β(k), b(k) = −Ṽ*(k)M(k)V(k) give α_b = d/dt V̄ = 𝐓*α − [0; ω × v], and T under gravity [SOA-142]."""
    link = block_system(motion.model, motion.q)
    V = [_turn(R).T @ x for R, x in zip(motion.R, motion.V, strict=True)]
    a = [spatial_cross(V[k]) @ link.H[k].T @ motion.beta[k] for k in range(motion.n)]
    b = [-spatial_cross(V[k]).T @ link.M[k] @ V[k] for k in range(motion.n)]
    alpha, _ = _accelerations_and_forces(motion, a, b, np.zeros(6))
    _, T = _accelerations_and_forces(motion, a, b, np.array([0, 0, 0, *-GRAVITY]))
    pairs = [(T, motion.torques(GRAVITY)), *zip(alpha, motion.body_rates, strict=False)]
    for k, x in enumerate(alpha):
        turning = np.array([0, 0, 0, *np.cross(V[k][:3], V[k][3:])])
        pairs.append((x + turning, _turn(motion.R[k]).T @ motion.alpha[k]))
    return worst(pairs)


def tip_without_bias(motion: Motion) -> float:
    """α_b(0) = φ*(1,0)α_b(1) for a tip frame fixed in link 1: a(0) = 0 [SOA-142]."""
    _, rotation, point = tip_arrays(motion.model.numeric().tips[0])
    k, _ = motion.tip
    placed = np.block([[rotation, point[:, None]], [np.zeros((1, 3)), np.ones((1, 1))]])
    tip = Jet(*(derivative @ placed for derivative in motion.jets[k]))
    return worst([(transition(rotation, point).T @ motion.body_rates[k], twist_rate(tip))])


ENTRIES = (
    Identity(
        "SOA-140",
        "Projection on link frames",
        "extension",
        checks=(
            MotionCheck("Ē_φ = 𝐓*E_φ𝐓, H̄ = H𝐓, M̄ = 𝐓*M𝐓, V̄ = 𝐓*V; D, 𝓜, 𝓜⁻¹ unchanged", projection),
            MotionCheck("φ(p,k) = [[Q, ℓ̃Q], [0, Q]] and its inverse", steps_with_rotation),
            MotionCheck("H̄(k) is constant, but for universal and planar joints", constant_joint_maps, CONSTANT_H),
        ),
    ),
    Identity(
        "SOA-142",
        "Biases in link frames",
        "extension",
        checks=(
            MotionCheck("conventional: a, b of section 2 in link axes give T", conventional_biases),
            MotionCheck(
                "body-derivative: a = ṼH*β, b = −Ṽ*MV give the same T, α = α_b + [0; ω × v]",
                body_derivative_biases,
                CONSTANT_H,
            ),
            MotionCheck("body-derivative: a(0) = 0", tip_without_bias),
        ),
        note="the body-derivative form requires H̄ constant in link k",
    ),
)
