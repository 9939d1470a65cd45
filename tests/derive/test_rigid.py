"""A rigid body's ten numbers against its 6×6 matrix."""

import numpy as np
from oracles.dense_spatial import counted, inertia_matrix, phi_matrix, symmetric_matrix, tilde

from derive.inertia import Inertia
from derive.rigid import RigidInertia

rng = np.random.default_rng(2)


def body():
    """Ten numbers, of no real body: nothing here needs one."""
    mass, *rest = rng.normal(size=10)
    return RigidInertia(mass, tuple(rest[:3]), tuple(rest[3:]))


def matrix_of(rigid):
    return inertia_matrix(rigid.mass, rigid.moment, rigid.inertia)


def test_the_matrix_is_that_of_the_specification():
    b = body()
    np.testing.assert_array_equal(b.matrix, matrix_of(b))


def test_a_model_s_inertia_is_about_the_origin():
    p, about_com = (0.1, -0.2, 0.3), (1.0, 0.1, 0.2, 1.1, -0.1, 0.9)
    M = np.array(RigidInertia.of(Inertia.about_com(2.0, p, about_com)).matrix)
    np.testing.assert_allclose(M[:3, :3], symmetric_matrix(about_com) - 2.0 * tilde(p) @ tilde(p), atol=1e-15)
    np.testing.assert_allclose(M[:3, 3:], 2.0 * tilde(p), atol=1e-15)
    np.testing.assert_allclose(M[3:, 3:], 2.0 * np.eye(3))


def test_bodies_add_up():
    a, b = body(), body()
    np.testing.assert_allclose((a + b).matrix, matrix_of(a) + matrix_of(b), atol=1e-15)


def test_a_shifted_body_is_the_matrix_between_transitions():
    b, ell = body(), rng.normal(size=3)
    phi = phi_matrix(np.eye(3), ell)
    np.testing.assert_allclose(b.shifted(tuple(ell)).matrix, phi @ matrix_of(b) @ phi.T, atol=1e-14)


def test_momentum_is_the_matrix_times_the_velocity():
    b, v = body(), rng.normal(size=6)
    np.testing.assert_allclose(b.of_motion(tuple(v)), matrix_of(b) @ v, atol=1e-14)


def test_what_is_zero_costs_nothing():
    zero = 0.0

    def along_one_axis(x):
        m, ell = x(2)
        moved = RigidInertia(m, (zero,) * 3, (zero,) * 6).shifted((zero, zero, ell))
        assert moved.moment[:2] == (0.0, 0.0)
        assert [moved.inertia[i] for i in (1, 2, 4, 5)] == [0.0] * 4

    assert counted(along_one_axis) == (2, 0)
    assert counted(lambda x: RigidInertia(x(1)[0], x(3), x(6)).shifted((zero,) * 3))[0] == 0


def test_a_shift_takes_twelve_multiplications_and_eighteen_additions():
    """3 for the first moment, 3 on the diagonal, 6 beside it."""
    assert counted(lambda x: RigidInertia(x(1)[0], x(3), x(6)).shifted(x(3))) == (12, 18)
