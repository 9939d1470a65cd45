"""Link accelerations, algorithm 2: SOA-61 of the specification."""

from derive.results.result import Result

RESULT = Result(
    name="link_accelerations",
    title="Link accelerations, algorithm 2",
    definition="phi' (H' inv(Mass) (T - H phi (M phi' a + b + B f_0)) + a)",
    form="psi' H' D^-1 (I - H psi K) (T - H phi (M phi' a + b + B f_0)) + phi' a",
    soa=("SOA-61",),
    source="000-I (5.5)–(5.7); 001 (55)–(59)",
    prose="The smoother's state is the acceleration of each link, but for φ*a.",
    aliases=("fd2", "forward_dynamics_fd2"),
)
