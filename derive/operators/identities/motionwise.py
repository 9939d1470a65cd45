"""Residuals of statements about robots in motion [sections 2, 3, 6, 10 and 13]; zero where they hold.

Each evaluates the formulas as the specification writes them and compares what comes out with the derivatives of poses and
the d'Alembert forces of `Motion`, or with the joint forces of `derive.reference`. Indices run from 0, body 1 first.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np
from numpy import cross

from derive.operators.block_system import NO_PARENT, Array
from derive.operators.evaluate import letter_value
from derive.operators.identities.formulas import (
    H_star,
    bias_acceleration,
    ell,
    gyroscopic_bias,
    inertial_system,
    link_inertia,
    phi,
    tip_bias,
)
from derive.operators.identities.motion import GRAVITY, Motion
from derive.operators.identities.vectorwise import quaternion_rate, rotation_rate, shift, worst
from derive.reference import kinetic_energy

Bias: TypeAlias = Callable[[Motion, int], Array]


# -- velocities and accelerations [SOA-10 … SOA-14] --------------------------------------------------------------------


def joint_map(motion: Motion) -> float:
    """V(k) − φ*(p,k)V(p) = H*(k)β(k), and H*(k) has full column rank [SOA-10]."""
    pairs = []
    for k, p in enumerate(motion.parent):
        columns = H_star(motion, k)
        pairs.append((motion.V[k] - phi(motion, k).T @ motion.V[p], columns @ motion.beta[k]))
        pairs.append((np.array(np.linalg.matrix_rank(columns)), np.array(columns.shape[1])))
    return worst(pairs)


def _base_to_tip(motion: Motion, base: Array, own: Sequence[Array]) -> list[Array]:
    """x(k) = φ*(p,k)x(p) + own(k), base to tip; the ground's value last."""
    x = [base] * (motion.n + 1)
    for k in reversed(range(motion.n)):
        x[k] = phi(motion, k).T @ x[motion.parent[k]] + own[k]
    return x


def _at_tip(motion: Motion, x: Sequence[Array]) -> Array:
    """φ*(1,0)x(1) for the tip's body."""
    body, point = motion.tip
    return np.asarray(shift(point - motion.O[body]).T @ x[body])


def velocity_recursion(motion: Motion) -> float:
    """V(k) = φ*(p,k)V(p) + H*(k)β(k), V(0) = φ*(1,0)V(1) [SOA-11]."""
    V = _base_to_tip(motion, np.zeros(6), [H_star(motion, k) @ motion.beta[k] for k in range(motion.n)])
    return worst([*zip(V, motion.V, strict=True), (_at_tip(motion, V), motion.tip_motion[0])])


def bias_residual(motion: Motion, kind: str, formula: Bias) -> float:
    """a(k) = α(k) − φ*(p,k)α(p) − H*(k)β̇(k) by `formula`, at the joints of one kind (any kind: "")."""
    pairs = []
    for k, p in enumerate(motion.parent):
        if kind in ("", motion.kinds[k]):
            truth = motion.alpha[k] - phi(motion, k).T @ motion.alpha[p] - H_star(motion, k) @ motion.beta_dot[k]
            pairs.append((formula(motion, k), truth))
    return worst(pairs)


def _axis_rate(motion: Motion, k: int) -> Array:
    """hθ̇ of a joint with one axis fixed in both bodies, all its rates along it added up."""
    columns = H_star(motion, k)
    return np.asarray((columns[:3] + columns[3:]) @ motion.beta[k])


def _centripetal(motion: Motion, k: int) -> Array:
    """ω(p) × (ω(p) × ℓ(p,k))."""
    omega_p = motion.V[motion.parent[k]][:3]
    return cross(omega_p, cross(omega_p, ell(motion, k)))


def revolute_bias(motion: Motion, k: int) -> Array:
    """[ω(p) × hθ̇; ω(p) × (ω(p) × ℓ)] [SOA-12]."""
    return np.concatenate([cross(motion.V[motion.parent[k]][:3], _axis_rate(motion, k)), _centripetal(motion, k)])


def revolute_bias_by_velocities(motion: Motion, k: int) -> Array:
    """[ω(p) × ω(k); ω(p) × (ω(p) × ℓ)] [SOA-12]; a ball joint has the same [SOA-13]."""
    return np.concatenate([cross(motion.V[motion.parent[k]][:3], motion.V[k][:3]), _centripetal(motion, k)])


