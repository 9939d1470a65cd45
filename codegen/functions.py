"""The public functions of a robot: what each takes, gives, and which result of `derive` it computes.

A function is a row of `FUNCTIONS`, never an algorithm: `instantiate.py` runs the result's recursion on program scalars.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from codegen.errors import FunctionError
from derive.model import GROUND, Model
from derive.results import FORWARD_DYNAMICS, find_result

LETTERS = {"qd": "qd", "qdd": "qdd", "tau": "T", "f_tip": "f_0"}  # argument to the operators' letter
DOCUMENTATION = {
    "q": "configuration",
    "qd": "joint rates",
    "qdd": "joint accelerations",
    "tau": "joint forces",
    "f_tip": "force the tip exerts on its environment, [moment; force] at the tip point, world axes",
    "rotation": "tip axes in world axes",
    "position": "tip point in the world",
    "jacobian": "rates to [angular; linear] velocity of the tip point, world axes",
    "mass": "joint-space mass matrix, both triangles",
    "mass_inverse": "its inverse, both triangles",
    "D": "joint inertias of the articulated bodies; a block-diagonal matrix where joints have several freedoms",
    "L": "I + H phi K: mass = L D L*",
    "L_inverse": "I - H psi K",
    "omega": "J M^-1 J* at the tip point, world axes",
    "energy": "joules",
}


@dataclass(frozen=True)
class Function:
    """One function: `outputs` maps its outputs to those of the result; `optional` inputs may be left out by the caller."""

    name: str
    description: str
    inputs: tuple[str, ...]
    result: str
    outputs: Mapping[str, str] = field(default_factory=dict)
    optional: tuple[str, ...] = ()
    needs_tip: bool = False
    inverts: bool = False  # needs the inverse of the mass matrix


_ROWS = (
    Function("forward_kinematics", "pose of the tip", ("q",), "placement", needs_tip=True),
    Function("jacobian", "jacobian of the tip", ("q",), "jacobian", {"jacobian": "J"}, needs_tip=True),
    Function(
        "inverse_dynamics",
        "joint forces of a motion",
        ("q", "qd", "qdd"),
        "inverse_dynamics",
        {"tau": "tau"},
        ("f_tip",),
    ),
    Function("bias_forces", "Coriolis, gyroscopic and gravity forces", ("q", "qd"), "bias_forces", {"tau": "tau"}),
    Function("gravity_forces", "forces that hold the robot still", ("q",), "gravity_forces", {"tau": "tau"}),
    Function("mass_matrix", "joint-space mass matrix", ("q",), "mass_matrix", {"mass": "mass"}),
    Function(
        "mass_matrix_inverse",
        "inverse of the mass matrix",
        ("q",),
        "mass_matrix_inverse",
        {"mass_inverse": "mass_inverse"},
        inverts=True,
    ),
    Function(
        "forward_dynamics",
        "accelerations under joint forces",
        ("q", "qd", "tau"),
        "forward_dynamics",
        {"qdd": "qdd"},
        ("f_tip",),
        inverts=True,
    ),
    Function(
        "innovations_factors",
        "factors of the mass matrix and its inverse",
        ("q",),
        "innovations_factorization",
        {"D": "D", "L": "L", "L_inverse": "L_inverse"},
        inverts=True,
    ),
    Function(
        "operational_space_inertia",
        "inverse operational-space inertia",
        ("q",),
        "operational_space_inertia",
        {"omega": "Omega"},
        needs_tip=True,
        inverts=True,
    ),
    Function(
        "tip_force_acceleration",
        "accelerations caused by a tip force",
        ("q", "f_tip"),
        "tip_force_acceleration",
        {"qdd": "qdd"},
        needs_tip=True,
        inverts=True,
    ),
    Function("kinetic_energy", "kinetic energy", ("q", "qd"), "kinetic_energy", {"energy": "energy"}),
    Function("potential_energy", "potential energy, zero at the world's origin", ("q",), "potential"),
)
FUNCTIONS: Mapping[str, Function] = {row.name: row for row in _ROWS}


def chosen_functions(model: Model, names: list[str] | None) -> tuple[Function, ...]:
    """The functions named, each of which must fit the model; without names, all that do."""
    if names is None:
        return tuple(f for f in FUNCTIONS.values() if obstacle(f, model) is None)
    for name in names:
        if name not in FUNCTIONS:
            raise FunctionError(f"there is no function '{name}'; there are {', '.join(FUNCTIONS)}")
        if (why := obstacle(FUNCTIONS[name], model)) is not None:
            raise FunctionError(f"{name} of model '{model.name}': {why}")
    return tuple(FUNCTIONS[name] for name in dict.fromkeys(names))


def obstacle(function: Function, model: Model) -> str | None:
    """Why the function cannot be had for this model, or None if it can."""
    if function.needs_tip and not has_moving_tip(model):
        return "the model has no moving tip; load it with tip=…"
    if function.inverts and model.massless_leaves:
        joint = model.massless_leaves[0]
        return (
            f"joint '{joint}' moves nothing with mass, so the mass matrix is singular; lock it or give it an armature"
        )
    if function.inverts and model.has_mimics:
        return "joints that follow others close loops; lock them or load with mimic='independent'"
    return None


def has_moving_tip(model: Model) -> bool:
    """Whether the model's first tip is on a moving body."""
    return bool(model.tips) and model.tips[0].body != GROUND


def result_name(function: Function, algorithm: str | None) -> str:
    """The result a function computes; `algorithm` picks one for forward dynamics."""
    if function.name != "forward_dynamics" or algorithm is None:
        return function.result
    if algorithm not in FORWARD_DYNAMICS:
        raise FunctionError(f"there is no algorithm '{algorithm}'; there are {', '.join(FORWARD_DYNAMICS)}")
    return find_result(algorithm).name
