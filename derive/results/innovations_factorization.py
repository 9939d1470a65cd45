"""Innovations factorization of the mass matrix: SOA-48 of the specification."""

from derive.results.result import Result

RESULT = Result(
    name="innovations_factorization",
    title="Innovations factorization of the mass matrix",
    definition="Mass",
    form="(I + H phi K) D (I + H phi K)'",
    soa=("SOA-48",),
    source="000-I (4.11); 001 (43); 002 (3.4); 003 (11)",
    prose="Lemma 1: square factors, unit lower triangular, with the joint inertias D of the Riccati recursion between them.",
)
