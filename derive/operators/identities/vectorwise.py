"""Residuals of statements about 3-vectors and spatial vectors [sections 1 and 6]; zero where they hold.

Each draws its vectors from the generator it is given. What a formula means is computed another way: `np.cross`, clouds of
point masses, commutators of 4×4 matrices, exact differences of polynomials.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import numpy as np

from derive.joints import rotation_from_quaternion
from derive.operators.block_system import Array, cross_matrix, transition
from derive.operators.counterexample import relative_difference
from derive.operators.evaluate import block_diagonal

ZERO = np.zeros((3, 3))


def shift(ell: Array) -> Array:
    """φ(i,j) = [[I, ℓ̃], [0, I]] without rotation, ℓ from O_i to O_j [SOA-2]."""
    return transition(np.eye(3), ell)


def spatial_cross(z: Array) -> Array:
    """z̃ = [[x̃, 0], [ỹ, x̃]] [SOA-4]."""
    return np.block([[cross_matrix(z[:3]), ZERO], [cross_matrix(z[3:]), cross_matrix(z[:3])]])


def companion_S(z: Array) -> Array:
    """𝒮[z] = [[x̃, ỹ], [0, x̃]] [SOA-5]."""
    return np.block([[cross_matrix(z[:3]), cross_matrix(z[3:])], [ZERO, cross_matrix(z[:3])]])


def companion_Q(z: Array) -> Array:
    """𝒬[z] = [[x̃, ỹ], [ỹ, 0]] [SOA-5]."""
    return np.block([[cross_matrix(z[:3]), cross_matrix(z[3:])], [cross_matrix(z[3:]), ZERO]])


def spatial_inertia(mass: float, p: Array, central: Array) -> Array:
    """M(k) = φ(p) diag(𝓘_C, mI) φ*(p) [SOA-3]."""
    return np.asarray(shift(p) @ block_diagonal([central, mass * np.eye(3)]) @ shift(p).T)


def worst(pairs: Iterable[tuple[Array, Array]]) -> float:
    """The largest relative difference of the pairs, 0 for none; NaN if one is."""
    return float(np.max([0.0, *(relative_difference(np.asarray(a), np.asarray(b)) for a, b in pairs)]))


def tilde(rng: np.random.Generator) -> float:
    """x̃y = x × y and x̃* = −x̃ [SOA-1]."""
    x, y = rng.standard_normal((2, 3))
    x_tilde = cross_matrix(x)
    return worst([(x_tilde @ y, np.cross(x, y)), (x_tilde.T, -x_tilde)])


def transition_group(rng: np.random.Generator) -> float:
    """φ(i,i) = I, φ⁻¹(i,j) = φ(j,i), φ(i,k)φ(k,j) = φ(i,j), and the product of the steps between [SOA-2]."""
    O = rng.standard_normal((5, 3))
    phi = {(i, j): shift(O[j] - O[i]) for i, j in itertools.product(range(5), repeat=2)}
    return worst(
        [
            *((phi[i, i], np.eye(6)) for i in range(5)),
            *((np.linalg.inv(phi[i, j]), phi[j, i]) for i, j in phi),
            *((phi[i, k] @ phi[k, j], phi[i, j]) for i, j in phi for k in range(5)),
            (phi[4, 3] @ phi[3, 2] @ phi[2, 1] @ phi[1, 0], phi[4, 0]),
        ]
    )


def transition_moves_vectors(rng: np.random.Generator) -> float:
    """φ(i,j) moves a force from O_j to O_i, φ*(i,j) a velocity from O_i to O_j [SOA-2]."""
    ell, N, F, omega, v = rng.standard_normal((5, 3))
    force, velocity = np.array([*N, *F]), np.array([*omega, *v])
    return worst(
        [
            (shift(ell) @ force, np.array([*(N + np.cross(ell, F)), *F])),
            (shift(ell).T @ velocity, np.array([*omega, *(v + np.cross(omega, ell))])),
        ]
    )


def transition_rate(rng: np.random.Generator, commutator: bool = True) -> float:
    """φ̇ = [[0, ω̃ℓ̃ − ℓ̃ω̃], [0, 0]] for ℓ̇ = ω × ℓ; without the commutator, ω̃ℓ̃ alone [SOA-2, E-30]."""
    omega, ell = rng.standard_normal((2, 3))
    w, l = cross_matrix(omega), cross_matrix(ell)
    rate = shift(ell + np.cross(omega, ell)) - shift(ell)  # exact: φ is affine in ℓ
    corner = w @ l - l @ w if commutator else w @ l
    return worst([(rate, np.block([[ZERO, corner], [ZERO, ZERO]]))])


def _point_masses(rng: np.random.Generator) -> tuple[Array, Array, float, Array, Array]:
    """Masses mᵢ at xᵢ, and their total m, mass centre p and inertia 𝓘_C about it, summed point by point."""
    masses, x = rng.uniform(0.1, 1.0, 6), rng.standard_normal((6, 3))
    p = masses @ x / masses.sum()
    central = sum(m * (y @ y * np.eye(3) - np.outer(y, y)) for m, y in zip(masses, x - p, strict=True))
    return masses, x, float(masses.sum()), p, np.asarray(central)


def inertia_by_parallel_axes(rng: np.random.Generator) -> float:
    """φ(p) diag(𝓘_C, mI) φ*(p) = [[𝓘, m p̃], [−m p̃, mI]], 𝓘 = 𝓘_C − m p̃p̃ = Σ mᵢ(xᵢ·xᵢ I − xᵢxᵢ*) [SOA-3]."""
    masses, x, mass, p, central = _point_masses(rng)
    tilde_p = cross_matrix(p)
    about_origin = central - mass * tilde_p @ tilde_p
    blocks = np.block([[about_origin, mass * tilde_p], [-mass * tilde_p, mass * np.eye(3)]])
    summed = np.asarray(sum(m * (y @ y * np.eye(3) - np.outer(y, y)) for m, y in zip(masses, x, strict=True)))
    return worst([(spatial_inertia(mass, p, central), blocks), (about_origin, summed)])


def kinetic_energy(rng: np.random.Generator) -> float:
    """½V*MV = ½ Σ mᵢ|v + ω × xᵢ|² [SOA-3]."""
    masses, x, mass, p, central = _point_masses(rng)
    V = rng.standard_normal(6)
    points = V[3:] + np.cross(V[:3], x)
    energy = 0.5 * V @ spatial_inertia(mass, p, central) @ V
    return worst([(energy, 0.5 * masses @ np.sum(points * points, axis=1))])


def _generator(z: Array) -> Array:
    """The 4×4 matrix of the motion z = [x; y]."""
    return np.block([[cross_matrix(z[:3]), z[3:, None]], [np.zeros((1, 4))]])


def cross_product(rng: np.random.Generator) -> float:
    """ÃB is the commutator of motions; ÃA = 0, ÃB = −B̃A, (ÃB)˜ = ÃB̃ − B̃Ã, and Jacobi's identity [SOA-4]."""
    A, B, C = rng.standard_normal((3, 6))
    a, b, c = map(spatial_cross, (A, B, C))
    one, other = _generator(A), _generator(B)
    return worst(
        [
            (_generator(a @ B), one @ other - other @ one),
            (a @ A, np.zeros(6)),
            (a @ B, -b @ A),
            (spatial_cross(a @ B), a @ b - b @ a),
            (a @ (b @ C) + b @ (c @ A) + c @ (a @ B), np.zeros(6)),
        ]
    )


