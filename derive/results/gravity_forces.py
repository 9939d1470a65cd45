"""Gravity forces: SOA-18, SOA-24 of the specification."""

from derive.results.result import Quantity, Result

RESULT = Result(
    name="gravity_forces",
    title="Gravity forces",
    quantities=(Quantity("tau", "H phi M phi' g", "H phi M phi' g"),),
    soa=("SOA-18", "SOA-24"),
    source="000-I (3.8), (3.21)",
    prose="Inverse dynamics of a robot that stands still: only the ground accelerates.",
)
