"""Base parameters: inertia that a joint cannot tell from its parent's is given to the parent.

Turning about z does not move mass on the axis, so of a revolute body the mass, m·c_z and a thin rod along z (𝓘_xx = 𝓘_yy = λ)
may as well be the parent's: three of ten parameters vanish, the choice of λ says which third one. Of a sliding body, which
turns as its parent does, the whole inertia about its origin is the parent's. 𝓜, τ, D(k) and L stay exactly the same; the
link inertias are no longer those of bodies, so this is for functions whose outputs are about joints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal, TypeAlias

from derive.frames import AXES
from derive.inertia import NO_INERTIA, Inertia
from derive.model import GROUND, Body, Model
from derive.parameters import number

Grouping: TypeAlias = Literal["as given", "no 𝓘_xx", "no 𝓘_yy", "no rod"]
GROUPINGS: tuple[Grouping, ...] = ("as given", "no 𝓘_yy", "no rod", "no 𝓘_xx")
TURNING = frozenset({"revolute", "continuous"})
ROUNDING = 1e-15  # relative to the largest entry of the same kind


def regrouped(model: Model, groupings: Sequence[Grouping]) -> Model:
    """The numeric model, joints along z, with what `groupings` says per body moved to the parents, tip to base."""
    inertias = [body.inertia for body in model.bodies]
    for k in reversed(range(model.n)):
        joint, grouping = model.joints[k], groupings[k]
        if grouping == "as given" or joint.geometry.axis != AXES[2]:
            continue
        if joint.kind.name in TURNING:
            inertias[k], moved = _turning(inertias[k], grouping)
        elif joint.kind.name == "prismatic":
            inertias[k], moved = replace(inertias[k], inertia=NO_INERTIA), Inertia(inertia=inertias[k].inertia)
        else:
            continue
        if joint.parent != GROUND:
            inertias[joint.parent] = _cleared(inertias[joint.parent] + moved.placed(joint.placement))
    bodies = tuple(Body(body.name, inertia) for body, inertia in zip(model.bodies, inertias, strict=True))
    return replace(model, bodies=bodies)


def _turning(body: Inertia, grouping: Grouping) -> tuple[Inertia, Inertia]:
    """What stays and what goes of a revolute body."""
    xx, xy, xz, yy, yz, zz = body.inertia
    rod = {"no 𝓘_xx": xx, "no 𝓘_yy": yy, "no rod": (xx + yy - zz) * 0.5}[grouping]
    x, y, z = body.moment
    kept = _cleared(Inertia(0.0, (x, y, 0.0), (xx - rod, xy, xz, yy - rod, yz, zz)))
    if grouping == "no rod":  # equal but for rounding: the rod is gone exactly
        xx, xy, xz, yy, yz, _ = kept.inertia
        kept = replace(kept, inertia=(xx, xy, xz, yy, yz, xx + yy))
    return kept, Inertia(body.mass, (0.0, 0.0, z), (rod, 0.0, 0.0, rod, 0.0, 0.0))


def _cleared(body: Inertia) -> Inertia:
    """Without entries that are only rounding."""

    def exact(entries: Sequence[object]) -> tuple[float, ...]:
        values = [number(x) for x in entries]  # type: ignore[arg-type]
        smallest = ROUNDING * max(map(abs, values))
        return tuple(0.0 if abs(x) <= smallest else x for x in values)

    return Inertia(body.mass, exact(body.moment), exact(body.inertia))  # type: ignore[arg-type]
