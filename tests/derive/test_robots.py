"""The bundled robots' numbers against the files they were taken from."""

import dataclasses

import numpy as np
import pytest
from oracles.corpus import CORPUS, needs_corpus

from derive.loaders import ROBOTS
from derive.loaders.toml import read_toml
from derive.loaders.urdf import read_urdf

TAKEN_FROM = {
    "panda": "panda.urdf",
    "ur5": "ur5_robot.urdf",
    "kinova": "kinova.urdf",
    "go2": "go2.urdf",
    "g1": "g1_29dof_rev_1_0.urdf",
    "talos_torso": "talos_reduced.urdf",
}


@needs_corpus
@pytest.mark.parametrize("name", TAKEN_FROM)
def test_every_link_and_joint_is_that_of_the_file(name):
    ours = read_toml(ROBOTS / f"{name}.toml")
    theirs = read_urdf(next(path for path in CORPUS if path.name == TAKEN_FROM[name]))
    links, joints = ({element.name: element for element in group} for group in (theirs.links, theirs.joints))
    for link in ours.links:
        np.testing.assert_allclose(
            np.array(link.inertia.scalars), np.array(links[link.name].inertia.scalars), rtol=1e-14, atol=0
        )
    for joint in (j for j in ours.joints if j.parent != "world"):
        original = joints[joint.name]
        assert (joint.kind, joint.parent, joint.child) == (original.kind, original.parent, original.child)
        assert joint.geometry == original.geometry
        assert dataclasses.astuple(joint.limits) == dataclasses.astuple(original.limits)
        assert (joint.damping, joint.friction) == (original.damping, original.friction)
        assert joint.placement.translation == original.placement.translation
        # a right angle written with eleven digits there is exact here
        np.testing.assert_allclose(joint.placement.rotation, original.placement.rotation, atol=1e-9)


@needs_corpus
@pytest.mark.parametrize("name", TAKEN_FROM)
def test_nothing_with_mass_between_the_chosen_joints_is_left_out(name):
    """Every link of the file that hangs on a bundled link by a fixed joint and has mass is bundled too, but for the hand."""
    ours = {link.name for link in read_toml(ROBOTS / f"{name}.toml").links}
    theirs = read_urdf(next(path for path in CORPUS if path.name == TAKEN_FROM[name]))
    massive = {link.name for link in theirs.links if not link.inertia.is_zero}
    left_out = {j.child for j in theirs.joints if j.kind == "fixed" and j.parent in ours and j.child in massive - ours}
    assert left_out == ({"panda_hand"} if name == "panda" else set())
