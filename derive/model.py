"""One robot: an immutable tree of bodies and joints, parents before children, numbers or named parameters.

Body k hangs on joint k, whose frame is placed in the parent body's frame; at rest the body's frame is the joint's. Fixed
joints are gone (their links are lumped into the body that carries them). Coordinates are in model order. The papers number
bodies from the tip, 1 … n: `paper_number`.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import cached_property
from typing import Any, TypeAlias

from derive.errors import ModelError, SingularModelError
from derive.frames import Placement, norm
from derive.inertia import Inertia
from derive.joints import Geometry, JointKind
from derive.names import identifiers
from derive.parameters import Polynomial, Scalar, parameters_of, value

GROUND = -1
FOR_PEOPLE = ("notes", "source", "title", "provenance", "constants")
Jsonable: TypeAlias = dict[str, "Jsonable"] | list["Jsonable"] | str | int | float | bool | None


@dataclass(frozen=True)
class Limits:
    """Joint limits as the file gives them; None where it is silent."""

    lower: float | None = None
    upper: float | None = None
    velocity: float | None = None
    effort: float | None = None


@dataclass(frozen=True)
class Mimic:
    """q = multiplier·q(master) + offset; `master` is the index of a joint with a coordinate of its own."""

    master: int
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True)
class Joint:
    """Joint k, between body `parent` (GROUND for the world) and body k."""

    name: str
    kind: JointKind
    parent: int
    placement: Placement = Placement()
    geometry: Geometry = Geometry()
    armature: tuple[Scalar, ...] = ()  # rotor inertia seen at each rate; adds to D(k)
    damping: tuple[float, ...] = ()  # carried, used only when asked for
    friction: tuple[float, ...] = ()
    limits: Limits = Limits()
    mimic: Mimic | None = None


@dataclass(frozen=True)
class Frame:
    """A named frame (a link of the file, a tip) fixed in body `body`, or in the ground."""

    name: str
    body: int
    placement: Placement = Placement()


@dataclass(frozen=True)
class Body:
    """Body k: its inertia about its own frame's origin, with everything rigidly attached to it lumped in."""

    name: str
    inertia: Inertia = Inertia()


@dataclass(frozen=True)
class Note:
    """Something the loader did or saw in the link or joint `about`; `kind`: snapped, warning, remark, dropped, ignored."""

    kind: str
    about: str
    text: str

    def __str__(self) -> str:
        return f"{self.about}: {self.text}"