def sliding_bias(motion: Motion, k: int, factor: float = 2.0) -> Array:
    """[0; ω(p) × (ω(p) × ℓ + 2hθ̇)] [SOA-13]; 000 prints the factor 1 [E-3]."""
    omega_p = motion.V[motion.parent[k]][:3]
    return np.concatenate(
        [np.zeros(3), cross(omega_p, cross(omega_p, ell(motion, k)) + factor * _axis_rate(motion, k))]
    )


def sliding_bias_by_velocities(motion: Motion, k: int) -> Array:
    """[0; ω(p) × (v(k) − v(p) + hθ̇)] [SOA-13]."""
    p = motion.parent[k]
    relative = motion.V[k][3:] - motion.V[p][3:] + _axis_rate(motion, k)
    return np.concatenate([np.zeros(3), cross(motion.V[p][:3], relative)])


def sliding_bias_as_printed(motion: Motion, k: int) -> Array:
    """[0; ω(p) × (ω(p) × ℓ + v(k))], the second form of 000 [E-3]."""
    omega_p = motion.V[motion.parent[k]][:3]
    return np.concatenate([np.zeros(3), cross(omega_p, cross(omega_p, ell(motion, k)) + motion.V[k][3:])])


def cylindrical_bias(motion: Motion, k: int) -> Array:
    """[ω(p) × hθ̇₁; ω(p) × (ω(p) × ℓ) + 2ω(p) × hθ̇₂] [SOA-13]."""
    omega_p, h = motion.V[motion.parent[k]][:3], H_star(motion, k)[:3, 0]
    turn, slide = motion.beta[k]
    return np.concatenate([cross(omega_p, h * turn), _centripetal(motion, k) + 2 * cross(omega_p, h * slide)])


def universal_bias(motion: Motion, k: int) -> Array:
    """[ω(p) × h₁θ̇₁ + (ω(p) + h₁θ̇₁) × h₂θ̇₂; ω(p) × (ω(p) × ℓ)] [SOA-13]."""
    omega_p = motion.V[motion.parent[k]][:3]
    first, second = (H_star(motion, k)[:3] * motion.beta[k]).T
    return np.concatenate([cross(omega_p, first) + cross(omega_p + first, second), _centripetal(motion, k)])


def ball_bias(motion: Motion, k: int) -> Array:
    """[ω(p) × ω_r; ω(p) × (ω(p) × ℓ)], the basis fixed in link k [SOA-13]."""
    omega_r = H_star(motion, k)[:3] @ motion.beta[k]
    return np.concatenate([cross(motion.V[motion.parent[k]][:3], omega_r), _centripetal(motion, k)])


def free_base_bias(motion: Motion) -> float:
    """α(n) = H*(n)β̇(n) + [0; ω × v] for a free joint on the ground, β in link axes [SOA-13]."""
    pairs = []
    for k, p in enumerate(motion.parent):
        if motion.kinds[k] == "floating" and p == NO_PARENT:
            omega, v = motion.V[k][:3], motion.V[k][3:]
            pairs.append(
                (H_star(motion, k) @ motion.beta_dot[k] + np.array([0, 0, 0, *cross(omega, v)]), motion.alpha[k])
            )
    return worst(pairs)


def _accelerations(motion: Motion, base: Array, rates: Sequence[Array]) -> list[Array]:
    """α(k) = φ*(p,k)α(p) + H*(k)β̇(k) + a(k) [SOA-14]."""
    own = [H_star(motion, k) @ rates[k] + bias_acceleration(motion, k) for k in range(motion.n)]
    return _base_to_tip(motion, base, own)


def acceleration_recursion(motion: Motion, printed: bool = False) -> float:
    """The loop of SOA-14, and α(0) = φ*(1,0)α(1) + a(0); `printed` has β for β̇ [E-20]."""
    alpha = _accelerations(motion, np.zeros(6), motion.beta if printed else motion.beta_dot)
    return worst(
        [*zip(alpha, motion.alpha, strict=True), (_at_tip(motion, alpha) + tip_bias(motion), motion.tip_motion[1])]
    )


# -- forces [SOA-15 … SOA-18] ------------------------------------------------------------------------------------------


def net_force(motion: Motion) -> float:
    """M(k)α(k) + b(k) = [∫(x − O_k) × ẍ dm; ∫ẍ dm] [SOA-15]."""
    return worst(
        (link_inertia(motion, k) @ motion.alpha[k] + gyroscopic_bias(motion, k), motion.net_force[k])
        for k in range(motion.n)
    )


