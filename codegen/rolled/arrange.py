"""A robot made ready for loops: bodies so that each subtree is a range, frames turned, constants in tables.

All joints of one kind are then alike but for their tables: bodies of one `BodyKind` share their code.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import accumulate

from codegen.functions import has_moving_tip
from codegen.rolled.ir import Table
from codegen.rolled.turned import BENT, Placed, placed, turned_geometry, turns_of
from derive.equivalent.frames import reframed
from derive.frames import Placement, Rotation
from derive.joints import JOINT_KINDS, Geometry, JointKind
from derive.model import GROUND, Frame, Joint, Mimic, Model
from derive.parameters import number

TABLES: Mapping[str, str] = {
    "kind": "which case of a switch a body is",
    "parent": "the body it hangs on; the number of bodies stands for the ground",
    "coordinate": "where its joint's coordinates start in q",
    "rate": "where its joint's rates start in qd",
    "body": "its number in the model",
    "column": "its joint's first column",
    "column_end": "one past the last column of its subtree",
    "tree_start": "the first column of its tree",
    "tree_end": "one past the last column of its tree",
    "slot": "where its row of columns is kept while its children read it",
    "column_rate": "the rate that a column is of",
    "weight": "what a column counts, joints that follow others being a multiple of them",
    "offset": "origin of the joint in the frame of the parent",
    "bend": "cos a, sin a, cos b, sin b, c: the joint is placed by a turn a about z, b about x, c about z",
    "attitude": "rotation by which the joint is placed, by rows",
    "axes": "axes of its frame in the model's, by rows",
    "inertia": "mass, first moment, inertia xx xy xz yy yz zz, in the body's frame: origin and z are the joint's",
    "rotor": "rotor inertia seen at each rate",
    "pitch": "slide per turn",
    "following": "multiplier and offset from the coordinate that it follows",
}


@dataclass(frozen=True)
class BodyKind:
    """What decides the code of a body: its joint, and what is so about the body or not. `skewed`: α ≠ 0 in `Placed`."""

    joint: JointKind
    geometry: Geometry
    skewed: bool
    on_ground: bool
    follows: bool
    carries_tip: bool
    has_tip: bool

    def __str__(self) -> str:
        words = {
            "skewed": self.skewed,
            "on the ground": self.on_ground,
            "following": self.follows,
            "with the tip": self.has_tip,
            "carrying the tip": self.carries_tip and not self.has_tip,
        }
        return ", ".join([self.joint.name, *(word for word, holds in words.items() if holds)])


@dataclass(frozen=True, eq=False)
class Arrangement:
    """`model` rearranged: body k here is body order[k] there; `tables` say where its coordinates and rates are there."""

    model: Model
    original: Model
    order: tuple[int, ...]
    axes: tuple[Rotation, ...]  # of each body's frame, in the frame it has there

    @property
    def n(self) -> int:
        """Number of bodies."""
        return self.model.n

    @cached_property
    def tip(self) -> Frame | None:
        """The frame the tip functions are about."""
        return self.model.tips[0] if has_moving_tip(self.model) else None

    @cached_property
    def widest(self) -> int:
        """The largest number of rates of a joint."""
        return max((joint.kind.nv for joint in self.model.joints), default=1)

    @cached_property
    def columns(self) -> int:
        """Number of rates of all joints, those that follow included."""
        return sum(joint.kind.nv for joint in self.model.joints)

    @cached_property
    def kinds(self) -> tuple[BodyKind, ...]:
        """The distinct kinds of body, in order of appearance."""
        return tuple(dict.fromkeys(self._kind_of))

    @cached_property
    def kind_numbers(self) -> tuple[int, ...]:
        """The number of each body's kind."""
        return tuple(self.kinds.index(kind) for kind in self._kind_of)

    @cached_property
    def _kind_of(self) -> list[BodyKind]:
        path = self.model.path(self.tip.body) if self.tip else ()
        alike = {(kind.configuration, kind.H_star): kind for kind in reversed(tuple(JOINT_KINDS.values()))}
        return [
            BodyKind(
                alike[joint.kind.configuration, joint.kind.H_star],
                replace(joint.geometry, pitch=0.0),
                joint.kind.name in BENT and self.placed[k].bend[1] != 0.0,
                joint.parent == GROUND,
                joint.mimic is not None,
                k in path,
                self.tip is not None and k == self.tip.body,
            )
            for k, joint in enumerate(self.model.joints)
        ]

    @cached_property
    def tables(self) -> dict[str, Table]:
        """Everything about the bodies that code looks up, by name."""
        joints, original = self.model.joints, self.original
        starts = _running([joint.kind.nv for joint in joints])
        ends = [starts[last] for last in self._subtree_ends]
        rates = [
            original.v_slices[k].start + i for k, j in zip(self.order, joints, strict=True) for i in range(j.kind.nv)
        ]
        mimics = [joint.mimic or Mimic(0) for joint in joints]
        values: dict[str, Iterable[float]] = {
            "parent": (joint.parent % (self.n + 1) for joint in joints),
            "coordinate": (original.q_slices[k].start for k in self.order),
            "rate": (original.v_slices[k].start for k in self.order),
            "body": self.order,
            "column": starts[:-1],
            "column_end": ends,
            "tree_start": (starts[root] for root in self._roots),
            "tree_end": (ends[root] for root in self._roots),
            "slot": self.slots,
            "column_rate": rates,
            "weight": (mimic.multiplier for joint, mimic in zip(joints, mimics, strict=True) for _ in joint.kind.rates),
            "offset": (x for joint in self.placed for x in joint.offset),
            "bend": (x for joint in self.placed for x in joint.bend),
            "attitude": (x for joint in self.placed for row in joint.rotation for x in row),
            "axes": (x for rotation in self.axes for row in rotation for x in row),
            "inertia": (float(number(x)) for body in self.model.bodies for x in body.inertia.scalars),
            "rotor": (x for joint in joints for x in self._rotor(joint)),
            "pitch": (float(number(joint.geometry.pitch)) for joint in joints),
            "following": (x for mimic in mimics for x in (mimic.multiplier, mimic.offset)),
        }
        widths = {"offset": 3, "bend": 5, "attitude": 9, "axes": 9, "inertia": 10, "rotor": self.widest, "following": 2}
        return {  # −0.0 is 0.0
            name: Table(name, widths.get(name, 1), tuple(x + 0 for x in entries)) for name, entries in values.items()
        }

    @cached_property
    def placed(self) -> tuple[Placed, ...]:
        """The constant placement of each joint."""
        return tuple(map(placed, self.model.joints))

    @cached_property
    def slots(self) -> tuple[int, ...]:
        """Where a body's value is kept while children wait for it: never where one that is still waited for is."""
        last_child = [max(children, default=k) for k, children in enumerate(self.model.children)]
        busy: dict[int, int] = {}  # slot to the last body that reads it
        chosen = []
        for k in range(self.n):
            free = next(slot for slot in range(self.n) if busy.get(slot, -1) < k)
            chosen.append(free)
            busy[free] = last_child[k]
        return tuple(chosen)

    @cached_property
    def _subtree_ends(self) -> list[int]:
        """One past the last body of each subtree."""
        ends = [k + 1 for k in range(self.n)]
        for k in reversed(range(self.n)):
            parent = self.model.joints[k].parent
            if parent != GROUND:
                ends[parent] = max(ends[parent], ends[k])
        return ends

    @cached_property
    def _roots(self) -> list[int]:
        """The root of each body's tree."""
        roots: list[int] = []
        for k, joint in enumerate(self.model.joints):
            roots.append(k if joint.parent == GROUND else roots[joint.parent])
        return roots

    def _rotor(self, joint: Joint) -> Iterator[float]:
        for i in range(self.widest):
            yield float(number(joint.armature[i])) if i < joint.kind.nv else 0.0


@lru_cache(maxsize=4)
def arranged(model: Model) -> Arrangement:
    """The numeric model, bodies in depth-first order."""
    order: list[int] = []
    waiting = [*reversed(model.roots)]
    while waiting:
        order.append(waiting.pop())
        waiting += reversed(model.children[order[-1]])
    place = {GROUND: GROUND, **{k: i for i, k in enumerate(order)}}
    turns = turns_of(model, order)
    turned = reframed(model, [Placement(turns[k]) for k in range(model.n)])

    def joint(k: int) -> Joint:
        old = model.joints[k]
        return replace(
            turned.joints[k],
            parent=place[old.parent],
            geometry=turned_geometry(old.geometry, old.kind.name, turns[k]),
            mimic=old.mimic and replace(old.mimic, master=place[old.mimic.master]),
        )

    moved = replace(
        turned,
        bodies=tuple(turned.bodies[k] for k in order),
        joints=tuple(map(joint, order)),
        tips=tuple(replace(tip, body=place[tip.body]) for tip in turned.tips),
        links=(),
    )
    return Arrangement(moved, model, tuple(order), tuple(turns[k] for k in order))


def _running(sizes: list[int]) -> list[int]:
    """0 and the running totals."""
    return [0, *accumulate(sizes)]
