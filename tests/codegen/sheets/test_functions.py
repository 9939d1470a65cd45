"""Printed Python and C compile, and give what the reference gives."""

import shutil

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.sheet_reading import c_values, python_function, python_values

from codegen.sheets.c import to_c
from codegen.sheets.python import to_python
from derive import load_model, reference
from derive.closed_form import ClosedForms
from derive.closed_form.forms.choice import FORMS, closed_forms
from derive.closed_form.printing.numbers import decimal, exact
from derive.closed_form.selectors import parse_selector
from derive.closed_form.sheets import sheet
from derive.random_models import random_chain
from derive.states import random_state

ROBOTS = ["planar_3r", "puma560", "panda", "stanford"]


def made(model, entry, form="auto"):
    forms = closed_forms(model, form)
    return sheet(forms, parse_selector(entry, model), form)


@pytest.mark.parametrize("numbers", [exact, decimal], ids=["exact", "decimal"])
@pytest.mark.parametrize("name", ROBOTS)
def test_python_is_the_mass_matrix(name, numbers):
    model = load_model(name)
    q = random_state(model, np.random.default_rng(0)).q
    got = python_values(to_python(made(model, "M"), numbers), q)
    np.testing.assert_allclose(got, reference.mass_matrix(model, q), rtol=0, atol=1e-12)


@settings(max_examples=6, deadline=None, derandomize=True)
@given(st.integers(1, 6), st.integers(0, 10**6), st.sampled_from(["auto", *FORMS]))
def test_python_of_random_arms(n, seed, form):
    model = random_chain(n, seed)
    q = random_state(model, np.random.default_rng(seed)).q
    found = sheet(ClosedForms(model), parse_selector("M", model), form)
    np.testing.assert_allclose(
        python_values(to_python(found, decimal), q), reference.mass_matrix(model, q), rtol=0, atol=1e-12
    )


def test_python_of_forces_takes_rates_and_parameters():
    model = load_model("planar_2r")
    function = python_function(to_python(made(model, "C[1]"), decimal))
    q, qd = np.array([0.3, -0.7]), np.array([1.1, 0.4])
    bias = reference.bias_forces(model, q, qd) - reference.gravity_forces(model, q)
    assert function(q, qd) == pytest.approx(bias[0], abs=1e-13)
    assert function(q, qd, m2=0.0) == 0.0
    assert function.__name__ == "C_1"


def test_names_that_clash_with_the_language_are_changed():
    from dataclasses import replace

    from derive.inertia import Inertia
    from derive.model import Body
    from derive.parameters import parameter

    model = load_model("planar_2r")
    body = Body("link2", Inertia(parameter("lambda_"), (parameter("c2"), 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, 1.0)))
    odd = replace(model, bodies=(model.bodies[0], body), parameters=(*model.parameters, ("c2", 0.4), ("lambda_", 2.0)))
    text = to_python(made(odd, "M"), decimal)
    q = np.array([0.2, 0.9])
    np.testing.assert_allclose(python_values(text, q), reference.mass_matrix(odd, q), rtol=0, atol=1e-13)


def test_a_robots_name_cannot_break_out_of_a_comment(compiler, tmp_path):
    from dataclasses import replace

    model = replace(load_model("planar_2r"), name='x */ #error """ \\')
    found = sheet(ClosedForms(model), parse_selector("g", model))
    python_function(to_python(found, decimal))
    c_values([to_c(found, decimal)], [found.shape], compiler, tmp_path, [0.0, 0.0], parameters=dict(found.parameters))


@pytest.fixture(scope="module")
def compiler():
    found = shutil.which("cc") or shutil.which("gcc")
    if found is None:
        pytest.skip("no C compiler")
    return found


@pytest.mark.parametrize("numbers", [exact, decimal], ids=["exact", "decimal"])
@pytest.mark.parametrize("name", ["puma560", "panda"])
def test_c_is_the_mass_matrix(name, numbers, compiler, tmp_path):
    model = load_model(name)
    forms = closed_forms(model, "auto", "none")
    found = sheet(forms, parse_selector("M", model))
    q = random_state(model, np.random.default_rng(0)).q
    (got,) = c_values([to_c(found, numbers)], [found.shape], compiler, tmp_path, q)
    np.testing.assert_allclose(got, reference.mass_matrix(model, q), rtol=0, atol=1e-12)


def test_c_of_one_entry_returns_it(compiler, tmp_path):
    model, q = load_model("planar_2r"), [0.3, -0.8]
    text = to_c(made(model, "D[1]"), decimal)
    (got,) = c_values([text], [()], compiler, tmp_path, q, parameters=dict(model.parameters))
    M = reference.mass_matrix(model, q)
    assert got == pytest.approx(np.linalg.det(M) / M[1, 1], rel=1e-13)
