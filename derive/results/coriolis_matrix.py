"""Coriolis matrix of the Christoffel symbols: SOA-130, SOA-133 of the specification."""

from derive.results.result import Quantity, Result

FORM = "H phi (DD_R + Gamma) H' + H (Gamma + BB_R) phi_tilde' H' + H R phi_tilde' X_V"

RESULT = Result(
    name="coriolis_matrix",
    title="Coriolis matrix of the Christoffel symbols",
    quantities=(Quantity("C", "CC", FORM),),
    soa=("SOA-130", "SOA-133", "SOA-129"),
    source="004 (5.53)–(5.55); extension to trees, joints of any kind, and one matrix instead of all symbols",
    prose=(
        "J* (M J̇ + 𝓑 J) with J = φ*H*: each body's own Coriolis block, projected. The composite bodies' blocks are 𝓑[R,V] and "
        "what the outboard joints add, Γ; with RṼ they make the skew 𝒟[R,V]. Ṁ − 2𝖢 is skew because MṼ + 𝓑 is."
    ),
)
