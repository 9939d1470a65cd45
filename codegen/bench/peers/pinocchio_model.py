"""Our `Model` as Pinocchio has it: rows of its joints, the translation of coordinates, and the model built in Python.

Joints of several screws become several joints in a row. Axes along x, y, z get the joint types Pinocchio is fastest with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from derive.frames import IDENTITY, ZERO, Placement
from derive.inertia import Inertia, com, inertia_about_com
from derive.model import GROUND, Joint, Model
from derive.parameters import number
from derive.reference.bodies import selection_matrix
from derive.reference.joint_motion import screws
from derive.states import Array

# Pinocchio's joint types, without the JointModel before them, and what their constructors take.
JOINT_KINDS: Mapping[str, tuple[str, ...]] = {
    "FreeFlyer": (),
    "Spherical": (),
    "RX": (),
    "RY": (),
    "RZ": (),
    "RevoluteUnaligned": ("axis",),
    "PX": (),
    "PY": (),
    "PZ": (),
    "PrismaticUnaligned": ("axis",),
    "HelicalUnaligned": ("axis", "pitch"),
}
SIZES = {"FreeFlyer": (7, 6), "Spherical": (4, 3)}  # of q and v; 1 and 1 for all others
ROW_SIZE = 34  # see `JointRow.packed`


@dataclass(frozen=True)
class JointRow:
    """One joint of Pinocchio's and the body it moves; `parent` counts from 1, 0 is the ground."""

    name: str
    parent: int
    kind: str
    axis: tuple[float, float, float]
    pitch: float
    placement: Placement
    body: Inertia
    armature: tuple[float, ...]

    @property
    def nq(self) -> int:
        """Its coordinates."""
        return SIZES.get(self.kind, (1, 1))[0]

    @property
    def nv(self) -> int:
        """Its rates."""
        return SIZES.get(self.kind, (1, 1))[1]

    @property
    def packed(self) -> list[float]:
        """The row as numbers, in the order `templates/bench/pinocchio_robot.hpp.jinja` reads them."""
        xx, xy, xz, yy, yz, zz = map(number, inertia_about_com(self.body))
        rotation = [x for row in self.placement.rotation for x in row]
        translation = map(number, self.placement.translation)
        head = [float(self.parent), float(list(JOINT_KINDS).index(self.kind)), *self.axis, self.pitch]
        body = [number(self.body.mass), *com(self.body), xx, xy, yy, xz, yz, zz]
        return [*head, *rotation, *translation, *body, *self.armature, *[0.0] * (6 - len(self.armature))]


@dataclass(frozen=True)
class PinocchioRobot:
    """Rows in Pinocchio's order and, per joint of ours, the numbers (from 1) of its rows."""

    ours: Model
    rows: tuple[JointRow, ...]
    joints: tuple[tuple[int, ...], ...]

    @property
    def nq(self) -> int:
        """Pinocchio's coordinates."""
        return sum(row.nq for row in self.rows)

    @property
    def nv(self) -> int:
        """Pinocchio's rates."""
        return sum(row.nv for row in self.rows)

    @cached_property
    def from_ours(self) -> Array:
        """(nv of Pinocchio, nv of ours) with v_pinocchio = from_ours · v; forces go back by its transpose."""
        starts = np.cumsum([0, *(row.nv for row in self.rows)])
        order: list[int] = []
        for joint, numbers in zip(self.ours.joints, self.joints, strict=True):
            places = [starts[i - 1] + j for i in numbers for j in range(self.rows[i - 1].nv)]
            order += places[3:] + places[:3] if joint.kind.name == "floating" else places  # theirs is [v; ω]
        matrix = np.zeros((self.nv, self.ours.nv))
        matrix[order] = selection_matrix(self.ours)
        return matrix

    def q(self, q: Array) -> Array:
        """Pinocchio's coordinates of ours."""
        starts = np.cumsum([0, *(row.nq for row in self.rows)])
        result = np.zeros(self.nq)
        for own, numbers in zip(self.ours.joint_coordinates(q), self.joints, strict=True):
            places = [starts[i - 1] + j for i in numbers for j in range(self.rows[i - 1].nq)]
            result[places] = own
        return result

    @property
    def table(self) -> Array:
        """The rows as numbers, (joints, ROW_SIZE)."""
        return np.array([row.packed for row in self.rows])

    @property
    def tip(self) -> tuple[int, Array]:
        """The row the first tip is on and its placement there (rotation by rows, translation); row 0 if there is none."""
        tips = [tip for tip in self.ours.numeric().tips[:1] if tip.body != GROUND]
        placement = tips[0].placement if tips else Placement()
        values = [*(x for row in placement.rotation for x in row), *map(number, placement.translation)]
        return self.joints[tips[0].body][-1] if tips else 0, np.array(values)

    def model(self) -> Any:
        """The pinocchio.Model, its tips as frames."""
        import pinocchio as pin

        model = pin.Model()
        armature: list[float] = []
        for row in self.rows:
            given = {"axis": np.array(row.axis), "pitch": row.pitch}
            joint = getattr(pin, f"JointModel{row.kind}")(*(given[name] for name in JOINT_KINDS[row.kind]))
            index = model.addJoint(row.parent, joint, _se3(row.placement), row.name)
            model.inertias[index] = _pin_inertia(row.body)
            armature += row.armature
        model.armature = np.array(armature)
        for tip in self.ours.numeric().tips:
            if tip.body != GROUND:
                on = self.joints[tip.body][-1]
                model.addFrame(pin.Frame(tip.name, on, _se3(tip.placement), pin.FrameType.OP_FRAME))
        return model


