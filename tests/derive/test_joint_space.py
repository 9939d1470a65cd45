"""Factors of the mass matrix over the joints against NumPy, and what a tree's zeros save."""

from dataclasses import dataclass

import numpy as np
import pytest
from oracles.dense_spatial import counted, rows

from derive import random_tree, reference
from derive.joint_space import NO_RATE, ZeroPivotError, factors
from derive.states import random_state

rng = np.random.default_rng(5)


def positive(n):
    A = rng.normal(size=(n, n))
    return A @ A.T + np.eye(n)


@pytest.fixture(params=[0, 1, 2, 3, 6, 7])
def mass(request):
    """Complex, so that they are not taken for constants."""
    return positive(request.param).astype(complex)


def test_the_factors_multiply_back_and_L_is_unit_upper(mass):
    f = factors(mass.tolist())
    L, n = np.reshape(f.L, mass.shape), len(mass)
    np.testing.assert_allclose(L @ np.diag(f.D) @ L.T, mass, atol=1e-12)
    np.testing.assert_array_equal(L, np.triu(L))
    assert [f.L[i][i] for i in range(n)] == [1.0] * n
    np.testing.assert_allclose(np.multiply(f.D, f.D_inverse), np.ones(n), atol=1e-15)


def test_D_is_what_a_joint_feels_of_the_bodies_outboard_of_it(mass):
    """1/D(k) is entry (k, k) of the inverse of what is left of 𝓜 when the joints inboard of k are held."""
    f = factors(mass.tolist())
    for k in range(len(mass)):
        assert 1 / f.D[k] == pytest.approx(np.linalg.inv(mass[k:, k:])[0, 0], rel=1e-12)


def test_solutions_and_inverses(mass):
    f, n = factors(mass.tolist()), len(mass)
    right, several = rng.normal(size=n), rng.normal(size=(4, n))
    inverse = np.linalg.inv(mass)
    np.testing.assert_allclose(f.solve(tuple(right)), inverse @ right, atol=1e-12)
    np.testing.assert_allclose(np.reshape(f.inverse(), (n, n)), inverse, atol=1e-12)
    np.testing.assert_allclose(np.reshape(f.L_inverse(), (n, n)) @ np.reshape(f.L, (n, n)), np.eye(n), atol=1e-12)
    np.testing.assert_allclose(f.between(rows(several)), several @ inverse @ several.T, atol=1e-12)


def test_what_is_symmetric_is_so_to_the_bit(mass):
    f = factors(mass.tolist())
    for A in (f.inverse(), f.between(rows(rng.normal(size=(3, len(mass)))))):
        assert tuple(zip(*A, strict=True)) == A


# -- zeros ------------------------------------------------------------------------------------------------------------------


@pytest.fixture
def tree():
    return random_tree(8, 4)


def tree_mass(model, seed=0):
    """With exact zeros between branches, as a program has them."""
    M = reference.mass_matrix(model, random_state(model, np.random.default_rng(seed)).q)
    paths = [set(model.path(k)) for k in range(model.n)]
    related = [[i in paths[j] or j in paths[i] for j in range(model.n)] for i in range(model.n)]
    assert not np.all(related), "a chain proves nothing here"
    return M, np.array(related), rows(np.where(related, M, 0.0))


def test_nothing_fills_in_on_a_tree(tree):
    """Nor has the factor an entry between branches; its inverse has none either."""
    M, related, mass = tree_mass(tree)
    f = factors(mass)
    for A in (f.L, f.L_inverse()):
        assert all(A[i][j] == 0.0 for i in range(tree.n) for j in range(tree.n) if not related[i][j])
    np.testing.assert_allclose(f.inverse(), np.linalg.inv(M), atol=1e-10)


def operations(mass_pattern, use):
    def compute(x):
        n = len(mass_pattern)
        mass = [[x(1)[0] if mass_pattern[i][j] else 0.0 for j in range(n)] for i in range(n)]
        use(factors(mass), x)

    return sum(counted(compute))


def test_zeros_of_a_tree_cost_nothing(tree):
    """An elimination step for every pair of joints on a path, a chain having the most of them."""
    _, related, _ = tree_mass(tree)
    dense = np.ones_like(related)
    for use in (
        lambda f, x: None,
        lambda f, x: f.solve(x(tree.n)),
        lambda f, x: f.inverse(),
        lambda f, x: f.L_inverse(),
    ):
        assert operations(related, use) < operations(dense, use)
    inboard = [len(tree.path(k)) - 1 for k in range(tree.n)]
    steps = sum(d + 2 * d * (d + 1) // 2 for d in inboard)  # L: d products; S: a product and a difference each
    more = operations(related, lambda f, x: None) - steps
    assert 0 < more <= 2 * tree.n  # four for two pivots at a time, one for a pivot that does not wait for L


@dataclass(frozen=True)
class Awaited:
    """A scalar that knows how many divisions it waits for, one after the other."""

    divisions: int = 0

    def after(self, other):
        return Awaited(max(self.divisions, getattr(other, "divisions", 0)))

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = after

    def __truediv__(self, other):
        return Awaited(self.after(other).divisions + 1)

    def __rtruediv__(self, other):
        return Awaited(self.divisions + 1)

    def __neg__(self):
        return self


@pytest.mark.parametrize("n", [1, 2, 3, 6, 7])
def test_a_division_for_two_pivots_is_waited_for(n):
    """Along a chain, where every pivot depends on those outboard of it."""
    f = factors([[Awaited()] * n for _ in range(n)])
    assert max(d.divisions for d in f.D_inverse) == (n + 1) // 2


def test_a_constant_pivot_has_no_division_to_wait_for():
    f = factors([[Awaited(), Awaited()], [Awaited(), 2.0]])
    assert f.D_inverse[1] == 0.5
    assert f.D_inverse[0] == Awaited(1)
    assert f.D[0] == Awaited(0)


@pytest.mark.parametrize("zero", [0.0, np.float64(0.0)])
def test_an_exact_zero_pivot_is_an_error_that_names_the_rate(zero):
    mass = np.diag([1.0, 2.0, 3.0]).tolist()
    mass[1][1] = zero
    with pytest.raises(ZeroPivotError, match="singular") as caught:
        factors(mass)
    assert caught.value.rate == 1
    assert isinstance(caught.value, ZeroDivisionError)


def test_a_pivot_of_one_divides_nothing():
    f = factors(rows(np.eye(3)))
    assert f.D_inverse == (1.0, 1.0, 1.0)
    assert counted(lambda x: f.solve(x(3))) == (0, 0)


def test_the_trace_hears_the_rate_that_is_worked_on():
    heard = []

    class Heard:
        def __init__(self, rate, quantity):
            heard.append((rate, quantity))

        def __enter__(self):
            return None

        def __exit__(self, *_):
            return None

    f = factors(rows(positive(2)), Heard)
    assert heard == [(1, "D_inv"), (1, "L"), (1, "S"), (0, "D_inv"), (0, "L"), (0, "S")]
    f.between(((1.0, 0.0),))
    assert (NO_RATE, "Z") in heard
    f.inverse()
    assert {(0, "Z"), (1, "Z")} <= set(heard)
