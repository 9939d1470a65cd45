"""What is printed parses back and means the same: JSON trees, LaTeX through SymPy's parser, MathML as XML."""

import xml.etree.ElementTree as ET
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.sheet_reading import json_values, latex_values

from derive import load_model, reference
from derive.closed_form import ClosedForms
from derive.closed_form.expression import Number, Power, Product, Quotient, Sum, Symbol
from derive.closed_form.forms.choice import FORMS, closed_forms
from derive.closed_form.printing.infix import Notation
from derive.closed_form.printing.json import to_json
from derive.closed_form.printing.latex import to_latex
from derive.closed_form.printing.markdown import to_markdown
from derive.closed_form.printing.mathml import to_mathml
from derive.closed_form.printing.names import angle_text, latex_name, letter_and_index
from derive.closed_form.printing.numbers import decimal, exact, rounded
from derive.closed_form.printing.text import notation, to_text
from derive.closed_form.selectors import parse_selector
from derive.closed_form.sheets import sheet
from derive.closed_form.variables import Kind, Variable
from derive.random_models import random_chain
from derive.states import random_state


def assert_is_the_mass_matrix(entries, model, q):
    M = reference.mass_matrix(model, q)
    for (_, i, j), x in entries.items():
        assert x == pytest.approx(M[i - 1, j - 1], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("numbers", [exact, decimal], ids=["exact", "decimal"])
@pytest.mark.parametrize("name", ["planar_3r", "puma560", "panda"])
def test_json_parses_back(name, numbers):
    model = load_model(name)
    q = random_state(model, np.random.default_rng(0)).q
    found = sheet(closed_forms(model), parse_selector("M", model))
    assert_is_the_mass_matrix(json_values(to_json(found, numbers), q), model, q)


@settings(max_examples=5, deadline=None, derandomize=True)
@given(st.integers(1, 6), st.integers(0, 10**6))
def test_json_of_random_arms_parses_back(n, seed):
    model = random_chain(n, seed)
    q = random_state(model, np.random.default_rng(seed)).q
    found = sheet(ClosedForms(model), parse_selector("M", model))
    assert_is_the_mass_matrix(json_values(to_json(found, decimal), q), model, q)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["planar_2r", "ur5"])
def test_latex_parses_back_with_sympy(name, form):
    pytest.importorskip("antlr4", reason="SymPy's LaTeX parser needs antlr4-python3-runtime 4.11")
    model = load_model(name)
    forms, q = ClosedForms(model), random_state(model, np.random.default_rng(0)).q
    M = reference.mass_matrix(model, q)
    for i, j in ((1, 1), (1, 2), (2, 2)) if model.nv == 2 else ((1, 5), (2, 2), (4, 4)):
        found = sheet(forms, parse_selector(f"M[{i},{j}]", model), form)
        (got,) = latex_values(to_latex(found, decimal), found, q)
        assert got == pytest.approx(M[i - 1, j - 1], rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("entry", ["C[1]", "KE", "D[1]", "PE"])
def test_latex_of_rates_and_quotients_parses_back_with_sympy(entry):
    pytest.importorskip("antlr4", reason="SymPy's LaTeX parser needs antlr4-python3-runtime 4.11")
    model = load_model("planar_2r")
    found = sheet(ClosedForms(model), parse_selector(entry, model), budget=3)
    q, qd = np.array([0.4, -1.1]), np.array([0.7, 1.9])
    assert latex_values(to_latex(found, decimal), found, q, qd) == pytest.approx(
        list(json_values(to_json(found, decimal), q, qd).values()), rel=1e-12
    )


@pytest.mark.parametrize("entry", ["M", "D[1]", "C[1]", "dM[2][1,1]", "psi[1,2]", "christoffel[1,1,2]"])
def test_mathml_and_markdown_are_well_formed(entry):
    model = load_model("planar_2r")
    found = sheet(ClosedForms(model), parse_selector(entry, model))
    for line in to_mathml(found, decimal).splitlines():
        assert ET.fromstring(line).tag.endswith("math")
    text = to_markdown(found, decimal)
    assert text.count("$$") % 2 == 0
    assert text.count(r"\left(") == text.count(r"\right)")


def test_text_has_a_legend_and_collects_zeros():
    model = load_model("planar_2r")
    text = to_text(sheet(ClosedForms(model), parse_selector("psi[1,2]", model)), decimal)
    assert "where c2 = cos(q2), s2 = sin(q2)" in text
    assert "psi[1,2,1,3], psi[1,2,1,4] … psi[1,2,6,5] (21 entries) = 0   (in φ(1,2) τ̄(2) every product" in text


X, Y = (Symbol(Variable(name, Kind.PARAMETER)) for name in "xy")


def number_node(n, d=1):
    return Number(Fraction(n, d))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (Sum((X, Product((number_node(-2), Y)))), "x − 2·y"),
        (Product((number_node(-1), X, Sum((X, Y)))), "−x·(x + y)"),
        (Power(Sum((X, Y)), 2), "(x + y)²"),
        (Quotient(Sum((X, Y)), Product((X, Y))), "(x + y)/(x·y)"),
        (Sum((X, Quotient(Product((number_node(-3), X)), Y))), "x − 3·x/y"),
        (Product((number_node(1, 3), X)), "(1/3)·x"),
        (Sum((number_node(-1), X)), "−1 + x"),
        (Product((X, number_node(-2))), "x·(−2)"),
    ],
)
def test_brackets_and_signs(expression, expected):
    assert notation(exact).write(expression) == expected


def test_python_reads_infix_as_it_is_meant():
    python = Notation(lambda v: v.name, exact, "*", lambda base, n: f"{base}**{n}")
    expression = Sum((Product((number_node(-2, 3), Power(Sum((X, Y)), 2))), Quotient(X, Product((X, Y)))))
    got = eval(python.write(expression), {"x": 2.0, "y": 3.0})
    assert got == pytest.approx(-2 / 3 * 25 + 1 / 3)


def test_names_are_typeset_as_textbooks_do():
    assert letter_and_index("lc1") == ("l", "c1")
    assert letter_and_index("R6_hx") == ("R", "6,hx")
    assert latex_name("alpha2") == r"\alpha_{2}"
    assert latex_name("q") == "q"
    assert angle_text((((1, Fraction(1)), (2, Fraction(-1))), Fraction(0))) == "q2 - q3"
    assert angle_text((((0, Fraction(-1, 2)),), Fraction(3, 10))) == "-1/2*q1 + 0.3"


def test_numbers():
    assert exact(Fraction(1, 3)) == "1/3"
    assert float(decimal(Fraction(1, 3))) == 1 / 3
    assert (decimal(Fraction(2)), rounded(3)(Fraction(1, 3))) == ("2", "0.333")


def test_sympy_objects_of_lets_divide():
    from derive.closed_form.printing.sympy import to_sympy
    from derive.closed_form.ring import Ring

    ring = Ring()
    assert to_sympy(ring.parameter("a") * ring.reciprocal(ring.parameter("D"))) == sympy.Symbol("a") / sympy.Symbol("D")