def pinocchio_robot(ours: Model) -> PinocchioRobot:
    """Our model, snapped and lumped as we have it, as rows of Pinocchio's joints."""
    numeric = ours.numeric()
    rows: list[JointRow] = []
    joints: dict[int, tuple[int, ...]] = {}
    for k in _depth_first(numeric):
        joint = numeric.joints[k]
        placement = joint.placement
        parent = 0 if joint.parent == GROUND else joints[joint.parent][-1]
        motions = _motions(joint)
        armature = [number(a) for a in joint.armature]
        for i, (kind, axis, pitch) in enumerate(motions):
            last = i == len(motions) - 1
            name = joint.name if i == 0 else f"{joint.name}/{i}"
            size = SIZES.get(kind, (1, 1))[1]
            own, armature = tuple(armature[:size]), armature[size:]
            body = numeric.bodies[k].inertia if last else Inertia()
            rows.append(JointRow(name, parent, kind, axis, pitch, placement, body, own))
            placement, parent = Placement(IDENTITY, ZERO), len(rows)
        joints[k] = tuple(range(len(rows) - len(motions) + 1, len(rows) + 1))
    return PinocchioRobot(ours, tuple(rows), tuple(joints[k] for k in range(len(numeric.joints))))


def _depth_first(model: Model) -> list[int]:
    """Bodies with each subtree contiguous, as Pinocchio's composite-body algorithm needs them."""
    order, todo = [], list(reversed(model.roots))
    while todo:
        k = todo.pop()
        order.append(k)
        todo += reversed(model.children[k])
    return order


def _motions(joint: Joint) -> list[tuple[str, tuple[float, float, float], float]]:
    """Kind, axis and pitch of each joint of Pinocchio's."""
    if joint.kind.name == "floating":
        return [("FreeFlyer", ZERO, 0.0)]
    if joint.kind.name == "spherical":
        return [("Spherical", ZERO, 0.0)]
    if joint.kind.name == "helical":
        return [("HelicalUnaligned", joint.geometry.axis, number(joint.geometry.pitch))]
    motions = []
    for screw in screws(joint):
        turns = bool(screw[:3].any())
        x, y, z = map(float, screw[:3] if turns else screw[3:])
        aligned = {(1.0, 0.0, 0.0): "X", (0.0, 1.0, 0.0): "Y", (0.0, 0.0, 1.0): "Z"}.get((x, y, z))
        family = "Revolute" if turns else "Prismatic"
        motions.append((f"{family[0]}{aligned}" if aligned else f"{family}Unaligned", (x, y, z), 0.0))
    return motions


def _pin_inertia(inertia: Inertia) -> Any:
    import pinocchio as pin

    xx, xy, xz, yy, yz, zz = inertia_about_com(inertia)
    result = pin.Inertia.Zero()  # the constructor refuses the implausible inertias some files have
    result.mass, result.lever = number(inertia.mass), np.array(com(inertia))
    result.inertia = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return result


def _se3(placement: Placement) -> Any:
    import pinocchio as pin

    return pin.SE3(np.array(placement.rotation), np.array([number(x) for x in placement.translation]))
