"""Tip acceleration under joint forces: SOA-61 of the specification."""

from derive.results.result import Result

RESULT = Result(
    name="tip_acceleration",
    title="Tip acceleration under joint forces",
    definition="B' phi' (H' inv(Mass) (T - H phi (M phi' a + b + B f_0)) + a)",
    form="B' (psi' H' D^-1 (I - H psi K) (T - H phi (M phi' a + b + B f_0)) + phi' a)",
    soa=("SOA-61",),
    source="000-I (5.7); 001 (59)",
    prose="Algorithm 2 read off at the tips.",
)