@dataclass(frozen=True)
class Model:
    """A robot. `links` are the named frames of the file; `tips` are those J and the tip force refer to, the default first."""

    name: str
    bodies: tuple[Body, ...]
    joints: tuple[Joint, ...]
    tips: tuple[Frame, ...] = ()
    links: tuple[Frame, ...] = ()
    parameters: tuple[tuple[str, float], ...] = ()  # default value of each named parameter, sorted by name
    notes: tuple[Note, ...] = ()  # this and what follows is for people: not content, not in the digest
    source: str = ""
    title: str = ""
    provenance: str = ""
    constants: tuple[tuple[str, str], ...] = ()  # names the literature gives to expressions in the parameters

    def __post_init__(self) -> None:
        for fault in _faults(self):
            raise ModelError(f"model '{self.name}'", *fault)

    # -- sizes and order ------------------------------------------------------------------------------------------------

    @property
    def n(self) -> int:
        """Number of moving bodies."""
        return len(self.bodies)

    @cached_property
    def nq(self) -> int:
        """Number of configuration variables."""
        return sum(j.kind.nq for j in self.independent_joints)

    @cached_property
    def nv(self) -> int:
        """Number of degrees of freedom."""
        return sum(j.kind.nv for j in self.independent_joints)

    @cached_property
    def independent_joints(self) -> tuple[Joint, ...]:
        """Joints with coordinates of their own (all but the mimics), in coordinate order."""
        return tuple(j for j in self.joints if j.mimic is None)

    @property
    def joint_names(self) -> tuple[str, ...]:
        """Names of the joints that have coordinates, in coordinate order."""
        return tuple(j.name for j in self.independent_joints)

    @cached_property
    def q_slices(self) -> tuple[slice, ...]:
        """Where each body's joint finds its coordinates in q (a mimic: its master's)."""
        return _slices(self.joints, [j.kind.nq for j in self.joints])

    @cached_property
    def v_slices(self) -> tuple[slice, ...]:
        """Where each body's joint finds its rates in q̇ (a mimic: its master's)."""
        return _slices(self.joints, [j.kind.nv for j in self.joints])

    @cached_property
    def coordinate_names(self) -> tuple[str, ...]:
        """A name for each entry of q: the joint's, with its coordinate's label when it has several."""
        return _labels(self.independent_joints, [j.kind.coordinates for j in self.independent_joints])

    @cached_property
    def rate_names(self) -> tuple[str, ...]:
        """A name for each entry of q̇."""
        return _labels(self.independent_joints, [j.kind.rates for j in self.independent_joints])

    @cached_property
    def identifiers(self) -> tuple[str, ...]:
        """A distinct C identifier for each joint, mimics included."""
        return identifiers([j.name for j in self.joints])

    def paper_number(self, k: int) -> int:
        """Number of body k in the papers, where 1 is the last body and n the first [section 0 of the specification]."""
        return self.n - k

    # -- tree -----------------------------------------------------------------------------------------------------------

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """Children of each body, in model order."""
        lists: list[list[int]] = [[] for _ in self.bodies]
        for k, joint in enumerate(self.joints):
            if joint.parent != GROUND:
                lists[joint.parent].append(k)
        return tuple(tuple(c) for c in lists)

    @cached_property
    def roots(self) -> tuple[int, ...]:
        """Bodies whose parent is the ground."""
        return tuple(k for k, joint in enumerate(self.joints) if joint.parent == GROUND)

    def path(self, body: int) -> tuple[int, ...]:
        """Bodies from `body` down to the ground, `body` first; empty for the ground itself."""
        chain = []
        while body != GROUND:
            chain.append(body)
            body = self.joints[body].parent
        return tuple(chain)

    @property
    def is_serial(self) -> bool:
        """Whether each body carries at most one other."""
        return all(joint.parent == k - 1 for k, joint in enumerate(self.joints))

    # -- coordinates ----------------------------------------------------------------------------------------------------

    def joint_coordinates(self, q: Any) -> tuple[tuple[Any, ...], ...]:
        """The coordinates of every body's joint, mimics worked out; q is any sequence or array of nq scalars."""
        return tuple(
            tuple(q[s]) if j.mimic is None else (j.mimic.multiplier * q[s.start] + j.mimic.offset,)
            for j, s in zip(self.joints, self.q_slices, strict=True)
        )

    def joint_rates(self, v: Any) -> tuple[tuple[Any, ...], ...]:
        """The rates (or accelerations) of every body's joint, mimics worked out."""
        return tuple(
            tuple(v[s]) if j.mimic is None else (j.mimic.multiplier * v[s.start],)
            for j, s in zip(self.joints, self.v_slices, strict=True)
        )

    @property
    def has_mimics(self) -> bool:
        """Whether some joint follows another."""
        return any(j.mimic is not None for j in self.joints)

    # -- parameters -----------------------------------------------------------------------------------------------------

    @property
    def is_symbolic(self) -> bool:
        """Whether a named parameter occurs."""
        return bool(self.parameters)

    def numeric(self, values: Mapping[str, float] | None = None) -> Model:
        """The same robot with every parameter at its value in `values`, else at its default."""
        if not self.is_symbolic and not values:
            return self
        unknown = sorted(set(values or {}) - dict(self.parameters).keys())
        if unknown:
            names = ", ".join(name for name, _ in self.parameters) or "none"
            raise ModelError(f"model '{self.name}'", f"has no parameter '{unknown[0]}'", f"it has: {names}")
        known = {**dict(self.parameters), **(values or {})}
        substituted: Model = _substituted(self, known)
        return replace(substituted, parameters=())

    # -- what can be computed -------------------------------------------------------------------------------------------

    @cached_property
    def massless_leaves(self) -> tuple[str, ...]:
        """Joints that move nothing with mass or inertia, not even through a mimic: the mass matrix is singular in them."""
        carries = [not b.inertia.is_zero for b in self.bodies]
        for k in reversed(range(self.n)):
            parent = self.joints[k].parent
            if carries[k] and parent != GROUND:
                carries[parent] = True
        driver = [k if j.mimic is None else j.mimic.master for k, j in enumerate(self.joints)]
        loaded = {driver[k] for k in range(self.n) if carries[k] or all(a != 0.0 for a in self.joints[k].armature)}
        return tuple(j.name for k, j in enumerate(self.joints) if j.mimic is None and k not in loaded)

    def require_invertible_mass_matrix(self) -> None:
        """Refuse, by joint name, a robot whose mass matrix is singular whatever its configuration."""
        for name in self.massless_leaves:
            raise SingularModelError(
                f"model '{self.name}': joint '{name}' moves nothing with mass, so the mass matrix is singular; "
                f"lock it (lock={{'{name}': 0}}), give its link an inertial, or give the joint an armature"
            )

    # -- identity -------------------------------------------------------------------------------------------------------

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((self.name, self.bodies, self.joints))

    def to_json(self) -> dict[str, Jsonable]:
        """The model's content as plain data: what `digest` hashes."""
        content = {f.name: _jsonable(getattr(self, f.name)) for f in fields(self) if f.name not in FOR_PEOPLE}
        content["links"] = sorted(content["links"], key=lambda link: link["name"])
        return content

    @cached_property
    def digest(self) -> str:
        """SHA-256 of the content, in hexadecimal."""
        text = json.dumps(self.to_json(), sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode()).hexdigest()


