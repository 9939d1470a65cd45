"""Inertia given to the parents: the same robot to its joints, with parameters that are gone exactly."""

import numpy as np
import pytest
from oracles.same_robot import assert_same_joints, of_any_inertias
from oracles.small_robots import FOLLOWING, parallel_axes

from derive import load_model, random_tree, reference
from derive.equivalent import GROUPINGS, aligned, regrouped
from derive.equivalent.base_parameters import TURNING
from derive.loaders.assemble import assemble
from derive.model import GROUND
from derive.newton_euler import _pseudo_inertia
from derive.random_models import ALL_KINDS
from derive.results import find_result
from derive.run import run
from derive.states import random_state

ROBOTS = {
    **{
        name: load_model(name).numeric() for name in ("panda", "ur5", "stanford", "go2", "talos_torso", "puma560_corke")
    },
    **{f"tree {seed}": random_tree(6, seed, ALL_KINDS) for seed in range(3)},
    "floating tree": random_tree(4, 1, ALL_KINDS, floating=True),
    "turning and sliding": random_tree(6, 3, ("revolute", "prismatic")),
    "following": assemble(FOLLOWING),
    "parallel": parallel_axes(0),
}
STRAIGHT = {name: aligned(model) for name, model in ROBOTS.items()}
robot = pytest.mark.parametrize("robot", ROBOTS)
MOVING = GROUPINGS[1:]
grouping = pytest.mark.parametrize("grouping", MOVING)


def alike(model, grouping):
    return regrouped(model, [grouping] * model.n)


@robot
@grouping
def test_joints_cannot_tell_the_difference(robot, grouping):
    assert_same_joints(alike(STRAIGHT[robot], grouping), ROBOTS[robot])


@robot
def test_nor_where_each_body_is_grouped_its_own_way(robot):
    model = STRAIGHT[robot]
    rng = np.random.default_rng(1)
    chosen = [GROUPINGS[i] for i in rng.integers(len(GROUPINGS), size=model.n)]
    assert_same_joints(regrouped(model, chosen), ROBOTS[robot])


@robot
@grouping
def test_what_a_joint_cannot_tell_apart_is_gone_exactly(robot, grouping):
    other = alike(STRAIGHT[robot], grouping)
    for joint, body in zip(other.joints, other.bodies, strict=True):
        xx, _, _, yy, _, zz = body.inertia.inertia
        if joint.kind.name in TURNING:
            assert body.inertia.mass == 0.0
            assert body.inertia.moment[2] == 0.0
            assert {"no 𝓘_xx": xx, "no 𝓘_yy": yy, "no rod": xx + yy - zz}[grouping] == 0.0
        elif joint.kind.name == "prismatic":
            assert body.inertia.inertia == (0.0,) * 6


@robot
def test_without_a_rod_the_pseudo_inertia_has_no_last_entry(robot):
    other = alike(STRAIGHT[robot], "no rod")
    for joint, body in zip(other.joints, other.bodies, strict=True):
        if joint.kind.name in TURNING:
            assert _pseudo_inertia(body.inertia.inertia)[5] == 0.0


@robot
def test_as_given_nothing_moves(robot):
    model = STRAIGHT[robot]
    assert alike(model, "as given") == model


@grouping
def test_other_joints_keep_what_they_carry(grouping):
    """But for what their children hand down."""
    kinds = tuple(kind for kind in ALL_KINDS if kind not in TURNING and kind != "prismatic")
    model = aligned(random_tree(6, 2, kinds))
    assert alike(model, grouping) == model
    floating = aligned(random_tree(4, 3, floating=True))
    assert alike(floating, grouping).bodies[0].inertia.mass == pytest.approx(
        sum(body.inertia.mass for body in floating.bodies)
    )


def test_joints_that_are_not_along_z_are_left_alone():
    model = ROBOTS["turning and sliding"]
    assert all(alike(model, grouping) == model for grouping in GROUPINGS)


@robot
@grouping
def test_only_bodies_change(robot, grouping):
    model = STRAIGHT[robot]
    other = alike(model, grouping)
    assert (other.joints, other.tips, other.links) == (model.joints, model.tips, model.links)
    assert [body.name for body in other.bodies] == [body.name for body in model.bodies]


def test_the_mass_that_is_left_is_what_slides_or_floats():
    """On a fixed base, mass that only turns with others ends in the ground."""
    other = alike(STRAIGHT["panda"], "no rod")
    assert all(body.inertia.mass == 0.0 for body in other.bodies)
    assert all(
        joint.parent != GROUND or body.inertia.moment[2] == 0.0
        for joint, body in zip(other.joints, other.bodies, strict=True)
    )


@pytest.mark.parametrize("robot", ["panda", "tree 0", "tree 1", "floating tree", "go2"])
@grouping
def test_the_innovations_factors_stay(robot, grouping):
    """D(k) and L are those of the robot: it is the articulated bodies that differ, by what joints cannot feel."""
    model = STRAIGHT[robot]
    q = random_state(model, np.random.default_rng(0)).q
    recursion = find_result("innovations_factorization").recursion(armature=True)
    expected, got = (run(recursion, m, {"q": q}) for m in (model, alike(model, grouping)))
    for name, value in expected.items():
        np.testing.assert_allclose(got[name], value, rtol=0, atol=1e-11 * np.max(np.abs(value)), err_msg=name)


def test_potential_energy_is_not_kept():
    """What is given to the ground has its own, which only differs by a constant: joints feel none of it."""
    model = STRAIGHT["panda"]
    other = alike(model, "no rod")

    def difference(seed):
        q = random_state(model, np.random.default_rng(seed)).q
        return of_any_inertias(reference.potential_energy, other, q) - reference.potential_energy(model, q)

    assert abs(difference(0)) > 1.0
    assert difference(0) == pytest.approx(difference(1), rel=1e-12)


def test_named_parameters_are_refused():
    """Regrouping is for numbers: `Choices` takes the numeric model."""
    model = aligned(load_model("planar_2r"))
    with pytest.raises(TypeError):
        alike(model, "no rod")
    assert_same_joints(alike(model.numeric(), "no rod"), model.numeric())
