"""Lemmas decide nothing: each follows from the rules of its system alone."""

import pytest

from derive.operators.derivation import rule_equation
from derive.operators.lemmas import FACTOR_LEMMAS, LEMMAS
from derive.operators.normal import normal_polynomial
from derive.operators.words import ZERO

ALL = [pytest.param(rule, name, id=f"{name}: {' '.join(rule.left)}") for name in LEMMAS for rule in LEMMAS[name]]
ALL += [pytest.param(rule, "articulated", id=f"factors: {' '.join(rule.left)}") for rule in FACTOR_LEMMAS]


@pytest.mark.parametrize(("rule", "name"), ALL)
def test_a_lemma_follows_from_the_rules(rule, name):
    equation = rule_equation(rule)
    assert normal_polynomial(equation.lhs - equation.rhs, name) == ZERO
