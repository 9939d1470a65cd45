"""Closed forms against the independent reference, on bundled and random robots of every joint kind."""

import time

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.closed_form_values import number, values

from derive import bundled_robots, closed_form, load_model, reference
from derive.closed_form import ClosedFormError, ClosedForms
from derive.random_models import random_chain, random_tree
from derive.states import integrate, random_state

KINDS = ("revolute", "prismatic", "helical", "cylindrical", "universal", "spherical")
LARGEST_BIAS = 4  # bodies of a general arm: its Coriolis forces have 100 000 terms at six
TRUE_COORDINATES = ("revolute", "prismatic", "helical", "cylindrical", "universal")


def at_state(forms, elements, seed=0):
    state = random_state(forms.model, np.random.default_rng(seed))
    value = values(forms, state.q, state.qd)
    array = np.array(elements, dtype=object)
    return np.array([number(e, value) for e in array.reshape(-1)]).reshape(array.shape), state


def close(got, expected):
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-12 * max(1.0, np.abs(expected).max(initial=0.0)))


def assert_agrees_with_the_reference(model, seed=0):
    forms = ClosedForms(model)
    M, state = at_state(forms, forms.mass_matrix, seed)
    close(M, reference.mass_matrix(model, state.q))
    g, _ = at_state(forms, forms.gravity_forces, seed)
    close(g, reference.gravity_forces(model, state.q))
    if model.n <= LARGEST_BIAS or model.name in bundled_robots():
        C, _ = at_state(forms, forms.coriolis_forces, seed)
        close(C, reference.bias_forces(model, state.q, state.qd) - reference.gravity_forces(model, state.q))
    J, _ = at_state(forms, forms.jacobian, seed)
    close(J, reference.jacobian(model, state.q, model.tips[0].name))
    energy, _ = at_state(forms, [forms.kinetic_energy, forms.potential_energy], seed)
    close(energy[0], reference.kinetic_energy(model, state.q, state.qd))
    close(energy[1], reference.potential_energy(model, state.q))
    return forms


@pytest.mark.parametrize(
    "name", ["planar_2r", "planar_3r", "stanford", "puma560", "puma560_corke", "ur5", "iiwa14", "kinova"]
)
def test_bundled_arms(name):
    forms = assert_agrees_with_the_reference(load_model(name), 1)
    (rotation, position), state = forms.tip_pose, random_state(forms.model, np.random.default_rng(3))
    value = values(forms, state.q)
    expected = reference.forward_kinematics(forms.model, state.q, forms.model.tips[0].name)
    close(np.array([[number(e, value) for e in row] for row in rotation]), expected[0])
    close(np.array([number(e, value) for e in position]), expected[1])


@settings(max_examples=10, deadline=None, derandomize=True)
@given(st.integers(1, 6), st.integers(0, 10**6))
def test_random_arms_of_up_to_six_joints(n, seed):
    assert_agrees_with_the_reference(random_chain(n, seed), seed)


@settings(max_examples=8, deadline=None, derandomize=True)
@given(st.integers(1, 4), st.integers(0, 10**6), st.booleans())
def test_random_trees_of_every_joint_kind(n, seed, floating):
    assert_agrees_with_the_reference(random_tree(n, seed, KINDS, floating=floating), seed)


def test_joints_that_follow_others():
    from dataclasses import replace

    from derive.model import Mimic

    model = random_chain(3, 5)
    joints = (*model.joints[:2], replace(model.joints[2], mimic=Mimic(0, -0.5, 0.3)))
    assert_agrees_with_the_reference(replace(model, joints=joints), 2)


