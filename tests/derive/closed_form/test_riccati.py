"""Riccati quantities, let-bound and closed, against the same recursion on numbers and against dense operators."""

import numpy as np
import pytest
import sympy
from oracles.closed_form_values import number, values

from derive import closed_form, load_model
from derive.closed_form import ClosedFormError, ClosedForms
from derive.closed_form.forms.choice import reading
from derive.closed_form.forms.terms import polynomial_of
from derive.closed_form.printing.numbers import decimal
from derive.closed_form.printing.text import notation
from derive.closed_form.riccati import LETTERS, Riccati, small_block
from derive.random_models import random_chain, random_tree
from derive.run import run
from derive.states import random_state
from derive.sweeps import to_recursion

MODELS = [
    load_model("panda"),
    load_model("stanford"),
    random_tree(4, 1, ("revolute", "cylindrical")),
    random_chain(2, 3, ("spherical",)),
]


def numeric(model, letters, q):
    armature = any(a for joint in model.numeric().joints for a in joint.armature)
    return run(to_recursion({letter: letter for letter in letters}, armature=armature), model.numeric(), {"q": q})


def evaluated(block, forms, lets, q):
    value = values(forms, q, lets=lets.needed(e for row in block for e in row))
    return np.array([[number(e, value) for e in row] for row in block])


@pytest.mark.parametrize("model", MODELS, ids=lambda m: m.name)
def test_let_bound_blocks_are_those_of_the_numbers(model):
    forms, q = ClosedForms(model), random_state(model, np.random.default_rng(1)).q
    expected = numeric(model, LETTERS, q)
    riccati = Riccati(forms)
    for k in range(model.n):
        six, rates = slice(6 * k, 6 * k + 6), model.v_slices[k]
        for letter, rows, columns in (("P", six, six), ("D", rates, rates), ("G", six, rates), ("tau_bar", six, six)):
            got = evaluated(riccati.block(letter, k), forms, riccati.lets, q)
            np.testing.assert_allclose(got, expected[letter][rows, columns], rtol=1e-11, atol=1e-11)


def test_psi_and_k_are_those_of_the_numbers():
    model = load_model("ur5")
    forms, q = ClosedForms(model), random_state(model, np.random.default_rng(2)).q
    expected = numeric(model, ("psi", "K"), q)
    riccati = Riccati(forms)
    K = evaluated(riccati.block("K", 3), forms, riccati.lets, q)
    np.testing.assert_allclose(K, expected["K"][12:18, 3:4], rtol=1e-11, atol=1e-11)
    psi = evaluated(riccati.block("psi", 1, 4), forms, riccati.lets, q)
    np.testing.assert_allclose(psi, expected["psi"][6:12, 24:30], rtol=1e-11, atol=1e-11)
    with pytest.raises(ClosedFormError, match="hangs on the ground"):
        riccati.block("K", 0)


def test_each_name_is_defined_once_and_before_it_is_used():
    forms = ClosedForms(load_model("panda"))
    riccati = Riccati(forms)
    riccati.block("P", 0)
    seen = set()
    for variable, let in riccati.lets.lets.items():
        used = {forms.ring.inverses.get(v, v) for v in let.value.variables()}
        assert {v for v in used if v in riccati.lets.lets} <= seen
        assert len(let.value) <= 30, "never expanded"
        seen.add(variable)
    names = [v.name for v in riccati.lets.lets]
    assert len(names) == len(set(names))


def test_small_arms_have_closed_rational_forms():
    forms = ClosedForms(load_model("planar_2r"))
    block, lets = small_block(forms, "D", 0, None, 100)
    write, style = notation(decimal).write, reading(forms)

    def shown(element):
        return write(style.sum(polynomial_of(element)))

    D1 = lets.unfolded(block[0][0])
    assert shown(D1) == "I1 + m1·lc1² + m2·l1² − m2·l1²·c2² + I2·m2·l1²·c2²/D2"
    assert [f"{let.variable.name} = {shown(let.value)}" for let in lets.needed([D1])] == ["D2 = I2 + m2·lc2²"]
    gain, _ = small_block(forms, "G", 0, None, 100)
    assert gain[2][0] == 1, "H G = I"


def test_closed_and_let_bound_agree():
    model = load_model("planar_2r")
    forms, q = ClosedForms(model), np.array([0.3, -0.9])
    for letter in ("P", "G", "D"):
        closed = Riccati(forms, closed=True)
        got = evaluated(closed.block(letter, 0), forms, closed.lets, q)
        bound = Riccati(ClosedForms(model))
        expected = evaluated(bound.block(letter, 0), bound.forms, bound.lets, q)
        np.testing.assert_allclose(got, expected, rtol=1e-13, atol=1e-13)


def test_riccati_as_sympy():
    model = load_model("planar_2r")
    forms = closed_form.riccati(model)
    value = {sympy.Symbol(n): v for n, v in model.parameters} | {sympy.Symbol("q1"): 0.3, sympy.Symbol("q2"): -0.9}
    for symbol, expression in forms.definitions:
        value[symbol] = expression.subs(value)
    M = closed_form.mass_matrix(model).subs(value)
    assert float(forms.D[1][0].subs(value)) == pytest.approx(float(M[1, 1]))
    assert float(forms.D[0][0].subs(value)) == pytest.approx(float(M.det() / M[1, 1]))
    assert forms.P[0].shape == (6, 6)
    assert forms.K[0] is None
    assert forms.K[1].shape == (6, 1)


def test_a_singular_mass_matrix_is_refused():
    from dataclasses import replace

    from derive.errors import SingularModelError
    from derive.inertia import Inertia
    from derive.model import Body

    model = random_chain(2, 0)
    massless = replace(model, bodies=(model.bodies[0], Body("link2", Inertia())))
    with pytest.raises(SingularModelError, match="joint2"):
        Riccati(ClosedForms(massless)).block("D", 0)


@pytest.mark.parametrize("model", [load_model("planar_3r"), load_model("panda"), load_model("go2"), *MODELS[2:]])
def test_no_name_stands_for_what_is_always_zero(model):
    """P⁺H* = 0 and HG = I are not left for the reader to find in P3_35 − P3_33·G3_5."""
    forms = ClosedForms(model)
    riccati = Riccati(forms)
    riccati.block("P", 0)
    states = [random_state(model, np.random.default_rng(seed)).q for seed in (5, 6)]
    known = [values(forms, q, lets=list(riccati.lets.lets.values())) for q in states]
    zero = {v.name for v in riccati.lets.lets if all(abs(value(v)) < 1e-13 for value in known)}
    assert zero == set()


def test_what_several_freedoms_read_is_the_identity_and_the_rest_is_in_named_pivots():
    forms = ClosedForms(MODELS[3])
    block, lets = small_block(forms, "G", 0, None, 1000)
    assert [[number(x, None) for x in row] for row in block[:3]] == np.eye(3).tolist()
    names = " ".join(let.variable.name for let in lets.lets.values())
    assert "pivot" not in names
    assert "D_inv1_11" in names
