"""Jacobian of the tips: SOA-23 of the specification."""

from derive.results.result import Quantity, Result

RESULT = Result(
    name="jacobian",
    title="Jacobian of the tips",
    quantities=(Quantity("J", "J", "B' phi' H'"),),
    soa=("SOA-23",),
    source="000-I (3.13); 001 (18)–(21); 003 (1)",
    prose="Columns φ*(k,0)H*(k): each joint's motion carried to the tip.",
)
