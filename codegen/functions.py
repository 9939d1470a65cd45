"""The public functions of a robot: what each takes, gives, and which result of `derive` it computes.

A function is a row of `FUNCTIONS`, never an algorithm: `instantiate.py` runs the result's recursion on program scalars.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias, get_args

from codegen.errors import FunctionError
from derive.model import GROUND, Model
from derive.results import FORWARD_DYNAMICS, find_result

UNROLL_LIMIT = 100  # degrees of freedom beyond which straight-line code is too long to compile
Unroll: TypeAlias = Literal["auto", "always", "never"]
DENSE = "ldl"  # M + bias + L D L*
ALGORITHMS = (*FORWARD_DYNAMICS, DENSE)
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
    "coriolis": "C[i][j] = sum over k of christoffel[i][j][k] qd[k]: dM/dt - 2C is skew, C qd the Coriolis forces",
    "christoffel": "[i][j][k]: first kind, (dM_ij/dq_k + dM_ik/dq_j - dM_jk/dq_i)/2; dM_ij/dq_k = [i][j][k] + [j][i][k]",
    "sensitivity": "[i] = dM/dq_i, along the i-th rate where rates are not derivatives of coordinates",
    "dtau_dq": "along the rates where they are not derivatives of coordinates",
    "dtau_dqd": "derivative by the joint rates",
    "dqdd_dq": "along the rates where they are not derivatives of coordinates",
    "dqdd_dqd": "derivative by the joint rates",
    "jacobian_rate": "time derivative of the jacobian of the tip point, world axes",
    "gradient": "of log det M, along the rates where they are not derivatives of coordinates",
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
    differentiates: bool = False
    cubic: bool = False  # gives nv³ numbers


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
    Function(
        "coriolis_matrix",
        "Coriolis matrix of the Christoffel symbols",
        ("q", "qd"),
        "coriolis_matrix",
        {"coriolis": "C"},
        differentiates=True,
    ),
    Function(
        "coriolis_transpose_times_velocity",
        "transposed Coriolis matrix times the rates, for momentum observers",
        ("q", "qd"),
        "coriolis_transpose_times_velocity",
        {"tau": "tau"},
        differentiates=True,
    ),
    Function(
        "christoffel",
        "Christoffel symbols",
        ("q",),
        "christoffel",
        {"christoffel": "christoffel"},
        differentiates=True,
        cubic=True,
    ),
    Function(
        "mass_matrix_sensitivity",
        "derivatives of the mass matrix",
        ("q",),
        "mass_matrix_sensitivity",
        {"sensitivity": "sensitivity"},
        cubic=True,
        differentiates=True,
    ),
    Function(
        "inverse_dynamics_derivatives",
        "derivatives of inverse dynamics, and the mass matrix",
        ("q", "qd", "qdd"),
        "inverse_dynamics_derivatives",
        {"dtau_dq": "dtau_dq", "dtau_dqd": "dtau_dqd", "mass": "mass"},
        differentiates=True,
    ),
    Function(
        "forward_dynamics_derivatives",
        "derivatives of forward dynamics, and the inverse of the mass matrix",
        ("q", "qd", "tau"),
        "forward_dynamics_derivatives",
        {"dqdd_dq": "dqdd_dq", "dqdd_dqd": "dqdd_dqd", "mass_inverse": "mass_inverse"},
        inverts=True,
        differentiates=True,
    ),
    Function(
        "jacobian_derivative",
        "time derivative of the jacobian of the tip",
        ("q", "qd"),
        "jacobian_derivative",
        {"jacobian_rate": "J_rate"},
        needs_tip=True,
        differentiates=True,
    ),
    Function(
        "log_det_gradient",
        "gradient of log det of the mass matrix",
        ("q",),
        "log_det_gradient",
        {"gradient": "gradient"},
        inverts=True,
        differentiates=True,
    ),
)
FUNCTIONS: Mapping[str, Function] = {row.name: row for row in _ROWS}
MANY_RATES = 12  # from here on nv³ numbers are written out for those who ask for them by name


def is_rolled(model: Model, unroll: Unroll) -> bool:
    """Whether a robot's programs are loops over its bodies rather than straight-line code."""
    if unroll not in get_args(Unroll):
        raise FunctionError(f"there is no unroll={unroll!r}; there are {', '.join(get_args(Unroll))}")
    return unroll == "never" or (unroll == "auto" and model.nv > UNROLL_LIMIT)


def chosen_functions(model: Model, names: list[str] | None, *, rolled: bool = False) -> tuple[Function, ...]:
    """The functions named, each of which must fit the model; without names, all that do and are not cubic in many rates."""
    if names is None:
        fitting = [f for f in FUNCTIONS.values() if obstacle(f, model, rolled=rolled) is None]
        return tuple(f for f in fitting if not f.cubic or model.nv < MANY_RATES)
    for name in names:
        if name not in FUNCTIONS:
            raise FunctionError(f"there is no function '{name}'; there are {', '.join(FUNCTIONS)}")
        if (why := obstacle(FUNCTIONS[name], model, rolled=rolled)) is not None:
            raise FunctionError(f"{name} of model '{model.name}': {why}")
    return tuple(FUNCTIONS[name] for name in dict.fromkeys(names))


def obstacle(function: Function, model: Model, *, rolled: bool = False) -> str | None:
    """Why the function cannot be had for this model (in loops, if `rolled`), or None if it can."""
    if function.needs_tip and not has_moving_tip(model):
        return "the model has no moving tip; load it with tip=…"
    if function.inverts and model.massless_leaves:
        joint = model.massless_leaves[0]
        return (
            f"joint '{joint}' moves nothing with mass, so the mass matrix is singular; lock it or give it an armature"
        )
    if function.name == "innovations_factors" and model.has_mimics:
        return "joints that follow others close loops; lock them or load with mimic='independent'"
    if rolled and function.cubic:
        return (
            "nv³ numbers have no rolled form; use coriolis_matrix, which is their product with the rates (C + C* that of the "
            "derivatives), or --unroll always (unroll='always')"
        )
    if rolled and function.inverts and model.has_mimics:
        return "joints that follow others close loops, which has no rolled form; use --unroll always (unroll='always')"
    return None


def has_moving_tip(model: Model) -> bool:
    """Whether the model's first tip is on a moving body."""
    return bool(model.tips) and model.tips[0].body != GROUND


def route_name(function: Function, algorithm: str | None) -> str | None:
    """The name of the route that `algorithm` picks for forward dynamics; None is the cheapest."""
    if function.name != "forward_dynamics" or algorithm is None:
        return None
    if algorithm not in ALGORITHMS:
        raise FunctionError(f"there is no algorithm '{algorithm}'; there are {', '.join(ALGORITHMS)}")
    return algorithm if algorithm == DENSE else find_result(algorithm).name
