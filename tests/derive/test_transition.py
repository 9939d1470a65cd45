"""φ(p,k) by parts against the 6×6 matrix, on vectors, rigid bodies and symmetric matrices."""

import math

import numpy as np
import pytest
from oracles.dense_spatial import counted, inertia_matrix, phi_matrix, random_rotation, rows

from derive.rigid import RigidInertia
from derive.transition import Transition
from derive.turns import Full, Turn

rng = np.random.default_rng(3)
ZERO = (0.0, 0.0, 0.0)


def general():
    return Full(rows(random_rotation(rng)))


def turn(axis):
    angle = rng.uniform(-3, 3)
    return Turn(axis, math.cos(angle), math.sin(angle))


PARTS = {
    "nothing": (),
    "a turn": (turn(1),),
    "a matrix": (general(),),
    "a permutation and a turn": (Full(((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))), turn(2)),
    "three turns": (turn(2), turn(0), turn(2)),
    "a matrix and a turn": (general(), turn(0)),
}


@pytest.fixture(params=PARTS)
def step(request):
    return Transition(PARTS[request.param], tuple(rng.normal(size=3)))


@pytest.fixture
def phi(step):
    Q = np.linalg.multi_dot([np.eye(3), np.eye(3), *(part.matrix for part in step.parts)])
    return phi_matrix(Q, step.translation)


def test_the_rotation_is_the_product_of_the_parts_the_last_first(step, phi):
    v = rng.normal(size=3)
    np.testing.assert_allclose(step.rotation, phi[:3, :3], atol=1e-15)
    np.testing.assert_allclose(step.turned(tuple(v)), phi[:3, :3] @ v, atol=1e-14)
    np.testing.assert_allclose(step.turned_back(tuple(v)), phi[:3, :3].T @ v, atol=1e-14)


def test_forces_and_motions(step, phi):
    x = rng.normal(size=6)
    np.testing.assert_allclose(step.of_force(tuple(x)), phi @ x, atol=1e-14)
    np.testing.assert_allclose(step.of_motion(tuple(x)), phi.T @ x, atol=1e-14)
    assert step.applied(tuple(x), adjoint=False) == step.of_force(tuple(x))
    assert step.applied(tuple(x), adjoint=True) == step.of_motion(tuple(x))


def test_a_rigid_body_stays_rigid(step, phi):
    mass, *rest = rng.normal(size=10)
    body = RigidInertia(mass, tuple(rest[:3]), tuple(rest[3:]))
    M = inertia_matrix(body.mass, body.moment, body.inertia)
    np.testing.assert_allclose(step.of_rigid(body).matrix, phi @ M @ phi.T, atol=1e-13)


def test_symmetric_matrices_both_ways(step, phi):
    X = rng.normal(size=(6, 6))
    X = X + X.T
    np.testing.assert_allclose(step.of_symmetric(rows(X)), phi @ X @ phi.T, atol=1e-13)
    np.testing.assert_allclose(step.back_of_symmetric(rows(X)), phi.T @ X @ phi, atol=1e-13)


def test_of_a_matrix_is_one_part():
    Q, ell, x = random_rotation(rng), rng.normal(size=3), rng.normal(size=6)
    np.testing.assert_allclose(
        Transition.of(rows(Q), tuple(ell)).of_force(tuple(x)), phi_matrix(Q, ell) @ x, atol=1e-14
    )


# -- what it costs ----------------------------------------------------------------------------------------------------------


def test_staying_in_place_costs_nothing():
    still = Transition((), ZERO)
    assert counted(lambda x: still.of_force(x(6))) == (0, 0)
    assert counted(lambda x: still.of_motion(x(6))) == (0, 0)
    assert counted(lambda x: still.of_symmetric(tuple(x(6) for _ in range(6)))) == (0, 0)


def test_a_turn_costs_what_turns_cost():
    assert counted(lambda x: Transition((Turn(2, *x(2)),), ZERO).of_motion(x(6))) == (8, 4)
    multiplications, additions = counted(
        lambda x: Transition((Turn(2, *x(2)),), ZERO).of_symmetric(tuple(x(6) for _ in range(6)))
    )
    assert (multiplications, additions) == (8 + 12 + 8, 8 + 11 + 8)  # 2c is made twice here, once in a program


def test_a_shift_along_one_axis_leaves_exact_zeros():
    """P of an articulated body just above a turning joint has a zero row: it must not fill in where it need not."""
    along_z = Transition((), (0.0, 0.0, 0.5))
    X = [[float(i == j) * (i != 5) for j in range(6)] for i in range(6)]
    moved = along_z.of_symmetric(tuple(map(tuple, X)))
    assert moved[5] == (0.0,) * 6
    assert moved[0][4] == -0.5
    assert moved[1][3] == 0.5
