"""Denavit–Hartenberg tables inside TOML, standard and modified, with every field by name.

One row is T = Rz(θ)·Tz(d)·Tx(a)·Rx(α) (standard) or T = Rx(α)·Tx(a)·Rz(θ)·Tz(d) (modified). A body's frame here is the moved
joint frame, after the row's z-screw; so in the standard convention the x-screw Tx(a)·Rx(α) belongs to the next joint's
placement, and the inertias, which the table gives in the DH frame at the link's far end, are moved back to the joint.
"""

from __future__ import annotations

from derive.frames import AXES, Placement, rotation_about
from derive.joints import Geometry
from derive.loaders.description import FIXED, JointClause, Link
from derive.loaders.fields import WORLD, body_inertia, joint_limits
from derive.loaders.table import Table
from derive.parameters import Scalar

X, _, Z = AXES
TOOL = "tool"


def read_dh(table: Table) -> tuple[list[Link], list[JointClause]]:
    """Links link1 … linkn and tool, and the joints between them."""
    standard = table.text("convention", choices=("standard", "modified")) == "standard"
    about = table.text("inertia_about", choices=("com", "origin"))
    base, tool = table.table("base"), table.table("tool")
    before = base.placement()  # from the parent body's frame to where the next row of the table starts
    rows = table.tables("joint", "dh joint")
    if not rows:
        raise table.fail("has no joints", "write [[dh.joint]] above each row")
    links: list[Link] = []
    joints: list[JointClause] = []
    for number, row in enumerate(rows, start=1):
        name, child = row.text("name", f"joint{number}"), f"link{number}"
        kind = row.text("type", "revolute", choices=("revolute", "continuous", "prismatic"))
        x_screw, z_screw = _screws(row, kind)
        reach, after = (z_screw, x_screw) if standard else (x_screw.then(z_screw), Placement())
        links.append(Link(child, f"dh joint '{name}'", body_inertia(row, about).placed(after), row.text("remark", "")))
        parent = joints[-1].child if joints else WORLD
        joints.append(
            JointClause(
                name,
                f"dh joint '{name}'",
                kind,
                parent,
                child,
                before.then(reach),
                Geometry(Z),
                armature=_armature(row),
                damping=row.number("damping", 0.0),
                friction=row.number("friction", 0.0),
                limits=joint_limits(row),
            )
        )
        row.done()
        before = after
    links.append(Link(TOOL, "dh tool"))
    joints.append(JointClause(f"{TOOL}_joint", "dh tool", FIXED, joints[-1].child, TOOL, before.then(tool.placement())))
    for inner in (base, tool, table):
        inner.done()
    return links, joints


def _screws(row: Table, kind: str) -> tuple[Placement, Placement]:
    """The row's x-screw (a, α) and its z-screw (d, θ) with the coordinate at zero: the offset is in it."""
    variable, constant = ("d", "theta") if kind == "prismatic" else ("theta", "d")
    if row.has(variable):
        raise row.fail(
            f"gives {variable} of a {kind} joint, which is its coordinate", f"write offset = … instead of {variable}"
        )
    x_screw = Placement(rotation_about(X, row.number("alpha")), (row.scalar("a"), 0.0, 0.0))
    if kind == "prismatic":
        return x_screw, Placement(rotation_about(Z, row.number(constant)), (0.0, 0.0, row.scalar("offset", 0.0)))
    return x_screw, Placement(rotation_about(Z, row.number("offset", 0.0)), (0.0, 0.0, row.scalar(constant)))


def _armature(row: Table) -> Scalar:
    """`armature`, or motor_inertia·gear_ratio² (Jm·G²)."""
    if row.has("motor_inertia"):
        if row.has("armature"):
            raise row.fail("gives both armature and motor_inertia", "give one; armature is motor_inertia·gear_ratio²")
        return row.scalar("motor_inertia") * row.number("gear_ratio", 1.0) ** 2
    return row.scalar("armature", 0.0)
