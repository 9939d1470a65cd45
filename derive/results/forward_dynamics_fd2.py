"""Forward dynamics, algorithm 2: with link and tip accelerations: SOA-61, SOA-60 of the specification."""

from derive.results.result import Quantity, Result

RESULT = Result(
    name="forward_dynamics_fd2",
    title="Forward dynamics, algorithm 2: with link and tip accelerations",
    quantities=(
        Quantity(
            "qdd",
            "inv(Mass) (T - H phi (M phi' a + b + B f_0))",
            "(I - H psi K)' D^-1 (I - H psi K) (T - H phi (M phi' a + b + B f_0))",
        ),
        Quantity(
            "alpha",
            "phi' (H' inv(Mass) (T - H phi (M phi' a + b + B f_0)) + a)",
            "psi' H' D^-1 (I - H psi K) (T - H phi (M phi' a + b + B f_0)) + phi' a",
        ),
        Quantity(
            "alpha_0",
            "B' phi' (H' inv(Mass) (T - H phi (M phi' a + b + B f_0)) + a)",
            "B' (psi' H' D^-1 (I - H psi K) (T - H phi (M phi' a + b + B f_0)) + phi' a)",
        ),
    ),
    soa=("SOA-61", "SOA-60"),
    source="000-I (5.5)–(5.7), (4.23); 001 (55)–(59)",
    prose="The smoother's state is the acceleration of each link, but for φ*a.",
    aliases=("fd2",),
)
