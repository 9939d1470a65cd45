import pytest

from codegen.bench.clock import Limits, bytes_per_ns, core_limits, vector_bytes
from codegen.compiler import find_compiler


def test_the_limits_of_this_core_are_those_of_a_core():
    limits = core_limits(repeats=5)
    assert 0.2 < limits.gigahertz < 10
    assert limits.lanes == vector_bytes(find_compiler()) // 8
    assert 0.25 * limits.lanes < limits.unfused < 8 * limits.lanes
    assert limits.unfused <= limits.fused < 16 * limits.lanes
    assert 0.25 * limits.lanes < limits.multiplications < 8 * limits.lanes


def test_stores_of_this_core_are_those_of_a_core():
    assert 0.1 < bytes_per_ns(1 << 20, repeats=5) < 2000


def test_operations_per_cycle_count_cycles_of_the_clock():
    assert Limits(4.0, 8, 16.0, 24.0, 8.0).achieved(operations=960, nanoseconds=20.0) == pytest.approx(12.0)
