"""Routes that consist of what other functions have: their text is a few calls and loops.

They hold for arms: no branches, and joints with one freedom each. What they take more than a route of their own is bounded by
what each says it is `worth`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from codegen.contractions import Contraction, Product
from codegen.factored import BIAS, FACTORED, accelerations, inverse, mass_part
from codegen.placed import JACOBIAN
from codegen.route import Route, Solved, Sweeps, Values, summed
from derive.conventional import conventional
from derive.joint_space import NO_RATE, Trace
from derive.placements import jacobian_rate
from derive.results import find_result
from derive.sweeps import to_recursion

SHARED = "shared"


def _sum(output: str, indices: str, *terms: tuple[float, tuple[tuple[str, str], ...]]) -> Contraction:
    return Contraction(output, indices, tuple(Product(arrays, factor) for factor, arrays in terms))


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
    return summed(SHARED, (alone,), ("coriolis",), (), "", worth=1.05)


def _inverse_dynamics_derivatives(armature: bool) -> Route:
    twice = _sum("dtau_dqd", "ij", (2.0, (("coriolis", "ij"),)))
    return summed(
        SHARED, (_rates(armature),), ("dtau_dq", "dtau_dqd", "mass"), (twice,), "dtau_dqd = 2 coriolis", worth=1.25
    )


def _forward_dynamics_derivatives(armature: bool) -> Route:
    """−𝓜⁻¹∂τ at the θ̈ that forward dynamics gives."""
    sums = (
        _sum("dqdd_dq", "ij", (-1.0, (("mass_inverse", "ik"), ("dtau_dq", "kj")))),
        _sum("dqdd_dqd", "ij", (-2.0, (("mass_inverse", "ik"), ("coriolis", "kj")))),
    )
    parts = (
        mass_part(armature),
        BIAS,
        FACTORED,
        Solved("forward_dynamics", "inertia", accelerations),
        replace(_rates(armature), names=(("mass", "mass_again"),)),
        Solved("mass_matrix_inverse", "inertia", inverse),
    )
    outputs = ("dqdd_dq", "dqdd_dqd", "mass_inverse")
    return summed(SHARED, parts, outputs, sums, "dqdd = -mass^-1 dtau, dtau_dqd = 2 coriolis", worth=1.25)


def _symbols(armature: bool) -> Sweeps:
    return Sweeps("inertia", find_result("christoffel").recursion(armature=armature))


def _mass_matrix_sensitivity(armature: bool) -> Route:
    """∂𝓜_jk/∂q_i from the Christoffel symbols [SOA-134]."""
    terms = ((1.0, (("christoffel", "jik"),)), (1.0, (("christoffel", "kij"),)))
    return summed(
        SHARED, (_symbols(armature),), ("sensitivity",), (_sum("sensitivity", "ijk", *terms),), "their sums", worth=1.5
    )


def _log_det_gradient(armature: bool) -> Route:
    """tr(𝓜⁻¹ ∂𝓜/∂q_i), where both terms of the sensitivity give the same."""
    trace = _sum("gradient", "i", (2.0, (("mass_inverse", "jk"), ("christoffel", "jik"))))
    parts = (mass_part(armature), FACTORED, Solved("mass_matrix_inverse", "inertia", inverse), _symbols(armature))
    return summed(SHARED, parts, ("gradient",), (trace,), "gradient = tr(mass^-1 dmass)", worth=2.0)


def _jacobian_derivative(armature: bool) -> Route:
    def rates(found: Values, trace: Trace) -> Values:
        with trace(NO_RATE, "v"):
            return {"jacobian_rate": jacobian_rate(found["J"], list(found["qd"]))}

    rate = Solved("jacobian_rate", "tip", rates, heading="dJ/dt from J")
    return summed(SHARED, (JACOBIAN, rate), ("jacobian_rate",), (), "dJ/dt from J")


SHARING: Mapping[str, Callable[[bool], Route]] = {
    "coriolis_matrix": _coriolis_matrix,
    "inverse_dynamics_derivatives": _inverse_dynamics_derivatives,
    "forward_dynamics_derivatives": _forward_dynamics_derivatives,
    "jacobian_derivative": _jacobian_derivative,
    "mass_matrix_sensitivity": _mass_matrix_sensitivity,
    "log_det_gradient": _log_det_gradient,
}
