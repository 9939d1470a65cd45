"""The one table of letters: name, Unicode, LaTeX, spaces, structure, definition, meaning, and `SOA-nn`.

A *core* letter has no definition here: the rules of `rules.py` say how it multiplies. A *derived* letter has a
definition in text over earlier letters; the normal form replaces it. `scope` is "serial" where the definition only
makes sense on a chain [SOA-52, SOA-75]. The letter M is the link inertia; the joint-space mass matrix is `Mass`
(𝓜).
"""

from __future__ import annotations

from derive.operators.derivation_letters import DERIVATION_CORE
from derive.operators.letter_info import LetterInfo, bodies, vector
from derive.operators.rate_letters import RATE_CORE, RATE_DERIVED
from derive.operators.spaces import BODIES, JOINTS, POINTS, Structure

MEMORYLESS, CAUSAL, STRICT, NONE = Structure.MEMORYLESS, Structure.CAUSAL, Structure.STRICTLY_CAUSAL, Structure.NONE

CORE: tuple[LetterInfo, ...] = (
    bodies("phi", "φ", r"\phi", CAUSAL, "(I − E_φ)⁻¹: carries forces tip to base", "SOA-20"),
    bodies("psi", "ψ", r"\psi", CAUSAL, "(I − E_ψ)⁻¹: the same past articulated joints", "SOA-42"),
    bodies("E_phi", "E_φ", r"E_\phi", STRICT, "one-step rigid transition, body to parent", "SOA-20", aliases=("E",)),
    LetterInfo("H", "H", "H", JOINTS, BODIES, MEMORYLESS, "joint map: H* is the motion a joint allows", "SOA-10"),
    LetterInfo("G", "G", "G", BODIES, JOINTS, MEMORYLESS, "Kalman gain P H* D⁻¹", "SOA-40"),
    LetterInfo("K", "K", "K", BODIES, JOINTS, STRICT, "shifted Kalman gain E_φ G", "SOA-40"),
    bodies("P", "P", "P", MEMORYLESS, "articulated body inertia", "SOA-41", self_adjoint=True),
    LetterInfo("D", "D", "D", JOINTS, JOINTS, MEMORYLESS, "articulated joint inertia H P H*", "SOA-40", True),
    bodies("M", "M", "M", MEMORYLESS, "link inertia", "SOA-3", self_adjoint=True),
    LetterInfo("J_a", "J_a", "J_a", JOINTS, JOINTS, MEMORYLESS, "armature: D = H P H* + J_a", "SOA-41", True),
    LetterInfo("B", "B", "B", BODIES, POINTS, NONE, "points on bodies: carries point forces to bodies", "SOA-98"),
    bodies("S", "S", "S", STRICT, "block shift, identity on the first sub-diagonal", "SOA-7", scope="serial"),
    bodies("Delta_phi", "Δ_φ", r"\Delta_\phi", MEMORYLESS, "diagonal of the steps φ(k+1,k)", "SOA-52", scope="serial"),
    bodies("R", "R", "R", MEMORYLESS, "composite rigid-body inertia", "SOA-31", self_adjoint=True),
    bodies(
        "Upsilon",
        "Υ",
        r"\Upsilon",
        MEMORYLESS,
        "block diagonal of Ω",
        "SOA-75",
        self_adjoint=True,
        scope="serial",
    ),
    LetterInfo("D_sqrt", "D^½", r"D^{1/2}", JOINTS, JOINTS, MEMORYLESS, "symmetric square root of D", "SOA-115", True),
    LetterInfo(
        "D_isqrt", "D^{−½}", r"D^{-1/2}", JOINTS, JOINTS, MEMORYLESS, "inverse square root of D", "SOA-115", True
    ),
    bodies("HH_delta", "ℍ_δ", r"\mathbb{H}_\delta", MEMORYLESS, "ℍ(i) at body i, one revolute joint i", "SOA-118"),
    bodies("HH_s", "ℍ_s", r"\mathbb{H}_s", MEMORYLESS, "ℍ(i) at the bodies outboard of body i", "SOA-118"),
    vector("T", "T", "T", JOINTS, "joint forces", "SOA-22"),
    vector("qd", "θ̇", r"\dot\theta", JOINTS, "joint rates", "SOA-22"),
    vector("qdd", "θ̈", r"\ddot\theta", JOINTS, "joint accelerations", "SOA-22"),
    vector("a", "a", "a", BODIES, "bias accelerations", "SOA-12"),
    vector("b", "b", "b", BODIES, "gyroscopic bias forces", "SOA-15"),
    vector("g", "g", "g", BODIES, "acceleration of the ground, felt by the bodies on it", "SOA-18"),
    vector("f_0", "f(0)", "f(0)", POINTS, "spatial forces the points exert on the environment", "SOA-22"),
    *RATE_CORE,
    *DERIVATION_CORE,
)

