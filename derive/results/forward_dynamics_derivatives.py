"""Derivatives of forward dynamics: SOA-119, SOA-50 of the specification."""

from fractions import Fraction

from derive.recursion import OutputProduct
from derive.results import inverse_dynamics_derivatives as inverse
from derive.results.forward_dynamics_fd3 import RESULT as FORWARD
from derive.results.result import Quantity, Result

RESULT = Result(
    name="forward_dynamics_derivatives",
    title="Derivatives of forward dynamics",
    quantities=(
        Quantity("dtau_dq", inverse.ALONG_Q, inverse.ALONG_Q_FORM),
        Quantity("dtau_dqd", inverse.ALONG_QD, inverse.ALONG_QD_FORM),
        Quantity("L_inverse", "inv(I + H phi K)", "I - H psi K"),
        Quantity("D_inverse", "inv(H P H')", "D^-1"),
    ),
    soa=("SOA-119", "SOA-50"),
    source="004 §3; 003 (13); extension",
    prose=(
        "Differentiate τ = 𝓜θ̈ + bias at the θ̈ of these forces: ∂θ̈ = −𝓜⁻¹∂τ with the innovations factors of 𝓜⁻¹, whose zeros "
        "between branches of a tree cost nothing; 𝓜⁻¹ itself is ∂θ̈/∂τ."
    ),
    products=(
        OutputProduct("dqdd_dq", Fraction(-1), ("L_inverse*", "D_inverse", "L_inverse", "dtau_dq")),
        OutputProduct("dqdd_dqd", Fraction(-1), ("L_inverse*", "D_inverse", "L_inverse", "dtau_dqd")),
        OutputProduct("mass_inverse", Fraction(1), ("L_inverse*", "D_inverse", "L_inverse"), symmetric=True),
    ),
    where=(("qdd", FORWARD.quantities[0].form),),
)
