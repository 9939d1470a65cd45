"""Velocities in which the kinetic energy is ½ν*ν: SOA-115 of the specification."""

from derive.results.result import Quantity, Result

RESULT = Result(
    name="diagonalised_velocities",
    title="Velocities in which the kinetic energy is ½ν*ν",
    quantities=(Quantity("nu", "D_sqrt (I + H phi K)' qd", "D_sqrt (I + H phi K)' qd"),),
    soa=("SOA-115",),
    source="003 §6",
    prose="ν = m*θ̇ with 𝓜 = m m*, m = (I + HφK)D^½.",
)