def newton_euler(motion: Motion) -> float:
    """The loops of SOA-16 in 3-vectors, for revolute chains under gravity, give the joint forces of Lagrange's equations."""
    n, O = motion.n, motion.O
    h = [H_star(motion, k)[:3, 0] for k in range(n)]
    omega, omega_dot, v_dot = ([np.zeros(3)] * (n + 1) for _ in range(3))
    v_dot[n] = -GRAVITY
    F_c, N_c = ([np.zeros(3)] * n for _ in range(2))  # N_c about O_k
    for k in reversed(range(n)):
        step, rate = O[k] - O[k + 1], h[k] * motion.beta[k]
        omega_dot[k] = omega_dot[k + 1] + h[k] * motion.beta_dot[k] + cross(omega[k + 1], rate)
        v_dot[k] = v_dot[k + 1] + cross(omega_dot[k + 1], step) + cross(omega[k + 1], cross(omega[k + 1], step))
        omega[k] = omega[k + 1] + rate
        body, R = motion.bodies[k], motion.R[k]
        p, central = R @ body.com, R @ body.inertia @ R.T
        F_c[k] = body.mass * (v_dot[k] + cross(omega_dot[k], p) + cross(omega[k], cross(omega[k], p)))
        N_c[k] = central @ omega_dot[k] + cross(omega[k], central @ omega[k]) + cross(p, F_c[k])
    N, F, T = np.zeros(3), np.zeros(3), []
    for k in range(n):
        N = N + cross(O[k - 1] - O[k], F) + N_c[k]  # F(k−1); at the tip it is zero
        F = F + F_c[k]
        T.append(h[k] @ N)
    return worst([(np.array(T), motion.torques(GRAVITY))])


def _tip_to_base(motion: Motion, alpha: Sequence[Array], f_tip: Array, outer_step: bool = False) -> list[Array]:
    """f(k) = Σ φ(k,c)f(c) + M(k)α(k) + b(k), the tip's force on its body [SOA-17]; `outer_step` takes φ(p,k) for φ(k,c)."""
    body, point = motion.tip
    f: list[Array] = [link_inertia(motion, k) @ alpha[k] + gyroscopic_bias(motion, k) for k in range(motion.n)]
    f[body] = f[body] + shift(point - motion.O[body]) @ f_tip
    for k, p in enumerate(motion.parent):
        if p != NO_PARENT:
            f[p] = f[p] + phi(motion, p if outer_step else k) @ f[k]
    return f


def _joint_forces(motion: Motion, f: Sequence[Array]) -> Array:
    """T(k) = H(k)f(k), stacked."""
    return np.concatenate([H_star(motion, k).T @ f[k] for k in range(motion.n)])


def recursive_spatial_dynamics(motion: Motion, printed: bool = False) -> float:
    """The three loops of SOA-17 give T, and f(k) is the force through joint k; `printed` has φ(k+1,k)f(k−1) [E-9]."""
    f = _tip_to_base(motion, _accelerations(motion, np.zeros(6), motion.beta_dot), motion.f_tip, outer_step=printed)
    return worst([(_joint_forces(motion, f), motion.loaded_torques), *zip(f, motion.joint_force, strict=True)])


def gravity(motion: Motion) -> float:
    """α(n+1) = [0; −g⃗], or a + E[0; −g⃗], gives T under gravity [SOA-18]."""
    g = np.array([0, 0, 0, *-GRAVITY])
    f = _tip_to_base(motion, _accelerations(motion, g, motion.beta_dot), np.zeros(6))
    system = inertial_system(motion)
    E = np.vstack([phi(motion, k).T if p == NO_PARENT else np.zeros((6, 6)) for k, p in enumerate(motion.parent)])
    H, Phi, M, a, b = (letter_value(name, system) for name in ("H", "phi", "M", "a", "b"))
    rates = motion.in_paper_order(motion.qdd)
    stacked = H @ Phi @ (M @ Phi.T @ (H.T @ rates + a[:, 0] + E @ g) + b[:, 0])
    truth = motion.torques(GRAVITY)
    return worst([(_joint_forces(motion, f), truth), (stacked, truth)])


# -- operators [SOA-22, SOA-97] ----------------------------------------------------------------------------------------


