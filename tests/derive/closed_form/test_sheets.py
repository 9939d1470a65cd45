"""Sheets: what a selector means, let-bound where large, with reasons for zeros, equal to the reference."""

import re
from itertools import product

import numpy as np
import pytest
from oracles.closed_form_values import values

from derive import load_model, operators, reference
from derive.closed_form import ClosedForms
from derive.closed_form.course import let_bound, places
from derive.closed_form.errors import ClosedFormError
from derive.closed_form.expression import evaluate
from derive.closed_form.printing.numbers import decimal
from derive.closed_form.printing.text import to_text
from derive.closed_form.selectors import QUANTITIES, parse_selector
from derive.closed_form.sheets import let_bound_sheet, sheet
from derive.closed_form.zoom import LINES, operator_zoom, recursion_zoom
from derive.random_models import random_chain, random_tree
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


def test_let_bound_sheets_say_what_their_letters_are():
    model = load_model("panda")

    def said(entry):
        return " ".join(sheet(ClosedForms(model), parse_selector(entry, model)).notes)

    assert "R inertia of a body with all it carries" in said("M[1,1]")
    assert "T kinetic energy of a body" in said("KE")
    assert "f force of a body" in said("C[1]")
    assert "Pp what P hands inwards" in said("det")
    assert said("M[6,7]") == ""


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


@pytest.mark.parametrize("model", [load_model("planar_3r"), random_tree(4, 1)], ids=lambda m: m.name)
def test_psi_is_the_block_of_the_dense_operator_and_zero_where_it_does_not_go_inwards(model):
    forms, q = ClosedForms(model), random_state(model, np.random.default_rng(3)).q
    dense = operators.evaluate(operators.psi, model, q)
    places = [model.paper_number(k) - 1 for k in range(model.n)]
    for i, j in product(range(model.n), repeat=2):
        found = sheet(forms, parse_selector(f"psi[{i + 1},{j + 1}]", model))
        got = np.array(list(sheet_values(forms, found, q).values())).reshape(6, 6)
        rows, columns = (slice(6 * places[k], 6 * places[k] + 6) for k in (i, j))
        np.testing.assert_allclose(got, dense[rows, columns], rtol=0, atol=1e-11)
        assert got.any() == (i in model.path(j))
        assert any("structurally zero" in note for note in found.notes) == (i not in model.path(j))


def test_a_zero_block_of_psi_names_the_one_that_is_not():
    model = load_model("planar_3r")
    forms = ClosedForms(model)
    assert sheet(forms, parse_selector("psi[2,3]", model)).notes[:2] == (
        "to body 2 'link2' on joint 'joint2' (papers' k = 2)",
        "from body 3 'link3' on joint 'joint3' (papers' k = 1)",
    )
    assert sheet(forms, parse_selector("psi[3,2]", model)).notes[-1] == (
        "ψ carries forces inwards, and body 3 is not inboard of body 2: structurally zero [SOA-42]; psi[2,3] is not zero"
    )


SEVERAL = [
    load_model("go2"),
    load_model("panda"),
    random_chain(2, 3, ("spherical",)),
    random_tree(4, 1, ("revolute", "cylindrical", "spherical"), floating=True),
    load_model("planar_2r"),
]


@pytest.mark.parametrize("model", SEVERAL, ids=lambda m: m.name)
def test_let_bound_energies_poses_and_determinants_are_those_of_the_reference(model):
    forms, state = ClosedForms(model), random_state(model, np.random.default_rng(0))

    def found(entry):
        made = let_bound_sheet(forms, parse_selector(entry, model))
        names = [d.variable.name for d in made.definitions]
        assert len(set(names)) == len(names)
        assert all(f.terms <= 100 for f in made.formulas)
        return list(sheet_values(forms, made, state.q, state.qd).values())

    R, p = reference.forward_kinematics(model, state.q, model.tips[0].name)
    M = reference.mass_matrix(model, state.q)
    assert found("KE")[0] == pytest.approx(reference.kinetic_energy(model, state.q, state.qd), rel=1e-12)
    assert found("PE")[0] == pytest.approx(reference.potential_energy(model, state.q), rel=1e-12, abs=1e-12)
    assert found("det")[0] == pytest.approx(np.linalg.det(M), rel=1e-11)
    np.testing.assert_allclose(found("rotation"), R.ravel(), rtol=0, atol=1e-14)
    np.testing.assert_allclose(found("position"), p, rtol=0, atol=1e-14)


@pytest.mark.parametrize("entry", ["KE", "PE", "det", "position", "rotation"])
def test_what_is_over_its_budget_is_let_bound(entry):
    model = load_model("panda")
    found = sheet(ClosedForms(model), parse_selector(entry, model), budget=9)
    assert found.definitions
    assert all(d.body >= 0 for d in found.definitions), "every name is a quantity of a body"


def test_the_determinant_of_a_large_arm_is_the_product_of_its_joint_inertias():
    model = load_model("panda")
    text = to_text(sheet(ClosedForms(model), parse_selector("det", model)), decimal)
    assert "·D6·D5·D4·D3·D2·D1" in text


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


@pytest.mark.parametrize("entry", ["C", "C[1,2]", "christoffel[1,2,3]"])
def test_christoffel_symbols_of_a_floating_base_are_refused_at_every_zoom(entry):
    model = load_model("go2")
    with pytest.raises(ClosedFormError, match="angular velocities"):
        recursion_zoom(ClosedForms(model), parse_selector(entry, model), decimal)
    assert "τ(k)" in recursion_zoom(ClosedForms(model), parse_selector("C[2]", model), decimal)


