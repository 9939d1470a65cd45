"""Inverse of the mass matrix: SOA-50, SOA-48, SOA-49 of the specification."""

from derive.results.result import Quantity, Result

RESULT = Result(
    name="mass_matrix_inverse",
    title="Inverse of the mass matrix",
    quantities=(Quantity("mass_inverse", "inv(Mass)", "(I - H psi K)' D^-1 (I - H psi K)"),),
    soa=("SOA-50", "SOA-48", "SOA-49"),
    source="000-I (4.16); 001 (46); 002 (3.6); 003 (13)",
    prose="Lemma 3: the innovations factors invert by exchanging φ for ψ and a sign, so 𝓜⁻¹ has factors that are sweeps.",
)
