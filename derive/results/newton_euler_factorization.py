"""Newton–Euler factorization of the mass matrix: SOA-30, SOA-24 of the specification."""

from derive.results.result import Quantity, Result

RESULT = Result(
    name="newton_euler_factorization",
    title="Newton–Euler factorization of the mass matrix",
    quantities=(Quantity("mass", "Mass", "H phi M phi' H'", rotor="J_a"),),
    soa=("SOA-30", "SOA-24"),
    source="000-I (3.20); 001 (22); 002 (2.5); 003 (3)",
    prose="Its definition: velocities go out by φ*, momenta M V come back by φ. The factors are not square.",
)
