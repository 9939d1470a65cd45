"""What a robot file says, before anything is selected or lumped: links and joints by name, each knowing its place.

Every loader makes one of these and checks values as far as one element goes; `assemble` makes the `Model` of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from derive.errors import ModelError
from derive.frames import Placement
from derive.inertia import Inertia
from derive.joints import Geometry
from derive.model import Limits, Note
from derive.parameters import Scalar

FIXED = "fixed"


@dataclass(frozen=True)
class Link:
    """One link with its own inertia in its own frame; `where` names it in messages."""

    name: str
    where: str
    inertia: Inertia = Inertia()
    remark: str = ""  # what the file itself says about an inertia that looks wrong


@dataclass(frozen=True)
class MimicClause:
    """q = multiplier·q(master) + offset, the master by name."""

    master: str
    multiplier: float = 1.0
    offset: float = 0.0


@dataclass(frozen=True)
class JointClause:
    """One joint of the file; `kind` is a name of JOINT_KINDS or "fixed". Per-rate values are one number for all rates."""

    name: str
    where: str
    kind: str
    parent: str
    child: str
    placement: Placement = Placement()
    geometry: Geometry = Geometry()
    armature: Scalar = 0.0
    damping: float = 0.0
    friction: float = 0.0
    limits: Limits = Limits()
    mimic: MimicClause | None = None


@dataclass(frozen=True)
class Description:
    """A robot file's content. `ground` is the name joints may use for the ground, where the format has one."""

    name: str
    source: str
    links: tuple[Link, ...]
    joints: tuple[JointClause, ...]
    parameters: Mapping[str, float] = field(default_factory=dict)
    tips: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    ground: tuple[str, ...] = ()
    title: str = ""  # one line for people
    provenance: str = ""  # where the numbers come from
    constants: tuple[tuple[str, str], ...] = ()  # names the literature gives to expressions in the parameters

    def fail(self, where: str, what: str, remedy: str) -> ModelError:
        """The error for something wrong at `where` in this file."""
        return ModelError(f"{self.source}: {where}" if where else self.source, what, remedy)
