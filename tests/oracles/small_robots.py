"""Small robots with something special: few joints, no mass, joints that follow others, axes that are parallel."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import replace

from derive import Model, random_chain
from derive.algebra import multiplied
from derive.frames import AXES, Placement, rotation_about
from derive.inertia import Inertia
from derive.joints import Geometry
from derive.loaders.description import Description
from derive.loaders.urdf import parse_urdf

ROUND = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
INERTIAL = f'<inertial><mass value="2"/><origin xyz="0.1 0.2 0.3"/>{ROUND}</inertial>'


def urdf(links: Sequence[str], joints: Sequence[tuple[str, str, str]]) -> Description:
    """A chain base, a, b, … with an inertial where its letter is in upper case; joints are (name, axis, further elements)."""
    names = [name.lower() for name in links]
    text = "".join(f'<link name="{n.lower()}">{INERTIAL if n.isupper() else ""}</link>' for n in links)
    for (name, axis, more), parent, child in zip(joints, names, names[1:], strict=False):
        text += (
            f'<joint name="{name}" type="continuous"><parent link="{parent}"/><child link="{child}"/>'
            f'<origin xyz="0.3 0.1 0.2" rpy="0.1 0.2 0.3"/><axis xyz="{axis}"/>{more}</joint>'
        )
    return parse_urdf(f'<robot name="r">{text}</robot>'.encode(), "r")


ONE_JOINT = urdf(["base", "A"], [("turn", "0 0 1", "")])
MASSLESS = urdf(["base", "A", "b"], [("turn", "0 0 1", ""), ("dangle", "0 1 0", "")])
FOLLOWING = urdf(
    ["base", "A", "B", "C"],
    [
        ("lead", "0 0 1", ""),
        ("follow", "0 1 0", '<mimic joint="lead" multiplier="-1.5" offset="0.2"/>'),
        ("free", "1 0 0", ""),
    ],
)


def mass_on_the_axis() -> Model:
    """A point mass on the last joint's axis: there is mass, but the joint does not move it."""
    model = random_chain(2, 0)
    first, last = (replace(joint, geometry=Geometry((0.0, 0.0, 1.0))) for joint in model.joints)
    point = replace(model.bodies[1], inertia=Inertia(2.0, (0.0, 0.0, 0.6), (0.18, 0.0, 0.0, 0.18, 0.0, 0.0)))
    return replace(model, joints=(first, last), bodies=(model.bodies[0], point))


def parallel_axes(seed: int) -> Model:
    """Three joints about one direction that is no coordinate axis, each turned about it against the one before."""
    model = random_chain(3, seed)
    geometry = Geometry(model.joints[0].geometry.axis)
    first, *others = model.joints
    turned = [
        replace(
            joint, geometry=geometry, placement=replace(joint.placement, rotation=rotation_about(geometry.axis, angle))
        )
        for joint, angle in zip(others, (0.3, -0.4), strict=True)
    ]
    return replace(model, joints=(first, *turned))


def right_angled_arm(n: int, seed: int) -> Model:
    """A chain of turning and sliding joints as arms are built: frames turned by quarters, axes along the frames' axes."""
    model, draw = random_chain(n, seed, ("revolute", "revolute", "prismatic")), random.Random(seed)
    joints = []
    for joint in model.joints:
        quarters = [rotation_about(axis, draw.randrange(4) * math.pi / 2) for axis in AXES[:2]]
        rotation = [[float(round(x)) for x in row] for row in multiplied(*quarters)]
        offset = tuple(draw.choice((0.0, 0.1, round(draw.uniform(-0.5, 0.5), 3))) for _ in range(3))
        placement = Placement(tuple(map(tuple, rotation)), offset)
        joints.append(replace(joint, placement=placement, geometry=Geometry(draw.choice(AXES))))
    return replace(model, name=f"right_angled_arm_{n}_{seed}", joints=tuple(joints))
