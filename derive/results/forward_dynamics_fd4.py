"""Forward dynamics, algorithm 4: articulated bodies: SOA-63 of the specification."""

from derive.results.result import Quantity, Result

RESULT = Result(
    name="forward_dynamics_fd4",
    title="Forward dynamics, algorithm 4: articulated bodies",
    quantities=(
        Quantity(
            "qdd",
            "inv(Mass) (T - H phi (M phi' a + b + B f_0))",
            "(I - H psi K)' D^-1 ((I - H psi K) T - H psi_tilde P a - H psi (b + B f_0)) - K' psi' tau_bar' a - G' a",
        ),
    ),
    soa=("SOA-63",),
    source="000-I (5.13)–(5.17); 001 (66)–(73)",
    prose="Nothing is propagated beforehand but V: Featherstone's articulated-body algorithm.",
    aliases=("fd4",),
)
