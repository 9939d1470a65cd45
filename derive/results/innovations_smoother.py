"""Innovations smoother: SOA-59 of the specification."""

from derive.results.result import Quantity, Result

RESULT = Result(
    name="innovations_smoother",
    title="Innovations smoother",
    quantities=(Quantity("qdd", "(I - H psi K)' D^-1 T", "D^-1 T - K' psi' H' D^-1 T"),),
    soa=("SOA-59",),
    source="000-I (4.15), (4.21); 003 §4",
    prose="The outward half of 𝓜⁻¹: from innovations to accelerations.",
)
