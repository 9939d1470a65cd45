"""The gauge of frames: body frames turned so that joints move about or along z, origins slid along their axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from derive.algebra import dot, transposed
from derive.frames import AXES, Placement, Rotation, cross, in_plane_axes, snap_rotation
from derive.instance import coordinate_axis
from derive.model import GROUND, Body, Frame, Joint, Model
from derive.parameters import Scalar, number

Z = AXES[2]
ABOUT_ONE_AXIS = frozenset({"revolute", "continuous", "prismatic", "helical", "cylindrical"})
ROUNDING = 1e-15  # relative to the offset, or of a rotation: cos(π/2) times a length, not a length


def aligned(model: Model) -> Model:
    """The model with body frames turned so that every joint with one axis has it along z."""
    return reframed(model, [Placement(_turn_to_axis(joint)) for joint in model.joints])


def slid(model: Model, body: int, distance: Scalar) -> Model:
    """The model with one body frame's origin moved by `distance` along its joint's axis, which must be z."""
    moves = [Placement()] * model.n
    moves[body] = Placement(translation=(0.0, 0.0, distance))
    return reframed(model, moves)


def slides(model: Model, body: int) -> tuple[float, ...]:
    """Slides of a body frame that make a component of an offset vanish: its own, or that of a body or tip it carries."""
    joint = model.joints[body]
    if joint.kind.name not in ABOUT_ONE_AXIS or joint.geometry.axis != Z or model.is_symbolic:
        return ()
    axis = [row[2] for row in joint.placement.rotation]
    along = 0.0 - dot([number(x) for x in joint.placement.translation], axis)
    ahead = [number(model.joints[c].placement.translation[2]) for c in model.children[body]]
    tips = [number(tip.placement.translation[2]) for tip in model.tips if tip.body == body]
    return tuple(dict.fromkeys(d for d in (along, *ahead, *tips) if abs(d) > ROUNDING))


def with_short_offsets(model: Model) -> Model:
    """The aligned model with origins slid, one body after the other, while offsets between bodies lose components."""
    best = aligned(model)
    improved = True
    while improved:
        improved = False
        for body in range(model.n):
            for distance in slides(best, body):
                other = slid(best, body, distance)
                if _offsets(other) < _offsets(best):
                    best, improved = other, True
                    break
    return best


def _offsets(model: Model) -> int:
    """How many components of offsets are not zero, those on the ground apart: the ground does not turn."""
    return sum(x != 0.0 for j in model.joints if j.parent != GROUND for x in j.placement.translation)


def _turn_to_axis(joint: Joint) -> Rotation:
    """The turn of the body frame after which the joint's axis is z; a quarter or half turn where that does."""
    if joint.kind.name not in ABOUT_ONE_AXIS or joint.geometry.axis == Z:
        return AXES
    axis = joint.geometry.axis
    if coordinate_axis(joint.geometry) is not None:
        first = next(unit for i, unit in enumerate(AXES) if abs(axis[(i + 2) % 3]) == 1.0)
        columns = first, cross(axis, first), axis
    else:
        columns = (*in_plane_axes(axis), axis)
    return transposed(columns)


def reframed(model: Model, moves: Sequence[Placement]) -> Model:
    """The model with body frame k replaced by `moves[k]` in it; a joint's frame goes with its body's."""
    joints = []
    for joint, move in zip(model.joints, moves, strict=True):
        outer = Placement() if joint.parent == GROUND else _inverse(moves[joint.parent])
        geometry = joint.geometry
        if move.rotation is not AXES:
            geometry = replace(geometry, axis=Z)
        joints.append(replace(joint, placement=_cleared(outer.then(joint.placement).then(move)), geometry=geometry))
    bodies = [
        Body(body.name, body.inertia.placed(_inverse(move))) for body, move in zip(model.bodies, moves, strict=True)
    ]
    return replace(
        model,
        joints=tuple(joints),
        bodies=tuple(bodies),
        tips=tuple(_frame(tip, moves) for tip in model.tips),
        links=tuple(_frame(link, moves) for link in model.links),
    )


def _frame(frame: Frame, moves: Sequence[Placement]) -> Frame:
    if frame.body == GROUND:
        return frame
    return replace(frame, placement=_cleared(_inverse(moves[frame.body]).then(frame.placement)))


def _inverse(placement: Placement) -> Placement:
    back = Placement(transposed(placement.rotation))
    x, y, z = back.then(Placement(translation=placement.translation)).translation
    return Placement(back.rotation, (0.0 - x, 0.0 - y, 0.0 - z))


def _cleared(placement: Placement) -> Placement:
    """Without the rounding of exact zeros and ones, and without negative zeros."""
    rotation = placement.rotation
    if any(0.0 < min(abs(x), abs(abs(x) - 1.0)) <= ROUNDING for row in rotation for x in row):
        rotation, _ = snap_rotation(rotation, ROUNDING)
    numbers = [abs(x) for x in placement.translation if isinstance(x, float)]
    smallest = ROUNDING * max(numbers, default=0.0)
    x, y, z = (0.0 if isinstance(x, float) and abs(x) <= smallest else x for x in placement.translation)
    first, second, third = ((a + 0.0, b + 0.0, c + 0.0) for a, b, c in rotation)
    return Placement((first, second, third), (x, y, z))
