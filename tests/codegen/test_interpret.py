import mpmath
import numpy as np
import pytest
from hypothesis import given
from oracles.scalar_programs import bounds, programs, states

from codegen.builder import ProgramBuilder
from codegen.errors import ArgumentError
from codegen.interpret import interpret
from codegen.symbolic import to_sympy


def example():
    b = ProgramBuilder()
    q, a = b.input("q", (2,)), b.input("a")
    return b.program("example", {"y": [[b.sin(q[0]) * a, q[1] / a], [0.1, b.sqrt(a)]], "z": b.cos(q[0]) - 3})


def expected(q, a, f=np):
    return np.array([[f.sin(q[0]) * a, q[1] / a], [0.1, f.sqrt(a)]]), f.cos(q[0]) - 3


def test_float64_is_what_numpy_computes():
    got = interpret(example(), {"q": [0.3, 2], "a": 1.7})
    y, z = expected((0.3, 2.0), 1.7)
    assert got["y"].dtype == np.float64
    assert np.array_equal(got["y"], y)
    assert got["z"] == z
    assert got["z"].shape == ()


def test_complex_step_gives_the_derivative():
    got = interpret(example(), {"q": np.array([0.3 + 1e-30j, 2]), "a": 1.7})
    assert got["z"].imag / 1e-30 == pytest.approx(-np.sin(0.3), rel=1e-15)
    assert got["y"].dtype == np.complex128


def test_batch_is_each_state_by_itself():
    rng = np.random.default_rng(1)
    Q, a = rng.normal(size=(5, 2)), rng.uniform(1, 2, size=5)
    together = interpret(example(), {"q": Q, "a": a})
    assert together["y"].shape == (5, 2, 2)
    for i in range(5):
        alone = interpret(example(), {"q": Q[i], "a": a[i]})
        assert all(np.allclose(together[name][i], alone[name], rtol=1e-15, atol=0) for name in alone)


def test_input_without_batch_axis_is_shared_by_the_batch():
    assert interpret(example(), {"q": np.zeros((5, 2)), "a": 4.0})["y"][..., 1, 1].tolist() == [2.0] * 5


def test_mpmath_inputs_give_mpmath_results_with_constants_as_the_floats_they_are():
    mp = mpmath.mp.clone()
    mp.dps = 50
    got = interpret(example(), {"q": [mp.mpf(3) / 10, mp.mpf(2)], "a": mp.mpf(2)})
    assert abs(got["y"][1, 1] - mp.sqrt(2)) < mp.mpf(10) ** -49
    assert got["y"][1, 0] == mp.mpf(0.1)


@pytest.mark.parametrize(
    ("inputs", "word"),
    [({"q": [1, 2]}, "see a"), ({"q": [1, 2], "a": 1, "b": 1}, "see b"), ({"q": [1, 2, 3], "a": 1}, "q has shape")],
)
def test_arguments_that_do_not_fit_are_named(inputs, word):
    with pytest.raises(ArgumentError, match=word):
        interpret(example(), inputs)


@given(programs(), states())
def test_float64_is_within_its_rounding_bound_of_50_digits(program, state):
    got = interpret(program, state)
    for name, entries in bounds(program, state).items():
        for x, y in zip(got[name].flat, entries, strict=True):
            assert abs(mpmath.mpf(float(x)) - y.value) <= 2 * y.error


@pytest.mark.parametrize("let", [False, True])
def test_sympy_form_has_the_programs_values(let):
    form = to_sympy(example(), let)
    values = {"q_0": 0.3, "q_1": 2.0, "a": 1.7}
    for symbol, expression in form.bindings:
        values[str(symbol)] = float(expression.subs(values))
    y, z = expected((0.3, 2.0), 1.7)
    assert np.allclose(np.array(form.outputs["y"].subs(values).tolist(), dtype=float), y, rtol=1e-14)
    assert float(form.outputs["z"].subs(values)) == pytest.approx(z, rel=1e-14)
    assert len(form.bindings) == (len(example().equations) if let else 0)


def test_sympy_form_reads_as_mathematics():
    assert str(to_sympy(example()).outputs["z"]) == "cos(q_0) - 3"
