"""Joints whose map H* turns as they move, taken apart into joints of one freedom with massless bodies between them.

A universal joint is two revolute ones, a planar joint two prismatic ones and a revolute one; coordinates, rates and forces stay
as they are. Then every H*(k) is constant in its body, which is what derivatives along joint motions are derived for.
"""

from __future__ import annotations

from dataclasses import replace

from derive.frames import Placement, in_plane_axes
from derive.joints import JOINT_KINDS, Geometry
from derive.model import GROUND, Body, Frame, Joint, Limits, Model


def with_constant_joint_maps(model: Model) -> Model:
    """The same robot with universal and planar joints taken apart; the model itself if it has none."""
    if all(joint.kind.H_star_rate is None for joint in model.joints):
        return model
    joints: list[Joint] = []
    bodies: list[Body] = []
    last = {GROUND: GROUND}
    for k, (joint, body) in enumerate(zip(model.joints, model.bodies, strict=True)):
        parts = _parts(joint)
        parent = last[joint.parent]
        for i, (kind, axis, placement) in enumerate(parts):
            name = joint.name if len(parts) == 1 else f"{joint.name}.{joint.kind.coordinates[i]}"
            own = slice(i, i + 1) if len(parts) > 1 else slice(None)
            joints.append(
                replace(
                    joint,
                    name=name,
                    kind=JOINT_KINDS[kind],
                    parent=parent,
                    placement=placement,
                    geometry=joint.geometry if len(parts) == 1 else Geometry(axis),
                    armature=joint.armature[own],
                    damping=joint.damping[own],
                    friction=joint.friction[own],
                    limits=joint.limits if len(parts) == 1 else Limits(),
                )
            )
            parent = len(joints) - 1
            outermost = i == len(parts) - 1
            bodies.append(body if outermost else Body(f"{body.name}.{joint.kind.coordinates[i]}"))
        last[k] = parent
    masters = [
        j if j.mimic is None else replace(j, mimic=replace(j.mimic, master=last[j.mimic.master])) for j in joints
    ]

    def moved(frames: tuple[Frame, ...]) -> tuple[Frame, ...]:
        return tuple(replace(frame, body=last[frame.body]) for frame in frames)

    return replace(model, bodies=tuple(bodies), joints=tuple(masters), tips=moved(model.tips), links=moved(model.links))


def _parts(joint: Joint) -> list[tuple[str, tuple[float, float, float], Placement]]:
    """Kind, axis and placement of the joints it is made of, from the parent outwards."""
    axis, here = joint.geometry.axis, Placement()
    if joint.kind.name == "universal":
        return [("revolute", axis, joint.placement), ("revolute", joint.geometry.axis2, here)]
    if joint.kind.name == "planar":
        u, w = in_plane_axes(axis)
        return [("prismatic", u, joint.placement), ("prismatic", w, here), ("revolute", axis, here)]
    return [(joint.kind.name, axis, joint.placement)]
