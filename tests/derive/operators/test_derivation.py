"""Derivations replay, and a tampered one does not."""

import dataclasses

import pytest

from derive.operators import H, I, phi, prove, psi
from derive.operators.derivation import ReplayError
from derive.operators.expr import Equation

STATEMENTS = (
    "(I - H psi K) H phi = H psi",
    "inv(I + H phi K) = I - H psi K",
    "inv(Mass) = (I - H psi K)' D^-1 (I - H psi K)",
    "Mass = (I + H phi K) D (I + H phi K)'",
    "M = P - E_psi P E_psi'",
)


@pytest.mark.parametrize("text", STATEMENTS)
def test_replay_accepts_what_prove_found(text):
    prove(text).replay()


@pytest.mark.parametrize("text", STATEMENTS)
def test_no_step_can_be_dropped_or_changed(text):
    derivation = prove(text)
    for i, step in enumerate(derivation.steps):
        without = derivation.steps[:i] + derivation.steps[i + 1 :]
        doubled = dataclasses.replace(step, after=2 * step.after)
        for steps in (without, (*derivation.steps[:i], doubled, *derivation.steps[i + 1 :])):
            with pytest.raises(ReplayError):
                dataclasses.replace(derivation, steps=steps).replay()


def test_a_step_with_a_false_reason_is_caught():
    derivation = prove("(I - H psi K) H phi = H psi")
    expand, rule = derivation.steps
    wrong_places = dataclasses.replace(rule, places=())
    wrong_kind = dataclasses.replace(rule, kind="expand", places=())
    for broken in (wrong_places, wrong_kind):
        with pytest.raises(ReplayError):
            dataclasses.replace(derivation, steps=(expand, broken)).replay()


def test_a_goal_must_establish_its_statement():
    derivation = prove("inv(I + H phi K) = I - H psi K")
    with pytest.raises(ReplayError, match="goal"):
        dataclasses.replace(derivation, statement=Equation(H * phi, H * psi)).replay()
    assert derivation.goal.rhs == I + 0 * derivation.goal.rhs


def test_lemma_4_reads_like_the_papers():
    steps = prove("(I - H psi K) H phi = H psi").steps
    assert [step.kind for step in steps] == ["expand", "rule"]
    assert steps[1].soa == ("SOA-53",)
    assert len(prove("inv(Mass) = (I - H psi K)' D^-1 (I - H psi K)").steps) == 3
    assert len(prove("Mass = (I + H phi K) D (I + H phi K)'").steps) <= 6


def test_every_step_agrees_with_numbers():
    assert prove("Mass = (I + H phi K) D (I + H phi K)'").numeric_difference() < 1e-10


def test_inverses_beside_letters_of_another_system_replay():
    """R has a system of its own; the factors of 𝓜⁻¹ are checked where ψ and K have their rules."""
    prove("inv(Mass) H R = (I - H psi K)' D^-1 (I - H psi K) H R").replay()
