"""Operators out: exact strings, and the round trips that make them trustworthy."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from derive.operators import parse
from derive.operators.expr import Equation, Zero
from derive.operators.printing import to_ascii, to_latex, to_text


@pytest.mark.parametrize(
    ("text", "ascii_", "unicode_", "latex"),
    [
        ("(I - H psi K) H phi", "(I - H*psi*K)*H*phi", "(I − HψK)Hφ", r"\left(I - H \psi K\right) H \phi"),
        (
            "(I - H psi K)' D^-1",
            "(I - H*psi*K)'*inv(D)",
            "(I − HψK)∗D⁻¹",
            r"\left(I - H \psi K\right)^{*} D^{-1}",
        ),
        ("inv(phi')", "inv(phi')", "φ∗⁻¹", r"\phi^{-*}"),
        ("-2 H + 1/2 H phi", "-2*H + 1/2*H*phi", "−2H + 1/2 Hφ", r"-2 H + \tfrac{1}{2} H \phi"),
        ("-(H phi - H)", "-(H*phi - H)", "−(Hφ − H)", r"-\left(H \phi - H\right)"),
        ("M M", "M*M", "M M", "M M"),
        ("H tau_bar = 0", "H*tau_bar = 0", "Hτ̄ = 0", r"H \bar\tau = 0"),
    ],
)
def test_exact_strings(text, ascii_, unicode_, latex):
    expr = parse(text)
    assert (to_ascii(expr), to_text(expr), to_latex(expr)) == (ascii_, unicode_, latex)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_what_is_printed_parses_back(expressions, data):
    expr = data.draw(expressions())
    equation = Equation(expr, Zero())
    assume(expr.letters)  # a bare 0 or I has no space to read back
    assert parse(to_ascii(equation)) == equation
    assert parse(to_text(equation)) == equation
