"""Proofs, refutations and honest doubt; and the law that ties normal forms to numbers."""

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from derive.operators import H, I, K, normal_form, parse, phi, prove, psi
from derive.operators.counterexample import TOLERANCE, find_counterexample, numeric_difference, relative_difference
from derive.operators.errors import OperatorError, ParseError, SpaceError
from derive.operators.evaluate import evaluate
from derive.operators.expr import Equation
from derive.operators.normal import normal_polynomial
from derive.operators.prove import Refuted, Undecided


def test_an_equation_of_expressions_is_proved_as_its_text_is():
    assert prove(Equation((I - H * psi * K) * H * phi, H * psi)).steps == prove("(I - H psi K) H phi = H psi").steps


def test_a_refutation_carries_the_normal_form_and_a_robot_with_both_values():
    with pytest.raises(Refuted) as caught:
        prove("H phi = H psi")
    refuted = caught.value
    assert refuted.decided
    assert refuted.normal_form == H * phi - H * psi
    example = refuted.counterexample
    i, j = example.entry
    assert abs(example.lhs[i, j] - example.rhs[i, j]) == abs(example.lhs - example.rhs).max()
    again = [evaluate(side, example.model, example.q) for side in refuted.statement.args]
    assert relative_difference(again[0], example.lhs) < TOLERANCE
    assert relative_difference(again[1], example.rhs) < TOLERANCE
    assert example.model.name in str(refuted)
    assert "\n" not in str(refuted)


def test_foreign_letters_do_not_stop_a_proof():
    """ψ has no rules beside R, and none are needed here."""
    assert prove("phi R + R phi' - R = phi M psi' + phi M (phi - psi)'").system_name == "composite"


def test_a_true_statement_outside_the_fragment_is_undecided_with_a_numeric_verdict():
    with pytest.raises(Undecided) as caught:
        prove("phi R + R phi' - R = P + phi_tilde P + P phi_tilde' + phi K D K' phi'")
    assert caught.value.worst < TOLERANCE
    assert caught.value.robots >= 6
    assert "outside the decided fragment" in str(caught.value)
    assert "numerically it holds" in str(caught.value)


def test_a_difference_no_sample_robot_shows_is_not_called_false():
    with pytest.raises(Undecided, match="no sample robot tells the sides apart"):
        prove("E_phi^7 = 0")


def test_a_statement_without_a_space_is_judged_on_the_bodies():
    assert "bodies" in prove("2 I - I = I").notes[0]
    with pytest.raises(Refuted):
        prove("I = 0")


def test_zero_has_no_inverse():
    with pytest.raises(OperatorError, match="no inverse"):
        prove("inv(H tau_bar H') = I")
    with pytest.raises(OperatorError, match="smaller parts"):
        prove("(I + phi M + psi)^20 = phi")


def test_a_false_statement_outside_the_fragment_is_refuted_by_numbers_and_says_so():
    with pytest.raises(Refuted) as caught:
        prove("P inv(M) = I")
    assert not caught.value.decided
    assert "outside the decided fragment" in str(caught.value)


@pytest.mark.parametrize(("text", "error"), [("H H = I", SpaceError), ("H phi =", ParseError), ("H phi", ParseError)])
def test_what_is_no_statement_is_not_judged(text, error):
    with pytest.raises(error):
        prove(text)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_normal_forms_agree_exactly_when_numbers_do(expressions, data):
    first = data.draw(expressions())
    second = data.draw(expressions(first.codomain, first.domain))
    equation = Equation(first, second)
    if normal_polynomial(first - second):
        assert find_counterexample(equation) is not None
    else:
        assert numeric_difference(equation)[1] < TOLERANCE


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_an_expression_equals_its_normal_form_numerically_and_provably(expressions, data):
    expr = data.draw(expressions())
    equation = Equation(expr, normal_form(expr))
    assert numeric_difference(equation)[1] < TOLERANCE
    prove(equation).replay()


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_single_words_with_different_normal_forms_are_told_apart(words, data):
    first = data.draw(words())
    second = data.draw(words(first.codomain, first.domain))
    assume(normal_polynomial(first - second))
    assert find_counterexample(Equation(first, second)) is not None


def test_readings_are_noted():
    assert "mass matrix" in prove("J inv(M) J' = B' psi' H' D^-1 H psi B").notes[0]
    assert parse("J inv(M) J'").letters == {"J", "Mass"}
