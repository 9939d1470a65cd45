"""Innovations factorization of the mass matrix: SOA-48, SOA-49 of the specification."""

from derive.results.result import Quantity, Result

RESULT = Result(
    name="innovations_factorization",
    title="Innovations factorization of the mass matrix",
    quantities=(
        Quantity("mass", "Mass", "(I + H phi K) D (I + H phi K)'"),
        Quantity("D", "H P H'", "D"),
        Quantity("L", "I + H phi K", "I + H phi K"),
        Quantity("L_inverse", "inv(I + H phi K)", "I - H psi K"),
    ),
    soa=("SOA-48", "SOA-49"),
    source="000-I (4.11), (4.14); 001 (43), (45); 002 (3.4), (3.5); 003 (11), (12)",
    prose="Lemmas 1 and 2: square factors, unit lower triangular; between them the joint inertias D of the Riccati recursion.",
)
