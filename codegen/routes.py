"""Ways to compute a function: the recursion of its result, or the mass matrix factored over the joints.

A route is a list of parts, each a recursion compiled from an operator expression, and what is done with their values as dense
matrices over the joints at the end. Articulated bodies win on long chains, M + bias + L D L* on arms: which one is decided by
counting (`codegen/choices.py`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from codegen import factored, placed
from codegen.contractions import contraction
from codegen.errors import FunctionError
from codegen.factored import PUSHED, TIP
from codegen.functions import DENSE, MANY_RATES, Function
from codegen.route import Route, Sort, Sweeps, Values, of_parts
from codegen.sharing import SHARING, sharing
from derive.conventional import conventional
from derive.joint_space import Trace
from derive.model import Model
from derive.results import FORWARD_DYNAMICS, find_result
from derive.sweeps import to_recursion


def routes(function: Function, model: Model, armature: bool) -> tuple[Route, ...]:
    """The routes to a function of a model, the one of its result first."""
    found: list[Route] = []
    if function.outputs and not (function.inverts and model.has_mimics):
        results = FORWARD_DYNAMICS if function.name == "forward_dynamics" else (function.result,)
        found += [_recursive(function, result, armature) for result in results]
    if function.name in _OTHERS and (function.name not in _ONLY_IF or _ONLY_IF[function.name](model)):
        found.append(_OTHERS[function.name](armature))
    if function.name in SHARING and _is_arm(model):
        found.append(sharing(function.name, armature))
    return tuple(found)


def _is_arm(model: Model) -> bool:
    """Whether nothing branches, every joint has one freedom of its own, and the symbols are few enough to be had."""
    return model.is_serial and _has_own_freedoms(model) and 0 < model.nv < MANY_RATES


def _has_single_freedoms(model: Model) -> bool:
    """Whether every joint has one freedom."""
    return all(joint.kind.nv == 1 for joint in model.joints)


def _has_own_freedoms(model: Model) -> bool:
    """Whether every joint has one freedom, and follows no other."""
    return _has_single_freedoms(model) and not model.has_mimics


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

    part = Sweeps(_SORTS.get(function.name, "forces"), conventional(recursion))
    with_tip = _with_tip_force(part) if function.name == "inverse_dynamics" else None
    return Route(published.name, (part,), finish, with_tip=with_tip)


def _with_tip_force(part: Sweeps) -> Route:
    """Inverse dynamics by its own code without the force, and what the force adds."""
    motion = replace(part, names=(("tau", "motion"),), without=TIP)
    less = contraction("tau", "i", (1.0, (("motion", "i"),)), (-1.0, (("pushed", "i"),)))
    return of_parts("inverse_dynamics", (motion, PUSHED), ("tau",), "tau = motion - pushed", less)


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


def _gravity_forces(armature: bool) -> Route:
    """The ground's acceleration is a rigid motion, so φMφ*g = R φ*g: composite bodies, whose forces need no sweep."""
    recursion = to_recursion({"tau": "H R phi' g"})
    return Route("composite bodies", (Sweeps("gravity", recursion),), lambda v, _: {"tau": v["tau"]})


#: what the other route asks of the robot: D by blocks is none of scalar elimination, and columns of J are to follow one another
_ONLY_IF: Mapping[str, Callable[[Model], bool]] = {
    "innovations_factors": _has_single_freedoms,
    "jacobian_derivative": _has_own_freedoms,
}
_OTHERS: Mapping[str, Callable[[bool], Route]] = {
    "forward_kinematics": placed.forward_kinematics,
    "jacobian": placed.jacobian,
    "jacobian_derivative": placed.jacobian_derivative,
    "gravity_forces": _gravity_forces,
    "potential_energy": placed.potential_energy,
    "forward_dynamics": factored.forward_dynamics,
    "tip_force_acceleration": factored.tip_force_acceleration,
    "mass_matrix_inverse": factored.mass_matrix_inverse,
    "innovations_factors": factored.innovations_factors,
    "operational_space_inertia": factored.operational_space_inertia,
    "forward_dynamics_derivatives": factored.forward_dynamics_derivatives,
    "log_det_gradient": factored.log_det_gradient,
}
