"""Kinetic energy: SOA-26, SOA-30 of the specification."""

from derive.results.result import Quantity, Result

RESULT = Result(
    name="kinetic_energy",
    title="Kinetic energy",
    quantities=(Quantity("energy", "1/2 qd' Mass qd", "1/2 qd' H phi M phi' H' qd", rotor="1/2 qd' J_a qd"),),
    soa=("SOA-26", "SOA-30"),
    source="001 §II; 003 §3",
    prose="½ V*MV with V = φ*H*θ̇.",
)
