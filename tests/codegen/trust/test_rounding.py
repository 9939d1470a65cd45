import mpmath
import numpy as np
import pytest
from oracles import planar_functions as planar

from codegen.interpret import interpret
from codegen.trust.rounding import rounding_bounds

MP = mpmath.MPContext()
MP.dps = 60


@pytest.mark.parametrize("seed", range(12))
def test_a_bound_holds_and_is_not_idle(seed):
    """Against the same program with 60 digits: float64 is never further off than the bound, nor the bound a million ulps."""
    program = planar.random_program(seed, 40)
    rng = np.random.default_rng(seed)
    inputs = {spec.name: rng.normal(size=(5, *spec.shape)) for spec in program.inputs}
    bounds = rounding_bounds(program, inputs)
    exact = {name: np.vectorize(MP.mpf, otypes=[object])(array) for name, array in inputs.items()}
    with np.errstate(all="ignore"):
        found = interpret(program, inputs)
    for spec, bound in zip(program.outputs, bounds, strict=True):
        truth = interpret(program, exact)[spec.name]
        error = np.abs(found[spec.name] - truth).astype(float)
        assert np.all((error <= bound.error) | ~np.isfinite(bound.error))


def test_what_is_given_with_an_error_comes_out_with_one():
    program = planar.mass_matrix().program
    q = {"q": np.array([[0.3, 0.7]])}
    exact = rounding_bounds(program, q)[0].error
    vague = rounding_bounds(program, q, errors={"q": np.array([[0.0, 1e-6]])})[0].error
    assert exact.max() < 1e-13
    assert 1e-8 < vague.max() < 1e-5


def test_float_is_allowed_more_than_double():
    program = planar.mass_matrix().program
    q = {"q": np.array([[0.3, 0.7]])}
    double, single = (rounding_bounds(program, q, real)[0].error for real in ("double", "float"))
    assert np.all(single > 2.0**28 * double)
