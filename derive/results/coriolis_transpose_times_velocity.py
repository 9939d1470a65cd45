"""Adjoint of the Coriolis matrix times the rates: SOA-130 of the specification."""

from derive.results.result import Quantity, Result

RESULT = Result(
    name="coriolis_transpose_times_velocity",
    title="Adjoint of the Coriolis matrix times the rates",
    quantities=(Quantity("tau", "X_V' phi M V", "X_V' phi M V"),),
    soa=("SOA-130",),
    source="004 (5.53); extension",
    prose="𝖢*θ̇ = HṼ*φMV, one sweep of momenta, because 𝓑*V = 0: what momentum observers need.",
)
