"""Kinetic energy: SOA-26, SOA-30 of the specification."""

from derive.results.result import Result

RESULT = Result(
    name="kinetic_energy",
    title="Kinetic energy",
    definition="1/2 qd' Mass qd",
    form="1/2 qd' H phi M phi' H' qd",
    soa=("SOA-26", "SOA-30"),
    source="001 §II; 003 §3",
    prose="½ V*MV with V = φ*H*θ̇.",
)
