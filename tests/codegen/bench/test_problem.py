import math

import numpy as np
import pytest

from codegen.bench.measure import Contender
from codegen.bench.problem import AGREEMENT, disagreement, draw_states


def answering(*arrays):
    return Contender("somebody", lambda rounds: None, 1, lambda: arrays)


def test_states_are_the_same_for_the_same_seed_and_differ_from_row_to_row(planar):
    first, again = (draw_states(planar.model, 5, seed=3) for _ in range(2))
    assert all(np.array_equal(first[name], again[name]) for name in first)
    assert first["q"].shape == (5, 2)
    assert len(np.unique(first["q"][:, 0])) == 5


def test_disagreement_is_relative_to_the_largest_entry_of_the_state():
    ours = np.array([[100.0, 0.0], [0.01, 0.0]])
    assert disagreement(answering(ours + np.array([[0.0, 1e-6], [0.0, 0.0]])), [ours]) == pytest.approx(1e-8)
    assert disagreement(answering(ours + np.array([[0.0, 0.0], [0.0, 1e-6]])), [ours]) == pytest.approx(1e-6)
    assert disagreement(answering(ours[:1]), [ours]) == 0.0


@pytest.mark.parametrize("wrong", [np.full((2, 2), np.nan), np.zeros((2, 3)), np.zeros((0, 2))])
def test_nan_and_other_shapes_are_never_agreement(wrong):
    off = disagreement(answering(wrong), [np.ones((2, 2))])
    assert math.isnan(off)
    assert not off <= AGREEMENT
