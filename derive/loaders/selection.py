"""Which part of a robot file is wanted, and how: base, tips, locked joints, mimic joints, snapping."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from derive.frames import DEFAULT_SNAP_TOL, ROUND_OFF, Placement, snap_direction, snap_rotation
from derive.joints import JOINT_KINDS
from derive.loaders.description import FIXED, Description, JointClause
from derive.loaders.linkage import Linkage, links_below, nearest
from derive.model import Note

INDEPENDENT = "or load with mimic='independent' to give every joint its own coordinate"


@dataclass(frozen=True)
class Selection:
    """What is wanted of a file. `tip` keeps only the joints between base and tips, unless `prune` is off."""

    base: str | None = None
    tip: tuple[str, ...] = ()
    lock: Mapping[str, float | Sequence[float]] | None = None
    floating: bool = False
    mimic: str = "reduce"  # or "independent": mimic clauses are ignored
    prune: bool = True
    snap_tol: float = DEFAULT_SNAP_TOL


def check_options(description: Description, selection: Selection) -> None:
    """Refuse option values that mean nothing."""
    if selection.mimic not in ("reduce", "independent"):
        raise description.fail("", f"mimic={selection.mimic!r} is not understood", "use 'reduce' or 'independent'")
    if not 0.0 <= selection.snap_tol <= 1e-2:
        raise description.fail(
            "", f"snap_tol={selection.snap_tol} is out of range", "use 0 (off) to 0.01; 1e-9 is usual"
        )


def snapped(joints: Sequence[JointClause], tol: float) -> tuple[list[JointClause], list[Note]]:
    """Every joint with its rotation and axes snapped, and a note for each change that is more than rounding."""
    result, notes = [], []
    for joint in joints:
        rotation, turned = snap_rotation(joint.placement.rotation, tol)
        axis, moved = snap_direction(joint.geometry.axis, tol)
        axis2, moved2 = snap_direction(joint.geometry.axis2, tol)
        placement = Placement(rotation, joint.placement.translation)
        result.append(replace(joint, placement=placement, geometry=replace(joint.geometry, axis=axis, axis2=axis2)))
        if max(turned, moved, moved2) > ROUND_OFF:
            what = "rotation" if turned >= max(moved, moved2) else "axis"
            change = max(turned, moved, moved2)
            notes.append(Note("snapped", joint.name, f"{what} entries moved onto −1, 0, 1 by at most {change:.1e}"))
    return result, notes


def choose_base(description: Description, linkage: Linkage, selection: Selection) -> str:
    """The link everything hangs on."""
    if selection.base is None:
        return linkage.root
    if selection.base not in linkage.below:
        remedy = f"name one of its links{nearest(selection.base, linkage.below)}"
        raise description.fail("", f"there is no link '{selection.base}' to use as base", remedy)
    return selection.base


def choose_mimics(
    description: Description, joints: Sequence[JointClause], selection: Selection
) -> tuple[list[JointClause], list[Note]]:
    """Mimic clauses dropped where they do not apply (fixed joints; all of them when `independent`), checked elsewhere."""
    index = {j.name: j for j in joints}
    chosen, notes = [], []
    for joint in joints:
        if joint.mimic is None:
            chosen.append(joint)
        elif joint.kind == FIXED or selection.mimic == "independent":
            why = "the joint is fixed" if joint.kind == FIXED else "mimic='independent'"
            notes.append(Note("ignored", joint.name, f"its mimic of '{joint.mimic.master}', because {why}"))
            chosen.append(replace(joint, mimic=None))
        else:
            _check_mimic(description, joint, index)
            chosen.append(joint)
    return chosen, notes


def _check_mimic(description: Description, joint: JointClause, index: Mapping[str, JointClause]) -> None:
    if JOINT_KINDS[joint.kind].nq != 1:
        raise description.fail(
            joint.where, f"a {joint.kind} joint cannot mimic another", f"only one-coordinate joints can, {INDEPENDENT}"
        )
    seen, at = [joint.name], joint
    while at.mimic is not None and at.kind != FIXED:
        name = at.mimic.master
        if name not in index:
            remedy = f"correct the name{nearest(name, index)}, {INDEPENDENT}"
            raise description.fail(at.where, f"mimics joint '{name}', which does not exist", remedy)
        if name in seen:
            raise description.fail(
                joint.where, f"mimics itself ({' → '.join([*seen, name])})", f"break the circle, {INDEPENDENT}"
            )
        at = index[name]
        if at.kind != FIXED and JOINT_KINDS[at.kind].nq != 1:
            raise description.fail(
                joint.where, f"mimics the {at.kind} joint '{name}'", f"only one-coordinate joints can be, {INDEPENDENT}"
            )
        seen.append(name)


def followed(joint: JointClause, index: Mapping[str, JointClause]) -> tuple[JointClause, float, float]:
    """The joint at the end of a chain of mimics, with the multiplier and offset of the whole chain."""
    multiplier, offset = 1.0, 0.0
    while joint.mimic is not None:
        offset += multiplier * joint.mimic.offset
        multiplier *= joint.mimic.multiplier
        joint = index[joint.mimic.master]
    return joint, multiplier, offset


def locked(description: Description, joints: Sequence[JointClause], selection: Selection) -> list[JointClause]:
    """The joints, with those locked, and those that mimic a locked or fixed one, made fixed at their value."""
    index = {j.name: j for j in joints}
    values: dict[str, tuple[float, ...]] = {}
    for name, given in (selection.lock or {}).items():
        if name not in index:
            raise description.fail(
                "", f"there is no joint '{name}' to lock", f"name one of its joints{nearest(name, index)}"
            )
        values[name] = _lock_value(description, index[name], given)
    result = []
    for joint in joints:
        master, multiplier, offset = followed(joint, index)
        if joint.kind != FIXED and (master.kind == FIXED or master.name in values):
            position = values.get(master.name, (0.0,))
            at = position if joint is master else (multiplier * position[0] + offset,)
            result.append(_fixed_at(joint, at))
        else:
            result.append(joint)
    return result


def _lock_value(description: Description, joint: JointClause, given: float | Sequence[float]) -> tuple[float, ...]:
    if joint.kind == FIXED:
        raise description.fail(joint.where, "is fixed already, so it cannot be locked", "take it out of lock")
    if joint.mimic is not None:
        master = joint.mimic.master
        raise description.fail(joint.where, f"mimics '{master}', so it cannot be locked", f"lock '{master}' instead")
    kind = JOINT_KINDS[joint.kind]
    refused = description.fail(
        joint.where,
        f"cannot be locked at {given!r}",
        f"give finite numbers for: {', '.join(kind.coordinates)} (quaternions of length 1)",
    )
    try:
        value = tuple(float(x) for x in given) if isinstance(given, Iterable) else (float(given),)
    except (TypeError, ValueError, OverflowError):
        raise refused from None
    unit = kind.is_vector_space or abs(math.hypot(*value[-4:]) - 1.0) <= 1e-6
    if len(value) != kind.nq or not all(map(math.isfinite, value)) or not unit:
        raise refused
    return value


def _fixed_at(joint: JointClause, value: tuple[float, ...]) -> JointClause:
    R, p = JOINT_KINDS[joint.kind].configuration(joint.geometry, value, math.cos, math.sin)
    moved = joint.placement.then(Placement(snap_rotation(R, ROUND_OFF)[0], p))
    return replace(joint, kind=FIXED, placement=moved, mimic=None)


def choose_joints(
    description: Description, joints: Sequence[JointClause], linkage: Linkage, base: str, selection: Selection
) -> tuple[frozenset[int], list[Note]]:
    """Indices of the joints to use: all below the base, or, with tips, those on the way to one and what is rigidly attached."""
    links = links_below(base, joints)
    for tip in (t for t in selection.tip if t not in links):
        below = f" below base '{base}'" if selection.base is not None else ""
        raise description.fail(
            "", f"there is no link '{tip}'{below} to use as tip", f"name one of its links{nearest(tip, sorted(links))}"
        )
    if not selection.tip or not selection.prune:
        return frozenset(i for name in links for i in linkage.below[name]), []
    wanted = _on_the_way(joints, base, selection.tip)
    kept, notes, todo = set(), [], [base]
    while todo:
        for i in linkage.below[todo.pop()]:
            if joints[i].name in wanted or joints[i].kind == FIXED:
                kept.add(i)
                todo.append(joints[i].child)
            else:
                notes.append(Note("dropped", joints[i].name, "the joint and all it carries: not between base and tip"))
    return frozenset(kept), notes


def _on_the_way(joints: Sequence[JointClause], base: str, tips: Sequence[str]) -> set[str]:
    child_of = {j.child: j for j in joints}
    names = set()
    for link in tips:
        while link != base:
            names.add(child_of[link].name)
            link = child_of[link].parent
    return names
