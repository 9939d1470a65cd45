"""Sections 6, 7 and 10 of the specification: forward dynamics, tip forces, operational space, trees."""

from derive.operators.identities.blockwise import (
    floating_base,
    jacobian_columns,
    omega_from_its_diagonal,
    omega_on_a_tree,
    phi_blocks,
    step_is_nilpotent,
    tree_forward_dynamics,
    upsilon_recursion,
)
from derive.operators.identities.entry import BlockCheck, Identity, Misprint, MotionCheck, VectorCheck
from derive.operators.identities.motionwise import (
    ball_configuration,
    equations_of_motion,
    innovations,
    operator_dynamics,
)
from derive.operators.identities.vectorwise import (
    quaternion_inverse,
    quaternion_kinematics,
    quaternion_left_inverse,
)
from derive.random_models import ONE_DOF

_BALLS = ("spherical", "revolute")
_BIAS = "H phi (M phi' a + b + B f_0)"
_QDD = f"inv(Mass) (T - {_BIAS})"  # the accelerations, by definition

ENTRIES = (
    Identity(
        "SOA-60",
        "FD1: four sweeps",
        "000-I (4.17)–(4.22); 001 (47)–(54); 003 (14), (15)",
        (f"{_QDD} = (I - H psi K)' D^-1 (I - H psi K) (T - {_BIAS})",),
        misprints=(
            Misprint(
                "E-5",
                "000-I (4.20), 000-II (5.10c), 002 (A.2)",
                f"{_QDD} = (I - H psi K)' D^-1 (T - H psi K (T - {_BIAS}))",
            ),
        ),
    ),
    Identity(
        "SOA-61",
        "FD2: link accelerations",
        "000-I (5.5)–(5.7), (4.21b), (4.23); 001 (55)–(59)",
        (
            f"phi' (H' {_QDD} + a) = psi' H' D^-1 (I - H psi K) (T - {_BIAS}) + phi' a",
            f"phi' (H' {_QDD} + a) = (tau_bar' E_phi' psi' H' + H') D^-1 (I - H psi K) (T - {_BIAS}) + phi' a",
        ),
    ),
    Identity(
        "SOA-62",
        "FD3: three sweeps",
        "000-I (5.8)–(5.10); 001 (60)–(65); 000-II (5.13), (5.14)",
        (
            f"(I - H psi K) (T - {_BIAS}) = T - H psi (K T + M phi' a + b + B f_0)",
            f"{_QDD} = (I - H psi K)' D^-1 (T - H psi (K T + M phi' a + b + B f_0))",
        ),
        misprints=(
            Misprint(
                "E-13",
                "001 (63)–(65)",
                f"{_QDD} = (I - H psi K)' D^-1 (T - H psi (K T + M phi' a + b + 2 B f_0))",
            ),
        ),
    ),
    Identity(
        "SOA-63",
        "FD4: three sweeps, the articulated-body algorithm",
        "000-I (5.13)–(5.17); 001 (66)–(73)",
        (
            f"{_QDD} = (I - H psi K)' (D^-1 (I - H psi K) T - D^-1 H psi_tilde P a - D^-1 H psi (b + B f_0))"
            " - K' psi' tau_bar' a - G' a",
            "H psi_tilde P a = H psi tau_bar P a",
            "H psi_tilde P a = H psi P a - H P a",
            "D^-1 H psi_tilde P a + D^-1 H psi (b + B f_0) = D^-1 H psi (tau_bar P a + b + B f_0)",
        ),
        misprints=(
            Misprint(
                "E-11",
                "001 (67)",
                "D^-1 H psi_tilde P a + D^-1 H psi (b + B f_0) = D^-1 H psi ((I - G H) P a + b + B f_0) - D^-1 H P a",
            ),
        ),
    ),
    Identity(
        "SOA-64",
        "Interbody forces",
        "extension",
        (f"phi (M phi' (H' {_QDD} + a) + b + B f_0) = P phi' (H' {_QDD} + a) + psi_tilde P a + psi (K T + b + B f_0)",),
    ),
    Identity(
        "SOA-66",
        "Mobile base",
        "000-I App. B (b.1)–(b.10); 001 §VIII (74)–(79)",
        checks=(BlockCheck("D(n) = P(n), G(n) = I, τ̄(n) = 0", floating_base, floating=True),),
    ),
    Identity(
        "SOA-67",
        "Quaternion kinematics",
        "000-I (b.3)–(b.5), corrected; explicit A(q) is an extension",
        checks=(
            VectorCheck("q̇ = A(q)ω gives Ṙ = ω̃R, in body axes Ṙ = Rω̃", quaternion_kinematics),
            VectorCheck("Π = 4A*: ΠA = I₃, AΠ = I₄ − qq*", quaternion_left_inverse),
        ),
        misprints=(Misprint.in_numbers("E-8", "000-I (b.3)", VectorCheck("AΠ = I₄", quaternion_inverse)),),
    ),
    Identity(
        "SOA-68",
        "Ball joints",
        "000-I App. B",
        checks=(
            MotionCheck("q̇ = A(q)β turns the joint", ball_configuration, _BALLS),
            MotionCheck("V, α, f and T of chains and trees with ball joints", operator_dynamics, _BALLS),
        ),
    ),
    Identity(
        "SOA-70",
        "Free plus correction",
        "003 §5.1; 000-II (4.1)–(4.4)",
        (f"{_QDD} = inv(Mass) (T - H phi (M phi' a + b)) - inv(Mass) J' f_0",),
    ),
    Identity(
        "SOA-71",
        "Tip-force correction",
        "003 (17), (18); 000-II (6.2)–(6.5)",
        ("inv(Mass) J' f_0 = (I - H psi K)' D^-1 H psi B f_0", "inv(Mass) J' = (I - H psi K)' D^-1 H psi B"),
        misprints=(
            Misprint("E-7", "000-II (6.4)", "inv(Mass) J' f_0 = - (I - H psi K)' D^-1 H psi B f_0"),
            Misprint("E-7", "000-II (6.5a)", "inv(Mass) J' f_0 = (I - H psi K)' D^-1 psi B f_0", ill_typed=True),
            Misprint("E-19", "002 (A.6)", "inv(Mass) J' f_0 = (I - H psi K)' D^-1 H psi K B f_0", ill_typed=True),
        ),
    ),
    Identity(
        "SOA-72",
        "Ω(0)",
        "003 (19), (20); 000-II (6.6), (6.7)",
        ("J inv(Mass) J' = B' psi' H' D^-1 H psi B", "Omega_0 = B' Omega B"),
    ),
    Identity("SOA-73", "J𝓜⁻¹", "000-II (6.12)", ("J inv(Mass) = B' psi' H' D^-1 (I - H psi K)",)),
    Identity(
        "SOA-74",
        "Bias-free link accelerations",
        "002 Step B",
        ("phi' H' inv(Mass) T = psi' H' D^-1 (I - H psi K) T",),
        misprints=(Misprint("E-18", "002 (A.2)", "phi' H' inv(Mass) T = psi' D^-1 (I - H psi K) T", ill_typed=True),),
    ),
    Identity(
        "SOA-75",
        "Ω and Υ, serial chain",
        "002 (A.3), (A.4) Lemma 5",
        ("Upsilon - E_psi' Upsilon E_psi = H' D^-1 H", "Omega = Upsilon + psi_tilde' Upsilon + Upsilon psi_tilde"),
        misprints=(
            Misprint("E-7", "000-II (6.9b)", "Upsilon - E_psi' Upsilon E_psi = H' D^-1 H'", ill_typed=True),
            Misprint.in_numbers(
                "E-16",
                "002 Lemma 5",
                BlockCheck("Ω = Υ + ψ̃*Υ + Υψ̃ on trees", omega_from_its_diagonal),
            ),
        ),
        note="serial chains only: 002 claims it for trees, where sibling branches couple, see SOA-77",
    ),
    Identity(
        "SOA-76",
        "Recursion for Υ",
        "003 §5.2; 000-II (6.8)–(6.10)",
        checks=(BlockCheck("Υ(k) = ψ*(p,k)Υ(p)ψ(p,k) + H*(k)D⁻¹(k)H(k)", upsilon_recursion),),
    ),
    Identity(
        "SOA-77",
        "Full Ω on a tree",
        "002 (A.3)–(A.5), corrected",
        checks=(BlockCheck("Ω(i,j) = ψ*(c,i)Υ(c)ψ(c,j), c the closest common ancestor", omega_on_a_tree),),
    ),
    Identity("SOA-78", "Operational space inertia", "003 §5.2", ("Lambda = inv(J inv(Mass) J')", "Lambda Omega_0 = I")),
    Identity(
        "SOA-95",
        "Connectivity",
        "002 (2.6), (2.7)",
        checks=(BlockCheck("E_φ is strictly lower triangular and nilpotent", step_is_nilpotent),),
    ),
    Identity(
        "SOA-96",
        "φ on a tree",
        "002 (2.9), (2.10)",
        ("phi = I + E_phi phi",),
        (BlockCheck("φ(i,j) multiplies the steps from j to its ancestor i, else 0", phi_blocks),),
    ),
    Identity(
        "SOA-97",
        "Tree dynamics",
        "002 (2.8), (2.11), (2.12)",
        checks=(
            MotionCheck("V = φ*H*β, α = φ*(H*β̇ + a), f = φ(Mα + b + Bf(0)), T = Hf", operator_dynamics),
            MotionCheck("T = 𝓜β̇ + 𝓒 + J*f(0)", equations_of_motion),
        ),
    ),
    Identity(
        "SOA-98",
        "Jacobian for points",
        "002 (2.13), (2.14)",
        ("J = B' phi' H'",),
        (BlockCheck("columns of J: φ*(k,C)H*(k)", jacobian_columns),),
    ),
    Identity(
        "SOA-99",
        "Tree recursions",
        "002 (A.1), (A.2)",
        checks=(BlockCheck("the two loops of (A.2) solve 𝓜β̇ = T̂", tree_forward_dynamics),),
    ),
    Identity(
        "SOA-105",
        "Constraint matrix in innovations coordinates",
        "002 (3.13), corrected",
        ("J inv(Mass) J' = (D_isqrt H psi B)' D_isqrt H psi B",),
        misprints=(Misprint("E-39", "002 (3.13)", "J inv(Mass) J' = (H psi B)' H psi B"),),
        note="with A = I; the closed-chain solution itself belongs to the closed-chain results",
    ),
    Identity(
        "SOA-115",
        "Innovations coordinates",
        "003 §6",
        (
            "Mass = (I + H phi K) D_sqrt ((I + H phi K) D_sqrt)'",
            "inv((I + H phi K) D_sqrt) = D_isqrt (I - H psi K)",
            "qd' Mass qd = (D_sqrt (I + H phi K)' qd)' D_sqrt (I + H phi K)' qd",
        ),
        misprints=(Misprint("E-25", "003 §6", "inv((I + H phi K) D_sqrt) T = D_isqrt (I - H phi K) T"),),
    ),
    Identity(
        "SOA-116",
        "Energy structure",
        "extension of 003 §6",
        ("(D_isqrt (I - H psi K) T)' D_sqrt (I + H phi K)' qd = T' qd",),
        (MotionCheck("ν̇ + μ = ε, ½ν*ν is the kinetic energy, ν*μ = 0", innovations, ONE_DOF),),
        (Misprint("E-25", "003 §6", "(D_isqrt (I - H phi K) T)' D_sqrt (I + H phi K)' qd = T' qd"),),
        note="ν*μ = 0 in numbers for joints with one degree of freedom",
    ),
)
