"""Gradient of the logarithm of the determinant of the mass matrix: SOA-124, SOA-75 of the specification."""

from derive.results.result import Quantity, Result

RESULT = Result(
    name="log_det_gradient",
    title="Gradient of log det of the mass matrix",
    quantities=(Quantity("gradient", "2 H u", "2 H u"),),
    soa=("SOA-124", "SOA-75"),
    source="004 (4.43); 003 App. 2; extension",
    prose=(
        "tr(𝓜⁻¹ ∂𝓜/∂θ_i) = 2 tr(ℍ_δ φMφ*H*𝓜⁻¹Hφ̃), whose block at i is P⁺(i)φ*(p,i)Υ(p)φ(p,i): inertia from outboard, "
        "inverse inertia from inboard. Linear in the number of bodies."
    ),
)
