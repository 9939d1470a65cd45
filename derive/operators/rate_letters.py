"""Letters of a robot in motion, in link frames: what derivatives with respect to q and q̇ are written in.

V is the stacked velocity, W what body k has of its parent's (V without its own joint's rates), A the same of the
acceleration, f the force across the joint. A tilde is the cross-product matrix [SOA-4], 𝒬[f] its companion [SOA-5].
𝓑 is the Coriolis block of a body: 𝓑[M,V] = −½(Ṽ*M + MṼ + 𝒬[MV]). It is linear in both, and moves with the frame, so
the blocks of φ𝓑φ* are 𝓑[R,V] + Γ with Γ = E_φ(Γ + 𝓑[R,H*θ̇])E_φ*. 𝒟[R,V] = RṼ + 𝓑[R,V] is skew, and knows only the
angular part of V.
"""

from __future__ import annotations

from dataclasses import replace

from derive.operators.letter_info import LetterInfo, bodies, vector
from derive.operators.spaces import BODIES, JOINTS, PAIRS, POINTS, Structure

MEMORYLESS = Structure.MEMORYLESS


def _columns(name: str, meaning: str, soa: str, definition: str) -> LetterInfo:
    """A block-diagonal letter that gives one spatial vector per freedom."""
    symbol = f"X_{name[-1]}"
    return LetterInfo(name, symbol, symbol, BODIES, JOINTS, MEMORYLESS, meaning, soa, definition=definition)


RATE_CORE: tuple[LetterInfo, ...] = (
    bodies("Vx", "Ṽ", r"\tilde V", MEMORYLESS, "cross-product matrices of the velocities V = φ*H*θ̇", "SOA-142"),
    bodies("Wx", "W̃", r"\tilde W", MEMORYLESS, "the same of W = V − H*θ̇, the parents' velocities", "SOA-142"),
    bodies("Ax", "Ã", r"\tilde A", MEMORYLESS, "the same of the parents' accelerations", "SOA-142"),
    bodies("Dx", "Δ̃", r"\tilde\Delta", MEMORYLESS, "the same of H*θ̇; Δ̃H* is zero for joints of one freedom", "SOA-142"),
    bodies("Qf", "𝒬_f", r"\mathcal{Q}_f", MEMORYLESS, "𝒬[f] of the forces f = φ(Mα + b)", "SOA-5"),
    bodies("BB", "𝓑", r"\mathcal{B}", MEMORYLESS, "Coriolis blocks of the links, 𝓑[M,V]", "SOA-130"),
    bodies("BB_R", "𝓑_R", r"\mathcal{B}_R", MEMORYLESS, "Coriolis blocks of the composite bodies, 𝓑[R,V]", "SOA-133"),
    bodies(
        "Gamma", "Γ", r"\Gamma", MEMORYLESS, "Coriolis blocks of the outboard joints: E_φ(Γ + 𝓑[R,Δ])E_φ*", "SOA-133"
    ),
    LetterInfo(
        "DD_S",
        "𝒟_S",
        r"\mathcal{D}_S",
        BODIES,
        PAIRS,
        Structure.CAUSAL,
        "at body j, for freedoms i inboard and j: 𝒟[R(j), φ*(i,j)H*(i)] H*(j)",
        "SOA-133",
    ),
    LetterInfo("V_0x", "v̂₀", r"\hat v_0", POINTS, POINTS, MEMORYLESS, "[ω; v] ↦ [0; v(0) × ω] at the points", "SOA-23"),
    vector("u", "u", "u", BODIES, "s·u(k) = tr(𝒮[s] [φMφ*H*𝓜⁻¹Hφ̃](k,k)): 2Hu is the gradient of log det 𝓜", "SOA-124"),
)

RATE_DERIVED: tuple[LetterInfo, ...] = (
    replace(vector("V", "V", "V", BODIES, "velocities of the bodies", "SOA-11"), definition="phi' H' qd"),
    bodies(
        "DD_R",
        "𝒟_R",
        r"\mathcal{D}_R",
        MEMORYLESS,
        "𝒟[R,V]: RṼ + 𝓑[R,V], which is skew",
        "SOA-133",
        definition="R Vx + BB_R",
    ),
    _columns("X_V", "ṼH*: how the joint maps turn in space", "SOA-119", "Vx H'"),
    _columns("X_W", "W̃H*: change of V along each freedom", "SOA-119", "Wx H'"),
    _columns("X_A", "(Ã + W̃W̃)H*: change of the acceleration along each freedom", "SOA-119", "(Ax + Wx Wx) H'"),
    _columns("X_D", "Δ̃H*: zero for joints of one freedom", "SOA-129", "Dx H'"),
    _columns("X_F", "𝒬[f]H*: minus the change of f as it is turned along each freedom", "SOA-119", "Qf H'"),
    LetterInfo(
        "CC",
        "𝖢",
        r"\mathsf{C}",
        JOINTS,
        JOINTS,
        Structure.NONE,
        "Coriolis matrix of the Christoffel symbols: Ṁ − 2𝖢 is skew",
        "SOA-130",
        definition="H phi (M phi' Vx + BB phi') H'",
    ),
)
