"""Christoffel symbols: SOA-130, SOA-131, SOA-133 of the specification."""

from derive.recursion import Assembly
from derive.results.result import Quantity, Result

FORM = "H phi DD_S"

RESULT = Result(
    name="christoffel",
    title="Christoffel symbols",
    quantities=(Quantity("christoffel", FORM, FORM, assembly=Assembly.CHRISTOFFEL),),
    soa=("SOA-130", "SOA-131", "SOA-133", "SOA-134"),
    source="004 (5.53)–(5.55)",
    prose=(
        "For each pair of freedoms, i inboard of j, one vector 𝒟[R(j), φ*(i,j)H*(i)]H*(j) at body j, carried to the base: its "
        "projections are the symbols with j outermost, and the symmetries give the others."
    ),
)
