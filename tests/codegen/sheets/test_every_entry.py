"""Every entry, in every form and number, reads back from Python, C, JSON and LaTeX as what the reference says."""

import shutil
from functools import cache, partial
from importlib.util import find_spec

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles.sheet_reading import c_values, json_array, latex_array, python_values
from oracles.small_robots import right_angled_arm
from oracles.stated_facts import StatedFacts

from codegen.sheets.c import to_c
from codegen.sheets.python import to_python
from derive import load_model, reference
from derive.closed_form.errors import ClosedFormError
from derive.closed_form.forms.choice import AUTO, FORMS, closed_forms
from derive.closed_form.printing.json import to_json
from derive.closed_form.printing.latex import to_latex
from derive.closed_form.printing.numbers import decimal, exact
from derive.closed_form.selectors import parse_selector
from derive.closed_form.sheets import sheet
from derive.model import GROUND
from derive.random_models import random_chain, random_tree
from derive.states import random_state

ARMS = [f"arm of {n}" for n in range(1, 7)]
ROBOTS = {
    "ur5": lambda: load_model("ur5"),
    "panda": lambda: load_model("panda"),
    "oblique": lambda: random_chain(3, 7),
    "tree": lambda: random_tree(5, 2),
    **{name: partial(right_angled_arm, n, 11 * n) for n, name in enumerate(ARMS, 1)},
}
RIGID = [
    "M", "M[1]", "M[1,2]", "dM[2]", "dM[2][1]", "dM[1][1,1]", "christoffel[1,2,3]", "christoffel[1]", "christoffel[1,1]",
    "C[1]", "C[2]", "C[1,2]", "g", "g[1]", "J", "J[4]", "J[4,1]", "KE", "PE", "rotation", "rotation[2]", "rotation[2,3]",
    "position", "position[3]", "det",
]  # fmt: skip
ARTICULATED = [
    "P[1]", "P[3]", "P[1,4]", "P[1,4,4]", "D[1]", "D[2]", "G[2]", "G[1,1]", "K[2]", "K[3,6]", "tau_bar[2]", "tau_bar[1,5]",
    "tau_bar[1,5,6]", "psi[1,2]", "psi[1,3]", "psi[1,2,6]", "psi[1,2,6,4]", "psi[3,1]",
]  # fmt: skip
TENSORS = ["dM", "christoffel", "C"]  # whole


def has(name, entry):
    """Whether a robot has the entry."""
    return has_entry(ROBOTS[name](), entry)


def has_entry(model, entry):
    """Whether a model has the entry."""
    try:
        selector = parse_selector(entry, model)
    except ClosedFormError:
        return False
    return selector.quantity.name != "K" or model.joints[selector.indices[0]].parent != GROUND


CASES = [
    (robot, entry)
    for robot in ROBOTS
    for entry in [
        *(TENSORS if robot in ("arm of 3", "arm of 4") else []),
        *RIGID,
        *(ARTICULATED if robot in ARMS else ["D[2]", "psi[1,3]"] if robot == "tree" else []),
    ]
    if has(robot, entry)
]
BLOCKS = {"P", "D", "G", "K", "tau_bar", "psi"}
READABLE = 300  # characters of LaTeX that SymPy's parser reads in a fraction of a second
FACTOR = 1e-12


@cache
def robot(name):
    """The closed forms of a robot, and a state that no other test uses."""
    model = ROBOTS[name]()
    return closed_forms(model), random_state(model, np.random.default_rng(3))


def expected(model, selector, q, qd):
    """What the reference says the selector is."""
    name, indices = selector.quantity.name, selector.indices
    if name in BLOCKS:
        return np.asarray(StatedFacts(model, q).block(name, *selector.indices))
    if name == "C" and len(indices) == 1:
        return (reference.bias_forces(model, q, qd) - reference.gravity_forces(model, q))[indices]
    whole = {
        "M": lambda: reference.mass_matrix(model, q),
        "dM": lambda: reference.mass_matrix_sensitivity(model, q),
        "christoffel": lambda: reference.christoffel(model, q),
        "C": lambda: reference.christoffel(model, q) @ qd,
        "g": lambda: reference.gravity_forces(model, q),
        "J": lambda: reference.jacobian(model, q),
        "KE": lambda: np.array(reference.kinetic_energy(model, q, qd)),
        "PE": lambda: np.array(reference.potential_energy(model, q)),
        "det": lambda: np.array(np.linalg.det(reference.mass_matrix(model, q))),
        "rotation": lambda: reference.forward_kinematics(model, q)[0],
        "position": lambda: reference.forward_kinematics(model, q)[1],
    }[name]()
    return whole[indices if selector.along is None else (selector.along, *indices)]


