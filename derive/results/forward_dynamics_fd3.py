"""Forward dynamics, algorithm 3: SOA-62 of the specification."""

from derive.results.result import Quantity, Result

RESULT = Result(
    name="forward_dynamics_fd3",
    title="Forward dynamics, algorithm 3",
    quantities=(
        Quantity(
            "qdd",
            "inv(Mass) (T - H phi (M phi' a + b + B f_0))",
            "(I - H psi K)' D^-1 (T - H psi (K T + M phi' a + b + B f_0))",
        ),
    ),
    soa=("SOA-62",),
    source="000-I (5.8)–(5.10); 001 (60)–(65)",
    prose="Lemma 4 pulls the bias into the filter: one inward sweep less.",
    aliases=("fd3",),
)
