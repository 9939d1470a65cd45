"""Our `Model` as MJCF, MuJoCo's own format, and the translation of states and results.

MuJoCo's rates of a floating base are [v in world axes; ω in the body's]: v_mujoco = T(q)·v, with T the identity elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from xml.sax.saxutils import quoteattr

import numpy as np

from codegen.bench.peers.peer import PeerError
from codegen.bench.peers.pinocchio_model import JointRow, PinocchioRobot, pinocchio_robot
from derive.frames import IDENTITY, ZERO, Placement
from derive.inertia import com, inertia_about_com
from derive.model import GROUND, Model
from derive.parameters import number
from derive.reference.joint_motion import rotation_of_quaternion
from derive.states import Array

ELEMENTS = {"R": "hinge", "P": "slide", "S": "ball", "F": "free"}  # by the first letter of Pinocchio's joint types


@dataclass(frozen=True)
class MujocoRobot:
    """The robot by Pinocchio's rows, whose order of coordinates MuJoCo shares."""

    rows: PinocchioRobot

    @property
    def ours(self) -> Model:
        """The model."""
        return self.rows.ours

    def q(self, q: Array) -> Array:
        """MuJoCo's coordinates: its quaternions have the real part first."""
        result, start = self.rows.q(q), 0
        for row in self.rows.rows:
            if row.kind in ("FreeFlyer", "Spherical"):
                at = start + row.nq - 4
                result[at : at + 4] = np.roll(result[at : at + 4], 1)
            start += row.nq
        return result

    @cached_property
    def floating(self) -> tuple[slice, slice, int] | None:
        """Our coordinates and rates of the floating base and MuJoCo's first of its rates; None without one."""
        for k, joint in enumerate(self.ours.joints):
            if joint.kind.name == "floating":
                before = self.rows.rows[: self.rows.joints[k][0] - 1]
                return self.ours.q_slices[k], self.ours.v_slices[k], sum(row.nv for row in before)
        return None

    def T(self, q: Array) -> Array:
        """v_mujoco = T · v."""
        matrix = self.rows.from_ours.copy()
        if self.floating is not None:
            at, rates, start = self.floating
            R = rotation_of_quaternion(q[at][-4:])
            matrix[start : start + 3, rates] = R @ matrix[start : start + 3, rates]
        return matrix

    def turning(self, q: Array, qd: Array) -> Array:
        """dT/dt · v: what accelerations gain by world axes, R(ω × v)."""
        result = np.zeros(self.rows.nv)
        if self.floating is not None:
            at, rates, start = self.floating
            omega, v = qd[rates][:3], qd[rates][3:]
            result[start : start + 3] = rotation_of_quaternion(q[at][-4:]) @ np.cross(omega, v)
        return result


def mujoco_robot(model: Model) -> MujocoRobot:
    """The robot; PeerError for what MuJoCo does not have."""
    if model.has_mimics:
        raise PeerError("mimic joints would be soft constraints in MuJoCo")
    for joint in model.joints:
        if joint.kind.name == "helical":
            raise PeerError(f"joint '{joint.name}' is helical, which MuJoCo does not have")
        if joint.kind.name == "floating" and (joint.parent != GROUND or joint.placement != Placement(IDENTITY, ZERO)):
            raise PeerError(f"joint '{joint.name}' floats, but not from the world's origin, which MuJoCo does not have")
    return MujocoRobot(pinocchio_robot(model))


def mjcf(robot: MujocoRobot, gravity: Sequence[float]) -> str:
    """The robot as an MJCF document without geometry, contacts or limits; the first tip is a site."""
    ours = robot.ours.numeric()
    tips = [tip for tip in ours.tips[:1] if tip.body != GROUND]
    sites = {tip.body: _element("site", _pose(tip.placement)) for tip in tips}

    def body(k: int) -> str:
        rows = [robot.rows.rows[i - 1] for i in robot.rows.joints[k]]
        inside = [*map(_joint, rows), _inertial(rows[-1]), sites.get(k, ""), *map(body, ours.children[k])]
        opening = _element("body", _pose(ours.joints[k].placement)).removesuffix("/>")
        return f"{opening}>{''.join(inside)}</body>"

    flags = '<flag constraint="disable" contact="disable"/>'
    compiler = '<compiler angle="radian" inertiafromgeom="false"/>'
    return (
        f'<mujoco>{compiler}<option gravity="{_numbers(gravity)}">{flags}</option>'
        f"<worldbody>{''.join(map(body, ours.roots))}</worldbody></mujoco>"
    )


def _joint(row: JointRow) -> str:
    kind = ELEMENTS[row.kind[0]]
    if len(set(row.armature)) > 1:
        raise PeerError(f"the armature of joint '{row.name}' differs between its freedoms, which MuJoCo does not have")
    axis = {"axis": _numbers(row.axis)} if kind in ("hinge", "slide") else {}
    return _element("joint", {"type": kind, "armature": repr(row.armature[0]), **axis})


def _inertial(row: JointRow) -> str:
    xx, xy, xz, yy, yz, zz = inertia_about_com(row.body)
    return _element(
        "inertial",
        {
            "mass": repr(number(row.body.mass)),
            "pos": _numbers(com(row.body)),
            "fullinertia": _numbers((xx, yy, zz, xy, xz, yz)),
        },
    )


def _pose(placement: Placement) -> dict[str, str]:
    R = placement.rotation
    x, y = ([R[i][j] for i in range(3)] for j in range(2))
    return {"pos": _numbers([number(p) for p in placement.translation]), "xyaxes": _numbers([*x, *y])}


def _element(name: str, attributes: Mapping[str, str]) -> str:
    return f"<{name} {' '.join(f'{key}={quoteattr(value)}' for key, value in attributes.items())}/>"


def _numbers(values: Sequence[float]) -> str:
    return " ".join(repr(float(value)) for value in values)
