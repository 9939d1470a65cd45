"""Universal and planar joints taken apart: the same robot, every H* constant in its body."""

import numpy as np
import pytest

from derive import load_model, random_chain, random_tree, reference
from derive.constant_maps import with_constant_joint_maps
from derive.random_models import ALL_KINDS
from derive.states import random_state


def test_a_robot_without_such_joints_is_itself():
    model = load_model("panda")
    assert with_constant_joint_maps(model) is model


@pytest.mark.parametrize(
    "model", [random_chain(3, 4, ("universal", "planar")), random_tree(6, 2, ALL_KINDS)], ids=lambda m: m.name
)
def test_coordinates_forces_and_tips_stay(model):
    apart = with_constant_joint_maps(model)
    assert apart.n > model.n
    assert apart.coordinate_names == model.coordinate_names
    assert all(joint.kind.H_star_rate is None for joint in apart.joints)
    q, qd, qdd = random_state(model, np.random.default_rng(0))
    tau = reference.inverse_dynamics(model, q, qd, qdd)
    np.testing.assert_allclose(reference.inverse_dynamics(apart, q, qd, qdd), tau, atol=1e-12)
    for tip in model.tips:
        np.testing.assert_allclose(
            reference.jacobian(apart, q, tip.name), reference.jacobian(model, q, tip.name), atol=1e-13
        )