def test_the_recursion_has_the_robot_folded_in():
    model = load_model("panda")
    forms = ClosedForms(model)
    text = recursion_zoom(forms, parse_selector("M[5,7]", model), decimal)
    assert "R(k) = φ(k,k−1) R(k−1) φ*(k,k−1) + M(k)" in text
    assert "body 6 'panda_link6' (papers' k = 2), revolute joint 'panda_joint6'" in text
    assert "φ(5,6): Q = [c6, −s6, 0; 0, 0, −1; s6, c6, 0], ℓ = (0, 0, 0)" in text


def test_the_letters_of_a_recursion_are_explained_before_they_are_used():
    model = load_model("ur5")
    for entry, words in (
        ("M[3,5]", "f2_5 force at body 2"),
        ("g[2]", "f force of a body"),
        ("PE", "p its origin there"),
    ):
        text = recursion_zoom(ClosedForms(model), parse_selector(entry, model), decimal)
        letters, bodies = text.index("letters: "), text.index("\n\nbody ")
        assert letters < bodies
        assert words in " ".join(text[letters:bodies].split())
        assert "c4 = cos(" in text[letters:bodies]


def body_lines(text, heading):
    (part,) = [p for p in text.split("\n\n") if p.startswith(heading)]
    return " ".join(part.split())


def test_the_recursion_is_shown_body_by_body_also_where_everything_is_short():
    model = load_model("ur5")
    text = recursion_zoom(ClosedForms(model), parse_selector("M[4,6]", model), decimal)
    assert "f(6,6) = (0, 0.0171364731454, 0, 0, 0, 0)" in body_lines(text, "body 6 'wrist_3_link'")
    fourth = body_lines(text, "body 4 'wrist_1_link'")
    assert "f(4,6) = (−0.0171364731454·s5, 0.0171364731454·c5, 0, 0, 0, 0) mass(4,6) = 0.0171364731454·c5" in fourth
    assert "body 3 " not in text, "what the entry does not rest on is left out"


def test_the_recursion_shows_where_a_zero_comes_from():
    model = load_model("ur5")
    text = recursion_zoom(ClosedForms(model), parse_selector("M[5,6]", model), decimal)
    assert "f(5,6) = (0, 0.0171364731454, 0, 0, 0, 0) mass(5,6) = 0" in body_lines(text, "body 5 'wrist_2_link'")
    assert "M[5,6] = 0   (the axes of wrist_2_joint and wrist_3_joint are intersecting at right angles" in text


@pytest.mark.parametrize("entry", ["J", "J[4,2]", "M", "C", "C[2]", "psi[1,3]", "K[3]", "P[2]", "det", "PE", "g"])
def test_each_name_of_a_recursion_is_shown_once_and_no_copies_of_what_is_asked_for(entry):
    model = load_model("ur5")
    text = recursion_zoom(ClosedForms(model), parse_selector(entry, model), decimal)
    names = re.findall(r"^ {4,8}(\w+) = ", text, re.MULTILINE)
    assert len(names) == len(set(names))
    assert not re.search(r"[₂]\(|d1_\(", text)
    assert max(map(len, text.split("\n"))) <= 120


def test_the_jacobian_needs_no_masses_and_only_the_columns_that_are_asked_for():
    model = load_model("panda")
    text = recursion_zoom(ClosedForms(model), parse_selector("J[4,2]", model), decimal)
    assert "f(7,1)d = " in text
    assert "f(7,1)a = " not in text
    assert "M(7)" not in text
    assert "per unit moment (a, b, c) and force (d, e, f)" in " ".join(text.split())


@pytest.mark.parametrize(
    ("entry", "loop"), [("C", "R(k) = "), ("dM[2]", "R(k) = "), ("C[2]", "ζ(k) = "), ("det", "P⁺(k) = ")]
)
def test_the_loops_are_those_that_are_run(entry, loop):
    model = load_model("planar_2r")
    text = recursion_zoom(ClosedForms(model), parse_selector(entry, model), decimal)
    assert loop in text
    assert ("ζ(k)" in text) == (entry == "C[2]")


@pytest.mark.parametrize(("entry", "zero"), [("g", "g[1]"), ("J", "J[3,4]")])
def test_what_is_zero_is_not_left_in_names(entry, zero):
    model = load_model("ur5")
    text = recursion_zoom(ClosedForms(model), parse_selector(entry, model), decimal)
    assert f"{zero} = 0   (" in text.replace(", J[3,5]", "")


@pytest.mark.parametrize("model", [load_model("panda"), load_model("go2"), random_tree(5, 2)], ids=lambda m: m.name)
@pytest.mark.parametrize("entry", ["M[2,3]", "M", "g[2]", "C[2]", "KE", "PE", "det", "position", "P[2]", "psi[1,2]"])
def test_the_course_of_an_entry_holds_all_it_rests_on(model, entry):
    forms, selector = ClosedForms(model), parse_selector(entry, model)
    read = {(field, body) for field, body, *_ in places(forms, selector)}
    elements, lets = let_bound(forms, selector)
    assert {(let.field, let.body) for let in lets.needed(elements)} <= read
    bodies = {body for _, body in read}
    if entry == "M[2,3]" and model.name == "panda":
        assert bodies == set(range(1, 7)), "from the tip to the inner joint"
    if entry in ("M", "KE", "PE", "det"):
        assert bodies == set(range(model.n)) or model.name != "panda"


def test_a_recursion_in_names_shows_the_numbers_of_the_reference():
    """R of the bodies further out, as printed, is what lumping those bodies gives."""
    model = load_model("ur5")
    text = recursion_zoom(ClosedForms(model), parse_selector("M[5,5]", model), decimal)
    mass = float(re.search(r"R\(5\): m = ([\d.]+)", text)[1])
    assert mass == pytest.approx(sum(model.bodies[k].inertia.mass for k in (4, 5)), rel=1e-15)
