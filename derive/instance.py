"""One robot in one state, as the letters a recursion is given: steps φ(p,k), H*(k), dH*/dt, M(k), J_a(k), and points.

Bodies are indexed as in the model, parents first: tip to base is downwards. Works on any scalar. With mimic joints the rates
of all joints are Z q̇ with a constant Z, and joint forces are summed with Z*.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from derive.algebra import Any3, added, applied, multiplied, plus, times, transposed
from derive.errors import StateError
from derive.frames import AXES, IDENTITY
from derive.joints import Geometry
from derive.model import GROUND, Frame, Joint, Model
from derive.parameters import Polynomial
from derive.rigid import RigidInertia
from derive.scalars import Scalars, each_once
from derive.spatial import Matrix, Vector
from derive.transition import Transition
from derive.turns import Full, Turn, constant_parts, without_last_turn

Axes: TypeAlias = Literal["tip", "world"]


@dataclass(frozen=True, eq=False)
class Instance:
    """The given letters of `model` at q (and q̇), body by body."""

    model: Model
    parent: tuple[int, ...]
    children: tuple[tuple[int, ...], ...]
    steps: tuple[Transition, ...]
    H: tuple[Matrix, ...]  # r×6: rows are the columns of H*
    H_rate: tuple[Matrix | None, ...]  # None where H* is constant
    M: tuple[RigidInertia, ...]
    armature: tuple[Matrix, ...]
    points: tuple[tuple[int, Transition], ...]  # body, φ(O_body, point)
    scalars: Scalars

    @property
    def n(self) -> int:
        """Number of bodies."""
        return len(self.parent)

    def points_of(self, body: int) -> tuple[int, ...]:
        """The points on a body."""
        return tuple(a for a, (on, _) in enumerate(self.points) if on == body)

    def closest_common_ancestor(self, i: int, j: int) -> int:
        """The outermost body inboard of (or equal to) both; GROUND if there is none."""
        while i != j:
            i, j = (self.parent[i], j) if i > j else (i, self.parent[j])
        return i


def instance(
    model: Model,
    q: Sequence[Any],
    qd: Sequence[Any] | None,
    scalars: Scalars,
    *,
    parameters: Mapping[str, Any] | None = None,
    tips: Sequence[str] | None = None,
    axes: Axes = "tip",
) -> Instance:
    """`model` at (q, q̇): points are its tips (or those named), their vectors in the tip frames' axes or the world's."""
    if len(q) != model.nq:
        raise StateError(f"q has {len(q)} entries; model '{model.name}' wants {model.nq}")
    known = {**dict(model.parameters), **(parameters or {})}
    scalars = each_once(scalars)
    coordinates = model.joint_coordinates(q)
    rates = [None] * model.n if qd is None else model.joint_rates(qd)
    steps, maps, turning, inertias, rotors = [], [], [], [], []
    for joint, body, own, rate in zip(model.joints, model.bodies, coordinates, rates, strict=True):
        geometry = replace(joint.geometry, pitch=value_of(joint.geometry.pitch, known))
        steps.append(_step(joint, geometry, own, scalars, _values(joint.placement.translation, known)))
        maps.append(joint.kind.H_star(geometry, own, scalars.cos, scalars.sin))
        changes = joint.kind.H_star_rate if rate is not None else None
        turning.append(None if changes is None else changes(geometry, own, rate or (), scalars.cos, scalars.sin))
        mass, *rest = _values(body.inertia.scalars, known)
        inertias.append(RigidInertia(mass, tuple(rest[:3]), tuple(rest[3:])))
        rotors.append(_diagonal(_values(joint.armature, known)))
    return Instance(
        model,
        tuple(joint.parent for joint in model.joints),
        model.children,
        tuple(steps),
        tuple(maps),
        tuple(turning),
        tuple(inertias),
        tuple(rotors),
        tuple((t.body, _point(t, steps, model, known, axes)) for t in chosen_tips(model, tips)),
        scalars,
    )


def chosen_tips(model: Model, names: Sequence[str] | None) -> tuple[Frame, ...]:
    """The tips that move, in the model's order, or the frames named."""
    moving = {frame.name: frame for frame in (*model.links, *model.tips) if frame.body != GROUND}
    if names is None:
        return tuple(tip for tip in model.tips if tip.body != GROUND)
    for name in names:
        if name not in moving:
            raise StateError(f"model '{model.name}' has no moving tip or link '{name}'")
    return tuple(moving[name] for name in names)


def value_of(scalar: Any, parameters: Mapping[str, Any]) -> Any:
    """A model's scalar with every named parameter at its value, on any scalar type."""
    if not isinstance(scalar, Polynomial):
        return scalar
    total: Any = 0.0
    for monomial, coefficient in scalar.terms:
        summand: Any = coefficient
        for name, power in monomial:
            for _ in range(power):
                summand = times(summand, parameters[name])
        total = plus(total, summand)
    return total


def _values(scalars: Sequence[Any], parameters: Mapping[str, Any]) -> Any:
    return tuple(value_of(s, parameters) for s in scalars)


def _step(joint: Joint, geometry: Geometry, own: Sequence[Any], scalars: Scalars, origin: Any3) -> Transition:
    """φ(p,k): the placement of the joint, then its motion; a turn about a coordinate axis stays a turn."""
    fixed = joint.placement.rotation
    moved, slid = joint.kind.configuration(geometry, own, scalars.cos, scalars.sin)
    parts = constant_parts(fixed)
    if joint.kind.turn is not None and (axis := coordinate_axis(geometry)) is not None:
        number, sign = axis
        offset = 0.0
        if scalars.of_sums:
            parts, offset = without_last_turn(fixed, number)
        angle = plus(own[joint.kind.turn], times(sign, offset))
        signed = times(sign, angle) if scalars.of_sums else None
        parts = (*parts, Turn(number, scalars.cos(angle), times(sign, scalars.sin(angle)), signed))
    elif moved is not IDENTITY:
        parts = (*parts, Full(moved))
    return Transition(parts, added(origin, applied(fixed, slid)))


def coordinate_axis(geometry: Geometry) -> tuple[int, float] | None:
    """The number and sign of the coordinate axis that a joint's axis is, None if it is between them."""
    for number, unit in enumerate(AXES):
        for sign in (1.0, -1.0):
            if geometry.axis == tuple(sign * x for x in unit):
                return number, sign
    return None


def _diagonal(entries: Vector) -> Matrix:
    return tuple(tuple(x if i == j else 0.0 for j in range(len(entries))) for i, x in enumerate(entries))


def _point(
    tip: Frame, steps: Sequence[Transition], model: Model, parameters: Mapping[str, Any], axes: Axes
) -> Transition:
    """φ(O_body, tip), from the tip's own axes or from the world's."""
    translation = _values(tip.placement.translation, parameters)
    if axes == "tip":
        return Transition(constant_parts(tip.placement.rotation), translation)
    turned: Any = IDENTITY
    for body in model.path(tip.body):
        turned = multiplied(steps[body].rotation, turned)
    return Transition((Full(transposed(turned)),), translation)
