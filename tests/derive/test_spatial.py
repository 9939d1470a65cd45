"""6-D algebra on any scalar against plain NumPy, and what exact zeros save."""

import numpy as np
import pytest
import sympy
from oracles.dense_spatial import tilde

from derive.spatial import (
    product,
    spatial_cross,
    spatial_cross_adjoint,
    symmetric_inverse,
    symmetric_product,
    symmetric_solve,
)

rng = np.random.default_rng(0)


def spatial_tilde(z):
    return np.block([[tilde(z[:3]), np.zeros((3, 3))], [tilde(z[3:]), tilde(z[:3])]])


def test_spatial_cross_products():
    V, x = rng.normal(size=6), rng.normal(size=6)
    np.testing.assert_allclose(spatial_cross(tuple(V), tuple(x)), spatial_tilde(V) @ x, atol=1e-14)
    np.testing.assert_allclose(spatial_cross_adjoint(tuple(V), tuple(x)), spatial_tilde(V).T @ x, atol=1e-14)


@pytest.mark.parametrize("n", [1, 2, 3, 6])
def test_symmetric_inverse_and_solve(n):
    A = rng.normal(size=(n, n))
    A = A @ A.T + np.eye(n)
    rows, x = tuple(map(tuple, A)), rng.normal(size=n)
    np.testing.assert_allclose(symmetric_inverse(rows), np.linalg.inv(A), atol=1e-12)
    np.testing.assert_allclose(symmetric_solve(rows, tuple(x)), np.linalg.solve(A, x), atol=1e-12)


def test_a_symbolic_inverse_divides_by_pivots_only():
    a, b, c = sympy.symbols("a b c")
    inverse = sympy.Matrix(symmetric_inverse(((a, b), (b, c))))
    assert sympy.simplify(inverse * sympy.Matrix([[a, b], [b, c]]) - sympy.eye(2)) == sympy.zeros(2)
    with pytest.raises(ZeroDivisionError):
        symmetric_inverse(((0.0,),))


def test_a_symmetric_product_is_the_product():
    A = rng.normal(size=(4, 2))
    rows, columns = tuple(map(tuple, A)), tuple(map(tuple, A.T))
    np.testing.assert_allclose(symmetric_product(rows, columns), product(rows, columns), atol=1e-15)
