import pytest

from codegen.backends.c_trigonometry import ADDITIONS, MULTIPLICATIONS
from codegen.bench.bounds import bound
from codegen.bench.clock import Limits
from codegen.cost import OperationCount

LIMITS = Limits(2.0, 8, 16.0, 24.0, 8.0)


def test_multiplications_take_slots_and_fused_additions_none():
    found = bound(OperationCount(multiplications=80, additions=60, divisions=8), 10, LIMITS, 40.0)
    assert found.issue == pytest.approx((80 + 8) / 8 / 2.0)
    assert found.stores == pytest.approx(10 * 8 / 40.0)
    assert found.least == found.issue


def test_additions_that_find_no_multiplication_take_slots_of_both():
    assert bound(OperationCount(additions=160), 0, LIMITS, 40.0).issue == pytest.approx(160 / 16 / 2.0)


def test_sine_and_cosine_of_an_angle_are_one_evaluation():
    assert bound(OperationCount(trigonometric=6), 0, LIMITS, 40.0).issue == pytest.approx(3 * MULTIPLICATIONS / 8 / 2.0)
    assert ADDITIONS < 2 * MULTIPLICATIONS
