"""Normal forms: inverses that have factors, inverses that have none, and what is decided."""

import pytest

from derive.operators import I, Refuted, parse, prove
from derive.operators.expr import Inverse, Product
from derive.operators.normal import KNOWN_INVERSES, is_decided, normal_form, normal_polynomial, system_of, unfold
from derive.operators.parse import parse_expression


@pytest.mark.parametrize("known", KNOWN_INVERSES, ids=lambda k: f"inv({k.operand})")
def test_each_known_inverse_is_one_on_both_sides(known):
    operand, inverse = parse_expression(known.operand), parse_expression(known.inverse)
    for product in (Product(operand, inverse), Product(inverse, operand)):
        assert normal_form(product - I) == 0 * product
    assert normal_form(Inverse(operand)) == normal_form(inverse)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("inv(-I - H phi K)", "H psi K - I"),
        ("inv(2 phi)", "1/2 I - 1/2 E_phi"),
        ("inv((I + H phi K)')", "I - K' psi' H'"),
        ("inv(phi psi)", "(I - E_psi)(I - E_phi)"),
        ("inv((I + H phi K) D (I + H phi K)')", "inv(Mass)"),
        ("inv(phi M phi')", "inv(phi') inv(M) inv(phi)"),
        ("P inv(P) H'", "H'"),
        ("inv(M) M G", "G"),
        ("Lambda J inv(Mass) J'", "I"),
        ("inv(P + M)' (P + M)", "I"),
        ("inv(phi + P)' (phi + P)'", "I"),
    ],
)
def test_inverses(text, expected):
    assert normal_polynomial(parse(text) - parse(expected)) == normal_polynomial(parse("0 H"))


@pytest.mark.parametrize(
    ("text", "system", "decided"),
    [
        ("H phi M", "articulated", True),
        ("inv(Mass)", "articulated", True),
        ("inv(P)", "articulated", False),
        ("Phi_000 L", "articulated+shift", True),
        ("D_sqrt", "articulated+roots", True),
        ("phi R", "composite", True),
        ("psi R", "composite", False),
        ("Omega - Upsilon", "spread", True),
        ("phi Upsilon", "spread", False),
        ("dMass", "articulated+sensitivity", True),
        ("H R HH_s H'", "composite+sensitivity", True),
    ],
)
def test_the_letters_choose_the_system_and_say_whether_it_decides(text, system, decided):
    expr = parse(text)
    assert system_of(expr) == system
    assert is_decided(expr, system) == decided


def test_unfold_keeps_what_it_is_told_to_keep():
    assert unfold(parse("E_psi tau"), frozenset({"E_psi"})) == parse("E_psi G H")
    assert unfold(parse("E_psi")) == parse("E_phi - K H")


def test_normal_form_is_idempotent_and_readable():
    assert normal_form(parse("(I - H psi K) H phi")) == parse("H psi")
    once = normal_form(parse("Mass"))
    assert normal_form(once) == once


@pytest.mark.parametrize(
    "statement",
    [
        "inv(Mass) J_a = (I - H psi K)' D^-1 (I - H psi K) J_a",  # with armature the factors invert Mass + J_a
        "inv(H P H') J_a = D^-1 J_a",
    ],
)
def test_known_inverses_are_used_only_where_they_hold(statement):
    with pytest.raises(Refuted):
        prove(statement)
