import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from codegen.builder import ProgramBuilder, Scalar
from codegen.cost import OperationCount, count
from codegen.interpret import interpret
from codegen.ir import Const, Origin
from codegen.passes import run_passes
from derive import load_model
from derive.algebra import multiplied
from derive.frames import IDENTITY


def builder(size=4):
    b = ProgramBuilder()
    return b, *b.input("x", (size,))


def lines(b, **outputs):
    """The equations as text."""
    return [line for line in str(b.program("p", outputs)).splitlines() if line.startswith("v")]


KNOWN = [
    lambda b, x, y: x - x,
    lambda b, x, y: x + -x,
    lambda b, x, y: 0.0 * x,
    lambda b, x, y: x * 0,
    lambda b, x, y: 0 / x,
    lambda b, x, y: 2 * x - x - x,
    lambda b, x, y: (x - y) + (y - x),
]


@pytest.mark.parametrize("expression", KNOWN)
def test_what_is_known_to_be_zero_is_a_plain_float(expression):
    b, x, y, *_ = builder()
    value = expression(b, x, y)
    assert type(value) is float
    assert value == 0.0


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        (lambda b, x: x / x, 1.0),
        (lambda b, x: -x / x, -1.0),
        (lambda b, x: (6 * x) / (-2 * x), -3.0),
        (lambda b, x: b.cos(0.0), 1.0),
        (lambda b, x: b.sin(x - x), 0.0),
        (lambda b, x: b.sqrt(4), 2.0),
        (lambda b, x: (x + 2) - x, None),
    ],
)
def test_folded_values_are_plain_floats(expression, value):
    b, x, *_ = builder()
    got = expression(b, x)
    assert isinstance(got, Scalar) if value is None else (type(got) is float and got == value)


SAME = [
    (lambda b, x, y: x - (-y), lambda b, x, y: y + x),
    (lambda b, x, y: 0 - (-x), lambda b, x, y: x),
    (lambda b, x, y: (-x) * y, lambda b, x, y: -(y * x)),
    (lambda b, x, y: (-x) * (-y), lambda b, x, y: x * y),
    (lambda b, x, y: (-x) / y, lambda b, x, y: -(x / y)),
    (lambda b, x, y: x / (-y), lambda b, x, y: -(x / y)),
    (lambda b, x, y: (-x) + (-y), lambda b, x, y: -(x + y)),
    (lambda b, x, y: y - x, lambda b, x, y: -(x - y)),
    (lambda b, x, y: x + x, lambda b, x, y: 2 * x),
    (lambda b, x, y: -2 * x, lambda b, x, y: -(x * 2)),
    (lambda b, x, y: 3 * (0.5 * x), lambda b, x, y: x * 1.5),
    (lambda b, x, y: 0.5 * (2 * x), lambda b, x, y: x),
    (lambda b, x, y: x / 4, lambda b, x, y: 0.25 * x),
    (lambda b, x, y: 1 / (2 * x), lambda b, x, y: 0.5 / x),
    (lambda b, x, y: x + 3 * x, lambda b, x, y: 4 * x),
    (lambda b, x, y: 1 - (x + 1), lambda b, x, y: -x),
    (lambda b, x, y: (2 - x) - 3, lambda b, x, y: -(x + 1)),
    (lambda b, x, y: b.sin(-x), lambda b, x, y: -b.sin(x)),
    (lambda b, x, y: b.cos(-x), lambda b, x, y: b.cos(x)),
    (lambda b, x, y: +x, lambda b, x, y: x + (-0.0)),
]


@pytest.mark.parametrize(("left", "right"), SAME)
def test_equal_expressions_are_one_object(left, right):
    b, x, y, *_ = builder()
    assert left(b, x, y) is right(b, x, y)


OPERATORS = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: a * b,
    lambda a, b: a / b,
    lambda a, b: b - a,
    lambda a, b: -a,
]


@given(st.lists(st.tuples(st.sampled_from(OPERATORS), st.integers(0, 40), st.integers(0, 40)), max_size=30))
def test_operators_mean_what_python_means(steps):
    b, *scalars = builder(3)
    numbers = [0.7, -1.3, 2.9]
    for constant in (2.0, -1, 0.5, 3):
        scalars.append(constant)
        numbers.append(constant)
    for operation, i, j in steps:
        i, j = i % len(numbers), j % len(numbers)
        if abs(numbers[j]) < 1e-3 or not 1e-6 < abs(numbers[i]) < 1e6:
            continue  # quotients by almost nothing tell nothing
        numbers.append(operation(numbers[i], numbers[j]))
        scalars.append(operation(scalars[i], scalars[j]))
    got = interpret(b.program("p", {"y": scalars}), {"x": numbers[:3]})["y"]
    assert np.allclose(got, numbers, rtol=1e-6, atol=1e-6)


