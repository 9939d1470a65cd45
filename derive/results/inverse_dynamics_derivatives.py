"""Derivatives of inverse dynamics: SOA-119, SOA-141 of the specification."""

from derive.results.result import Quantity, Result

ALONG_Q = "H phi (M phi' X_A + 2 BB phi' X_W) - H phi_tilde X_F"
ALONG_Q_FORM = (
    "H phi (R X_A + 2 (BB_R + Gamma) X_W) - H phi_tilde X_F + 2 H (Gamma + BB_R) phi_tilde' X_W + H R phi_tilde' X_A"
)
ALONG_QD = "2 CC - H phi M phi' X_D"
ALONG_QD_FORM = (
    "2 H phi (DD_R + Gamma) H' - H phi R X_D"
    " + 2 H (Gamma + BB_R) phi_tilde' H' + 2 H R phi_tilde' X_V - H R phi_tilde' X_D"
)
MASS_FORM = "H phi M phi' H'"

RESULT = Result(
    name="inverse_dynamics_derivatives",
    title="Derivatives of inverse dynamics",
    quantities=(
        Quantity("dtau_dq", ALONG_Q, ALONG_Q_FORM),
        Quantity("dtau_dqd", ALONG_QD, ALONG_QD_FORM),
        Quantity("mass", "Mass", MASS_FORM, rotor="J_a"),
    ),
    soa=("SOA-119", "SOA-141", "SOA-129"),
    source="004 §3 for velocities and accelerations too; extension",
    prose=(
        "Turning joint i moves what is outboard as one body: V changes there by φ*X_W, α by φ*X_A − Ṽφ*X_W, so each body's "
        "force by Mφ*X_A + 2𝓑φ*X_W, and the force that crosses joint i is turned with it. Rates give 2𝖢 where joints have one "
        "freedom."
    ),
)
