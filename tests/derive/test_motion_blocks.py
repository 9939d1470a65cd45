"""Coriolis blocks of rigid bodies: compact forms against the 6×6 matrices they stand for."""

import numpy as np

from derive.frames import rotation_about
from derive.inertia import Inertia
from derive.motion_blocks import RigidBody, companion
from derive.operators.rate_values import companion as companion_matrix
from derive.operators.rate_values import coriolis_block, gyroscopic_block
from derive.rigid import RigidInertia
from derive.scalars import FLOAT
from derive.transition import Transition

RNG = np.random.default_rng(0)
BODY = RigidInertia.of(Inertia(1.3, (0.2, -0.4, 0.7), (2.0, 0.1, -0.2, 3.0, 0.3, 2.5)))
R, BODY_PARTS = np.array(BODY.matrix), RigidBody.of(BODY, FLOAT)
V, X = RNG.standard_normal((2, 6))


def close(found, expected):
    np.testing.assert_allclose(found, expected, atol=1e-13)


def test_products_with_vectors_are_those_of_the_matrices():
    close(BODY_PARTS.coriolis(tuple(V), tuple(X)), coriolis_block(R, V) @ X)
    close(BODY_PARTS.coriolis_adjoint(tuple(V), tuple(X)), coriolis_block(R, V).T @ X)
    close(BODY_PARTS.gyroscopic(tuple(V), tuple(X)), gyroscopic_block(R, V) @ X)
    close(companion(tuple(V), tuple(X)), companion_matrix(V) @ X)


def test_the_gyroscopic_block_is_skew_and_knows_no_linear_velocity():
    D = gyroscopic_block(R, V)
    close(D, -D.T)
    close(D, gyroscopic_block(R, np.array([*V[:3], 5.0, 6.0, 7.0])))


def test_a_block_moves_and_adds_as_the_matrix_does():
    step = Transition.of(rotation_about((0.0, 0.6, 0.8), 0.7), (0.3, -0.2, 0.5))
    phi = np.array([step.of_force(tuple(e)) for e in np.eye(6)]).T
    block, other = BODY_PARTS.coriolis_block(tuple(V)), BODY_PARTS.coriolis_block(tuple(X))
    moved = phi @ (coriolis_block(R, V) + coriolis_block(R, X)) @ phi.T
    found = block.plus(other).moved(step)
    close(found.applied(tuple(X), adjoint=False), moved @ X)
    close(found.applied(tuple(X), adjoint=True), moved.T @ X)
