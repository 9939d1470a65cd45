"""Ways to compute a function: the recursion of its result, or the mass matrix factored over the joints.

A route is a list of parts, each a recursion compiled from an operator expression, and what is done with their values as dense
matrices over the joints at the end. Articulated bodies win on long chains, M + bias + L D L* on arms: which one is decided by
counting (`codegen/choices.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

import numpy as np

from codegen.errors import FunctionError
from codegen.functions import DENSE, Function
from derive.algebra import dot, minus, plus
from derive.conventional import conventional
from derive.instance import Instance
from derive.joint_space import Factors, Trace, factors
from derive.model import Model
from derive.placements import point_placement, potential_energy, world_jacobian
from derive.recursion import Direction, Recursion
from derive.results import FORWARD_DYNAMICS, find_result
from derive.sweeps import to_recursion

Sort: TypeAlias = Literal["forces", "gravity", "inertia", "articulated", "tip", "energy"]
Values: TypeAlias = dict[str, Any]


@dataclass(frozen=True)
class Sweeps:
    """A recursion to run; `sort` says on which equivalent robot, `names` what its outputs are called here if not as there."""

    sort: Sort
    recursion: Recursion
    names: tuple[tuple[str, str], ...] = ()

    @property
    def directions(self) -> tuple[Direction, ...]:
        """Which way its sweeps go."""
        return tuple(sweep.direction for sweep in self.recursion.sweeps)


@dataclass(frozen=True)
class Placed:
    """What needs only the placements of the bodies in the world: values from the robot in its state, and gravity."""

    sort: Sort
    compute: Callable[[Instance, Sequence[float]], Values]
    directions: tuple[Direction, ...] = (Direction.BASE_TO_TIP,)


@dataclass(frozen=True)
class Solved:
    """Values, also arguments for the parts that follow, from the arguments and what the parts before found."""

    name: str
    sort: Sort
    compute: Callable[[Values, Trace], Values]
    directions: tuple[Direction, ...] = ()


Part: TypeAlias = Sweeps | Placed | Solved


@dataclass(frozen=True)
class Route:
    """Parts, and how the arguments and the parts' outputs by name become the function's; `tail` puts that in words."""

    name: str
    parts: tuple[Part, ...]
    finish: Callable[[Values, Trace], Values]
    tail: str = ""

    @property
    def in_stages(self) -> bool:
        """Whether its parts are computed one after the other, as other functions have them; not where they share their work."""
        return _FACTORED in self.parts

    @property
    def sweeps(self) -> str:
        """How many sweeps, which way, and what follows."""
        text = sweeps_text([direction for part in self.parts for direction in part.directions])
        return f"{text}; then {self.tail}" if self.tail else text


def sweeps_text(directions: Sequence[Direction]) -> str:
    """How many sweeps, and which way."""
    return f"{len(directions)} sweep{'s' if len(directions) != 1 else ''}: {', '.join(map(str, directions))}"


def routes(function: Function, model: Model, armature: bool) -> tuple[Route, ...]:
    """The routes to a function of a model, the one of its result first."""
    found: list[Route] = []
    if function.outputs and not (function.inverts and model.has_mimics):
        results = FORWARD_DYNAMICS if function.name == "forward_dynamics" else (function.result,)
        found += [_recursive(function, result, armature) for result in results]
    if function.name in _OTHERS and (function.name != _FACTORS or all(joint.kind.nv == 1 for joint in model.joints)):
        found.append(_OTHERS[function.name](armature))
    return tuple(found)


def chosen_route(function: Function, model: Model, algorithm: str, armature: bool) -> Route:
    """The route with this name, `ldl` or the name of a result; FunctionError where the model does not have it."""
    if algorithm == DENSE:
        return _OTHERS[function.name](armature)
    if function.inverts and model.has_mimics:
        raise FunctionError(
            f"{function.name} of model '{model.name}': joints that follow others close loops, which {algorithm} does not know; "
            f"use {DENSE}, lock them, or load with mimic='independent'"
        )
    return _recursive(function, algorithm, armature)


def _recursive(function: Function, result: str, armature: bool) -> Route:
    published = find_result(result)
    recursion = published.recursion(only=set(function.outputs.values()), armature=armature)
    outputs = function.outputs

    def finish(found: Values, trace: Trace) -> Values:
        return {output: found[source] for output, source in outputs.items()}

    return Route(published.name, (Sweeps(_SORTS.get(function.name, "forces"), conventional(recursion)),), finish)


_SORTS: Mapping[str, Sort] = {
    "jacobian": "tip",
    "gravity_forces": "gravity",
    "mass_matrix": "inertia",
    "mass_matrix_inverse": "articulated",
    "forward_dynamics": "articulated",
    "innovations_factors": "articulated",
    "operational_space_inertia": "articulated",
    "tip_force_acceleration": "articulated",
    "coriolis_matrix": "inertia",
    "coriolis_transpose_times_velocity": "inertia",
    "christoffel": "inertia",
    "mass_matrix_sensitivity": "inertia",
    "forward_dynamics_derivatives": "articulated",
    "jacobian_derivative": "tip",
    "log_det_gradient": "articulated",
}
_FACTORS = "innovations_factors"  # D by blocks where joints have several freedoms, so not from scalar elimination


def _mass(armature: bool) -> Sweeps:
    return Sweeps("inertia", find_result("mass_matrix").recursion(armature=armature))


def _factored(found: Values, trace: Trace) -> Values:
    """𝓜 = L D L*, under names that no function gives its outputs."""
    parts = factors(found["mass"], trace)
    return {"L_factor": parts.L, "D_factor": parts.D, "D_inverse": parts.D_inverse}


_FACTORED = Solved("factors", "inertia", _factored)
_BIAS = Sweeps(
    "forces", conventional(find_result("inverse_dynamics").recursion()), (("tau", "bias"),)
)  # where qdd is zero


def _factors(found: Values, trace: Trace) -> Factors:
    """What `_factored` gave."""
    return Factors(found["L_factor"], found["D_factor"], found["D_inverse"], trace)


def _forward_dynamics(armature: bool) -> Route:
    def finish(found: Values, trace: Trace) -> Values:
        right = []
        for rate, (force, bias) in enumerate(zip(found["tau"], found["bias"], strict=True)):
            with trace(rate, "right"):
                right.append(minus(force, bias))
        return {"qdd": _factors(found, trace).solve(tuple(right))}

    tail = "mass = L D L*, qdd = mass^-1 (tau - bias)"
    return Route(DENSE, (_mass(armature), _BIAS, _FACTORED), finish, tail)


def _tip_force_acceleration(armature: bool) -> Route:
    right = Sweeps("tip", to_recursion({"right": "- H phi B f_0"}))
    return Route(
        DENSE,
        (_mass(armature), right, _FACTORED),
        lambda v, trace: {"qdd": _factors(v, trace).solve(tuple(v["right"]))},
        "mass = L D L*, qdd = mass^-1 right",
    )


def _mass_matrix_inverse(armature: bool) -> Route:
    def finish(found: Values, trace: Trace) -> Values:
        return {"mass_inverse": _factors(found, trace).inverse()}

    return Route(DENSE, (_mass(armature), _FACTORED), finish, "mass = L D L*, mass^-1 = L^-* D^-1 L^-1")


def _innovations_factors(armature: bool) -> Route:
    def finish(found: Values, trace: Trace) -> Values:
        parts = _factors(found, trace)
        D = [[d if i == j else 0.0 for j in range(len(parts.D))] for i, d in enumerate(parts.D)]
        return {"D": D, "L": parts.L, "L_inverse": parts.L_inverse()}

    return Route(DENSE, (_mass(armature), _FACTORED), finish, "mass = L D L*")


def _operational_space_inertia(armature: bool) -> Route:
    return Route(
        DENSE,
        (_mass(armature), _JACOBIAN, _FACTORED),
        lambda v, trace: {"omega": _factors(v, trace).between(tuple(map(tuple, v["J"])))},
        "mass = L D L*, omega = J mass^-1 J*",
    )


def _forward_dynamics_derivatives(armature: bool) -> Route:
    """−𝓜⁻¹∂τ at the θ̈ that 𝓜⁻¹ gives; the parts share a robot, and so what they have in common."""
    right = to_recursion({"right": "T - H phi (M phi' a + b)"})
    derivatives = find_result("inverse_dynamics_derivatives").recursion(armature=armature)
    mass = find_result("mass_matrix").recursion(armature=armature)

    def finish(found: Values, trace: Trace) -> Values:
        parts = factors(found["mass"], trace)
        solved = {
            output: [parts.solve(tuple(minus(0.0, x) for x in column)) for column in zip(*found[source], strict=True)]
            for output, source in (("dqdd_dq", "dtau_dq"), ("dqdd_dqd", "dtau_dqd"))
        }
        columns = {output: np.array(columns, dtype=object).T for output, columns in solved.items()}
        return {**columns, "mass_inverse": parts.inverse()}

    return Route(
        DENSE,
        (
            Sweeps("forces", mass),
            Sweeps("forces", conventional(right)),
            Solved("qdd", "forces", lambda v, trace: {"qdd": list(factors(v["mass"], trace).solve(tuple(v["right"])))}),
            Sweeps("forces", conventional(derivatives)),
        ),
        finish,
        "mass = L D L*, dqdd = -mass^-1 dtau",
    )


def _log_det_gradient(armature: bool) -> Route:
    """tr(𝓜⁻¹ ∂𝓜), entry by entry."""

    def finish(found: Values, trace: Trace) -> Values:
        inverse, n = factors(found["mass"], trace).inverse(), len(found["mass"])
        twice = [plus(inverse[i][j], inverse[i][j]) if i != j else inverse[i][i] for i in range(n) for j in range(i, n)]
        slopes = [[dM[i][j] for i in range(n) for j in range(i, n)] for dM in found["sensitivity"]]
        return {"gradient": [dot(twice, slope) for slope in slopes]}

    sensitivity = find_result("mass_matrix_sensitivity").recursion(armature=armature)
    return Route(DENSE, (_mass(armature), Sweeps("inertia", sensitivity)), finish, "mass = L D L*, tr(mass^-1 dmass)")


def _gravity_forces(armature: bool) -> Route:
    """The ground's acceleration is a rigid motion, so φMφ*g = R φ*g: composite bodies, whose forces need no sweep."""
    recursion = to_recursion({"tau": "H R phi' g"})
    return Route("composite bodies", (Sweeps("gravity", recursion),), lambda v, _: {"tau": v["tau"]})


