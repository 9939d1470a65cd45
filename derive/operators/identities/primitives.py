"""Section 1 of the specification: spatial vectors, transition matrices, spatial inertia."""

from functools import partial

from derive.operators.identities.blockwise import shift_operator
from derive.operators.identities.entry import BlockCheck, Identity, Misprint, VectorCheck
from derive.operators.identities.vectorwise import (
    companions,
    cross_product,
    gyroscopic_identity,
    inertia_by_parallel_axes,
    kinetic_energy,
    tilde,
    transformation_rules,
    transition_group,
    transition_moves_vectors,
    transition_rate,
)

ENTRIES = (
    Identity(
        "SOA-1",
        "Tilde",
        "000-I (2.15); 003 §3",
        checks=(VectorCheck("x̃y = x × y, x̃* = −x̃", tilde),),
    ),
    Identity(
        "SOA-2",
        "Rigid transition matrix",
        "000-I (3.1)–(3.3); 001 (3)–(5); 002 §2; 003 §2; 004 §1.1, (3.22)",
        checks=(
            VectorCheck("φ(i,i) = I, φ⁻¹(i,j) = φ(j,i), φ(i,k)φ(k,j) = φ(i,j)", transition_group),
            VectorCheck("φ moves forces inwards, φ* velocities outwards", transition_moves_vectors),
            VectorCheck("φ̇ = [[0, ω̃ℓ̃ − ℓ̃ω̃], [0, 0]] for ℓ̇ = ω × ℓ", transition_rate),
        ),
        misprints=(
            Misprint.in_numbers(
                "E-30",
                "004 (3.22)",
                VectorCheck("φ̇ = [[0, ω̃ℓ̃], [0, 0]]", partial(transition_rate, commutator=False)),
            ),
        ),
    ),
    Identity(
        "SOA-3",
        "Spatial inertia",
        "000-I (2.15); 001 (2); 002 §2; 003 §3",
        checks=(
            VectorCheck("M = φ(p) diag(𝓘_C, mI) φ*(p), 𝓘 = 𝓘_C − m p̃p̃", inertia_by_parallel_axes),
            VectorCheck("kinetic energy is ½V*MV", kinetic_energy),
        ),
    ),
    Identity(
        "SOA-4",
        "Spatial cross product",
        "004 (2.5), (2.6)",
        checks=(VectorCheck("ÃA = 0, ÃB = −B̃A, (ÃB)˜ = ÃB̃ − B̃Ã, Jacobi", cross_product),),
        note="z̃ is not a skew matrix, as 004's proof has it: the statement is right, the proof is not",
    ),
    Identity(
        "SOA-5",
        "Companions 𝒮 and 𝒬",
        "004 (2.7)–(2.9)",
        checks=(VectorCheck("𝒮[A] = −Ã*, 𝒬* = −𝒬, Ã*B = 𝒬[B]A, 𝒮[A]B = −𝒬[B]A", companions),),
    ),
    Identity(
        "SOA-6",
        "Transformation rules",
        "004 Lemma 2.3",
        checks=(
            VectorCheck(
                "𝒬[φX] = φ𝒬[X]φ*, 𝒮[φ*X] = φ⁻¹𝒮[X]φ, (φ*X)˜φ* = φ*X̃, one frame",
                partial(transformation_rules, rotated=False),
            ),
            VectorCheck("the same for φ with rotation", transformation_rules),
        ),
    ),
    Identity(
        "SOA-7",
        "Shift operator",
        "004 Lemma 2.1",
        checks=(BlockCheck("(SAS*)SB = SAB … for block-diagonal A, B", shift_operator, serial=True),),
        note="serial chains only: on a tree S*AS is not block diagonal",
    ),
    Identity(
        "SOA-8",
        "Gyroscopic identity",
        "000-I after (2.23)",
        checks=(VectorCheck("ω × 𝓘_Cω + m p × (ω × (ω × p)) = ω × 𝓘ω", gyroscopic_identity),),
    ),
)
