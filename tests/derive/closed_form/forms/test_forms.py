"""Every form is the same element: equal in numbers on random arms, and never longer than the flat sum when chosen by auto."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.closed_form_values import number, values

from derive import load_model
from derive.closed_form import ClosedForms
from derive.closed_form.axes import parallel_groups
from derive.closed_form.expression import evaluate
from derive.closed_form.forms.angles import in_angle_sums
from derive.closed_form.forms.choice import FORMS, Arrangement, arranged, closed_forms
from derive.closed_form.forms.merging import addition_theorems, span
from derive.closed_form.forms.terms import cost
from derive.closed_form.printing.numbers import decimal
from derive.closed_form.printing.text import notation
from derive.closed_form.ring import Ring
from derive.closed_form.variables import Kind
from derive.random_models import random_chain
from derive.states import random_state


def expression_value(arrangement, expression, value):
    known = {}
    for definition in arrangement.definitions:
        known[definition.variable] = float(evaluate(definition.expression, lambda v: known.get(v) or value(v)))
    return float(evaluate(expression, lambda v: known[v] if v in known else value(v)))


def assert_forms_agree(forms, elements, seed=0):
    q = random_state(forms.model, np.random.default_rng(seed)).q
    value = values(forms, q)
    for form in (*FORMS, "auto"):
        arrangement = arranged(forms, elements, form)
        for element, expression in zip(elements, arrangement.expressions, strict=True):
            expected = number(element, value)
            assert expression_value(arrangement, expression, value) == pytest.approx(expected, rel=1e-12, abs=1e-12), (
                form
            )


@pytest.mark.parametrize("name", ["planar_2r", "planar_3r", "puma560", "ur5", "stanford"])
def test_forms_of_bundled_arms_agree(name):
    forms = closed_forms(load_model(name))
    nv = forms.model.nv
    elements = [forms.mass_matrix[i][j] for i in range(nv) for j in range(i, nv)] + list(forms.gravity_forces)
    assert_forms_agree(forms, elements)


@settings(max_examples=8, deadline=None, derandomize=True)
@given(st.integers(1, 3), st.integers(0, 10**6))
def test_forms_of_random_arms_agree(n, seed):
    forms = ClosedForms(random_chain(n, seed, ("revolute", "prismatic")))
    assert_forms_agree(forms, [e for row in forms.mass_matrix for e in row], seed)


def test_auto_is_the_shortest():
    forms = ClosedForms(load_model("ur5"))
    elements = [e for row in forms.mass_matrix for e in row]
    chosen = arranged(forms, elements)
    assert len(chosen) == min(len(arranged(forms, elements, form)) for form in FORMS)
    assert isinstance(chosen, Arrangement)


def test_parallel_axes_are_found_with_their_signs():
    assert parallel_groups(load_model("planar_3r")) == (((0, 1), (1, 1), (2, 1)),)
    assert parallel_groups(load_model("ur5")) == (((1, 1), (2, 1), (3, 1)),)
    assert parallel_groups(load_model("puma560")) == (((1, 1), (2, 1)),)
    assert parallel_groups(load_model("panda")) == ()
    group = ((1, 1), (2, -1))
    assert span(group, 0, 2)[0] == ((1, 1), (2, -1))
    assert span(group, 1, 2)[0] == ((2, 1),), "a single joint's angle is its own coordinate"


def test_opposite_parallel_axes_give_differences_of_angles():
    from dataclasses import replace

    from derive.joints import Geometry

    model = load_model("planar_3r")
    joints = list(model.joints)
    joints[1] = replace(joints[1], geometry=Geometry((0.0, 0.0, -1.0)))
    forms = ClosedForms(replace(model, joints=tuple(joints), constants=()))
    groups = parallel_groups(forms.model)
    assert groups == (((0, 1), (1, -1), (2, 1)),)
    elements = [*(e for row in forms.mass_matrix for e in row), *forms.gravity_forces]
    assert_forms_agree(forms, elements)
    flat = in_angle_sums(forms.mass_matrix[0][2], groups)
    assert len(flat) == 4
    angles = {v.angle[0] for m in flat for v, _ in forms.ring.factors(m) if v.kind is Kind.COS}
    assert ((1, 1), (2, -1)) in angles or ((1, -1), (2, 1)) in angles


@pytest.mark.parametrize("signs", [(1, 1, 1), (1, -1, 1), (1, 1, -1), (1, -1, -1)])
def test_the_addition_theorems_are_theorems(signs):
    ring = Ring()
    q = [0.7, -1.2, 2.1]
    theorems = addition_theorems(ring, tuple(enumerate(signs)))
    assert len(theorems) > 20

    def value(monomial):
        total = 1.0
        for variable, power in ring.factors(monomial):
            angle = sum(float(m) * q[i] for i, m in variable.angle[0])
            total *= (np.cos(angle) if variable.kind is Kind.COS else np.sin(angle)) ** power
        return total

    for rule in theorems:
        sides = value(rule.first) + rule.ratio * value(rule.second), rule.sign * value(rule.result)
        assert sides[0] == pytest.approx(sides[1], abs=1e-15)


def test_angle_sums_shorten_the_first_entry_of_ur5():
    forms = ClosedForms(load_model("ur5"))
    entry = forms.mass_matrix[0][0]
    assert len(entry) == 83
    assert cost(in_angle_sums(entry, parallel_groups(forms.model)))[0] <= 10


@pytest.mark.parametrize(
    ("form", "text"),
    [
        ("expanded", "m2·g·lc2·c1·c2 − m2·g·lc2·s1·s2"),
        ("angles", "m2·g·lc2·c12"),
        ("nested", "m2·g·lc2·c12"),
        ("constants", "K1·c12"),
    ],
)
def test_the_forms_of_one_entry(form, text):
    forms = ClosedForms(load_model("planar_2r"))
    arrangement = arranged(forms, [forms.gravity_forces[1]], form)
    got = notation(decimal).write(arrangement.expressions[0])
    assert sorted(got.replace(" − ", " + −").split(" + ")) == sorted(text.replace(" − ", " + −").split(" + "))


def test_a_round_number_needs_no_name():
    forms = ClosedForms(load_model("planar_2r"))
    arrangement = arranged(forms, [2 * forms.ring.cos(forms.q[0]) + 1], "constants")
    assert arrangement.definitions == ()
