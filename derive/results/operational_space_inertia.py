"""Inverse operational-space inertia J 𝓜⁻¹ J*: SOA-72, SOA-51 of the specification."""

from derive.results.result import Quantity, Result

RESULT = Result(
    name="operational_space_inertia",
    title="Inverse operational-space inertia J 𝓜⁻¹ J*",
    quantities=(Quantity("Omega", "J inv(Mass) J'", "B' psi' H' D^-1 H psi B"),),
    soa=("SOA-72", "SOA-51"),
    source="003 (19), (20); 000-II (6.6), (6.7)",
    prose="Cubic as it stands, linear after Lemma 4: (I − HψK)Hφ = Hψ cancels the inner sweeps.",
)
