"""Sensitivity of the mass matrix: SOA-124, SOA-127, SOA-131 of the specification."""

from derive.recursion import Assembly
from derive.results.christoffel import FORM
from derive.results.result import Quantity, Result

RESULT = Result(
    name="mass_matrix_sensitivity",
    title="Sensitivity of the mass matrix",
    quantities=(Quantity("sensitivity", FORM, FORM, assembly=Assembly.SENSITIVITY),),
    soa=("SOA-124", "SOA-127", "SOA-131"),
    source="004 (4.43), (5.52), §5.3",
    prose="∂M(j,k)/∂θ_i = ℂ_k(j,i) + ℂ_j(k,i): one addition per entry after the Christoffel symbols.",
)
