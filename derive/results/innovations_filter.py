"""Innovations filter: SOA-59, SOA-49 of the specification."""

from derive.results.result import Quantity, Result

RESULT = Result(
    name="innovations_filter",
    title="Innovations filter",
    quantities=(Quantity("eps", "inv(I + H phi K) T", "T - H psi K T"),),
    soa=("SOA-59", "SOA-49"),
    source="000-I (4.14), (4.19); 003 §4",
    prose="ε = (I − HψK)T whitens the joint forces: ε(k) is the part of T(k) that the outboard joints do not explain.",
)
