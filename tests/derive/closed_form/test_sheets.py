"""Sheets: what a selector means, let-bound where large, with reasons for zeros, equal to the reference."""

import numpy as np
import pytest
from oracles.closed_form_values import values

from derive import load_model, reference
from derive.closed_form import ClosedFormError, ClosedForms
from derive.closed_form.expression import evaluate
from derive.closed_form.printing.numbers import decimal
from derive.closed_form.selectors import QUANTITIES, parse_selector
from derive.closed_form.sheets import let_bound_sheet, sheet
from derive.closed_form.zoom import LINES, operator_zoom, recursion_zoom
from derive.random_models import random_tree
from derive.states import random_state


def sheet_values(forms, found, q, qd=None):
    """label → number, its definitions worked out in order."""
    outer, known = values(forms, q, qd), {}

    def value(variable):
        return known[variable] if variable in known else outer(variable)

    for definition in found.definitions:
        known[definition.variable] = float(evaluate(definition.expression, value))
    return {str(f.label): float(evaluate(f.expression, value)) for f in found.formulas}


def matrix_of(found, got, n):
    M = np.zeros((n, n))
    for formula in found.formulas:
        i, j = (k - 1 for k in formula.label.indices)
        M[i, j] = M[j, i] = got[str(formula.label)]
    return M


@pytest.mark.parametrize("model", [load_model("panda"), random_tree(5, 2)], ids=["panda", "tree"])
@pytest.mark.parametrize("make", [sheet, let_bound_sheet], ids=["budget", "all"])
def test_let_bound_mass_matrices_are_right_and_short(model, make):
    forms, state = ClosedForms(model), random_state(model, np.random.default_rng(0))
    found = make(forms, parse_selector("M", model))
    got = matrix_of(found, sheet_values(forms, found, state.q), model.nv)
    np.testing.assert_allclose(got, reference.mass_matrix(model, state.q), rtol=0, atol=1e-12)
    assert all(f.terms <= 100 for f in found.formulas)
    assert found.definitions or make is sheet


def test_large_entries_say_how_large_they_are():
    model = load_model("panda")
    found = sheet(ClosedForms(model), parse_selector("M[1,1]", model))
    assert found.formulas[0].note == "805 terms when expanded"
    whole = sheet(ClosedForms(model), parse_selector("M[1,1]", model), "expanded", None)
    assert (whole.formulas[0].terms, whole.definitions) == (805, ())


@pytest.mark.parametrize("entry", ["dM[4][2,3]", "christoffel[1,2,3]", "C[2,3]", "C[3]", "g[4]", "J[4,3]"])
def test_let_bound_derivatives_and_forces_equal_the_closed_ones(entry):
    model = load_model("panda")
    state = random_state(model, np.random.default_rng(1))
    forms = ClosedForms(model)
    selector = parse_selector(entry, model)
    bound = let_bound_sheet(forms, selector)
    closed = sheet(forms, selector, "expanded", None)
    got, expected = (sheet_values(forms, s, state.q, state.qd) for s in (bound, closed))
    assert got == pytest.approx(expected, rel=1e-11, abs=1e-12)
    assert closed.definitions == ()


def test_zeros_are_explained():
    def notes(robot, entry):
        model = load_model(robot)
        return {
            str(f.label): f.note for f in sheet(ClosedForms(model), parse_selector(entry, model)).formulas if f.note
        }

    assert notes("puma560", "M[4,5]")["M[4,5]"].startswith(
        "the axes of joint4 and joint5 are intersecting at right angles"
    )
    assert "principal" in notes("puma560", "M[5,6]")["M[5,6]"]
    assert "vertical" in notes("panda", "g")["g[1]"]
    tree = random_tree(4, 1)
    pair = next((i, j) for i in range(4) for j in range(i) if j not in tree.path(i))
    found = sheet(ClosedForms(tree), parse_selector(f"M[{pair[1] + 1},{pair[0] + 1}]", tree))
    assert "different branches" in found.formulas[0].note


def test_psi_is_found_whichever_body_is_named_first():
    model = load_model("planar_3r")
    forms = ClosedForms(model)
    one, other = (sheet(forms, parse_selector(text, model)) for text in ("psi[3,2]", "psi[2,3]"))
    assert [str(f.label) for f in one.formulas] == [str(f.label) for f in other.formulas]
    assert one.notes == (
        "to body 2 'link2' on joint 'joint2' (papers' k = 2)",
        "from body 3 'link3' on joint 'joint3' (papers' k = 1)",
    )


def test_what_cannot_be_let_bound_says_so():
    model = load_model("panda")
    with pytest.raises(ClosedFormError, match="over the budget"):
        sheet(ClosedForms(model), parse_selector("KE", model))


@pytest.mark.parametrize("quantity", QUANTITIES, ids=lambda q: q.name)
def test_every_entry_has_three_zooms(quantity):
    model = load_model("planar_2r")
    forms = ClosedForms(model)
    given = {0: "", 1: "[2]", 2: "[1,2]"}[quantity.least]
    along = "[2]" if quantity.along else ""
    selector = parse_selector(f"{quantity.name}{along}{given}", model)
    assert LINES[quantity.name].source in operator_zoom(selector)
    assert LINES[quantity.name].operator in recursion_zoom(forms, selector, decimal)
    assert sheet(forms, selector).formulas


def test_the_recursion_has_the_robot_folded_in():
    model = load_model("panda")
    forms = ClosedForms(model)
    text = recursion_zoom(forms, parse_selector("M[5,7]", model), decimal)
    assert "R(k) = φ(k,k−1) R(k−1) φ*(k,k−1) + M(k)" in text
    assert "body 6 'panda_link6' (papers' k = 2), revolute joint 'panda_joint6'" in text
    assert "φ(5,6): Q = [c6, −s6, 0; 0, 0, −1; s6, c6, 0], ℓ = (0, 0, 0)" in text