@pytest.mark.parametrize(
    "model",
    [load_model("panda"), random_tree(3, 2, KINDS, floating=True), random_chain(2, 1, ("spherical",))],
    ids=["panda", "tree", "balls"],
)
def test_derivatives_are_those_of_the_reference_along_each_rate(model):
    forms = ClosedForms(model)
    got, state = at_state(forms, forms.mass_matrix_derivatives, 4)
    for k, direction in enumerate(np.eye(model.nv)):
        moved = integrate(model, state.q.astype(complex), 1e-30j * direction)
        close(got[k], np.asarray(reference.mass_matrix(model, moved)).imag / 1e-30)


@pytest.mark.parametrize("model", [load_model("ur5"), random_tree(4, 1, TRUE_COORDINATES)], ids=["ur5", "tree"])
def test_christoffel_symbols_make_the_bias_forces_and_c(model):
    forms = ClosedForms(model)
    symbols, state = at_state(forms, forms.christoffel, 5)
    bias = reference.bias_forces(model, state.q, state.qd) - reference.gravity_forces(model, state.q)
    close(np.einsum("ijk,j,k->i", symbols, state.qd, state.qd), bias)
    C, _ = at_state(forms, forms.coriolis_matrix, 5)
    close(C @ state.qd, bias)


def test_determinants():
    model = load_model("planar_3r")
    forms = ClosedForms(model)
    got, state = at_state(forms, [forms.determinant], 6)
    close(got[0], np.linalg.det(reference.mass_matrix(model, state.q)))


def test_christoffel_symbols_need_true_coordinates():
    forms = ClosedForms(random_chain(2, 0, ("spherical",)))
    with pytest.raises(ClosedFormError, match=r"derivatives of coordinates.*C\[i\]"):
        forms.christoffel  # noqa: B018


def test_sympy_matrices_are_exact_and_in_the_coordinates():
    model = load_model("planar_2r")
    M = closed_form.mass_matrix(model)
    I1, I2, m1, m2, l1, lc1, lc2, q1, q2, g = sympy.symbols("I1 I2 m1 m2 l1 lc1 lc2 q1 q2 g")
    M11 = I1 + I2 + m1 * lc1**2 + m2 * (l1**2 + lc2**2 + 2 * l1 * lc2 * sympy.cos(q2))
    assert sympy.expand(M[0, 0] - M11) == 0
    force = closed_form.gravity_forces(model)[1]
    assert sympy.simplify(force - m2 * g * lc2 * sympy.cos(q1 + q2)) == 0
    assert closed_form.christoffel(model).shape == (2, 2, 2)
    assert closed_form.coriolis_matrix(model).shape == (2, 2)
    assert closed_form.jacobian(model).shape == (6, 2)
    rotation, position = closed_form.forward_kinematics(model)
    assert (rotation.shape, position.shape) == ((3, 3), (3, 1))
    velocity = sympy.symbols("qd1 qd2")
    energy = sympy.Matrix([velocity]) * M * sympy.Matrix(velocity) / 2
    assert sympy.expand(closed_form.kinetic_energy(model) - energy[0]) == 0
    height = closed_form.potential_energy(model)
    assert sympy.expand(sympy.diff(height, q2) - force) == 0
    assert sympy.expand(closed_form.mass_matrix_derivatives(model)[1][0, 0] - sympy.diff(M11, q2)) == 0


def test_sympy_needs_no_simplification_of_numbers():
    M = closed_form.mass_matrix(load_model("panda"))
    assert all(number.is_Rational for number in M.atoms(sympy.Number))
    assert M == M.T


@pytest.mark.parametrize(("name", "seconds"), [("panda", 1.0), ("ur5", 0.5)])
def test_mass_matrices_are_ready_in_time(name, seconds):
    model = load_model(name)
    closed_form.mass_matrix(load_model("planar_2r"))  # imports and the recursion's derivation
    start = time.process_time()
    closed_form.mass_matrix(model)
    assert time.process_time() - start < seconds


def test_all_christoffel_symbols_of_panda_are_ready_in_time():
    start = time.process_time()
    assert len(ClosedForms(load_model("panda")).christoffel) == 7
    assert time.process_time() - start < 20