def _slices(joints: tuple[Joint, ...], sizes: list[int]) -> tuple[slice, ...]:
    slices: dict[int, slice] = {}
    start = 0
    for k, joint in enumerate(joints):
        if joint.mimic is None:
            slices[k] = slice(start, start + sizes[k])
            start += sizes[k]
    return tuple(slices[k if j.mimic is None else j.mimic.master] for k, j in enumerate(joints))


def _labels(joints: Sequence[Joint], labels: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    return tuple(
        joint.name if len(names) == 1 else f"{joint.name}.{label}"
        for joint, names in zip(joints, labels, strict=True)
        for label in names
    )


def _faults(model: Model) -> Iterator[tuple[str, str]]:
    """What makes this not a model, as (what, remedy) pairs; a loader that checks its file never gets here."""
    if len(model.bodies) != len(model.joints):
        yield f"has {len(model.bodies)} bodies and {len(model.joints)} joints", "give each body one joint"
    for k, joint in enumerate(model.joints):
        for what, remedy in _joint_faults(model, k):
            yield f"joint '{joint.name}' {what}", remedy
    for kind, names in (("joint", [j.name for j in model.joints]), ("body", [b.name for b in model.bodies])):
        if len(set(names)) != len(names):
            yield f"two of its {kind}s have the same name", "make names distinct"
    for name in sorted(parameters_of(_scalars(model)) - dict(model.parameters).keys()):
        yield f"parameter '{name}' has no value", "list it with a default value"


def _joint_faults(model: Model, k: int) -> Iterator[tuple[str, str]]:
    joint = model.joints[k]
    if not GROUND <= joint.parent < k:
        yield f"has parent {joint.parent}", "put parents before children"
    if {len(joint.armature), len(joint.damping), len(joint.friction)} != {joint.kind.nv}:
        yield "has armature, damping or friction of the wrong length", f"give {joint.kind.nv} each"
    if any(abs(norm(axis) - 1.0) > 1e-9 for axis in (joint.geometry.axis, joint.geometry.axis2)):
        yield "has an axis that is not a unit vector", "normalise it"
    if joint.mimic is not None:
        master = model.joints[joint.mimic.master] if 0 <= joint.mimic.master < model.n else None
        if master is None or master.mimic is not None or master.kind.nq != 1:
            yield f"mimics joint {joint.mimic.master}", "name an independent joint with one coordinate"


def _scalars(model: Model) -> list[Scalar]:
    found: list[Scalar] = [s for body in model.bodies for s in body.inertia.scalars]
    for joint in model.joints:
        found += [*joint.placement.translation, *joint.armature, joint.geometry.pitch]
    for frame in (*model.tips, *model.links):
        found += frame.placement.translation
    return found


def _substituted(node: Any, values: Mapping[str, float]) -> Any:
    """`node` (a tree of frozen dataclasses and tuples) with every polynomial replaced by its number."""
    if isinstance(node, Polynomial):
        return value(node, values)
    if isinstance(node, tuple):
        return tuple(_substituted(x, values) for x in node)
    if is_dataclass(node) and not isinstance(node, (JointKind, type)):
        return replace(node, **{f.name: _substituted(getattr(node, f.name), values) for f in fields(node)})
    return node


def _jsonable(node: Any) -> Any:
    if isinstance(node, JointKind):
        return node.name
    if isinstance(node, Polynomial):
        return str(node)
    if isinstance(node, float):
        return node + 0.0  # −0.0 and 0.0 are the same robot
    if isinstance(node, tuple):
        return [_jsonable(x) for x in node]
    if is_dataclass(node):
        return {f.name: _jsonable(getattr(node, f.name)) for f in fields(node)}
    return node
