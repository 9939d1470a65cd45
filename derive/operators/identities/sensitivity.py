"""Sections 14 and 17: derivatives of the operators along one revolute joint, as far as ℍ_δ and ℍ_s as letters decide them.

∂ is the derivation of SOA-120 (inertial frame): the letters ∂E_φ, ∂H, ∂M are its values, ∂φ = φ(∂E_φ)φ follows from
φ = (I − E_φ)⁻¹, ∂𝓜 is the product rule. That these are the derivatives of the matrices is checked in `derivatives`.
"""

from derive.operators.identities.entry import Identity, Misprint

ENTRIES = (
    Identity(
        "SOA-121",
        "∂φ",
        "004 (3.34), (3.37), (3.38)",
        ("dphi = phi HH_delta phi - phi HH + HH_s phi", "dphi = phi HH phi_tilde - phi_tilde HH_s phi"),
    ),
    Identity("SOA-122", "∂(Hφ)", "004 (3.41)", ("dH phi + H dphi = H phi (HH_delta phi - HH)",)),
    Identity(
        "SOA-123",
        "∂(φMφ*)",
        "004 (4.42)",
        (
            "dphi M phi' + phi dM phi' + phi M dphi'"
            " = (phi HH_delta + HH_s) phi M phi' - phi M phi' (HH_delta phi' + HH_s)",
        ),
    ),
    Identity(
        "SOA-124",
        "∂𝓜",
        "004 (4.43)",
        ("dMass = H phi (HH_delta phi M - M phi' HH_delta) phi' H'",),
        misprints=(Misprint("E-28", "004 (2.11)", "dMass = H phi (HH_delta' phi M - M phi' HH_delta') phi' H'"),),
    ),
    Identity(
        "SOA-125",
        "∂𝓜 by P",
        "004 Lemma 4.3",
        ("dMass = H phi (HH_delta (I + phi K H) P - P (I + phi K H)' HH_delta) phi' H'",),
    ),
    Identity(
        "SOA-126",
        "∂𝓜 by R",
        "004 (5.51)",
        ("dMass = H (phi (HH_delta R - R HH_delta) phi' + phi HH_delta phi_tilde R - R phi_tilde' HH_delta phi') H'",),
    ),
    Identity(
        "SOA-141",
        "Link frames",
        "extension",
        (
            "delta_phi = phi_tilde HH_delta phi",
            "dMass = H delta_phi M phi' H' + H phi M delta_phi' H'",
        ),
    ),
)
