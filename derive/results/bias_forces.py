"""Coriolis, gyroscopic and gravity forces: SOA-24, SOA-25 of the specification."""

from derive.results.result import Quantity, Result

RESULT = Result(
    name="bias_forces",
    title="Coriolis, gyroscopic and gravity forces",
    quantities=(Quantity("tau", "H phi (M phi' a + b)", "H phi (M phi' a + b)"),),
    soa=("SOA-24", "SOA-25"),
    source="000-I (3.20); 001 (23); 003 (4)",
    prose="Inverse dynamics of a motion without acceleration; gravity enters a as an acceleration of the ground [SOA-18].",
)
