"""Every entry, in every form and number, reads back from Python, C, JSON and LaTeX as what the reference says."""

import shutil
from functools import cache

import numpy as np
import pytest
from oracles.sheet_reading import c_values, json_values, latex_values, python_values

from codegen.sheets.c import to_c
from codegen.sheets.python import to_python
from derive import load_model, operators, reference
from derive.closed_form.forms.choice import AUTO, FORMS, closed_forms
from derive.closed_form.printing.json import to_json
from derive.closed_form.printing.latex import to_latex
from derive.closed_form.printing.numbers import decimal, exact
from derive.closed_form.selectors import parse_selector
from derive.closed_form.sheets import sheet
from derive.random_models import random_chain, random_tree
from derive.states import random_state

ROBOTS = {
    "ur5": lambda: load_model("ur5"),
    "panda": lambda: load_model("panda"),
    "iiwa14": lambda: load_model("iiwa14"),
    "arm": lambda: random_chain(6, 7),
    "tree": lambda: random_tree(5, 2),
}
RIGID = ["M", "dM[2]", "christoffel[1,2,3]", "C[2]", "C[1,2]", "g", "J", "KE", "PE", "rotation", "position", "det"]
ARTICULATED = ["P[3]", "P[1,4,4]", "D[1]", "D[2]", "G[2]", "G[1,1]", "psi[1,3]", "psi[3,1]"]
ENTRIES = [*RIGID, *ARTICULATED]
TENSORS = ["dM", "christoffel", "C"]  # whole
LONG = [
    "M",
    "J",
    "D[2]",
    "C[2]",
    "C[1,2]",
    "KE",
    "det",
    "P[3]",
    "P[1,4,4]",
    "D[1]",
    "G[2]",
    "G[1,1]",
]  # of an arm with all axes oblique
CASES = [
    (robot, entry)
    for robot in ROBOTS
    for entry in [*(TENSORS if robot in ("ur5", "tree") else []), *ENTRIES]
    if robot != "arm" or entry not in LONG
]
BLOCKS = {"P": (6, 6), "D": (1, 1), "G": (6, 1), "psi": (6, 6)}
READABLE = 1000  # characters of LaTeX that SymPy's parser reads in a fraction of a second
FACTOR = 1e-12


@cache
def robot(name):
    """The closed forms of a robot, and a state that no other test uses."""
    model = ROBOTS[name]()
    return closed_forms(model), random_state(model, np.random.default_rng(3))


def block(model, selector, q):
    """Of the dense operator, by the papers' numbers."""
    letter, (k, *rest) = selector.quantity.name, selector.indices
    j = rest.pop(0) if letter == "psi" else k
    (height, width), at = BLOCKS[letter], [model.paper_number(i) - 1 for i in (k, j)]
    dense = operators.evaluate(getattr(operators, letter), model, q)
    whole = dense[at[0] * height : (at[0] + 1) * height, at[1] * width : (at[1] + 1) * width]
    return whole.reshape([n for n in (height, width) if n > 1])[tuple(rest)]


def expected(model, selector, q, qd):
    """What the reference says the selector is."""
    name, indices = selector.quantity.name, selector.indices
    if name in BLOCKS:
        return block(model, selector, q)
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


def place(label, rank):
    """Where an entry stands in what is shown: its last indices."""
    along = (label.along,) if label.along else ()
    return tuple(i - 1 for i in (*along, *label.indices)[-rank:]) if rank else ()


def assert_near(got, want):
    size = max(1.0, float(np.max(np.abs(want))))
    np.testing.assert_allclose(got, np.ravel(want), rtol=0, atol=FACTOR * size)


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
        of_json = json_values(to_json(found, numbers), state.q, state.qd)
        entries = (
            [want[place(f.label, want.ndim if found.shape else 0)] for f in found.formulas] if found.shape else want
        )
        assert_near(list(of_json.values()), np.array(entries))


def test_c_is_the_reference(made, tmp_path):
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler")
    for name in ROBOTS:
        own = [m for m, case in zip(made, CASES, strict=True) if case[0] == name]
        texts, sizes = [to_c(found, numbers) for found, numbers, *_ in own], [np.size(want) for *_, want in own]
        folder = tmp_path / name
        folder.mkdir()
        state = robot(name)[1]
        for got, (*_, want) in zip(c_values(texts, sizes, compiler, folder, state.q, state.qd), own, strict=True):
            assert_near(got, want)


def test_latex_is_the_reference_where_sympys_parser_can_read_it(made):
    pytest.importorskip("antlr4", reason="SymPy's LaTeX parser needs antlr4-python3-runtime 4.11")
    read = 0
    for found, numbers, state, want in made:
        text = to_latex(found, numbers)
        if len(text) > READABLE:
            continue
        entries = [want[place(f.label, want.ndim)] for f in found.formulas] if found.shape else want
        assert_near(latex_values(text, found, state.q, state.qd), np.array(entries))
        read += 1
    assert read >= 3
