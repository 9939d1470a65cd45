import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.names import RESERVED, identifier, identifiers


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("panda_joint1", "panda_joint1"),
        ("link_11.0", "link_11_0"),
        ("left-hip-roll", "left_hip_roll"),
        ("épaule", "epaule"),
        ("iris__/imu_link", "iris_imu_link"),
        ("2nd", "n2nd"),
        ("double", "double_"),
        ("lambda", "lambda_"),
        ("关节", "u5173_u8282"),
        ("...", "u2e_u2e_u2e"),
    ],
)
def test_names_become_identifiers(name, expected):
    assert identifier(name) == expected


def test_clashes_are_resolved_in_order():
    assert identifiers(["a.b", "a-b", "a_b", "a_b_2"]) == ("a_b", "a_b_2", "a_b_3", "a_b_2_2")


@given(st.lists(st.text(max_size=12), max_size=12))
def test_any_names_give_distinct_valid_identifiers(names):
    found = identifiers(names)
    assert len(set(found)) == len(names)
    assert all(re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) and name not in RESERVED for name in found)
