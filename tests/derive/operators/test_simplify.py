"""Simplification ends in the form one would compute with, by named steps."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from derive.operators import cost, parse, simplify
from derive.operators.counterexample import TOLERANCE
from derive.operators.errors import ParseError
from derive.operators.printing import to_text


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("inv(H phi M phi' H')", "(I − HψK)∗D⁻¹(I − HψK)"),
        ("inv(I + H phi K)", "I − HψK"),
        ("J inv(M) J'", "B∗ψ∗H∗D⁻¹HψB"),
        ("J inv(M) T", "B∗ψ∗H∗D⁻¹(I − HψK)T"),
        ("(I - H psi K) H phi", "Hψ"),
        ("(I + H phi K) H psi", "Hφ"),
        ("H psi M psi' H'", "D"),
        ("inv(phi)", "I − E_φ"),
        ("H phi M phi' H'", "HφMφ∗H∗"),
        ("phi (I - E_phi) H'", "H∗"),
    ],
)
def test_results(text, result):
    derivation = simplify(text)
    assert to_text(derivation.result) == result
    derivation.replay()
    assert derivation.numeric_difference() < TOLERANCE


def test_forward_dynamics_comes_out_in_two_sweeps():
    """The biases propagate with the articulated sweep: the algorithm of SOA-63 after V is known."""
    derivation = simplify("inv(Mass) (T - H phi (M phi' a + b + B f_0))")
    assert cost(derivation.result).sweeps == 2
    assert cost(derivation.statement.lhs).dense_inverses == 1
    assert cost(derivation.statement.lhs).complexity == "O(N³)"
    assert cost(derivation.result).complexity == "O(N)"
    derivation.replay()


@pytest.mark.parametrize(
    ("text", "sweeps"),
    [
        ("phi", 1),
        ("phi psi", 1),
        ("phi phi'", 2),
        ("H phi M phi' H'", 2),
        ("D", 0),
        ("(I - H psi K)' D^-1", 1),
        ("K", 0),
    ],
)
def test_sweeps_of_one_direction_fuse(text, sweeps):
    assert cost(parse(text)).sweeps == sweeps


def test_an_equation_is_not_simplified():
    with pytest.raises(ParseError, match="not an equation"):
        simplify("H = H")


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_simplification_is_never_dearer_and_always_replays(expressions, data):
    expr = data.draw(expressions())
    derivation = simplify(expr)
    assert cost(derivation.result) <= cost(expr)
    derivation.replay()
