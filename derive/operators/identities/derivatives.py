"""Sections 14 and 15: derivatives along joints as statements about numbers, and the Christoffel symbols.

What ℍ_δ and ℍ_s decide as letters is in `sensitivity`; here the derivatives are those of matrices, by complex steps.
"""

from functools import partial

from derive.operators.identities.christoffelwise import (
    by_composites,
    by_Y,
    coriolis_forces,
    coriolis_matrix,
    outboard_only,
    symmetries,
)
from derive.operators.identities.derivativewise import (
    SERIAL_LETTERS,
    components,
    composite_as_printed,
    compositions,
    derivation,
    inertial_components,
    inertial_quantities,
    link_rates,
    link_sensitivities,
    log_det,
    operator_rates,
    operator_sensitivities,
    outboard_as_printed,
    phi_blocks,
    pick_off,
    printed_pick_off,
    sensitivity_of_mass,
    shifted_pick_off,
    step_rates,
)
from derive.operators.identities.entry import Identity, Misprint, MotionCheck
from derive.operators.identities.link_frames import CONSTANT_H

_REVOLUTE = ("revolute",)
_SLIDING = ("revolute", "prismatic")
_ONE_FREEDOM = ("revolute", "prismatic", "helical")
_COORDINATES = ("revolute", "prismatic", "helical", "cylindrical", "universal", "planar")
_ONE = "H phi S_i phi M phi' H' + H phi M phi' S_i' phi' H'"
_ANY = "H phi_tilde S_i phi M phi' H' + H phi M phi' S_i' phi_tilde' H'"
_PRINTED = "H phi (S_i phi M - M phi' S_i) phi' H'"