def operator_dynamics(motion: Motion) -> float:
    """V = φ*H*β, α = φ*(H*β̇ + a), f = φ(Mα + b + Bf(0)), T = Hf, α(0) = Jβ̇ + B*φ*a + a(0) [SOA-22, SOA-23]."""
    system = inertial_system(motion)
    H, Phi, M, B, J = (letter_value(name, system) for name in ("H", "phi", "M", "B", "J"))
    a, b, qd = (letter_value(name, system)[:, 0] for name in ("a", "b", "qd"))
    qdd = motion.in_paper_order(motion.qdd)
    alpha = Phi.T @ (H.T @ qdd + a)
    f = Phi @ (M @ alpha + b + B @ motion.f_tip)
    return worst(
        [
            (Phi.T @ H.T @ qd, np.concatenate(motion.V[:-1])),
            (alpha, np.concatenate(motion.alpha[:-1])),
            (f, np.concatenate(motion.joint_force)),
            (H @ f, motion.loaded_torques),
            (J @ qd, motion.tip_motion[0]),
            (J @ qdd + B.T @ Phi.T @ a + tip_bias(motion), motion.tip_motion[1]),
        ]
    )


def equations_of_motion(motion: Motion) -> float:
    """T = 𝓜β̇ + 𝓒 + J*f(0), 𝓒 = Hφ(Mφ*a + b) [SOA-97]."""
    system = inertial_system(motion)
    H, Phi, M, mass, J = (letter_value(name, system) for name in ("H", "phi", "M", "Mass", "J"))
    a, b = (letter_value(name, system)[:, 0] for name in ("a", "b"))
    coriolis = H @ Phi @ (M @ Phi.T @ a + b)
    forces = mass @ motion.in_paper_order(motion.qdd) + coriolis
    return worst(
        [
            (forces, motion.torques(np.zeros(3))),
            (forces + J.T @ motion.f_tip, motion.loaded_torques),
            (mass, motion.mass_matrix(motion.q)),
        ]
    )


def ball_configuration(motion: Motion) -> float:
    """A ball joint turns by the quaternion q with q̇ = ½[[−ε*], [ηI + ε̃]]β [SOA-68]."""
    pairs = []
    for k, p in enumerate(motion.parent):
        if motion.kinds[k] == "spherical":
            x, y, z, w = motion.q[motion.model.q_slices[motion.n - 1 - k]]
            q, inner, outer = np.array([w, x, y, z]), motion.jets[k], motion.jets[p]
            relative = outer.T1[:3, :3].T @ inner.T[:3, :3] + outer.T[:3, :3].T @ inner.T1[:3, :3]
            turning = rotation_rate(q, quaternion_rate(q, body=True) @ motion.beta[k])
            pairs.append((turning, motion.bodies[k].rotation.T @ relative))
    return worst(pairs)


def innovations(motion: Motion) -> float:
    """ν̇ + μ = ε, ½ν*ν is the kinetic energy, and ν*μ = 0, for joints with one degree of freedom [SOA-115, SOA-116].

    Then m = (I + HφK)D^½ is the Cholesky factor of 𝓜, whose derivative follows from that of 𝓜, a complex step.
    """
    system = inertial_system(motion)
    H, Phi, K, M, D_sqrt = (letter_value(name, system) for name in ("H", "phi", "K", "M", "D_sqrt"))
    a, b, qd = (letter_value(name, system)[:, 0] for name in ("a", "b", "qd"))
    m = (np.eye(system.N) + H @ Phi @ K) @ D_sqrt
    step = 1e-30
    mass_rate = motion.mass_matrix(motion.q + 1j * step * motion.qd).imag / step
    scaled = np.linalg.solve(m, np.linalg.solve(m, mass_rate).T)
    m_rate = m @ (np.tril(scaled) - 0.5 * np.diag(np.diag(scaled)))
    nu, mu = m.T @ qd, np.linalg.solve(m, H @ Phi @ (M @ Phi.T @ a + b)) - m_rate.T @ qd
    nu_rate = m_rate.T @ qd + m.T @ motion.in_paper_order(motion.qdd)
    return worst(
        [
            (m, np.linalg.cholesky(motion.mass_matrix(motion.q))),
            (nu_rate + mu, np.linalg.solve(m, motion.torques(np.zeros(3)))),
            (0.5 * nu @ nu, kinetic_energy(motion.model, motion.q, motion.qd)),
            (nu @ mu, np.array(0.0)),
        ]
    )
