"""Joint-space mass matrix by composite bodies: SOA-34, SOA-33 of the specification."""

from derive.results.result import Quantity, Result

RESULT = Result(
    name="mass_matrix",
    title="Joint-space mass matrix by composite bodies",
    quantities=(Quantity("mass", "H (R + phi_tilde R + R phi_tilde') H'", "H phi M phi' H'", rotor="J_a"),),
    soa=("SOA-34", "SOA-33"),
    source="001 (28)–(33); 004 (5.45), (5.46)",
    prose="R(k) is the inertia of body k with all outboard joints frozen: one sweep; each column of 𝓜 climbs from there.",
)
