"""Text in: every spelling, the two typed readings, and errors that point at the column."""

import pytest

from derive.operators import D, H, I, J, K, M, Mass, parse, phi, psi
from derive.operators.errors import ParseError, SpaceError
from derive.operators.expr import Equation, Zero
from derive.operators.parse import parse_equation, parse_expression, read


@pytest.mark.parametrize(
    "text",
    ["(I - H psi K) H phi", "(I - H*psi*K)*H*phi", "(I−HψK)Hφ", "(I - H·ψ·K)·Hϕ", "I H phi - H psi K H phi + 0"],
)
def test_spellings_of_one_expression(text):
    expected = (I - H * psi * K) * H * phi
    value = parse(text)
    assert value == expected or value == H * phi - H * psi * K * H * phi


@pytest.mark.parametrize("text", ["phi'", "phi^*", "phi^T", "φ∗", "φ†", "φᵀ", "(phi)'", "phi'''"])
def test_spellings_of_the_adjoint(text):
    assert parse(text) == phi.T


@pytest.mark.parametrize("text", ["inv(D)", "D^-1", "D^{-1}", "D⁻¹", "inv(inv(inv(D)))", "(D)^-1"])
def test_spellings_of_the_inverse(text):
    assert parse(text) == D.inv()


def test_numbers_powers_and_zero():
    assert parse("2 H - 1/2 H") == H * 3 / 2
    assert parse("phi^3") == phi * phi * phi
    assert parse("H phi = 0") == Equation(H * phi, Zero())
    assert parse("-H + H phi") == H * phi - H


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("HφMφ*H*", H * phi * M * phi.T * H.T),
        ("B*ψ*H*D⁻¹HψB", parse("B' psi' H' inv(D) H psi B")),
        ("H*phi", H * phi),
        ("phi*M*phi", phi * M * phi),
    ],
)
def test_star_is_the_product_unless_only_the_adjoint_fits(text, expected):
    parsed = read(text)
    assert parsed.value == expected
    assert bool(parsed.notes) == (expected not in (H * phi, phi * M * phi))


@pytest.mark.parametrize(
    ("text", "expected", "noted"),
    [
        ("phi M phi'", phi * M * phi.T, 0),
        ("J inv(M) J'", J * Mass.inv() * J.T, 1),
        ("M = H phi M phi' H'", Equation(Mass, H * phi * M * phi.T * H.T), 1),
        ("MM = 𝓜", Equation(Mass, Mass), 0),
        ("M M", M * M, 0),
    ],
)
def test_M_is_the_link_inertia_unless_only_the_mass_matrix_fits(text, expected, noted):
    parsed = read(text)
    assert parsed.value == expected
    assert len(parsed.notes) == noted
    assert all("mass matrix" in note for note in parsed.notes)


@pytest.mark.parametrize(
    ("text", "column", "error", "what"),
    [
        ("H H = I", 3, SpaceError, "bodies"),
        ("H phi =", 8, ParseError, "expected"),
        ("H phi * ", 9, ParseError, "adjoint"),
        ("H (phi", 3, ParseError, "never closed"),
        ("H phi)", 6, ParseError, "not expected"),
        ("Hphi", 1, ParseError, "no letter"),
        ("phii psi", 1, ParseError, "did you mean phi"),
        ("2", 1, ParseError, "identity"),
        ("H phi = H psi = 0", 15, ParseError, "not expected"),
        ("inv D", 5, ParseError, "parentheses"),
        ("H $ phi", 3, ParseError, "no letter or sign"),
        ("Φ L", 1, ParseError, "two things"),
        ("H + phi", 3, SpaceError, "add"),
        ("inv(H)", 1, SpaceError, "invert"),
        ("phi^99", 4, ParseError, "powers"),
        ("", 1, ParseError, "expected"),
        ("K * * H", 5, ParseError, "missing"),
    ],
)
def test_errors_are_one_line_and_point_at_the_column(text, column, error, what):
    with pytest.raises(error) as caught:
        parse(text)
    assert caught.value.column == column
    assert what in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.caret == f"{text}\n{' ' * (column - 1)}^"


def test_expression_and_equation_are_told_apart():
    assert parse_expression("H phi") == H * phi
    assert parse_equation("H psi K = H psi K")[0].lhs == H * psi * K
    with pytest.raises(ParseError, match="not an equation"):
        parse_expression("H = H")
    with pytest.raises(ParseError, match="two sides"):
        parse_equation("H phi")
