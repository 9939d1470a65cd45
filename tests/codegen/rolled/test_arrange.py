"""Arranging a robot for loops changes nothing that is seen from outside."""

from itertools import pairwise

import numpy as np
import pytest

from codegen.rolled.arrange import TABLES, arranged
from derive import load_model, random_chain, random_tree, reference
from derive.random_models import ALL_KINDS
from derive.states import random_state

ROBOTS = [
    load_model("go2"),
    load_model("talos_torso"),
    random_chain(6, 0),
    random_tree(12, 1, ALL_KINDS),
    random_tree(12, 2, ALL_KINDS, floating=True),
    random_tree(20, 3, ("revolute", "prismatic", "helical")),
]
robots = pytest.mark.parametrize("model", ROBOTS, ids=lambda model: model.name)


def rates_there(robot):
    """For each rate of the arranged robot, its number in the original."""
    slices = (robot.original.v_slices[k] for k in robot.order)
    return [i for s in slices for i in range(s.start, s.stop)]


@robots
def test_the_mass_matrix_is_the_same(model):
    robot = arranged(model.numeric())
    q, _, _ = random_state(model, np.random.default_rng(0))
    moved = np.concatenate([q[model.q_slices[k]] for k in robot.order])
    places = np.ix_(rates_there(robot), rates_there(robot))
    expected = reference.mass_matrix(model, q)
    found = reference.mass_matrix(robot.model, moved)
    np.testing.assert_allclose(found, expected[places], rtol=0, atol=1e-13 * np.max(np.abs(expected)))


@robots
def test_the_tip_is_where_it_was(model):
    robot = arranged(model.numeric())
    q, _, _ = random_state(model, np.random.default_rng(1))
    moved = np.concatenate([q[model.q_slices[k]] for k in robot.order])
    for found, expected in zip(
        reference.forward_kinematics(robot.model, moved), reference.forward_kinematics(model, q), strict=True
    ):
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)


@robots
def test_every_subtree_is_a_range_of_bodies_and_columns(model):
    robot = arranged(model.numeric())
    starts, ends = robot.tables["column"].values, robot.tables["column_end"].values
    for k in range(robot.n):
        subtree = [i for i in range(robot.n) if k in robot.model.path(i)]
        assert subtree == list(range(k, k + len(subtree)))
        assert ends[k] == starts[subtree[-1]] + robot.model.joints[subtree[-1]].kind.nv


@robots
def test_a_slot_is_not_written_while_children_wait_for_it(model):
    robot = arranged(model.numeric())
    for p in range(robot.n):
        for child in robot.model.children[p]:
            assert robot.slots[p] not in robot.slots[p + 1 : child + 1]


def test_a_chain_needs_two_slots_and_no_step_is_skewed_but_the_first():
    robot = arranged(random_chain(50, 0))
    assert set(robot.slots) == {0, 1}
    assert [kind.skewed for kind in robot.kinds] == [True, False, False]


def test_every_table_says_what_it_is():
    assert set(arranged(random_chain(2, 0)).tables) | {"kind"} == set(TABLES)


def test_bodies_that_are_alike_are_of_one_kind():
    robot = arranged(random_chain(100, 0))
    assert robot.kind_numbers == (0, *[1] * 98, 2)
    assert all(a <= b for a, b in pairwise(robot.kind_numbers))
