"""Derivatives of forward dynamics: SOA-119, SOA-50 of the specification."""

from derive.results.forward_dynamics_fd3 import RESULT as FORWARD
from derive.results.inverse_dynamics_derivatives import ALONG_Q, ALONG_QD
from derive.results.mass_matrix_inverse import RESULT as INVERSE
from derive.results.result import Quantity, Result

ALONG_Q_FORM = "- (I - H psi K)' (D^-1 H psi (P X_A + 2 BB phi' X_W - E_phi X_F) + G' phi_tilde' X_A)"
ALONG_QD_FORM = (
    "- (I - H psi K)' (D^-1 H psi (2 P X_V + 2 BB phi' H' - P X_D) + 2 G' phi_tilde' X_V - G' phi_tilde' X_D)"
)

RESULT = Result(
    name="forward_dynamics_derivatives",
    title="Derivatives of forward dynamics",
    quantities=(
        Quantity("dqdd_dq", f"- inv(Mass) ({ALONG_Q})", ALONG_Q_FORM),
        Quantity("dqdd_dqd", f"- inv(Mass) ({ALONG_QD})", ALONG_QD_FORM),
        INVERSE.quantities[0],
    ),
    soa=("SOA-119", "SOA-50", "SOA-53"),
    source="004 §3; 003 (13); extension",
    prose=(
        "Differentiate τ = 𝓜θ̈ + bias at the θ̈ of these forces: ∂θ̈ = −𝓜⁻¹∂τ, and 𝓜⁻¹ is ∂θ̈/∂τ. With the innovations factors "
        "of 𝓜⁻¹, (I − HψK)Hφ = Hψ and M = P − E_ψPE_φ*, ∂τ itself is never formed: the changes of force are swept by ψ as "
        "they arise, all columns at a time, and back by ψ*."
    ),
    where=(("qdd", FORWARD.quantities[0].form),),
)
