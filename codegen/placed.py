"""Routes that need only the placements of the bodies in the world."""

from __future__ import annotations

from codegen.route import Placed, Route, Solved, Values, of_parts
from derive.joint_space import NO_RATE, Trace
from derive.placements import jacobian_rate, point_placement, world_jacobian
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


def jacobian_derivative(armature: bool) -> Route:
    """Its time derivative, from the jacobian itself where joints have one freedom each."""

    def rates(found: Values, trace: Trace) -> Values:
        with trace(NO_RATE, "v"):
            return {"jacobian_rate": jacobian_rate(found["J"], list(found["qd"]))}

    rate = Solved("jacobian_rate", "tip", rates, heading="dJ/dt from J")
    return of_parts("placements", (JACOBIAN, rate), ("jacobian_rate",), "dJ/dt from J")


def potential_energy(armature: bool) -> Route:
    """The potential energy."""
    energy = Placed("energy", lambda robot, g: {"energy": potential_of(robot, g)})
    return Route("placements", (energy,), lambda v, _: {"energy": v["energy"]})