DERIVED: tuple[LetterInfo, ...] = (
    bodies("tau", "τ", r"\tau", MEMORYLESS, "projection onto the joint motions", "SOA-40", definition="G H"),
    bodies("tau_bar", "τ̄", r"\bar\tau", MEMORYLESS, "its complement", "SOA-40", definition="I - G H"),
    bodies("E_psi", "E_ψ", r"E_\psi", STRICT, "one articulated step", "SOA-40", definition="E_phi - K H"),
    bodies("phi_tilde", "φ̃", r"\tilde\phi", STRICT, "strictly causal part of φ", "SOA-21", definition="phi - I"),
    bodies("psi_tilde", "ψ̃", r"\tilde\psi", STRICT, "strictly causal part of ψ", "SOA-44", definition="psi - I"),
    LetterInfo("J", "J", "J", POINTS, JOINTS, NONE, "jacobian of the points", "SOA-23", definition="B' phi' H'"),
    LetterInfo(
        "Mass",
        "𝓜",
        r"\mathcal{M}",
        JOINTS,
        JOINTS,
        NONE,
        "joint-space mass matrix",
        "SOA-30",
        self_adjoint=True,
        definition="H phi M phi' H'",
        aliases=("MM",),
    ),
    LetterInfo(
        "Mass_a",
        "𝓜_a",
        r"\mathcal{M}_a",
        JOINTS,
        JOINTS,
        NONE,
        "mass matrix with armature",
        "SOA-41",
        self_adjoint=True,
        definition="H phi M phi' H' + J_a",
    ),
    bodies(
        "Omega",
        "Ω",
        r"\Omega",
        NONE,
        "inverse operational inertia between all bodies",
        "SOA-75",
        self_adjoint=True,
        definition="psi' H' D^-1 H psi",
    ),
    LetterInfo(
        "Omega_0",
        "Ω(0)",
        r"\Omega(0)",
        POINTS,
        POINTS,
        NONE,
        "J 𝓜⁻¹ J* at the points",
        "SOA-72",
        self_adjoint=True,
        definition="B' psi' H' D^-1 H psi B",
    ),
    LetterInfo(
        "Lambda",
        "Λ",
        r"\Lambda",
        POINTS,
        POINTS,
        NONE,
        "operational space inertia",
        "SOA-78",
        self_adjoint=True,
        definition="inv(Omega_0)",
    ),
    bodies(
        "Delta_psi",
        "Δ_ψ",
        r"\Delta_\psi",
        MEMORYLESS,
        "Δ_φ τ̄",
        "SOA-52",
        definition="Delta_phi - Delta_phi G H",
        scope="serial",
    ),
    LetterInfo(
        "L", "L", "L", BODIES, JOINTS, MEMORYLESS, "000's gain", "SOA-52", definition="Delta_phi G", scope="serial"
    ),
    bodies("Phi_000", "Φ₀₀₀", r"\Phi_{000}", STRICT, "000's Φ", "SOA-52", definition="phi S", scope="serial"),
    bodies("Psi_000", "Ψ₀₀₀", r"\Psi_{000}", STRICT, "000's Ψ", "SOA-52", definition="psi S", scope="serial"),
    bodies("Phi_001", "Φ₀₀₁", r"\Phi_{001}", STRICT, "001's Φ", "SOA-57", definition="phi - I"),
    bodies("Psi_001", "Ψ₀₀₁", r"\Psi_{001}", STRICT, "001's Ψ", "SOA-57", definition="psi E_phi"),
    bodies(
        "HH", "ℍ", r"\mathbb{H}", MEMORYLESS, "ℍ(i) at body i and outboard", "SOA-118", definition="HH_s + HH_delta"
    ),
    bodies(
        "dE_phi",
        "∂E_φ",
        r"\partial E_\phi",
        STRICT,
        "derivative of E_φ along one revolute joint, inertial frame",
        "SOA-120",
        definition="HH E_phi - E_phi HH_s",
    ),
    bodies(
        "dphi", "∂φ", r"\partial\phi", STRICT, "derivative of φ, inertial frame", "SOA-121", definition="phi dE_phi phi"
    ),
    LetterInfo(
        "dH", "∂H", r"\partial H", JOINTS, BODIES, MEMORYLESS, "derivative of H", "SOA-120", definition="H HH_s'"
    ),
    bodies(
        "dM",
        "∂M",
        r"\partial M",
        MEMORYLESS,
        "derivative of M, inertial frame",
        "SOA-120",
        self_adjoint=True,
        definition="HH M - M HH",
    ),
    LetterInfo(
        "dMass",
        "∂𝓜",
        r"\partial\mathcal{M}",
        JOINTS,
        JOINTS,
        NONE,
        "derivative of the mass matrix along one revolute joint",
        "SOA-124",
        self_adjoint=True,
        definition="dH phi M phi' H' + H dphi M phi' H' + H phi dM phi' H' + H phi M dphi' H' + H phi M phi' dH'",
    ),
    bodies(
        "delta_phi",
        "δφ",
        r"\delta\phi",
        STRICT,
        "derivative of φ along one joint, link frames",
        "SOA-141",
        definition="phi E_phi HH_delta phi",
    ),
    *RATE_DERIVED,
)

ALPHABET: dict[str, LetterInfo] = {row.name: row for row in (*CORE, *DERIVED)}

#: every accepted spelling of a letter → its name
SPELLINGS: dict[str, str] = {
    spelling: row.name for row in ALPHABET.values() for spelling in (row.name, row.unicode, *row.aliases)
}
