"""Forward dynamics, algorithm 1: SOA-60 of the specification."""

from derive.results.result import Quantity, Result

RESULT = Result(
    name="forward_dynamics_fd1",
    title="Forward dynamics, algorithm 1",
    quantities=(
        Quantity(
            "qdd",
            "inv(Mass) (T - H phi (M phi' a + b + B f_0))",
            "(I - H psi K)' D^-1 (I - H psi K) (T - H phi (M phi' a + b + B f_0))",
        ),
    ),
    soa=("SOA-60",),
    source="000-I (4.17)–(4.22); 001 (47)–(54); 003 (14), (15)",
    prose="Bias forces by inverse dynamics, then the filter and the smoother.",
    aliases=("fd1",),
)
