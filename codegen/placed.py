"""Routes that need only the placements of the bodies in the world."""

from __future__ import annotations

from codegen.route import Placed, Route
from derive.placements import point_placement, world_jacobian
from derive.placements import potential_energy as potential_of

_POSE = ("rotation", "position")
JACOBIAN = Placed("tip", lambda robot, _: {"J": world_jacobian(robot)})


def forward_kinematics(armature: bool) -> Route:
    """The pose of the tip."""
    return Route(
        "placements",
        (Placed("tip", lambda robot, _: dict(zip(_POSE, point_placement(robot), strict=True))),),
        lambda v, _: {name: v[name] for name in _POSE},
    )


def jacobian(armature: bool) -> Route:
    """The jacobian of the tip."""
    return Route("placements", (JACOBIAN,), lambda v, _: {"jacobian": v["J"]})


def potential_energy(armature: bool) -> Route:
    """The potential energy."""
    energy = Placed("energy", lambda robot, g: {"energy": potential_of(robot, g)})
    return Route("placements", (energy,), lambda v, _: {"energy": v["energy"]})
