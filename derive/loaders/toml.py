"""The native robot format: links and joints, or a Denavit–Hartenberg table, in TOML. Numbers or named parameters."""

from __future__ import annotations

import tomllib
from pathlib import Path

from derive.errors import ModelError
from derive.inertia import implausible, inertia_about_com
from derive.joints import JOINT_KINDS, Geometry
from derive.loaders.description import FIXED, Description, JointClause, Link, MimicClause
from derive.loaders.dh import read_dh
from derive.loaders.fields import WORLD, body_inertia, joint_limits
from derive.loaders.files import read_bytes
from derive.loaders.table import Table
from derive.model import Note
from derive.parameters import NAME, STANDARD_PARAMETER, number, parameters_of, parse_scalar, value


def read_toml(path: Path) -> Description:
    """What the TOML robot file says; ModelError names the table and key."""
    return parse_toml(read_bytes(path), str(path))


def parse_toml(content: bytes, source: str) -> Description:
    """What the TOML text says; `source` stands for the file in messages."""
    root = Table(_document(content, source), source, "")
    name = root.text("name", default=Path(source).stem)
    title, provenance = root.text("description", default=""), root.text("source", default="")
    parameters = _parameters(root.table("parameters"))
    if root.has("dh"):
        links, joints = read_dh(root.table("dh"))
        if root.has("link") or root.has("joint"):
            raise root.fail("has both [dh] and [[link]] or [[joint]]", "describe the robot in one way")
    else:
        links = [_link(t) for t in root.tables("link", "link")]
        joints = [_joint(t) for t in root.tables("joint", "joint")]
    tips = root.texts("tips")
    constants = _constants(root.table("constants"), parameters)
    root.done()
    _check_parameters(root, links, joints, parameters)
    for tip in (t for t in tips if t not in {link.name for link in links}):
        raise root.fail(f"tips names '{tip}', which is not a link", "name a link of this file")
    grounded = any(j.parent == WORLD for j in joints) and all(link.name != WORLD for link in links)
    return Description(
        name,
        source,
        tuple(links),
        tuple(joints),
        parameters,
        tips,
        tuple(_inertia_notes(links, parameters)),
        (WORLD,) if grounded else (),
        title,
        provenance,
        constants,
    )


def _document(content: bytes, source: str) -> object:
    try:
        return tomllib.loads(content.removeprefix(b"\xef\xbb\xbf").decode())
    except UnicodeDecodeError:
        raise ModelError(source, "is not text in UTF-8", "is this the right file? Save it as UTF-8") from None
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        raise ModelError(source, f"is not TOML ({error})", "correct the file") from None


def _parameters(table: Table) -> dict[str, float]:
    for name in table.content:
        if not NAME.fullmatch(name) or name == "pi":
            raise table.fail(f"'{name}' cannot name a parameter", "use letters, digits and underscores; pi is taken")
    return {name: table.number(name) for name in table.content}


def _constants(table: Table, parameters: dict[str, float]) -> tuple[tuple[str, str], ...]:
    """Names for expressions in the parameters, or in the standard inertial parameters m2, mx2, Ixx2 … of body 2."""
    found = []
    for name in table.content:
        text = table.text(name)
        try:
            scalar = parse_scalar(text)
        except ValueError as error:
            raise table.fail(f"{name}: {error}", "write an expression in parameters") from None
        for unknown in sorted(parameters_of([scalar]) - parameters.keys()):
            if parameters or not STANDARD_PARAMETER.fullmatch(unknown):
                raise table.fail(f"{name} has the unknown parameter '{unknown}'", "use parameters, or m2, mx2, Ixx2, …")
        found.append((name, text))
    return tuple(found)


def _link(table: Table) -> Link:
    link = Link(table.text("name"), table.where, body_inertia(table), table.text("remark", ""))
    table.done()
    return link


def _joint(table: Table) -> JointClause:
    name = table.text("name")
    kind = table.text("type", choices=(*JOINT_KINDS, FIXED))
    with_axis = kind not in (FIXED, "spherical", "floating")
    geometry = Geometry(
        axis=table.direction("axis") if with_axis else Geometry().axis,
        axis2=table.direction("axis2") if kind == "universal" else Geometry().axis2,
        pitch=table.scalar("pitch") if kind == "helical" else 0.0,
    )
    if kind == "universal" and abs(sum(a * b for a, b in zip(geometry.axis, geometry.axis2, strict=True))) > 1.0 - 1e-9:
        raise table.fail("axis and axis2 are parallel", "a universal joint needs two different axes")
    joint = JointClause(
        name,
        table.where,
        kind,
        table.text("parent"),
        table.text("child"),
        table.placement(),
        geometry,
        armature=table.scalar("armature", 0.0),
        damping=table.number("damping", 0.0),
        friction=table.number("friction", 0.0),
        limits=joint_limits(table),
        mimic=_mimic(table),
    )
    table.done()
    return joint


def _mimic(table: Table) -> MimicClause | None:
    if not table.has("mimic"):
        return None
    inner = table.table("mimic")
    clause = MimicClause(inner.text("joint"), inner.number("multiplier", 1.0), inner.number("offset", 0.0))
    inner.done()
    return clause


def _check_parameters(root: Table, links: list[Link], joints: list[JointClause], parameters: dict[str, float]) -> None:
    used = [(link.where, link.inertia.scalars) for link in links]
    used += [(j.where, (*j.placement.translation, j.armature, j.geometry.pitch)) for j in joints]
    for where, scalars in used:
        for name in sorted(parameters_of(scalars) - parameters.keys()):
            raise ModelError(
                f"{root.source}: {where}", f"parameter '{name}' has no value", f"add {name} = … under [parameters]"
            )
    for link in links:
        if value(link.inertia.mass, parameters) < 0.0:
            raise ModelError(
                f"{root.source}: {link.where}", "mass is negative at the default parameters", "correct [parameters]"
            )


def _inertia_notes(links: list[Link], parameters: dict[str, float]) -> list[Note]:
    """A warning for each link whose inertia no rigid body can have, unless the file remarks on it itself."""
    notes = []
    for link in links:
        body = link.inertia.numeric(parameters)
        complaint = implausible(inertia_about_com(body), scale=max(abs(number(x)) for x in body.inertia))
        if complaint and link.remark:
            notes.append(Note("remark", link.name, f"{complaint}; the file says: {link.remark}"))
        elif complaint:
            notes.append(Note("warning", link.name, f"{complaint}; kept as the file says"))
    return notes
