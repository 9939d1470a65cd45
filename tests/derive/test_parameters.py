import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.parameters import Polynomial, parameter, parse_scalar, value

VALUES = {"m1": 2.0, "l1": 3.0, "lc1": 0.5}
EXPRESSIONS = [
    ("m1", 2.0),
    ("-l1", -3.0),
    ("m1*lc1^2 + 1", 1.5),
    ("m1*lc1**2 - l1/4", -0.25),
    ("(m1 + l1)*(m1 - l1)", -5.0),
    ("pi/2", math.pi / 2),
    ("-170*pi/180", -170 * math.pi / 180),
    ("m1 - m1 + 7", 7.0),
    ("1e-3*l1", 3e-3),
]


@pytest.mark.parametrize(("text", "expected"), EXPRESSIONS)
def test_expression_has_the_value_python_gives_it(text, expected):
    assert value(parse_scalar(text), VALUES) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(("text", "_"), EXPRESSIONS)
def test_printed_scalar_parses_back(text, _):
    scalar = parse_scalar(text)
    assert parse_scalar(str(scalar) if isinstance(scalar, Polynomial) else repr(scalar)) == scalar


def test_what_cancels_is_a_plain_number():
    m = parameter("m")
    assert m - m == 0.0
    assert isinstance(m * 0.0, float)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "m1 +",
            "__import__('os')",
            "m1/l1",
            "1/0",
            "m1**99",
            "m1**-1",
            "2**m1",
            "sin(m1)",
            "m1.real",
            "0.07,",
            "1e999",
        ),
        *("[1]", "True", "'a'", "m1 if m1 else 2", "(" * 150, "1j", "\x00", "x" * 500),
    ],
)
def test_anything_else_is_a_value_error(text):
    with pytest.raises(ValueError, match=r"."):
        parse_scalar(text)


polynomials = st.recursive(
    st.one_of(st.sampled_from(["a", "b", "c"]).map(parameter), st.integers(-5, 5).map(float)),
    lambda inner: st.tuples(inner, inner).flatmap(lambda p: st.sampled_from([p[0] + p[1], p[0] - p[1], p[0] * p[1]])),
    max_leaves=8,
)


@given(polynomials, polynomials, polynomials)
def test_scalars_form_a_commutative_ring(x, y, z):
    assert x + y == y + x
    assert x * y == y * x
    assert x * (y + z) == x * y + x * z
    assert (x + y) + z == x + (y + z)
