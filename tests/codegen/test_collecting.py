"""The cycle collector is left as it was found."""

import gc

import pytest

from codegen.collecting import OBJECTS, seldom_collecting


def test_inside_it_collects_seldom_and_afterwards_as_before():
    before = gc.get_threshold()
    with seldom_collecting():
        assert gc.get_threshold() == (OBJECTS, *before[1:])
    assert gc.get_threshold() == before


def stumble():
    with seldom_collecting():
        raise ValueError("stumbled")


def test_also_after_an_error():
    before = gc.get_threshold()
    with pytest.raises(ValueError, match="stumbled"):
        stumble()
    assert gc.get_threshold() == before