def _forward_kinematics(armature: bool) -> Route:
    return Route(
        "placements",
        (Placed("tip", lambda robot, _: dict(zip(_POSE, point_placement(robot), strict=True))),),
        lambda v, _: {name: v[name] for name in _POSE},
    )


def _jacobian(armature: bool) -> Route:
    return Route("placements", (_JACOBIAN,), lambda v, _: {"jacobian": v["J"]})


def _potential_energy(armature: bool) -> Route:
    energy = Placed("energy", lambda robot, g: {"energy": potential_energy(robot, g)})
    return Route("placements", (energy,), lambda v, _: {"energy": v["energy"]})


_POSE = ("rotation", "position")
_JACOBIAN = Placed("tip", lambda robot, _: {"J": world_jacobian(robot)})
_OTHERS: Mapping[str, Callable[[bool], Route]] = {
    "forward_kinematics": _forward_kinematics,
    "jacobian": _jacobian,
    "gravity_forces": _gravity_forces,
    "potential_energy": _potential_energy,
    "forward_dynamics": _forward_dynamics,
    "tip_force_acceleration": _tip_force_acceleration,
    "mass_matrix_inverse": _mass_matrix_inverse,
    "innovations_factors": _innovations_factors,
    "operational_space_inertia": _operational_space_inertia,
    "forward_dynamics_derivatives": _forward_dynamics_derivatives,
    "log_det_gradient": _log_det_gradient,
}
