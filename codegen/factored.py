"""Routes by the mass matrix factored over the joints, 𝓜 = L D L*: a recursion gives 𝓜, dense algebra the rest."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from codegen.contractions import contraction
from codegen.functions import DENSE
from codegen.placed import JACOBIAN
from codegen.route import FACTORIZATION, Contracted, Part, Route, Solved, Sweeps, Values, of_parts
from derive.algebra import dot, minus, plus
from derive.conventional import conventional
from derive.joint_space import Factors, Trace, factors
from derive.results import find_result
from derive.sweeps import to_recursion


def mass_part(armature: bool) -> Sweeps:
    """𝓜, as the function `mass_matrix` has it."""
    return Sweeps("inertia", find_result("mass_matrix").recursion(armature=armature))


def _factored(found: Values, trace: Trace) -> Values:
    """𝓜 = L D L*, under names that no function gives its outputs."""
    parts = factors(found["mass"], trace)
    return {"Lf": parts.L, "Df": parts.D, "Di": parts.D_inverse}


FACTORED = Solved("factors", "inertia", _factored)
TIP = ("f_tip",)
BIAS = Sweeps(
    "forces", conventional(find_result("inverse_dynamics").recursion()), (("tau", "bias"),), TIP
)  # where qdd is zero
PUSHED = Sweeps("tip", to_recursion({"pushed": "- H phi B f_0"}))  # what a tip force does to the joints


def _factors(found: Values, trace: Trace) -> Factors:
    """What `_factored` gave."""
    return Factors(found["Lf"], found["Df"], found["Di"], trace)


def _staged(parts: tuple[Part, ...], finish: Callable[[Values, Trace], Values], tail: str) -> Route:
    return Route(DENSE, parts, finish, tail, in_stages=True)


def _left(*others: tuple[float, tuple[tuple[str, str], ...]]) -> Contracted:
    """The forces that are left to accelerate."""
    terms = ((1.0, (("tau", "i"),)), (-1.0, (("bias", "i"),)), *others)
    return Contracted((contraction("right", "i", *terms),), "inertia", FACTORIZATION)


RIGHT, PUSHED_RIGHT = _left(), _left((1.0, (("pushed", "i"),)))
SOLVED = Solved("solve", "inertia", lambda v, trace: {"qdd": _factors(v, trace).solve(tuple(v["right"]))})


def forward_dynamics(armature: bool) -> Route:
    """M + bias + L D L*."""
    mass, tail = mass_part(armature), "mass = L D L*, qdd = mass^-1 (tau - bias)"
    parts = mass, BIAS, PUSHED, FACTORED, PUSHED_RIGHT, SOLVED
    pushed = of_parts(DENSE, parts, ("qdd",), tail.replace(")", " + pushed)"))
    return replace(of_parts(DENSE, (mass, BIAS, FACTORED, RIGHT, SOLVED), ("qdd",), tail), with_tip=pushed)


def tip_force_acceleration(armature: bool) -> Route:
    """−𝓜⁻¹ J* f."""
    pushed = replace(PUSHED, names=(("pushed", "right"),))
    parts = (mass_part(armature), pushed, FACTORED, SOLVED)
    return of_parts(DENSE, parts, ("qdd",), "mass = L D L*, qdd = mass^-1 pushed")


def inverse(found: Values, trace: Trace) -> Values:
    """𝓜⁻¹ from what `FACTORED` gave."""
    return {"mass_inverse": _factors(found, trace).inverse()}


def mass_matrix_inverse(armature: bool) -> Route:
    """𝓜⁻¹ = L⁻* D⁻¹ L⁻¹."""
    return _staged((mass_part(armature), FACTORED), inverse, "mass = L D L*, mass^-1 = L^-* D^-1 L^-1")


def innovations_factors(armature: bool) -> Route:
    """L, D and L⁻¹ where each joint has one freedom."""

    def finish(found: Values, trace: Trace) -> Values:
        parts = _factors(found, trace)
        D = [[d if i == j else 0.0 for j in range(len(parts.D))] for i, d in enumerate(parts.D)]
        return {"D": D, "L": parts.L, "L_inverse": parts.L_inverse()}

    return _staged((mass_part(armature), FACTORED), finish, "mass = L D L*")


def operational_space_inertia(armature: bool) -> Route:
    """J 𝓜⁻¹ J*."""
    return _staged(
        (mass_part(armature), JACOBIAN, FACTORED),
        lambda v, trace: {"omega": _factors(v, trace).between(tuple(map(tuple, v["J"])))},
        "mass = L D L*, omega = J mass^-1 J*",
    )


def forward_dynamics_derivatives(armature: bool) -> Route:
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


def log_det_gradient(armature: bool) -> Route:
    """tr(𝓜⁻¹ ∂𝓜), entry by entry."""

    def finish(found: Values, trace: Trace) -> Values:
        inverse, n = factors(found["mass"], trace).inverse(), len(found["mass"])
        twice = [plus(inverse[i][j], inverse[i][j]) if i != j else inverse[i][i] for i in range(n) for j in range(i, n)]
        slopes = [[dM[i][j] for i in range(n) for j in range(i, n)] for dM in found["sensitivity"]]
        return {"gradient": [dot(twice, slope) for slope in slopes]}

    sensitivity = find_result("mass_matrix_sensitivity").recursion(armature=armature)
    return Route(
        DENSE, (mass_part(armature), Sweeps("inertia", sensitivity)), finish, "mass = L D L*, tr(mass^-1 dmass)"
    )
