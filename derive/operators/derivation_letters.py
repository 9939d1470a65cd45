"""Letters of derivatives along a joint motion i (and a second one, j), in link frames; `differentiate` writes them.

Turning joint i by its motion s = H*(i)e moves what is outboard as one body. In link frames only the step past joint i
notices, ∂φ(p,i) = φ(p,i)𝒮[s] with 𝒮[s] = −s̃* [SOA-5], and H(i) where it is not constant in its body. Operators in
inertial axes turn with their bodies besides: 𝒲 is that turn, skew.
"""

from __future__ import annotations

from derive.operators.letter_info import LetterInfo, bodies
from derive.operators.spaces import BODIES, JOINTS, Structure

INDICES = {"i": "ᵢ", "j": "ⱼ"}
MEMORYLESS = Structure.MEMORYLESS


def _letters(index: str, mark: str) -> tuple[LetterInfo, ...]:
    def latex(symbol: str) -> str:
        return rf"\partial_{index} {symbol}"

    return (
        bodies(f"S_{index}", f"𝒮{mark}", rf"\mathcal{{S}}_{index}", MEMORYLESS, f"𝒮[H*e] at joint {index}", "SOA-129"),
        bodies(
            f"W_{index}",
            f"𝒲{mark}",
            rf"\mathcal{{W}}_{index}",
            MEMORYLESS,
            f"how bodies outboard of joint {index} turn, diag(h̃, h̃) in their own axes",
            "SOA-129",
        ),
        LetterInfo(
            f"dH_{index}",
            f"∂{mark}H",
            latex("H"),
            JOINTS,
            BODIES,
            MEMORYLESS,
            f"change of H in its own body along joint {index}: of universal and planar joints",
            "SOA-129",
        ),
        bodies(
            f"dP_{index}",
            f"∂{mark}P",
            latex("P"),
            MEMORYLESS,
            f"derivative of P along joint {index}: solves the differentiated Riccati equation",
            "SOA-129",
            self_adjoint=True,
        ),
        bodies(
            f"dR_{index}",
            f"∂{mark}R",
            latex("R"),
            MEMORYLESS,
            f"derivative of R along joint {index}: E_φ(∂R + 𝒮R + R𝒮*)E_φ*",
            "SOA-129",
            self_adjoint=True,
        ),
    )


DERIVATION_CORE: tuple[LetterInfo, ...] = tuple(row for index, mark in INDICES.items() for row in _letters(index, mark))