def companions(rng: np.random.Generator) -> float:
    """𝒮[A] = −Ã*, 𝒬*[A] = −𝒬[A], Ã*B = 𝒬[B]A = −𝒬*[B]A, 𝒮[A]B = −𝒬[B]A [SOA-5]."""
    A, B = rng.standard_normal((2, 6))
    return worst(
        [
            (companion_S(A), -spatial_cross(A).T),
            (companion_Q(A).T, -companion_Q(A)),
            (spatial_cross(A).T @ B, companion_Q(B) @ A),
            (spatial_cross(A).T @ B, -companion_Q(B).T @ A),
            (companion_S(A) @ B, -companion_Q(B) @ A),
        ]
    )


def transformation_rules(rng: np.random.Generator, rotated: bool = True) -> float:
    """𝒬[φX] = φ𝒬[X]φ*, 𝒮[φ*X] = φ⁻¹𝒮[X]φ, (φ*X)˜ = φ*X̃φ⁻*, (φ*X)˜φ* = φ*X̃; φ with rotation or without [SOA-6]."""
    X, ell = rng.standard_normal(6), rng.standard_normal(3)
    phi = transition(_rotation(rng), ell) if rotated else shift(ell)
    inverse = np.linalg.inv(phi)
    return worst(
        [
            (companion_Q(phi @ X), phi @ companion_Q(X) @ phi.T),
            (companion_S(phi.T @ X), inverse @ companion_S(X) @ phi),
            (spatial_cross(phi.T @ X), phi.T @ spatial_cross(X) @ inverse.T),
            (spatial_cross(phi.T @ X) @ phi.T, phi.T @ spatial_cross(X)),
        ]
    )


