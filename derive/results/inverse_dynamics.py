"""Inverse dynamics: recursive Newton–Euler: SOA-22, SOA-17 of the specification."""

from derive.results.result import Quantity, Result

RESULT = Result(
    name="inverse_dynamics",
    title="Inverse dynamics: recursive Newton–Euler",
    quantities=(
        Quantity(
            "tau",
            "Mass qdd + H phi (M phi' a + b) + J' f_0",
            "H phi (M phi' (H' qdd + a) + b + B f_0)",
            rotor="J_a qdd",
        ),
    ),
    soa=("SOA-22", "SOA-17"),
    source="000-I (3.12)–(3.20); 001 (21)–(25); 002 (2.5)",
    prose="Velocities and accelerations go out, forces come back. Gravity is an acceleration of the ground [SOA-18].",
)
