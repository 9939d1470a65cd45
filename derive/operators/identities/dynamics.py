"""Sections 2–4 of the specification: the operator form of the dynamics, the mass matrix, composite bodies."""

from derive.operators.identities.blockwise import (
    composite_plus_q,
    covariance,
    mass_matrix_blocks,
    mass_matrix_is_positive_definite,
    phi_blocks,
    step_is_nilpotent,
    sum_over_outboard_bodies,
    two_families,
)
from derive.operators.identities.entry import BlockCheck, Identity, Misprint, MotionCheck
from derive.operators.identities.motionwise import operator_dynamics

ENTRIES = (
    Identity(
        "SOA-19",
        "Implicit stacked form",
        "002 (2.2), (2.8)",
        (
            "phi' H' qd = E_phi' phi' H' qd + H' qd",
            "phi' (H' qd + a) = E_phi' phi' (H' qd + a) + H' qd + a",
            "phi (M phi' a + b + B f_0) = E_phi phi (M phi' a + b + B f_0) + M phi' a + b + B f_0",
        ),
    ),
    Identity(
        "SOA-20",
        "E_φ and φ",
        "000-I (3.4)–(3.10); 001 (17); 002 (2.3), (2.4); 003 §2, 4; 004 (1.3), (1.4)",
        ("inv(phi) = I - E_phi", "phi = inv(I - E_phi)", "phi (I - E_phi) = I", "(I - E_phi) phi = I"),
        (BlockCheck("E_φⁿ = 0", step_is_nilpotent), BlockCheck("φ(i,j) is the product of steps", phi_blocks)),
    ),
    Identity(
        "SOA-21",
        "Operators are recursions",
        "002 §2.1; 003 §4",
        (
            "E_phi phi = phi - I",
            "phi E_phi = phi - I",
            "phi_tilde = phi E_phi",
            "E_psi psi = psi - I",
            "psi E_psi = psi - I",
        ),
    ),
    Identity(
        "SOA-22",
        "Operator dynamics",
        "000-I (3.12)–(3.18); 001 (21), (24), (25); 002 (2.5); 004 (1.1), (1.2)",
        checks=(
            MotionCheck("V = φ*H*θ̇, α = φ*(H*θ̈ + a), f = φ(Mα + b + Bf(0)), T = Hf", operator_dynamics, serial=True),
        ),
        misprints=(Misprint("E-6", "000-I (5.13), 001 (66)", "phi' H' qd = B' phi' H' qd", ill_typed=True),),
        note="chains here; trees are SOA-97",
    ),
    Identity(
        "SOA-23",
        "Jacobian",
        "000-I (3.7), (3.13), (3.16); 001 (18)–(21); 003 (1)",
        ("J = B' phi' H'", "J' = H phi B", "J' f_0 = H phi B f_0", "J qd = B' phi' H' qd"),
        misprints=(Misprint("E-6", "000-II §5", "J qd = B' H' phi' qd", ill_typed=True),),
    ),
    Identity(
        "SOA-24",
        "Equations of motion",
        "000-I (3.20); 001 (22), (23); 002 (2.5); 003 (2)–(5); 004 (1.2)",
        ("Mass = H phi M phi' H'", "H phi (M phi' (H' qd + a) + b + B f_0) = Mass qd + H phi (M phi' a + b) + J' f_0"),
        misprints=(Misprint("E-27", "004 (1.2)", "Mass = H phi M phi H'"),),
    ),
    Identity(
        "SOA-25",
        "Bias-free form",
        "000-I (3.22), (3.23); 001 (26), (27); 003 (6), (7), (14)",
        ("T - H phi (M phi' a + b + B f_0) = T - H phi (M phi' a + b) - J' f_0",),
    ),
    Identity(
        "SOA-26",
        "Covariance model",
        "000-I (4.1)–(4.3); 001 §X.A",
        checks=(BlockCheck("𝓜 = (HφM^½)(HφM^½)*", covariance),),
    ),
    Identity(
        "SOA-30",
        "Newton–Euler factorization",
        "as SOA-24",
        ("Mass = H phi M phi' H'",),
        (BlockCheck("𝓜 is positive definite", mass_matrix_is_positive_definite),),
    ),
    Identity(
        "SOA-31",
        "Composite rigid-body inertia",
        "000-I (a.44); 001 (29)–(31); 004 (5.44)",
        ("M = R - E_phi R E_phi'",),
        (BlockCheck("R(k) = Σ φ(k,i)M(i)φ*(k,i)", sum_over_outboard_bodies),),
    ),
    Identity(
        "SOA-32",
        "Lemma A.1, two transition families",
        "000-I Lemma A.1, Corollary A.1 (a.44), (a.45)",
        checks=(BlockCheck("XMZ* = r + X̃r + rZ̃*", two_families, serial=True),),
    ),
    Identity(
        "SOA-33",
        "Composite decomposition",
        "000-I (a.45); 001 Identity 1 (28)",
        ("phi M phi' = R + phi_tilde R + R phi_tilde'", "phi M phi' = phi R + R phi' - R"),
    ),
    Identity(
        "SOA-34",
        "Composite evaluation of 𝓜",
        "001 (30)–(33); 004 (5.45), (5.46)",
        ("Mass = H R H' + H phi_tilde R H' + H R phi_tilde' H'",),
        (BlockCheck("𝓜(i,j) = H(i)φ(i,j)R(j)H*(j), zero between branches", mass_matrix_blocks),),
    ),
    Identity(
        "SOA-35",
        "R = P + q",
        "001 proof of Identity 2",
        checks=(BlockCheck("q(k) = Σ φ(k,i)G(i)D(i)G*(i)φ*(k,i), i < k", composite_plus_q, serial=True),),
        note="no system here has rules for R and P together",
    ),
)