def _rotation(rng: np.random.Generator) -> Array:
    return quaternion_rotation(_unit_quaternion(rng))


def gyroscopic_identity(rng: np.random.Generator) -> float:
    """ω × 𝓘_Cω + m p × (ω × (ω × p)) = ω × 𝓘ω = Σ mᵢ xᵢ × (ω × (ω × xᵢ)) [SOA-8]."""
    masses, x, mass, p, central = _point_masses(rng)
    omega, about_origin = rng.standard_normal(3), spatial_inertia(mass, p, central)[:3, :3]
    left = np.cross(omega, central @ omega) + mass * np.cross(p, np.cross(omega, np.cross(omega, p)))
    points = masses @ np.cross(x, np.cross(omega, np.cross(omega, x)))
    return worst([(left, np.cross(omega, about_origin @ omega)), (left, points)])


def _unit_quaternion(rng: np.random.Generator) -> Array:
    """[η; ε] of length 1."""
    q = rng.standard_normal(4)
    return np.asarray(q / np.linalg.norm(q))


def quaternion_rotation(q: Array) -> Array:
    """R(q) = (η² − ε*ε)I + 2εε* + 2ηε̃, body to inertial axes [SOA-67]."""
    eta, eps = q[0], q[1:]
    return np.asarray((eta**2 - eps @ eps) * np.eye(3) + 2 * np.outer(eps, eps) + 2 * eta * cross_matrix(eps))


def quaternion_rate(q: Array, *, body: bool = False) -> Array:
    """A(q), 4×3, with q̇ = A(q)ω for ω in inertial axes, or in the body's [SOA-67]."""
    eta, eps = q[0], q[1:]
    side = cross_matrix(eps) if body else -cross_matrix(eps)
    return 0.5 * np.vstack([-eps, eta * np.eye(3) + side])


def rotation_rate(q: Array, rate: Array) -> Array:
    """d/dt R(q) along q̇, exact: R is quadratic in q."""
    return 0.5 * (quaternion_rotation(q + rate) - quaternion_rotation(q - rate))


def quaternion_kinematics(rng: np.random.Generator) -> float:
    """R(q) is the rotation joints turn by; q̇ = A(q)ω gives Ṙ = ω̃R, in body axes Ṙ = Rω̃, and keeps |q| = 1 [SOA-67]."""
    q, omega = _unit_quaternion(rng), rng.standard_normal(3)
    R, A, A_body = quaternion_rotation(q), quaternion_rate(q), quaternion_rate(q, body=True)
    eta, x, y, z = q
    return worst(
        [
            (R @ R.T, np.eye(3)),
            (R, np.array(rotation_from_quaternion(x, y, z, eta))),
            (rotation_rate(q, A @ omega), cross_matrix(omega) @ R),
            (rotation_rate(q, A_body @ omega), R @ cross_matrix(omega)),
            (q @ A, np.zeros(3)),
        ]
    )


def quaternion_left_inverse(rng: np.random.Generator) -> float:
    """Π = 4A*: ΠA = I₃ and AΠ = I₄ − qq* [SOA-67]."""
    q = _unit_quaternion(rng)
    A = quaternion_rate(q)
    Pi = 4 * A.T
    return worst([(Pi @ A, np.eye(3)), (A @ Pi, np.eye(4) - np.outer(q, q))])


def quaternion_inverse(rng: np.random.Generator) -> float:
    """AΠ = I₄, which is false: Π is a left inverse only [E-8]."""
    A = quaternion_rate(_unit_quaternion(rng))
    return worst([(A @ (4 * A.T), np.eye(4))])
