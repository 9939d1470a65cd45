"""Laws that dynamics obeys, for random models of every joint kind and topology: no numbers from anywhere, only equalities."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive import random_chain, random_tree, reference
from derive.random_models import ALL_KINDS
from derive.reference import lagrange
from derive.states import integrate, random_state

# Reference and Lagrangian both work to a few ulp of the largest term; 1e-11 leaves room for ill-conditioned draws.
CLOSE = 1e-11

models = st.builds(
    lambda make, n, seed, kinds, floating: make(n, seed, kinds, floating=floating),
    st.sampled_from([random_chain, random_tree]),
    st.integers(1, 6),
    st.integers(0, 10_000),
    st.one_of(st.just(ALL_KINDS), st.sampled_from(ALL_KINDS).map(lambda kind: (kind,))),
    st.booleans(),
)
seeds = st.integers(0, 2**32 - 1)


def close(actual, expected, tolerance=CLOSE):
    scale = max(1.0, float(np.max(np.abs(expected), initial=0.0)))
    np.testing.assert_allclose(actual, expected, rtol=0, atol=tolerance * scale)


@settings(deadline=None)
@given(models, seeds)
def test_newton_euler_agrees_with_lagrange(model, seed):
    state = random_state(model, np.random.default_rng(seed))
    close(reference.inverse_dynamics(model, *state), lagrange.inverse_dynamics(model, *state))
    close(reference.mass_matrix(model, state.q), lagrange.mass_matrix(model, state.q))


@settings(deadline=None)
@given(models, seeds)
def test_torque_is_mass_matrix_times_acceleration_plus_bias(model, seed):
    q, qd, qdd = random_state(model, np.random.default_rng(seed))
    M, bias = reference.mass_matrix(model, q), reference.bias_forces(model, q, qd)
    close(reference.inverse_dynamics(model, q, qd, qdd), M @ qdd + bias)


@settings(deadline=None)
@given(models, seeds)
def test_forward_dynamics_undoes_inverse_dynamics(model, seed):
    rng = np.random.default_rng(seed)
    q, qd, qdd = random_state(model, rng)
    force = rng.normal(size=(len(model.tips), 6))
    tau = reference.inverse_dynamics(model, q, qd, qdd, force)
    back = reference.forward_dynamics(model, q, qd, tau, force)
    M = reference.mass_matrix(model, q)
    close(M @ back, M @ qdd, 1e-10)


@settings(deadline=None)
@given(models, seeds)
def test_mass_matrix_is_symmetric_positive_definite(model, seed):
    M = reference.mass_matrix(model, random_state(model, np.random.default_rng(seed)).q)
    close(M, M.T, 1e-14)
    assert np.linalg.eigvalsh(M)[0] > 0


@settings(deadline=None)
@given(models, seeds)
def test_kinetic_energy_is_half_the_quadratic_form_of_the_mass_matrix(model, seed):
    q, qd, _ = random_state(model, np.random.default_rng(seed))
    close(reference.kinetic_energy(model, q, qd), 0.5 * qd @ reference.mass_matrix(model, q) @ qd)


@settings(deadline=None)
@given(models, seeds)
def test_rate_of_energy_is_power(model, seed):
    """d/dt (T + V) along the motion, by a central difference, equals τ·q̇."""
    q, qd, qdd = random_state(model, np.random.default_rng(seed))
    step = 1e-5

    def energy(t):
        # the body-frame velocity at time t of the motion with rates q̇ + q̈·t, reached along its midpoint
        at = integrate(model, q, t * (qd + 0.5 * t * qdd))
        return reference.kinetic_energy(model, at, qd + t * qdd) + reference.potential_energy(model, at)

    rate = (energy(step) - energy(-step)) / (2 * step)
    close(rate, reference.inverse_dynamics(model, q, qd, qdd) @ qd, 1e-6)


@settings(deadline=None)
@given(models, seeds)
def test_tip_forces_act_through_the_transposed_jacobian(model, seed):
    rng = np.random.default_rng(seed)
    q, qd, qdd = random_state(model, rng)
    forces = rng.normal(size=(len(model.tips), 6))
    through = sum(reference.jacobian(model, q, tip.name).T @ f for tip, f in zip(model.tips, forces, strict=True))
    added = reference.inverse_dynamics(model, q, qd, qdd, forces) - reference.inverse_dynamics(model, q, qd, qdd)
    close(added, through, 1e-10)


@settings(deadline=None)
@given(models, seeds)
def test_gravity_forces_are_the_gradient_of_potential_energy(model, seed):
    q = random_state(model, np.random.default_rng(seed)).q
    step = 1e-6
    gradient = [
        (
            reference.potential_energy(model, integrate(model, q, e))
            - reference.potential_energy(model, integrate(model, q, -e))
        )
        / (2 * step)
        for e in step * np.eye(model.nv)
    ]
    close(reference.gravity_forces(model, q), np.array(gradient), 1e-7)


def test_complex_step_differentiates_the_reference():
    """∂τ/∂q̇ by complex step is exact: compare with the quadratic form's central difference, which is exact up to rounding."""
    model = random_chain(4, 2)
    q, qd, qdd = random_state(model, np.random.default_rng(0))
    for direction in np.eye(4):
        exact = reference.inverse_dynamics(model, q, qd + 1e-30j * direction, qdd).imag / 1e-30
        difference = (
            reference.inverse_dynamics(model, q, qd + direction, qdd)
            - reference.inverse_dynamics(model, q, qd - direction, qdd)
        ) / 2
        close(exact, difference, 1e-13)


def test_joint_losses_are_off_unless_asked_for():
    from derive import load_model

    model = load_model("iiwa14")
    q, qd, qdd = random_state(model, np.random.default_rng(0))
    lost = reference.inverse_dynamics(model, q, qd, qdd, joint_losses=True) - reference.inverse_dynamics(
        model, q, qd, qdd
    )
    close(lost, 0.5 * qd)


def test_armature_adds_to_the_diagonal_of_the_mass_matrix():
    from derive import load_model

    model = load_model("stanford")
    q = random_state(model, np.random.default_rng(0)).q
    close(reference.mass_matrix(model, q), lagrange.mass_matrix(model, q))
    assert reference.mass_matrix(model, q)[5, 5] == pytest.approx(0.02 + 0.0003)


def test_a_chain_of_a_thousand_links():
    model = random_chain(1000, 1)
    q, qd, qdd = random_state(model, np.random.default_rng(0))
    qd, qdd = qd * 1e-2, qdd * 1e-2
    tau = reference.inverse_dynamics(model, q, qd, qdd)
    again = reference.inverse_dynamics(model, q, qd, reference.forward_dynamics(model, q, qd, tau))
    close(again, tau, 1e-10)


def test_robots_without_freedom_have_empty_dynamics():
    from derive.loaders.assemble import assemble
    from derive.loaders.urdf import parse_urdf

    model = assemble(parse_urdf(b'<robot name="r"><link name="a"/></robot>', "r"))
    none = np.zeros(0)
    assert reference.inverse_dynamics(model, none, none, none).shape == (0,)
    assert reference.mass_matrix(model, none).shape == (0, 0)
    assert reference.forward_dynamics(model, none, none, none).shape == (0,)
    assert reference.jacobian(model, none).shape == (6, 0)
    assert reference.kinetic_energy(model, none, none) == 0.0