def test_signs_are_written_only_for_outputs_and_square_roots():
    b, x, y, *_ = builder()
    assert lines(b, a=-(x * y), c=b.sqrt(-x)) == ["v0 = x[0] * x[1]", "v1 = -x[0]", "v2 = sqrt(v1)", "v3 = -v0"]


def test_constants_are_floats_without_negative_zero():
    b, x, *_ = builder()
    program = b.program("p", {"y": [np.float64(-0.0), 2, x * np.float64(3.0)]})
    assert str(program).splitlines()[-1] == "out y[3] = 0.0, 2.0, v0"


def test_numpy_numbers_and_arrays_mix_with_scalars():
    b = ProgramBuilder()
    x = b.input("x", (2, 2))
    assert np.float64(2) * x[0, 0] is x[0, 0] * 2.0
    assert ((x @ np.eye(2)) == x).all()
    assert (x[0, 1] * np.array([1.0, 2.0]))[1] is 2 * x[0, 1]


def test_equations_keep_the_origin_they_were_first_written_in():
    b, x, y, *_ = builder()
    with b.origin("sweep 1/1 base-to-tip", "body 1 'a'"):
        with b.origin(symbol="R"):
            first = x * y
        with b.origin(body="body 2 'b'", symbol="P"):
            second = y * x + x
    program = b.program("p", {"y": [first, second, -second]})
    R, P = Origin("sweep 1/1 base-to-tip", "body 1 'a'", "R"), Origin("sweep 1/1 base-to-tip", "body 2 'b'", "P")
    assert [equation.origin for equation in program.equations] == [R, P, P]


MISTAKES = [
    (lambda b, x: x / 0, ZeroDivisionError),
    (lambda b, x: x + math.inf, OverflowError),
    (lambda b, x: math.nan * x, OverflowError),
    (lambda b, x: x + "1", TypeError),
    (lambda b, x: b.sin("1"), TypeError),
    (lambda b, x: b.sqrt(-1.0), ValueError),
    (lambda b, x: bool(x), TypeError),
    (lambda b, x: x + builder()[1], ValueError),
    (lambda b, x: b.input("x", (2,)), ValueError),
    (lambda b, x: b.program("p", {"y": [None]}), TypeError),
]


@pytest.mark.parametrize(("mistake", "error"), MISTAKES)
def test_mistakes_are_refused(mistake, error):
    b, x, *_ = builder()
    with pytest.raises(error):
        mistake(b, x)


# -- robots -----------------------------------------------------------------------------------------------------------------


def test_planar_2r_mass_matrix_costs_what_the_textbook_says():
    """M₁₁ = a + 2b·c₂, M₁₂ = d + b·c₂, M₂₂ = d with a, b, d known: one cosine, two products, two sums."""
    b = ProgramBuilder()
    q = b.input("q", (2,))
    m2, l1, lc1, lc2, I1, I2 = 1.5, 0.4, 0.2, 0.3, 0.02, 0.03
    c2 = b.cos(q[1])
    coupling = m2 * l1 * lc2 * c2
    d = I2 + m2 * lc2**2
    M = [[I1 + 2.0 * lc1**2 + m2 * l1**2 + d + 2 * coupling, d + coupling], [d + coupling, d]]
    program = run_passes(b.program("mass_matrix", {"M": M}))
    assert count(program) == OperationCount(multiplications=2, additions=2, trigonometric=1)
    assert program.outputs[0].entries[1] == program.outputs[0].entries[2]


@pytest.mark.parametrize("name", ["panda", "puma560", "ur5"])
def test_product_of_joint_rotations_has_one_sine_and_cosine_per_joint_and_no_trivial_operand(name):
    model = load_model(name)
    b = ProgramBuilder()
    q = b.input("q", (model.nq,))
    R = IDENTITY
    for joint, coordinates in zip(model.joints, model.q_slices, strict=True):
        turn, _ = joint.kind.configuration(joint.geometry, q[coordinates], b.cos, b.sin)
        R = multiplied(multiplied(R, joint.placement.rotation), turn)
    program = run_passes(b.program("rotation", {"R": R}))
    assert count(program).trigonometric == 2 * model.nq
    constants = [a.value for e in program.equations for a in e.operands if isinstance(a, Const)]
    assert not {0.0, 1.0, -1.0} & set(constants)
    values = np.linspace(-2, 2, model.nq)
    got = interpret(program, {"q": values})["R"]
    expected = np.eye(3)
    for joint, coordinates in zip(model.joints, model.q_slices, strict=True):
        turn, _ = joint.kind.configuration(joint.geometry, values[coordinates], math.cos, math.sin)
        expected = expected @ np.array(joint.placement.rotation) @ np.array(turn)
    assert np.allclose(got, expected, rtol=0, atol=1e-14)
