"""The operator side's joint table against the reference's products of exponentials, which share no formula."""

import math

import numpy as np
import pytest
import sympy

from derive.joints import JOINT_KINDS, Geometry
from derive.random_models import random_chain
from derive.reference.joint_motion import joint_motion
from derive.states import integrate, random_state

KINDS = sorted(JOINT_KINDS)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(5))
def test_configuration_and_H_agree_with_the_reference(kind, seed):
    model = random_chain(1, seed, (kind,))
    joint = model.joints[0]
    q = random_state(model, np.random.default_rng(seed)).q
    expected = joint_motion(joint, q, np.zeros(model.nv))
    R, p = joint.kind.configuration(joint.geometry, q, math.cos, math.sin)
    np.testing.assert_allclose(np.array(R, dtype=float), expected.rotation, atol=1e-14)
    np.testing.assert_allclose(np.array(p, dtype=float), expected.origin, atol=1e-14)
    H_star = np.array(joint.kind.H_star(joint.geometry, q, math.cos, math.sin), dtype=float).T
    np.testing.assert_allclose(H_star, expected.S, atol=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_H_is_the_derivative_of_the_configuration(kind):
    """Body-frame velocity by a central difference of the pose along each rate."""
    model = random_chain(1, 7, (kind,))
    joint = model.joints[0]
    q = random_state(model, np.random.default_rng(3)).q
    step = 1e-6

    def pose(q):
        R, p = joint.kind.configuration(joint.geometry, q, math.cos, math.sin)
        return np.array(R, dtype=float), np.array(p, dtype=float)

    R, _ = pose(q)
    for rate, column in zip(np.eye(model.nv), joint.kind.H_star(joint.geometry, q, math.cos, math.sin), strict=True):
        (R1, p1), (R0, p0) = pose(integrate(model, q, step * rate)), pose(integrate(model, q, -step * rate))
        spin = R.T @ (R1 - R0) / (2 * step)
        omega = np.array([spin[2, 1], spin[0, 2], spin[1, 0]])
        v = R.T @ (p1 - p0) / (2 * step)
        np.testing.assert_allclose(np.array(column, dtype=float), np.concatenate([omega, v]), atol=1e-8)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(3))
def test_rate_of_H_agrees_with_the_reference(kind, seed):
    """(dH*/dt)q̇ is the reference's velocity-product term; kinds without it have a constant H*."""
    model = random_chain(1, seed, (kind,))
    joint, state = model.joints[0], random_state(model, np.random.default_rng(seed))
    expected = joint_motion(joint, state.q, state.qd).c
    if joint.kind.H_star_rate is None:
        np.testing.assert_allclose(expected, 0.0, atol=1e-15)
        return
    columns = joint.kind.H_star_rate(joint.geometry, state.q, state.qd, math.cos, math.sin)
    np.testing.assert_allclose(np.array(columns, dtype=float).T @ state.qd, expected, atol=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_neutral_configuration_is_the_identity(kind):
    joint = random_chain(1, 1, (kind,)).joints[0]
    R, p = joint.kind.configuration(joint.geometry, joint.kind.neutral, math.cos, math.sin)
    np.testing.assert_allclose(np.array(R, dtype=float), np.eye(3), atol=1e-15)
    np.testing.assert_allclose(np.array(p, dtype=float), 0.0, atol=1e-15)


def test_constant_entries_stay_plain_numbers():
    """A rotation about z has exact zeros and ones, whatever scalar the angle is."""
    theta = sympy.Symbol("theta")
    R, p = JOINT_KINDS["revolute"].configuration(Geometry((0.0, 0.0, 1.0)), [theta], sympy.cos, sympy.sin)
    assert R[2] == (0.0, 0.0, 1.0)
    assert R[0][0] == sympy.cos(theta)
    assert R[0][1] == -sympy.sin(theta)
    assert p == (0.0, 0.0, 0.0)
