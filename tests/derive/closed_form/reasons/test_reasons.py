"""Reasons for zeros: every zero of the bundled robots has one, each sentence is true, and no entry that is not zero has any."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from oracles.stated_facts import StatedFacts

from derive import load_model
from derive.closed_form import ClosedForms
from derive.closed_form.entries import entries
from derive.closed_form.reasons.facts import Fact, listed, told
from derive.closed_form.reasons.why import LAST_RESORT, Reasons
from derive.closed_form.selectors import parse_selector
from derive.closed_form.sheet import Label
from derive.closed_form.sheets import sheet
from derive.model import Mimic
from derive.random_models import random_chain, random_tree
from derive.states import random_state

BUNDLED = ["planar_2r", "planar_3r", "stanford", "puma560", "puma560_corke", "ur5", "kinova", "iiwa14", "panda", "go2"]
RIGID = ["M", "g", "J", "dM", "christoffel", "C", "rotation", "position"]
ARTICULATED = ["planar_3r", "stanford", "puma560", "ur5"]
ZERO = 1e-11
KINDS = [
    random_chain(3, 1, ("revolute", "prismatic")),
    random_chain(2, 2, ("helical", "cylindrical")),
    random_chain(2, 4, ("universal", "prismatic")),
    random_tree(5, 1, ("revolute", "prismatic")),
    random_tree(2, 2, ("revolute",), floating=True),
    random_tree(2, 3, ("spherical", "revolute")),
]


def labels(model, names):
    """All entries of the quantities that the robot has."""
    smooth = all(joint.kind.is_vector_space for joint in model.joints)
    chosen = [name for name in names if smooth or name not in ("christoffel", "C")]
    return [label for name in chosen for label in entries(parse_selector(name, model), model).labels]


def blocks(model):
    """All entries of the Riccati quantities."""
    six, bodies = range(1, 7), range(1, model.n + 1)
    single = [Label(letter, (k, i, j)) for letter in ("P", "tau_bar") for k, i, j in product(bodies, six, six)]
    gains = [Label("G", (k, i)) for k, i in product(bodies, six)]
    shifted = [Label("K", (k + 1, i)) for k, i in product(range(model.n), six) if model.joints[k].parent >= 0]
    return [
        *single,
        *gains,
        *shifted,
        *(Label("psi", (k, j, a, b)) for k, j, a, b in product(bodies, bodies, six, six)),
    ]


def facts_of(reason):
    """The sentences of a reason; what another entry's zero is said to rest on stays with it."""
    return reason.split("; ")


def assert_reasons_hold(model, chosen, complete):
    reasons = Reasons(ClosedForms(model))
    states = [StatedFacts(model, random_state(model, np.random.default_rng(seed)).q) for seed in (1, 2)]
    told_of = dict.fromkeys(chosen, "")
    for label in chosen:
        told_of[label] = reasons.known(label)
        zero = all(abs(state.value(str(label))) < ZERO for state in states)
        assert zero or not told_of[label], f"{label} is not zero, but {told_of[label]}"
        assert not complete or told_of[label] or not zero, f"{label} is zero, and nothing says why"
    sentences = {fact for reason in told_of.values() if reason for fact in facts_of(reason)}
    for fact in sorted(sentences):
        assert all(state.holds(fact) for state in states), fact
    return told_of


@pytest.mark.parametrize("name", BUNDLED)
def test_entries_of_bundled_robots_are_zero_where_a_true_reason_says_so(name):
    model = load_model(name)
    told_of = assert_reasons_hold(model, labels(model, RIGID), complete=True)
    assert any(told_of.values())


@pytest.mark.parametrize("name", ["talos_torso", "g1", "general_6r"])
def test_large_robots_have_reasons_where_closed_forms_are_not_offered(name):
    model = load_model(name)
    state = StatedFacts(model, random_state(model, np.random.default_rng(3)).q)
    chosen = [label for label in labels(model, ["M", "g", "J"]) if abs(state.value(str(label))) < ZERO]
    assert all(assert_reasons_hold(model, chosen, complete=True).values())


@pytest.mark.parametrize("name", ARTICULATED)
def test_riccati_quantities_are_zero_where_a_true_reason_says_so(name):
    told_of = assert_reasons_hold(load_model(name), blocks(load_model(name)), complete=False)
    assert {label.letter for label, reason in told_of.items() if reason} == {"P", "tau_bar", "G", "K", "psi"}


@pytest.mark.parametrize(
    "entry", ["P[2]", "P[3]", "D[3]", "G[1]", "G[3]", "K[2]", "tau_bar[1]", "psi[1,2]", "psi[2,1]"]
)
def test_zeros_of_riccati_quantities_have_a_reason(entry):
    model = load_model("planar_3r")
    found = sheet(ClosedForms(model), parse_selector(entry, model))
    assert LAST_RESORT not in {formula.note for formula in found.formulas}


@pytest.mark.parametrize("model", KINDS, ids=lambda m: m.name)
def test_joints_of_all_kinds_have_true_reasons(model):
    told_of = assert_reasons_hold(model, labels(model, RIGID), complete=False)
    assert any(told_of.values())


@pytest.mark.parametrize("name", ["panda", "go2"])
def test_what_moves_rigidly_is_further_out_and_other_branches_are_others(name):
    model = load_model(name)
    reasons, bodies = (
        Reasons(ClosedForms(model)),
        [k for k, v in enumerate(model.v_slices) for _ in range(v.start, v.stop)],
    )
    seen = set()
    for label in labels(model, ["dM"]):
        i, j, k = (bodies[index - 1] for index in (label.along, *label.indices))
        inner, outer, reason = min(j, k), max(j, k), reasons.known(label)
        if reason.startswith("all that it is made of moves rigidly with"):
            assert i in model.path(inner)
        elif reason.startswith("on different branches"):
            assert inner not in model.path(outer)
        elif reason.startswith("on branches that it does not depend on"):
            assert i not in model.path(outer)
            assert outer not in model.path(i)
        seen.add(reason.split(" ")[0])
    assert seen >= ({"all", "on"} if name == "go2" else {"all"})


def test_joints_that_follow_another_have_reasons_for_all_that_moves():
    model = load_model("planar_3r")
    follows = replace(model.joints[2], mimic=Mimic(1, -1.0))
    told_of = assert_reasons_hold(
        replace(model, joints=(*model.joints[:2], follows)), [Label("dM", (1, 1), 1)], complete=True
    )
    assert "joint1" in told_of[Label("dM", (1, 1), 1)]
    slides = random_chain(3, 5, ("prismatic",))
    moving = replace(slides, joints=(*slides.joints[:2], replace(slides.joints[2], mimic=Mimic(0, 0.5))))
    told_of = assert_reasons_hold(moving, labels(moving, ["dM", "g", "M"]), complete=False)
    assert "both slide" in told_of[Label("dM", (2, 2), 1)]


def test_what_differs_in_its_joints_is_told_once():
    facts = (Fact("moved by", ("a",)), Fact("even"), Fact("moved by", ("b",)), Fact("moved by", ("a",)))
    assert told(facts) == "moved by a and b; even"
    assert listed(("a", "b", "c")) == "a, b and c"
    assert told(()) == ""


def test_an_unknown_reason_is_the_last_resort():
    assert Reasons(ClosedForms(load_model("planar_2r"))).why(Label("M", (1, 1))) == LAST_RESORT
