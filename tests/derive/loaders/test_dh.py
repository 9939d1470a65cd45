import math

import numpy as np
import pytest

from derive.inertia import com
from derive.loaders.assemble import assemble
from derive.loaders.toml import parse_toml
from derive.reference import forward_kinematics
from derive.reference.bodies import joint_motions, world_poses

DH = """
[dh]
convention = "{convention}"
inertia_about = "com"
base = {{ xyz = [0, 0, 1] }}
tool = {{ xyz = [0, 0, 0.1] }}
[[dh.joint]]
alpha = "pi/2"
a = 0.3
d = 0.2
offset = 0.4
mass = 1
com = [0.1, 0.2, 0.3]
motor_inertia = 2e-4
gear_ratio = 100
[[dh.joint]]
type = "prismatic"
alpha = -0.5
a = "l2"
theta = 0.7
offset = 0.05
mass = 1
inertia = {{ xx = 1, yy = 1, zz = 1 }}
[parameters]
l2 = 0.25
"""


def dh_chain(convention, q):
    """Tool pose and mass centre of link 1 by multiplying the table's elementary transforms, as the convention defines them."""

    def Rz(t):
        return np.array(
            [[math.cos(t), -math.sin(t), 0, 0], [math.sin(t), math.cos(t), 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]
        )

    def Rx(t):
        return np.array(
            [[1, 0, 0, 0], [0, math.cos(t), -math.sin(t), 0], [0, math.sin(t), math.cos(t), 0], [0, 0, 0, 1]]
        )

    def T(x, y, z):
        return np.block([[np.eye(3), np.array([[x], [y], [z]])], [np.zeros((1, 3)), np.ones((1, 1))]])

    rows = [(q[0] + 0.4, 0.2, 0.3, math.pi / 2), (0.7, q[1] + 0.05, 0.25, -0.5)]
    pose = T(0, 0, 1)
    frames = []
    for theta, d, a, alpha in rows:
        screw_z, screw_x = Rz(theta) @ T(0, 0, d), T(a, 0, 0) @ Rx(alpha)
        pose = pose @ (screw_z @ screw_x if convention == "standard" else screw_x @ screw_z)
        frames.append(pose)
    return pose @ T(0, 0, 0.1), frames[0] @ np.array([0.1, 0.2, 0.3, 1.0])


@pytest.mark.parametrize("convention", ["standard", "modified"])
def test_dh_tables_mean_what_the_convention_says(convention):
    model = assemble(parse_toml(DH.format(convention=convention).encode(), "dh.toml"))
    q = np.array([0.3, 0.6])
    tool, mass_centre = dh_chain(convention, q)
    R, p = forward_kinematics(model, q)
    np.testing.assert_allclose(R, tool[:3, :3], atol=1e-15)
    np.testing.assert_allclose(p, tool[:3, 3], atol=1e-15)
    R1, p1 = world_poses(model, joint_motions(model, q))[0]
    np.testing.assert_allclose(p1 + R1 @ com(model.bodies[0].inertia), mass_centre[:3], atol=1e-15)
    assert model.joints[0].armature == (2.0,)
