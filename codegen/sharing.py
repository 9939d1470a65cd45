"""Routes that consist of what other functions have: their text is a few calls and loops.

They hold for arms: no branches, and joints with one freedom each. What they take more than a route of their own is bounded by
what each says it is `worth`: without, the gradient of log det M alone would make panda's file a fifth longer.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from codegen.contractions import contraction
from codegen.factored import BIAS, FACTORED, RIGHT, SOLVED, inverse, mass_part
from codegen.route import Route, Solved, Sweeps, Values, of_parts
from derive.algebra import dot, plus, times
from derive.conventional import conventional
from derive.joint_space import NO_RATE, Trace
from derive.results import find_result
from derive.sweeps import to_recursion

SHARED = "shared"


def _rates(armature: bool) -> Sweeps:
    """𝖢, then ∂τ/∂q and 𝓜, whose sweeps need what 𝖢 does; ∂τ/∂q̇ = 2𝖢 where joints have one freedom [SOA-119, SOA-141]."""
    derivatives = {
        quantity.output: quantity.expression(armature)
        for quantity in find_result("inverse_dynamics_derivatives").quantities
        if quantity.output != "dtau_dqd"
    }
    forms = {"coriolis": find_result("coriolis_matrix").statement(), **derivatives}
    return Sweeps("inertia", conventional(to_recursion(forms, armature=armature)), leading="coriolis")


def _coriolis_matrix(armature: bool) -> Route:
    alone = replace(_rates(armature), alone=True)
    return of_parts(SHARED, (alone,), ("coriolis",), "", worth=1.05)


def _inverse_dynamics_derivatives(armature: bool) -> Route:
    twice = contraction("dtau_dqd", "ij", (2.0, (("coriolis", "ij"),)))
    outputs = ("dtau_dq", "dtau_dqd", "mass")
    return of_parts(SHARED, (_rates(armature),), outputs, "dtau_dqd = 2 coriolis", twice, worth=1.25)


def _forward_dynamics_derivatives(armature: bool) -> Route:
    """−𝓜⁻¹∂τ at the θ̈ that forward dynamics gives."""
    sums = (
        contraction("dqdd_dq", "ij", (-1.0, (("mass_inverse", "ik"), ("dtau_dq", "kj")))),
        contraction("dqdd_dqd", "ij", (-2.0, (("mass_inverse", "ik"), ("coriolis", "kj")))),
    )
    parts = (
        mass_part(armature),
        BIAS,
        FACTORED,
        RIGHT,
        SOLVED,
        replace(_rates(armature), names=(("mass", "mass_again"),)),
        Solved("mass_matrix_inverse", "inertia", inverse),
    )
    outputs = ("dqdd_dq", "dqdd_dqd", "mass_inverse")
    return of_parts(SHARED, parts, outputs, "dqdd = -mass^-1 dtau, dtau_dqd = 2 coriolis", *sums, worth=1.25)


def _kinetic_energy(armature: bool) -> Route:
    """½ θ̇*𝓜θ̇, every pair of rates once."""

    def energy(found: Values, trace: Trace) -> Values:
        mass, rates, total = found["mass"], list(found["qd"]), 0.0
        with trace(NO_RATE, "E"):
            for i, rate in enumerate(rates):
                half = times(0.5, times(mass[i][i], rate))
                total = plus(total, times(rate, plus(half, dot(list(mass[i][i + 1 :]), rates[i + 1 :]))))
        return {"energy": total}

    half = "1/2 qd* mass qd"
    parts = mass_part(armature), Solved("energy", "inertia", energy, heading=half)
    return of_parts(SHARED, parts, ("energy",), f"energy = {half}", worth=1.5)


def _symbols(armature: bool) -> Sweeps:
    return Sweeps("inertia", find_result("christoffel").recursion(armature=armature))


def _mass_matrix_sensitivity(armature: bool) -> Route:
    """∂𝓜_jk/∂q_i from the Christoffel symbols [SOA-134]."""
    terms = ((1.0, (("christoffel", "jik"),)), (1.0, (("christoffel", "kij"),)))
    sums = contraction("sensitivity", "ijk", *terms)
    return of_parts(SHARED, (_symbols(armature),), ("sensitivity",), "their sums", sums, worth=1.25)


def _log_det_gradient(armature: bool) -> Route:
    """tr(𝓜⁻¹ ∂𝓜/∂q_i), where both terms of the sensitivity give the same."""
    trace = contraction("gradient", "i", (2.0, (("mass_inverse", "jk"), ("christoffel", "jik"))))
    parts = (mass_part(armature), FACTORED, Solved("mass_matrix_inverse", "inertia", inverse), _symbols(armature))
    return of_parts(SHARED, parts, ("gradient",), "gradient = tr(mass^-1 dmass)", trace, worth=1.75)


_TOGETHER = (
    frozenset({"christoffel", "mass_matrix_sensitivity", "log_det_gradient"}),
    frozenset({"coriolis_matrix", "inverse_dynamics_derivatives", "forward_dynamics_derivatives"}),
    frozenset({"mass_matrix", "mass_matrix_inverse", "forward_dynamics", "kinetic_energy"}),
)


def _beside(function: str) -> frozenset[str]:
    """The functions that have most of what a function consists of here."""
    return frozenset().union(*(together - {function} for together in _TOGETHER if function in together))


def sharing(function: str, armature: bool) -> Route:
    """The route of a function that consists of what others have."""
    return replace(SHARING[function](armature), beside=_beside(function))


SHARING: Mapping[str, Callable[[bool], Route]] = {
    "coriolis_matrix": _coriolis_matrix,
    "kinetic_energy": _kinetic_energy,
    "inverse_dynamics_derivatives": _inverse_dynamics_derivatives,
    "forward_dynamics_derivatives": _forward_dynamics_derivatives,
    "mass_matrix_sensitivity": _mass_matrix_sensitivity,
    "log_det_gradient": _log_det_gradient,
}
