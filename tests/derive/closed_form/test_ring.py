"""The ring is a commutative ring with decidable equality, and its derivation is the derivative."""

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive.closed_form.errors import ClosedFormError, TooLargeError
from derive.closed_form.ring import Ring
from derive.closed_form.variables import exact_fraction

RING = Ring()
Q = [RING.coordinate(i, f"q{i + 1}") for i in range(3)]
X, Y, Z, W = RING.quaternion(3, ("q4", "q5", "q6", "q7"))
ATOMS = [RING.parameter("m"), Q[2], X, W, *(f(q) for q in Q[:2] for f in (RING.cos, RING.sin)), RING.constant(0.3)]
SPIN = math.sqrt(1 - 0.1**2 - 0.4**2 - 0.2**2)
POINT = {"m": 1.7, "q1": 0.4, "q2": -1.1, "q3": 0.7, "q4": 0.1, "q5": 0.4, "q6": 0.2, "q7": SPIN}


def at_point(variable, moved=None):
    point = POINT | (moved or {})
    if variable.angle is None:
        return point[variable.name]
    ((i, factor),), offset = variable.angle
    return getattr(math, variable.kind.value)(float(factor) * point[f"q{i + 1}"] + float(offset))


@st.composite
def elements(draw, depth=3):
    if depth == 0:
        return draw(st.sampled_from(ATOMS))
    a, b = draw(elements(depth - 1)), draw(elements(depth - 1))
    return draw(st.sampled_from([a + b, a - b, a * b, a]))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(elements(), elements(), elements())
def test_sums_and_products_are_those_of_numbers_and_equality_is_decided(a, b, c):
    assert a * (b + c) == a * b + a * c
    assert (a * b) * c == a * (b * c)
    assert a - a == 0
    value = (a * b + c).evaluate(at_point)
    expected = a.evaluate(at_point) * b.evaluate(at_point) + c.evaluate(at_point)
    assert float(value) == pytest.approx(float(expected), rel=1e-11, abs=1e-11)


def test_squares_of_sines_and_of_the_last_quaternion_component_are_replaced():
    c, s = RING.cos(Q[0]), RING.sin(Q[0])
    assert c * c + s * s == 1
    assert X * X + Y * Y + Z * Z + W * W == 1
    assert s**4 == (1 - c * c) ** 2
    assert len(s * s * W * W * s) > 1
    assert c != s


@settings(max_examples=40, deadline=None, derandomize=True)
@given(elements())
def test_the_derivation_is_the_derivative(a):
    def change(variable):
        if variable.angle is None:
            return RING.constant(1) if variable.name == "q3" else None
        c, s = RING.cosine_and_sine(variable.angle)
        return (-s if variable.kind.value == "cos" else c) if variable.angle[0][0][0] == 0 else None

    h = 1e-6
    ahead, behind = (a.evaluate(lambda v, s=s: at_point(v, {"q1": 0.4 + s * h, "q3": 0.7 + s * h})) for s in (1, -1))
    slope = (float(ahead) - float(behind)) / (2 * h)
    assert float(a.derivative(change).evaluate(at_point)) == pytest.approx(slope, rel=1e-5, abs=1e-6)


def test_floats_are_what_their_shortest_decimal_says():
    assert exact_fraction(0.1) == Fraction(1, 10)
    assert exact_fraction(0.09 * 0.032) == Fraction("0.00288") != Fraction(repr(0.09 * 0.032))
    assert exact_fraction(0.1 + 0.2) == Fraction(3, 10)
    assert exact_fraction(1e-300 * 3) == Fraction(3, 10**300)
    for number in (1 / 3, 0.7071067811865476, 0.1234567890123456, 5e-324, 1.7976931348623157e308, 0.30000000000000016):
        assert exact_fraction(number) == Fraction(repr(number)), "as it is, where no short decimal is that near"
    assert RING.constant(0.1) + RING.constant(0.2) == Fraction(3, 10)
    assert float(RING.constant(2.5)) == 2.5
    with pytest.raises(TypeError):
        float(Q[0])


def test_cosines_of_negative_and_shifted_angles():
    assert RING.cos(-Q[0]) == RING.cos(Q[0])
    assert RING.sin(-Q[0]) == -RING.sin(Q[0])
    assert RING.cos(0.5 * Q[0] + 0.25) != RING.cos(Q[0])
    with pytest.raises(ClosedFormError, match="not a closed form"):
        RING.sin(Q[0] * Q[1])


def test_rings_do_not_mix():
    other = Ring()
    assert other.constant(2) != RING.constant(2)
    with pytest.raises(ValueError, match="different rings"):
        other.constant(2) * Q[0]
    assert len({RING.constant(0.5), RING.constant(1.5) - 1, other.constant(0.5)}) == 2


def test_two_robots_of_one_kind_do_not_share_elements():
    from derive.closed_form import ClosedForms
    from derive.random_models import random_chain

    first, second = (ClosedForms(random_chain(2, 4)) for _ in range(2))
    assert str(first.mass_matrix) == str(second.mass_matrix)
    assert all(e.ring is second.ring for row in second.mass_matrix for e in row)


def test_exponents_never_overflow_silently():
    with pytest.raises(TooLargeError, match="degree"):
        (RING.parameter("m") ** 200) * (RING.parameter("m") ** 100)


def test_a_limit_on_terms_is_kept():
    ring = Ring()
    a = sum((ring.parameter(f"p{i}") for i in range(20)), ring.constant(0))
    with ring.at_most(100), pytest.raises(TooLargeError, match="more than 100 terms"):
        a * a
    assert len(a * a) == 210


def test_a_limit_on_work_is_kept_and_long_numbers_are_more_work():
    ring = Ring()
    a = sum((ring.parameter(f"p{i}") for i in range(20)), ring.constant(0))
    long = a * (1 << 3000)
    with ring.at_most(1000, work=500):
        assert a * a
        with pytest.raises(TooLargeError, match="too many products"):
            a * a
    with ring.at_most(1000, work=500), pytest.raises(TooLargeError, match="too many products"):
        long * long
    assert a * a * a


def test_inverses_cancel_and_division_uses_the_divisor():
    ring = Ring()
    a, b = ring.parameter("a"), ring.parameter("b")
    D = ring.parameter("D")
    inverse = ring.reciprocal(D)
    assert (a * D * inverse).cancelled() == a
    (variable,) = inverse.variables()
    divisor = a + b * b
    assert (divisor * b * inverse).divided(variable, divisor) == b
    with pytest.raises(ClosedFormError, match="name the denominator"):
        ring.reciprocal(a + b)
    with pytest.raises(ZeroDivisionError):
        ring.reciprocal(ring.constant(0))
