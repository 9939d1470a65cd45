"""Forces that drive the diagonalised velocities: SOA-115, SOA-49 of the specification."""

from derive.results.result import Quantity, Result

RESULT = Result(
    name="diagonalised_forces",
    title="Forces that drive the diagonalised velocities",
    quantities=(Quantity("eps", "D_isqrt inv(I + H phi K) T", "D_isqrt (I - H psi K) T"),),
    soa=("SOA-115", "SOA-49"),
    source="003 §6",
    prose="ε = m⁻¹T: ε*ν = T*θ̇, the power.",
)
