"""The rewriting systems terminate and are confluent: computed, not believed."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.operators.rewrite import System, applied, critical_pairs, not_decreasing, unresolved
from derive.operators.rules import ARTICULATED, WEIGHTS, rule
from derive.operators.systems import SYSTEMS, system, system_name
from derive.operators.words import monomial

LETTERS = sorted({letter for r in ARTICULATED for letter in r.left})
some_words = st.lists(st.sampled_from(LETTERS), max_size=8).map(tuple)


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_rule_makes_its_words_lighter_so_rewriting_terminates(name):
    assert not_decreasing(system(name)) == ()
    assert all(value > 0 for value in system(name).weights.values())


@pytest.mark.parametrize("name", SYSTEMS)
def test_every_critical_pair_resolves(name):
    assert unresolved(system(name)) == ()


def test_counts_of_the_specification():
    assert len(ARTICULATED) == 25
    assert len(critical_pairs(ARTICULATED)) == 39


def test_every_system_that_can_be_chosen_is_listed():
    triggers = ["S", "D_sqrt", "HH_s", "R", "Gamma", "Upsilon", "J_a"]
    chosen = {system_name({t for i, t in enumerate(triggers) if mask >> i & 1}) for mask in range(2 ** len(triggers))}
    assert chosen == set(SYSTEMS)


@pytest.mark.parametrize("name", SYSTEMS)
def test_systems_are_closed_under_the_adjoint(name):
    chosen = system(name)
    for each in chosen.rules:
        assert chosen.normal(monomial(*each.adjoint.left)) == chosen.normal(each.adjoint.right)


@pytest.mark.parametrize(
    "wrong",
    [
        rule("psi G -> 0", "wrong"),
        rule("H phi -> H psi", "wrong"),
        rule("E_phi psi -> psi - I", "wrong"),
        rule("H G -> I + I", "wrong"),
    ],
    ids=lambda wrong: " ".join(wrong.left),
)
def test_a_wrong_rule_breaks_confluence(wrong):
    others = tuple(r for r in ARTICULATED if r.left != wrong.left)
    assert unresolved(System("broken", (*others, wrong), WEIGHTS))


def test_a_dropped_rule_breaks_confluence():
    without = tuple(r for r in ARTICULATED if r.left not in (("psi", "G"), ("G'", "psi'")))
    assert unresolved(System("incomplete", without, WEIGHTS))


def test_a_rule_that_grows_is_caught():
    growing = rule("phi -> psi K H phi", "wrong")
    assert not_decreasing(System("growing", (growing,), WEIGHTS)) == (growing,)


@settings(max_examples=300, deadline=None)
@given(some_words, some_words)
def test_group_steps_end_in_the_normal_form_and_check_themselves(first, second):
    articulated = system("articulated")
    start = monomial(*first).scaled(2) - monomial(*second)
    steps = articulated.group_steps(start)
    end = steps[-1].result if steps else start
    assert end == articulated.normal(start)
    assert all(applied(step.source, step.places) == step.result for step in steps)
    assert all(a.result == b.source for a, b in itertools.pairwise(steps))


@settings(max_examples=200, deadline=None)
@given(some_words)
def test_normal_forms_commute_with_the_adjoint(word):
    articulated = system("articulated")
    polynomial = monomial(*word)
    assert articulated.normal(polynomial.adjoint) == articulated.normal(articulated.normal(polynomial).adjoint)
