"""URDF: the unified robot description format, as real files write it. What the model does not use is not looked at."""

from __future__ import annotations

import math
from pathlib import Path

from derive.errors import ModelError
from derive.frames import Direction, Placement, normalised, rotation_from_rpy
from derive.inertia import Inertia, Symmetric, implausible
from derive.joints import Geometry
from derive.loaders.description import FIXED, Description, JointClause, Link, MimicClause
from derive.loaders.files import read_bytes
from derive.loaders.xml import Element, parse_xml
from derive.model import Limits, Note

JOINT_TYPES = ("revolute", "continuous", "prismatic", FIXED, "floating", "planar", "spherical")
WITH_AXIS = ("revolute", "continuous", "prismatic", "planar")
OTHER_ROOTS = {"sdf": "an SDF file", "mujoco": "a MuJoCo file", "COLLADA": "a mesh", "package": "a ROS package file"}


def read_urdf(path: Path) -> Description:
    """What the URDF file says; ModelError names the element and its line."""
    return parse_urdf(read_bytes(path), str(path))


def parse_urdf(content: bytes, source: str) -> Description:
    """What the URDF text says; `source` stands for the file in messages."""
    root = parse_xml(content, source)
    if root.tag != "robot":
        known = OTHER_ROOTS.get(root.tag, "not URDF")
        raise ModelError(
            f"{source}: line {root.line}", f"the root element is <{root.tag}>, {known}", "convert it to URDF first"
        )
    for element in root.children:
        if element.tag.startswith("xacro:"):
            raise ModelError(f"{source}: line {element.line}", f"holds <{element.tag}>", "run xacro on it first")
    reader = _Reader(source)
    name = reader.text(root, "name", default=Path(source).stem)
    links = tuple(reader.link(e) for e in root.all("link"))
    joints = tuple(reader.joint(e) for e in root.all("joint"))
    return Description(name, source, links, joints, notes=tuple(reader.notes))


class _Reader:
    """Reads elements of one file; collects warnings."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.notes: list[Note] = []
        self.where = source  # the link or joint being read

    def fail(self, element: Element, what: str, remedy: str) -> ModelError:
        return ModelError(f"{self.source}: {self.where} (line {element.line})", what, remedy)

    def text(self, element: Element, attribute: str, default: str | None = None) -> str:
        found = element.attributes.get(attribute, default)
        if found is None or not found.strip():
            raise self.fail(element, f"<{element.tag}> has no {attribute}", f'add {attribute}="…"')
        if "${" in found or "$(" in found:
            raise self.fail(element, f"{attribute}={found!r} is not expanded", "run xacro on the file first")
        return found

    def numbers(
        self, element: Element, attribute: str, count: int, default: str | None = None, finite: bool = True
    ) -> list[float]:
        text = self.text(element, attribute, default)
        try:
            values = [_float(word) for word in text.split()]
        except ValueError:
            values = []
        if len(values) != count or any(math.isnan(x) or (finite and math.isinf(x)) for x in values):
            wanted = "a finite number" if count == 1 else f"{count} finite numbers separated by blanks"
            raise self.fail(element, f"<{element.tag}> {attribute}={text!r}", f"write {wanted}")
        return values

    def number(self, element: Element, attribute: str, default: str | None = None) -> float:
        return self.numbers(element, attribute, 1, default)[0]

    def placement(self, parent: Element) -> Placement:
        origin = parent.first("origin")
        if origin is None:
            return Placement()
        x, y, z = self.numbers(origin, "xyz", 3, "0 0 0")
        return Placement(rotation_from_rpy(*self.numbers(origin, "rpy", 3, "0 0 0")), (x, y, z))

    def link(self, element: Element) -> Link:
        self.where = "a <link>"
        name = self.text(element, "name")
        self.where = f"link '{name}'"
        inertial = element.first("inertial")
        return Link(
            name, f"{self.where} (line {element.line})", self.inertia(name, inertial) if inertial else Inertia()
        )

    def inertia(self, name: str, inertial: Element) -> Inertia:
        mass_element, inertia_element = self.needed(inertial, "mass"), self.needed(inertial, "inertia")
        mass = self.number(mass_element, "value")
        if mass < 0.0:
            raise self.fail(mass_element, f"mass is {mass:g}", "masses cannot be negative")
        xx, xy, xz, yy, yz, zz = (self.number(inertia_element, f"i{ij}") for ij in ("xx", "xy", "xz", "yy", "yz", "zz"))
        entries: Symmetric = (xx, xy, xz, yy, yz, zz)
        complaint = implausible((xx, xy, xz, yy, yz, zz))
        if complaint:
            self.notes.append(Note("warning", name, f"{complaint}; kept as the file says"))
        return Inertia(mass, inertia=entries).placed(self.placement(inertial))

    def needed(self, element: Element, tag: str) -> Element:
        found = element.first(tag)
        if found is None:
            raise self.fail(element, f"<{element.tag}> has no <{tag}>", f"add <{tag} …/> to it")
        return found

    def joint(self, element: Element) -> JointClause:
        self.where = "a <joint>"
        name = self.text(element, "name")
        self.where = f"joint '{name}'"
        kind = self.text(element, "type")
        if kind not in JOINT_TYPES:
            raise self.fail(element, f"joint type '{kind}' is not known", f"use one of {', '.join(JOINT_TYPES)}")
        parent = self.text(self.needed(element, "parent"), "link")
        child = self.text(self.needed(element, "child"), "link")
        dynamics = element.first("dynamics")
        return JointClause(
            name,
            f"{self.where} (line {element.line})",
            kind,
            parent,
            child,
            self.placement(element),
            Geometry(self.axis(element)) if kind in WITH_AXIS else Geometry(),
            damping=self.number(dynamics, "damping", "0") if dynamics else 0.0,
            friction=self.number(dynamics, "friction", "0") if dynamics else 0.0,
            limits=self.limits(element, kind),
            mimic=self.mimic(element),
        )

    def axis(self, joint: Element) -> Direction:
        element = joint.first("axis")
        if element is None:
            return (1.0, 0.0, 0.0)
        x, y, z = self.numbers(element, "xyz", 3, "1 0 0")
        if x == y == z == 0.0:
            raise self.fail(element, "the axis is zero", 'give a direction such as xyz="0 0 1"')
        return normalised((x, y, z))

    def limits(self, joint: Element, kind: str) -> Limits:
        element = joint.first("limit")
        if element is None or kind == FIXED:
            return Limits()
        position = ("lower", "upper") if kind in ("revolute", "prismatic") else ()
        found = {
            key: self.numbers(element, key, 1, finite=False)[0]
            for key in (*position, "velocity", "effort")
            if key in element.attributes
        }
        return Limits(**{key: bound for key, bound in found.items() if math.isfinite(bound)})

    def mimic(self, joint: Element) -> MimicClause | None:
        element = joint.first("mimic")
        if element is None:
            return None
        master = self.text(element, "joint")
        return MimicClause(master, self.number(element, "multiplier", "1"), self.number(element, "offset", "0"))


def _float(word: str) -> float:
    if "_" in word:  # Python would read 1_000; no other URDF reader does
        raise ValueError
    return float(word)
