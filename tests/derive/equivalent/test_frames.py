"""Frames turned and slid: the same robot to its joints and tips, with joints along z and shorter offsets."""

import numpy as np
import pytest
from oracles.same_robot import assert_same_joints, assert_same_tips
from oracles.small_robots import FOLLOWING, parallel_axes

from derive import load_model, random_tree
from derive.equivalent import aligned, slid, slides, with_short_offsets
from derive.equivalent.frames import ABOUT_ONE_AXIS
from derive.frames import AXES
from derive.loaders.assemble import assemble
from derive.model import GROUND
from derive.random_models import ALL_KINDS

Z = AXES[2]
ROBOTS = {
    **{
        name: load_model(name).numeric() for name in ("panda", "ur5", "stanford", "go2", "talos_torso", "puma560_corke")
    },
    **{f"tree {seed}": random_tree(6, seed, ALL_KINDS) for seed in range(3)},
    "floating tree": random_tree(4, 1, ALL_KINDS, floating=True),
    **{f"{kind} tree": random_tree(4, 5, (kind,)) for kind in sorted(ABOUT_ONE_AXIS)},
    "following": assemble(FOLLOWING),
    "parallel": parallel_axes(0),
}
robot = pytest.mark.parametrize("robot", ROBOTS)


@pytest.fixture
def model(robot):
    return ROBOTS[robot]


def assert_same(other, model):
    assert_same_joints(other, model)
    assert_same_tips(other, model)


def proper(model):
    """Whether every rotation of the model is one."""
    return all(
        np.allclose(np.array(R) @ np.transpose(R), np.eye(3), rtol=0, atol=1e-14) and np.linalg.det(R) > 0
        for R in (f.placement.rotation for f in (*model.joints, *model.tips, *model.links))
    )


@robot
def test_aligned_is_the_same_robot_with_axes_along_z(model):
    other = aligned(model)
    assert_same(other, model)
    assert proper(other)
    for before, after in zip(model.joints, other.joints, strict=True):
        if before.kind.name in ABOUT_ONE_AXIS:
            assert after.geometry.axis == Z
        else:
            assert after.geometry == before.geometry
        assert (after.name, after.kind, after.parent, after.mimic) == (
            before.name,
            before.kind,
            before.parent,
            before.mimic,
        )
        assert (after.armature, after.damping, after.limits) == (before.armature, before.damping, before.limits)


@robot
def test_an_aligned_robot_stays_as_it_is(model):
    once = aligned(model)
    assert aligned(once) == once


@pytest.mark.parametrize("robot", ["panda", "ur5", "go2", "talos_torso"])
def test_aligning_coordinate_axes_only_exchanges_entries(model):
    """Signs apart, not one bit of a number changes, so no zero is lost."""

    def entries(m):
        placements = [f.placement for f in (*m.joints, *m.tips)]
        return sorted(abs(x) for p in placements for row in (*p.rotation, p.translation) for x in row)

    assert entries(aligned(model)) == entries(model)


@robot
def test_sliding_any_origin_keeps_the_robot(model):
    other = aligned(model)
    for body, joint in enumerate(model.joints):
        if joint.kind.name in ABOUT_ONE_AXIS:
            other = slid(other, body, 0.1 * (body + 1))
    assert_same(other, model)
    assert proper(other)


@robot
def test_slides_make_a_component_vanish(model):
    straight = aligned(model)
    for body in range(model.n):
        for distance in slides(straight, body):
            other = slid(straight, body, distance)
            own = other.joints[body].placement
            along = np.dot(own.translation, [row[2] for row in own.rotation])
            ahead = [other.joints[c].placement.translation[2] for c in other.children[body]]
            tips = [tip.placement.translation[2] for tip in other.tips if tip.body == body]
            assert min(map(abs, (along, *ahead, *tips))) <= 1e-15


@pytest.mark.parametrize("robot", ["panda", "ur5"])
def test_an_origin_slides_to_the_tip_on_its_axis(model):
    straight = aligned(model)
    last = straight.tips[0].body
    x, y, z = straight.tips[0].placement.translation
    assert (x, y) == (0.0, 0.0)
    assert z in slides(straight, last)
    assert slid(straight, last, z).tips[0].placement.translation == (0.0, 0.0, 0.0)


def test_there_are_no_slides_where_a_joint_has_no_axis_of_its_own():
    model = aligned(random_tree(6, 1, ("spherical", "planar", "universal", "floating")))
    assert all(slides(model, body) == () for body in range(model.n))


def offsets(model):
    return sum(x != 0.0 for j in model.joints if j.parent != GROUND for x in j.placement.translation)


@robot
def test_short_offsets_are_shorter_and_the_robot_stays(model):
    other = with_short_offsets(model)
    assert_same(other, model)
    assert offsets(other) <= offsets(aligned(model))


def test_short_offsets_find_something():
    assert offsets(with_short_offsets(ROBOTS["ur5"])) < offsets(aligned(ROBOTS["ur5"]))


@pytest.mark.parametrize("seed", range(8))
def test_parallel_axes_are_parallel_exactly(seed):
    """Rounding is not taken for a tilt, which would cost operations, nor for a direction, which would be wrong."""
    model = parallel_axes(seed)
    other = aligned(model)
    assert_same(other, model)
    for joint in other.joints[1:]:
        R = joint.placement.rotation
        assert R[2] == Z
        assert tuple(row[2] for row in R) == Z


def test_named_parameters_stay_named():
    """Translations and inertias of a symbolic model are moved as polynomials; slides by counting are for numbers."""
    model = load_model("planar_2r")
    assert model.is_symbolic
    other = aligned(model)
    assert other.parameters == model.parameters
    assert_same(other.numeric(), model.numeric())
    assert_same(slid(other, 0, 0.3).numeric(), model.numeric())
    assert slides(other, 0) == ()