ENTRIES = (
    Identity(
        "SOA-118",
        "Pick-off operators",
        "004 (2.11)–(2.15), Lemma 2.4",
        checks=(
            MotionCheck("ℍⁱ = ℍⁱ_s + ℍⁱ_δ, H(i)ℍ(i) = 0, [H*]_{θ_i} = ℍⁱ_sH*", pick_off, _REVOLUTE),
            MotionCheck("ℍⁱ_s = S*ℍⁱS", shifted_pick_off, _REVOLUTE, serial=True),
            MotionCheck("[ℍⁱX](k,j) = ℍ(i)X(k,j)δ_{k≤i} and its like", compositions, _REVOLUTE),
        ),
        misprints=(
            Misprint.in_numbers("E-28", "004 (2.11)", MotionCheck("ℍ(i) = 𝒮*[H*(i)]", printed_pick_off, _REVOLUTE)),
            Misprint.in_numbers(
                "E-29",
                "004 (2.12)",
                MotionCheck("ℍⁱ_s(k) = ℍ(i)δ_{k>i}", partial(pick_off, small=outboard_as_printed), _REVOLUTE),
            ),
        ),
    ),
    Identity(
        "SOA-119",
        "Derivatives of φ(k+1,k), H(k) and M(k)",
        "004 Lemmas 3.1, 3.2",
        checks=(
            MotionCheck("Ṁ(k), Ḣ*(k), φ̇(p,k) by Ω̃(k) and Ω̃(p)", link_rates, _REVOLUTE),
            MotionCheck("[M(k)], [H*(k)], [φ(p,k)] along θ_i by ℍ(i)", link_sensitivities, _REVOLUTE),
        ),
        note="E-30, in the proof of (3.21), is with SOA-2",
    ),
    Identity(
        "SOA-120",
        "Derivatives of Δ_φ, E_φ, H and M",
        "004 Lemmas 3.3, 3.4",
        checks=(
            MotionCheck("[E_φ] = ℍⁱE_φ − E_φℍⁱ_s, [H*] = ℍⁱ_sH*, [M], [φ]", operator_sensitivities, _REVOLUTE),
            MotionCheck("Ė_φ = Ω̃E_φ − E_φΩ̃_s, Ḣ* = Ω̃_sH*, Ṁ, φ̇, (Hφ)˙", operator_rates, _REVOLUTE),
            MotionCheck("[φ](k,j) and [Hφ](k,j) by φ and ℍ(i)", phi_blocks, _REVOLUTE),
            MotionCheck("[Δ_φ] = ℍⁱ_sΔ_φ − Δ_φℍⁱ_s, Δ̇_φ by Ω̃_s = S*Ω̃S", step_rates, _REVOLUTE, serial=True),
        ),
    ),
    Identity(
        "SOA-127",
        "Components of ∂𝓜",
        "004 Lemma 5.3",
        checks=(
            MotionCheck("𝓜_{θ_i}(j,k) by φ, R and ℍ", components, _REVOLUTE),
            MotionCheck("𝓜_{θ_i}(j,k) by H_𝕀, R_𝕀 and ℍ_𝕀", inertial_components, _ONE_FREEDOM),
        ),
        misprints=(
            Misprint.in_numbers(
                "E-32",
                "004 (5.52)",
                MotionCheck("no case j ≤ i < k", partial(inertial_components, printed=True), _REVOLUTE),
            ),
        ),
    ),
    Identity(
        "SOA-128",
        "Inertially referenced quantities",
        "004 (5.47)–(5.50)",
        checks=(MotionCheck("H_𝕀*, ℍ_𝕀 and −𝒬[X]H_𝕀* = ℍ_𝕀X", inertial_quantities, _SLIDING),),
        misprints=(
            Misprint.in_numbers(
                "E-31",
                "004 (5.50)",
                MotionCheck(
                    "R_𝕀(k) = φ(n,k)R(k)φ*(n,k)",
                    partial(inertial_components, composite=composite_as_printed),
                    _REVOLUTE,
                ),
            ),
        ),
    ),
    Identity(
        "SOA-129",
        "Any joint, trees, and the articulated letters",
        "extension; 004 §1.1 says it can be done",
        statements=(
            "inv(Mass) H phi_tilde = (I - H psi K)' D^-1 H psi E_phi",
            "phi M phi' H' inv(Mass) = (P psi' + phi_tilde P) H' D^-1 (I - H psi K)",
            "phi M phi' H' inv(Mass) H phi = P Omega + phi - psi",
        ),
        checks=(
            MotionCheck("∂E_φ = E_φ𝒮, …, ∂ψ = ψ(∂E_ψ)ψ in link frames", derivation),
            MotionCheck("the same and 𝒲X − X𝒲 in inertial axes", partial(derivation, frame="inertial"), CONSTANT_H),
            MotionCheck("∂Δ_φ = Δ_φ𝒮 on chains", partial(derivation, letters=SERIAL_LETTERS), serial=True),
            MotionCheck(
                "∂S = 0, ∂Δ_φ by 𝒲 and S*𝒲S in inertial axes",
                partial(derivation, frame="inertial", letters=SERIAL_LETTERS[:2]),
                CONSTANT_H,
                serial=True,
            ),
            MotionCheck(f"∂𝓜 = {_ANY}", partial(sensitivity_of_mass, text=_ANY), CONSTANT_H),
            MotionCheck(f"∂𝓜 = {_ONE}", partial(sensitivity_of_mass, text=_ONE), _ONE_FREEDOM),
            MotionCheck("∂ log det 𝓜 = tr(D⁻¹∂D) = 2Hu", log_det, CONSTANT_H),
        ),
        misprints=(
            Misprint.in_numbers(
                "E-35",
                "004 (4.43) for sliding joints",
                MotionCheck(f"∂𝓜 = {_PRINTED}", partial(sensitivity_of_mass, text=_PRINTED), _SLIDING),
            ),
        ),
        note="with the statements, ∂𝓜⁻¹ = −𝓜⁻¹∂𝓜𝓜⁻¹ is a product of sweeps",
    ),
    Identity(
        "SOA-130",
        "Christoffel symbols",
        "004 (5.53)",
        checks=(
            MotionCheck("𝓒(i) = θ̇*ℂ_iθ̇", coriolis_forces, _COORDINATES),
            MotionCheck("Σ_k ℂ_i(j,k)θ̇_k = Hφ(Mφ*Ṽ + 𝓑φ*)H*, Ṁ − 2𝖢 skew", coriolis_matrix, _ONE_FREEDOM),
        ),
    ),
    Identity(
        "SOA-131",
        "Symmetries of the Christoffel symbols",
        "004 §5.3",
        checks=(
            MotionCheck("the four symmetries", symmetries, _SLIDING),
            MotionCheck("ℂ_i(j,k) depends on θ(1) … θ(m−1) alone, m = max(i,j,k)", outboard_only, _ONE_FREEDOM),
        ),
    ),
    Identity(
        "SOA-132",
        "Christoffel symbols by composite bodies",
        "004 Lemma 5.4",
        checks=(MotionCheck("ℂ_i(j,k) for j inboard of k and i", by_composites, _REVOLUTE),),
    ),
    Identity(
        "SOA-133",
        "Christoffel symbols by 𝒴, and the Coriolis matrix by composite bodies",
        "004 Lemma 5.5; extension",
        statements=("CC = H phi (DD_R + Gamma) H' + H (Gamma + BB_R) phi_tilde' H' + H R phi_tilde' X_V",),
        checks=(MotionCheck("ℂ_i(j,k) case by case", by_Y, _REVOLUTE, serial=True),),
        misprints=(
            Misprint.in_numbers(
                "E-33",
                "004 (5.55)",
                MotionCheck("no case j = k ≠ i", partial(by_Y, printed=True), _REVOLUTE, serial=True),
            ),
        ),
    ),
    Identity(
        "SOA-134",
        "Sliding joints",
        "extension",
        checks=(MotionCheck("ℂ_i(j,k) by 𝒴 with sliding joints", by_Y, _SLIDING, serial=True),),
    ),
)
