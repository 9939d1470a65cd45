"""Batches of real robots: what lanes and threads compute is what single calls compute, to rounding."""

import numpy as np
import pytest

import codegen
from codegen import compile_kernels
from derive import load_model
from derive.states import random_state

EPS = np.finfo(float).eps
# Relative to the largest entry: the compiler fuses other products and sums in lanes than in a single call.
ULPS = {"inverse_dynamics": 8, "mass_matrix": 8, "forward_dynamics": 64}


@pytest.fixture(scope="module")
def panda():
    return load_model("panda")


def test_batch_is_the_single_call_to_a_few_ulp(panda):
    kernels = compile_kernels(panda, list(ULPS))
    rng = np.random.default_rng(3)
    q, qd, third = (np.array(x) for x in zip(*(random_state(panda, rng) for _ in range(1003)), strict=True))
    for name, ulps in ULPS.items():
        kernel = getattr(kernels, name)
        arrays = (q, qd, third)[: len(kernel.info["inputs"])]
        many = kernel(*arrays)
        each = np.array([kernel(*row) for row in zip(*arrays, strict=True)])
        axes = tuple(range(1, each.ndim))
        error = np.abs(many - each).max(axis=axes) / np.abs(each).max(axis=axes)
        assert error.max() < ulps * EPS, name
        codegen.set_threads(1)
        np.testing.assert_array_equal(kernel(*arrays), many)
        codegen.set_threads(None)
