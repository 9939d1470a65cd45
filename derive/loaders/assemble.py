"""From what a file says to a `Model`: check the tree, select the part that is wanted, lump fixed joints, order, number."""

from __future__ import annotations

import heapq
import warnings
from collections.abc import Sequence
from dataclasses import dataclass

from derive.errors import ModelWarning
from derive.frames import ROUND_OFF, Placement, snap_rotation
from derive.inertia import Inertia
from derive.joints import JOINT_KINDS
from derive.loaders.description import FIXED, Description, JointClause
from derive.loaders.linkage import Linkage, check_linkage
from derive.loaders.selection import (
    INDEPENDENT,
    Selection,
    check_options,
    choose_base,
    choose_joints,
    choose_mimics,
    followed,
    locked,
    snapped,
)
from derive.model import GROUND, Body, Frame, Joint, Mimic, Model

ROOT_JOINT = "root_joint"  # the joint that a floating base adds


@dataclass(frozen=True)
class _Lumped:
    """The moving joints in model order, each with its parent body and placement there, and where every link went."""

    moving: tuple[tuple[JointClause, int, Placement], ...]
    frames: dict[str, Frame]


def assemble(description: Description, selection: Selection | None = None) -> Model:
    """The model of the selected part of `description`. ModelError names what cannot be used; ModelWarning what is odd."""
    selection = selection or Selection()
    check_options(description, selection)
    linkage = check_linkage(description)
    base = choose_base(description, linkage, selection)
    joints, snap_notes = snapped(description.joints, selection.snap_tol)
    joints, mimic_notes = choose_mimics(description, joints, selection)
    joints = locked(description, joints, selection)
    kept, drop_notes = choose_joints(description, joints, linkage, base, selection)
    lumped = _lump(joints, kept, linkage, base, selection.floating)
    present = {joints[i].name for i in kept} | lumped.frames.keys()
    notes = [note for note in (*description.notes, *snap_notes, *mimic_notes) if note.about in present]
    for note in notes:
        if note.kind == "warning":
            warnings.warn(f"{description.source}: {note}", ModelWarning, stacklevel=3)
    return Model(
        name=description.name,
        bodies=_bodies(description, lumped),
        joints=_joints(description, lumped),
        tips=_tips(description, lumped, selection),
        links=tuple(lumped.frames[name] for name in sorted(lumped.frames)),
        parameters=tuple(sorted(description.parameters.items())),
        notes=(*notes, *drop_notes),
        source=description.source,
        title=description.title,
        provenance=description.provenance,
        constants=description.constants,
    )


def _lump(joints: Sequence[JointClause], kept: frozenset[int], linkage: Linkage, base: str, floating: bool) -> _Lumped:
    """Merge what is fixed together; number bodies in file order with parents first."""
    frames: dict[str, Frame] = {}
    moving: list[tuple[JointClause, int, Placement]] = []
    ready: list[int] = []  # heap: moving joints whose parent link is placed

    def attach(link: str, body: int, placement: Placement) -> None:
        todo = [Frame(link, body, placement)]
        while todo:
            frame = todo.pop()
            frames[frame.name] = frame
            for i in (i for i in linkage.below[frame.name] if i in kept):
                if joints[i].kind == FIXED:
                    todo.append(Frame(joints[i].child, body, _placed(frame, joints[i])))
                else:
                    heapq.heappush(ready, i)

    def add_body(clause: JointClause, parent: int, placement: Placement) -> None:
        moving.append((clause, parent, placement))
        attach(clause.child, len(moving) - 1, Placement())

    if floating:
        add_body(JointClause(ROOT_JOINT, f"joint '{ROOT_JOINT}'", "floating", "world", base), GROUND, Placement())
    else:
        attach(base, GROUND, Placement())
    while ready:
        clause = joints[heapq.heappop(ready)]
        carrier = frames[clause.parent]
        add_body(clause, carrier.body, _placed(carrier, clause))
    return _Lumped(tuple(moving), frames)


def _placed(frame: Frame, clause: JointClause) -> Placement:
    """Where the joint is in `frame`'s body; entries that are ±1 or 0 up to rounding made so."""
    placement = frame.placement.then(clause.placement)
    return Placement(snap_rotation(placement.rotation, ROUND_OFF)[0], placement.translation)


def _bodies(description: Description, lumped: _Lumped) -> tuple[Body, ...]:
    """Each body with the inertia of all its links, summed in order of their names so that file order cannot show."""
    total = [Inertia() for _ in lumped.moving]
    for link in sorted(description.links, key=lambda link: link.name):
        frame = lumped.frames.get(link.name)
        if frame is not None and frame.body != GROUND:
            total[frame.body] = total[frame.body] + link.inertia.placed(frame.placement)
    return tuple(Body(clause.child, inertia) for (clause, _, _), inertia in zip(lumped.moving, total, strict=True))


def _joints(description: Description, lumped: _Lumped) -> tuple[Joint, ...]:
    clauses = {clause.name: clause for clause, _, _ in lumped.moving}
    order = {name: k for k, name in enumerate(clauses)}
    joints = []
    for clause, parent, placement in lumped.moving:
        kind = JOINT_KINDS[clause.kind]
        mimic = None
        if clause.mimic is not None:
            if clause.mimic.master not in clauses:
                what = f"mimics '{clause.mimic.master}', which is not in the selected part"
                raise description.fail(clause.where, what, f"lock '{clause.mimic.master}', select more, {INDEPENDENT}")
            master, multiplier, offset = followed(clause, clauses)
            mimic = Mimic(order[master.name], multiplier, offset)
        joints.append(
            Joint(
                clause.name,
                kind,
                parent,
                placement,
                clause.geometry,
                armature=(clause.armature,) * kind.nv,
                damping=(clause.damping,) * kind.nv,
                friction=(clause.friction,) * kind.nv,
                limits=clause.limits,
                mimic=mimic,
            )
        )
    return tuple(joints)


def _tips(description: Description, lumped: _Lumped, selection: Selection) -> tuple[Frame, ...]:
    """The tips asked for, else the file's own, else the outermost link of each body that carries no other."""
    names = selection.tip or tuple(t for t in description.tips if t in lumped.frames)
    if names:
        return tuple(lumped.frames[name] for name in names)
    parents = {parent for _, parent, _ in lumped.moving}
    leaves = [k for k in range(len(lumped.moving)) if k not in parents] or [GROUND]
    depth = _depth(description, lumped)
    outermost: dict[int, Frame] = {}
    for frame in sorted(lumped.frames.values(), key=lambda f: (-depth[f.name], f.name)):
        outermost.setdefault(frame.body, frame)
    return tuple(outermost[k] for k in leaves)


def _depth(description: Description, lumped: _Lumped) -> dict[str, int]:
    """How many joints of the file lie between each link and the root."""
    parent = {j.child: j.parent for j in description.joints}
    depth: dict[str, int] = {}
    for name in lumped.frames:
        chain = []
        at: str | None = name
        while at is not None and at not in depth:
            chain.append(at)
            at = parent.get(at)
        base = depth[at] if at is not None else -1
        for steps, link in enumerate(reversed(chain), start=1):
            depth[link] = base + steps
    return depth
