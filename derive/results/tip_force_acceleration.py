"""Accelerations caused by tip forces: SOA-71, SOA-70 of the specification."""

from derive.results.result import Quantity, Result

RESULT = Result(
    name="tip_force_acceleration",
    title="Accelerations caused by tip forces",
    quantities=(Quantity("qdd", "- inv(Mass) J' f_0", "- (I - H psi K)' D^-1 H psi B f_0"),),
    soa=("SOA-71", "SOA-70"),
    source="003 (17), (18); 000-II (6.2)–(6.5)",
    prose="Δθ̈ = −𝓜⁻¹J*f(0): no bias, two sweeps.",
)