def assert_near(got, want):
    size = max(1.0, float(np.max(np.abs(want))))
    assert np.shape(got) == np.shape(want)
    np.testing.assert_allclose(got, want, rtol=0, atol=FACTOR * size)


def test_every_case_meets_every_form_and_both_kinds_of_numbers():
    assert {forms_and_numbers(n) for n in range(len(CASES))} == {
        (f, n) for f in (AUTO, *FORMS) for n in (exact, decimal)
    }


def forms_and_numbers(case):
    """Each case has one form and one kind of numbers, so that each form meets each robot and each quantity somewhere."""
    return (AUTO, *FORMS)[case % 5], (exact, decimal)[case // 5 % 2]


@pytest.fixture(scope="module")
def made():
    """The sheet of every case, with its numbers and what the reference says."""
    found = []
    for case, (name, entry) in enumerate(CASES):
        (forms, state), (form, numbers) = robot(name), forms_and_numbers(case)
        selector = parse_selector(entry, forms.model)
        found.append((sheet(forms, selector, form), numbers, state, expected(forms.model, selector, state.q, state.qd)))
    return found


def test_python_and_json_are_the_reference(made):
    for found, numbers, state, want in made:
        assert_near(python_values(to_python(found, numbers), state.q, state.qd), want)
        assert_near(json_array(to_json(found, numbers), state.q, state.qd), want)


def test_c_is_the_reference(made, tmp_path):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    for name in ROBOTS:
        own = [m for m, case in zip(made, CASES, strict=True) if case[0] == name]
        texts, shapes = [to_c(found, numbers) for found, numbers, *_ in own], [np.shape(want) for *_, want in own]
        folder = tmp_path / name.replace(" ", "_")
        folder.mkdir()
        state = robot(name)[1]
        for got, (*_, want) in zip(c_values(texts, shapes, compiler, folder, state.q, state.qd), own, strict=True):
            assert_near(got, want)


def test_latex_is_the_reference_where_sympys_parser_can_read_it(made):
    pytest.importorskip("antlr4", reason="SymPy's LaTeX parser needs antlr4-python3-runtime 4.11")
    read = 0
    for found, numbers, state, want in made:
        text = to_latex(found, numbers)
        if len(text) > READABLE:
            continue
        assert_near(latex_array(text, found, state.q, state.qd), want)
        read += 1
    assert read > 100


@settings(max_examples=20, deadline=None, derandomize=True)
@given(st.integers(1, 6), st.integers(0, 10**6), st.data())
def test_every_form_number_and_format_of_random_arms_is_the_reference(tmp_path_factory, n, seed, data):
    """Nothing is left out here: each form, exact and decimal, in Python, C, JSON, and LaTeX as far as it can be read."""
    model = right_angled_arm(n, seed)
    entry = data.draw(st.sampled_from([e for e in (*RIGID, *ARTICULATED) if has_entry(model, e)]))
    forms, state, selector = (
        closed_forms(model),
        random_state(model, np.random.default_rng(seed)),
        parse_selector(entry, model),
    )
    want = expected(model, selector, state.q, state.qd)
    texts = []
    for form in (AUTO, *FORMS):
        found = sheet(forms, selector, form)
        for numbers in (exact, decimal):
            assert_near(python_values(to_python(found, numbers), state.q, state.qd), want)
            assert_near(json_array(to_json(found, numbers), state.q, state.qd), want)
            texts.append(to_c(found, numbers))
            latex = to_latex(found, numbers)
            if len(latex) <= READABLE and find_spec("antlr4"):
                assert_near(latex_array(latex, found, state.q, state.qd), want)
    if (compiler := shutil.which("cc") or shutil.which("gcc")) is not None:
        shapes = [np.shape(want)] * len(texts)
        for got in c_values(texts, shapes, compiler, tmp_path_factory.mktemp("c"), state.q, state.qd):
            assert_near(got, want)
