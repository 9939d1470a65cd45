"""`differentiate`: the derivative of dense operators, on any joint and tree, articulated letters and inverses included."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from derive import random_chain, random_tree
from derive.operators import EvaluationError, Letter, OperatorError, differentiate, evaluate, parse, prove
from derive.operators.normal import normal_polynomial, unfold
from derive.random_models import ALL_KINDS
from derive.states import integrate, random_state

MODELS = [
    random_chain(4, 1),
    random_tree(5, 2, ALL_KINDS),
    random_tree(4, 3, ("spherical", "revolute", "planar"), floating=True),
]
SLIDING = random_chain(5, 4, ("prismatic", "revolute", "cylindrical"))
EXPRESSIONS = [
    "E_phi",
    "phi_tilde",
    "psi",
    "K",
    "R",
    "J",
    "Mass",
    "inv(Mass)",
    "Omega",
    "Omega_0",
    "I - H psi K",
    "Mass_a",
]
STEP = 1e-30


def moved(model, q, i):
    return integrate(model, q.astype(complex), 1j * STEP * np.eye(model.nv)[i])


@pytest.mark.parametrize("text", EXPRESSIONS)
@pytest.mark.parametrize("model", MODELS, ids=lambda m: m.name)
def test_the_derivative_is_that_of_the_matrix_along_every_rate(model, text):
    q = random_state(model, np.random.default_rng(0)).q
    expr = parse(text)
    derivative = differentiate(expr)
    for i in range(model.nv):
        truth = evaluate(expr, model, moved(model, q, i)).imag / STEP
        found = evaluate(derivative, model, q, along={"i": i}, armature="Mass_a" in text)
        np.testing.assert_allclose(found, truth, rtol=0, atol=1e-11 * max(1.0, np.abs(truth).max()))


@settings(max_examples=150, deadline=None, derandomize=True)
@given(data=st.data())
def test_any_expression_has_the_derivative_of_its_matrix(expressions, data):
    """Sums of words of core letters, with and without armature; where a word is long, of the size of what it cancels."""
    expr = data.draw(expressions(depth=1))
    model, armature = data.draw(st.sampled_from([*MODELS, SLIDING])), data.draw(st.booleans())
    i, seed = data.draw(st.integers(0, model.nv - 1)), data.draw(st.integers(0, 9))
    q = random_state(model, np.random.default_rng(seed)).q
    truth = evaluate(expr, model, moved(model, q, i), armature=armature).imag / STEP
    found = evaluate(differentiate(expr), model, q, along={"i": i}, armature=armature)
    size = max(1.0, *(np.abs(matrix).max() for matrix in (truth, evaluate(expr, model, q, armature=armature))))
    np.testing.assert_allclose(found, truth, rtol=0, atol=1e-9 * size)


def test_armature_is_in_the_derivative_of_the_articulated_letters_too():
    model = MODELS[1]
    q = random_state(model, np.random.default_rng(1)).q
    for text in ("P", "D", "G", "psi"):
        truth = evaluate(parse(text), model, moved(model, q, 2), armature=True).imag / STEP
        found = evaluate(differentiate(text), model, q, along={"i": 2}, armature=True)
        np.testing.assert_allclose(found, truth, rtol=0, atol=1e-11 * max(1.0, np.abs(truth).max()))


def test_a_second_derivative_is_that_of_the_first():
    model = random_chain(4, 6)
    q = random_state(model, np.random.default_rng(2)).q
    first = differentiate("Mass", "i")
    second = differentiate(first, "j")
    truth = evaluate(first, model, moved(model, q, 2), along={"i": 1}).imag / STEP
    found = evaluate(second, model, q, along={"i": 1, "j": 2})
    assert np.abs(truth).max() > 1e-3
    np.testing.assert_allclose(found, truth, rtol=0, atol=1e-12)


def test_along_a_combination_of_rates_it_is_linear():
    model = MODELS[0]
    q = random_state(model, np.random.default_rng(3)).q
    expr = differentiate("inv(Mass)")
    each = [evaluate(expr, model, q, along={"i": i}) for i in reversed(range(model.nv))]  # the papers' order
    both = evaluate(expr, model, q, along={"i": np.array([1.0, 0.0, -2.0, 0.0])})
    np.testing.assert_allclose(both, each[0] - 2 * each[2], atol=1e-12)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("E_phi", "dE_phi"),
        ("phi", "dphi"),
        ("H", "dH"),
        ("M", "dM"),
        ("Mass", "dMass"),
        ("H phi", "dH phi + H dphi"),
        ("phi M phi'", "dphi M phi' + phi dM phi' + phi M dphi'"),
    ],
)
def test_for_a_revolute_joint_in_inertial_axes_it_is_the_derivation_of_the_seed(text, expected):
    """𝒮 = ℍ_δ, 𝒲 = ℍ, and H does not change in its body: SOA-120 to SOA-124 come out, by normal forms."""
    derivative = differentiate(text, frame="inertial")
    revolute = unfold(derivative).xreplace({Letter("S_i"): Letter("HH_delta"), Letter("W_i"): parse("HH")})
    revolute = revolute.xreplace({Letter("dH_i"): parse("0 * H")})
    system = "articulated+sensitivity"
    assert normal_polynomial(revolute, system) == normal_polynomial(parse(expected), system)


def test_the_inverse_of_the_mass_matrix_changes_by_products_of_sweeps():
    """−𝓜⁻¹(∂𝓜)𝓜⁻¹ with the two products the ledger proves [SOA-129]."""
    model = MODELS[1]
    q = random_state(model, np.random.default_rng(4)).q
    left, right = "(I - H psi K)' D^-1 H psi E_phi", "(P psi' + phi_tilde P) H' D^-1 (I - H psi K)"
    prove(f"inv(Mass) H phi_tilde = {left}")
    prove(f"phi M phi' H' inv(Mass) = {right}")
    half = evaluate(parse(f"{left} S_i {right}"), model, q, along={"i": 3})
    joint = evaluate(parse("inv(Mass) dH_i phi M phi' H' inv(Mass)"), model, q, along={"i": 3})
    found = -(half + half.T + joint + joint.T)
    expected = evaluate(differentiate("inv(Mass)"), model, q, along={"i": 3})
    np.testing.assert_allclose(found, expected, atol=1e-11)


@pytest.mark.parametrize("frame", ["link", "inertial"])
def test_shift_and_steps_change_as_what_they_make(frame):
    """E_φ = SΔ_φ: so do their derivatives, though S turns in no axes and Δ_φ with different ones left and right."""
    model = random_chain(5, 7, ("revolute", "prismatic", "spherical"))
    q = random_state(model, np.random.default_rng(5)).q
    for i in range(model.nv):
        made, whole = (
            evaluate(differentiate(parse(text), frame=frame), model, q, along={"i": i})
            for text in ("S Delta_phi", "E_phi")
        )
        np.testing.assert_allclose(made, whole, rtol=0, atol=1e-13 * max(1.0, np.abs(whole).max()))
        assert not evaluate(differentiate("S", frame=frame), model, q, along={"i": i}).any()


def test_constants_have_no_derivative():
    for text in ("M", "J_a", "B", "I - H H'"):
        model = MODELS[0]
        assert not evaluate(differentiate(parse(text)), model, np.zeros(4), along={"i": 1}).any()


@pytest.mark.parametrize(
    ("text", "i", "what"),
    [
        ("H phi a", "i", "a depends on velocities"),
        ("Upsilon", "i", "Omega"),
        ("D_sqrt", "i", "square roots"),
        ("HH_s phi", "i", "not among the letters"),
        ("I", "i", "any space"),
        ("phi", "k", "along i or j"),
        ("dP_i", "j", "not among the letters"),
    ],
)
def test_what_cannot_be_differentiated_says_so(text, i, what):
    with pytest.raises(OperatorError, match=what):
        differentiate(text, i)


@pytest.mark.parametrize(
    ("along", "what"),
    [
        ({"i": 4}, r"4 rates, so i is 0 to 3, not 4"),
        ({"i": -1}, r"so i is 0 to 3, not -1"),
        ({"k": 1}, r"along i or j, not 'k'"),
        ({"i": np.ones(3)}, r"combination of 4 rates, not of shape \(3,\)"),
        ({"i": "joint2"}, r"combination of 4 rates"),
    ],
)
def test_a_rate_that_is_not_there_is_refused_not_zero(along, what):
    with pytest.raises(EvaluationError, match=what):
        evaluate(differentiate("phi"), MODELS[0], np.zeros(4), along=along)


def test_an_integer_of_numpy_is_a_rate():
    expr = differentiate("phi")
    one, other = (evaluate(expr, MODELS[0], np.zeros(4), along={"i": i}) for i in (2, np.int64(2)))
    np.testing.assert_array_equal(one, other)


def test_axes_that_are_not_there_are_refused():
    with pytest.raises(OperatorError, match="link or inertial axes, not 'world'"):
        differentiate("phi", frame="world")
