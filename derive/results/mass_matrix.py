"""Joint-space mass matrix: SOA-34, SOA-33 of the specification."""

from derive.results.result import Result

RESULT = Result(
    name="mass_matrix",
    title="Joint-space mass matrix",
    definition="Mass",
    form="H R H' + H phi_tilde R H' + H R phi_tilde' H'",
    soa=("SOA-34", "SOA-33"),
    source="001 (28)–(33); 004 (5.45), (5.46)",
    prose="R(k) is the inertia of body k with all outboard joints frozen: one sweep; each column of 𝓜 climbs from there.",
)
