"""One body's Newton and Euler against the vector formulas, and what sharing Ω saves."""

import numpy as np
import pytest
from oracles.dense_spatial import counted, inertia_matrix, symmetric_matrix, tilde

from codegen.builder import ProgramBuilder
from codegen.cost import count
from derive.newton_euler import carried, centrifugal, coupling, gyroscopic, rate_matrix, wrench
from derive.rigid import RigidInertia

rng = np.random.default_rng(4)


def vector(n=3):
    return tuple(rng.normal(size=n))


def body():
    return RigidInertia(rng.normal(), vector(), vector(6))


def gyroscopic_force(b, omega):
    """b = [ω × 𝓘ω; ω × (ω × h)] [SOA-15]."""
    W, h = tilde(omega), np.array(b.moment)
    return np.concatenate([W @ symmetric_matrix(b.inertia) @ omega, W @ W @ h])


def test_the_rate_matrix_gives_the_acceleration_of_a_point():
    omega, rate, r = vector(), vector(), vector()
    expected = np.cross(rate, r) + np.cross(omega, np.cross(omega, r))
    np.testing.assert_allclose(np.array(rate_matrix(omega, rate)) @ r, expected, atol=1e-14)


def test_centrifugal():
    omega, ell = vector(), vector()
    np.testing.assert_allclose(centrifugal(omega, ell), np.cross(omega, np.cross(omega, ell)), atol=1e-14)


def test_an_acceleration_carried_to_another_point():
    alpha, omega, ell = vector(6), vector(), vector()
    got = carried(alpha, omega, ell)
    assert got[:3] == alpha[:3]
    expected = alpha[3:] + np.cross(alpha[:3], ell) + np.cross(omega, np.cross(omega, ell))
    np.testing.assert_allclose(got[3:], expected, atol=1e-14)


@pytest.mark.parametrize("seed", range(3))
def test_the_wrench_is_the_inertia_times_the_acceleration_and_the_gyroscopic_force(seed):
    b, omega, alpha = body(), vector(), vector(6)
    expected = inertia_matrix(b.mass, b.moment, b.inertia) @ alpha + gyroscopic_force(b, omega)
    np.testing.assert_allclose(wrench(b, omega, alpha), expected, atol=1e-14)


def test_the_gyroscopic_force_alone():
    b, omega = body(), vector()
    np.testing.assert_allclose(gyroscopic(b, omega), gyroscopic_force(b, omega), atol=1e-14)
    assert gyroscopic(b, (0.0, 0.0, 0.0)) == (0.0,) * 6


def test_the_wrench_is_the_sum_over_the_points_of_the_body():
    """Independent of 𝓘: point masses, each pushed by m(v̇ + ω̇ × r + ω × (ω × r))."""
    masses, points = rng.uniform(1, 2, size=5), rng.normal(size=(5, 3))
    omega, alpha = vector(), vector(6)
    pushes = [
        m * (alpha[3:] + np.cross(alpha[:3], r) + np.cross(omega, np.cross(omega, r)))
        for m, r in zip(masses, points, strict=True)
    ]
    moments = [np.cross(r, f) for r, f in zip(points, pushes, strict=True)]
    inertia = sum(m * (r @ r * np.eye(3) - np.outer(r, r)) for m, r in zip(masses, points, strict=True))
    b = RigidInertia(sum(masses), tuple(masses @ points), tuple(inertia[np.triu_indices(3)]))
    np.testing.assert_allclose(wrench(b, omega, alpha), [*sum(moments), *sum(pushes)], atol=1e-13)


@pytest.mark.parametrize(("spins", "slides"), [(1, 0), (0, 1), (1, 1)], ids=["revolute", "sliding", "cylindrical"])
def test_coupling_of_joints_about_one_axis(spins, slides):
    """[ω' × hθ̇; 2ω' × hḋ + …]: of SOA-13 without the centrifugal part, for an axis h and rates θ̇, ḋ."""
    h, outer, rates = np.array(vector()), np.array(vector()), rng.normal(size=2)
    h = h / np.linalg.norm(h)
    turn, slide = spins * rates[0] * h, slides * rates[1] * h
    expected = np.concatenate([np.cross(outer, turn), 2 * np.cross(outer, slide)])
    got = coupling(tuple(outer + turn), tuple(outer), (*turn, *slide))
    np.testing.assert_allclose(got, expected, atol=1e-14)


def test_coupling_of_a_free_body_is_omega_cross_v():
    omega, v = vector(), vector()
    got = coupling(omega, (0.0, 0.0, 0.0), (*omega, *v))
    np.testing.assert_allclose(got, [0, 0, 0, *np.cross(omega, v)], atol=1e-15)


# -- what it costs ----------------------------------------------------------------------------------------------------------


def program_cost(compute):
    """Multiplications and additions of a program, where equal operations are one."""
    builder = ProgramBuilder()
    x = {name: tuple(builder.input(name, (size,))) for name, size in (("omega", 3), ("alpha", 6), ("ell", 3))}
    counts = count(builder.program("f", {"y": compute(**x)}))
    return counts.multiplications, counts.additions


def test_the_rate_matrix_costs_six_and_nine():
    assert counted(lambda x: rate_matrix(x(3), x(3))) == (6, 9 + 3)  # three signs, which a program does not count
    assert program_cost(lambda omega, alpha, ell: rate_matrix(omega, alpha[:3])) == (6, 9)


BODY = RigidInertia(2.0, (0.3, 0.5, 0.7), (1.1, 0.13, 0.17, 1.3, 0.19, 1.7))


def test_wrench_and_carrying_share_the_rate_matrix():
    alone = (
        program_cost(lambda omega, alpha, ell: wrench(BODY, omega, alpha)),
        program_cost(lambda omega, alpha, ell: carried(alpha, omega, ell)[3:]),
    )
    both = program_cost(
        lambda omega, alpha, ell: (*wrench(BODY, omega, alpha), *carried(alpha, omega, ell)[3:]),
    )
    assert tuple(np.sum(alone, axis=0) - both) == (6, 9)


def test_a_regrouped_body_costs_less():
    """No mass, first moment in the plane, no rod: what `derive.equivalent` makes of a revolute body."""
    bare = RigidInertia(0.0, (0.3, 0.5, 0.0), (1.1, 0.13, 0.17, 1.3, 0.19, 1.1 + 1.3))
    less, more = (sum(program_cost(lambda omega, alpha, ell, b=b: wrench(b, omega, alpha))) for b in (bare, BODY))
    assert less <= more - 3 * 2 - 2 * 2  # m v̇, and two products with the rod's entry and their sums


def test_a_still_body_only_feels_its_weight():
    up = (0.0,) * 5 + (9.81,)
    assert wrench(BODY, (0.0,) * 3, up) == pytest.approx((0.5 * 9.81, -0.3 * 9.81, 0, 0, 0, 2 * 9.81))
    assert counted(lambda x: wrench(BODY, (0.0,) * 3, (*(0.0,) * 5, *x(1)))) == (3, 1)
