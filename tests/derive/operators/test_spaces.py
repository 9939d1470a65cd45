"""Laws of the structure algebra, checked against the matrices it describes."""

import itertools

import numpy as np
import pytest

from derive.operators.spaces import Structure

N = 5
BOUNDS = list(itertools.product(Structure, Structure))


def random_matrix(structure, seed):
    i, j = np.indices((N, N))
    mask = np.isin(np.sign(i - j), list(structure.value))
    return np.where(mask, np.random.default_rng(seed).uniform(0.5, 1.5, (N, N)), 0.0)


def fits(matrix, structure):
    i, j = np.indices((N, N))
    return not np.any(matrix[~np.isin(np.sign(i - j), list(structure.value))])


@pytest.mark.parametrize(("left", "right"), BOUNDS)
def test_product_and_sum_bound_the_matrices(left, right):
    a, b = random_matrix(left, 1), random_matrix(right, 2)
    assert fits(a @ b, left * right)
    assert fits(a + b, left + right)


@pytest.mark.parametrize("structure", Structure)
def test_adjoint_is_an_involution_that_transposes(structure):
    assert structure.adjoint.adjoint is structure
    assert fits(random_matrix(structure, 3).T, structure.adjoint)


@pytest.mark.parametrize("structure", [Structure.MEMORYLESS, Structure.CAUSAL, Structure.ANTICAUSAL])
def test_triangular_inverses_stay_triangular(structure):
    matrix = random_matrix(structure, 4) + 3 * np.eye(N)
    inverse = np.linalg.inv(matrix)
    inverse[np.abs(inverse) < 1e-12] = 0
    assert structure.inverse is structure
    assert fits(inverse, structure)


def test_a_strictly_causal_operator_has_no_structured_inverse():
    assert Structure.STRICTLY_CAUSAL.inverse is Structure.NONE
    assert Structure.STRICTLY_CAUSAL * Structure.CAUSAL is Structure.STRICTLY_CAUSAL
    assert Structure.CAUSAL * Structure.ANTICAUSAL is Structure.NONE
