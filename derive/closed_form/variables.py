"""The generators of the ring of closed forms: parameters, coordinates, rates, cosines and sines of angles, and names."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

Angle: TypeAlias = tuple[tuple[tuple[int, Fraction], ...], Fraction]  # Σ multiplier·q[i], plus an offset


class Kind(Enum):
    """What a variable stands for; the order is that in which factors are printed."""

    PARAMETER = "parameter"
    CONSTANT = "constant"  # an abbreviation for a polynomial in parameters
    LET = "let"  # a quantity shown elsewhere, such as an entry of P(3)
    RATE = "rate"
    COORDINATE = "coordinate"
    SIN = "sin"
    COS = "cos"
    INVERSE = "inverse"  # one over another variable, see Ring.inverses


@dataclass(frozen=True)
class Variable:
    """One generator of the ring; `angle` is what a sine or cosine is of, `index` the coordinate, rate or order of listing."""

    name: str
    kind: Kind
    index: int = 0
    angle: Angle | None = None


def sine_of(cosine: Variable) -> Variable:
    """The sine of the same angle."""
    assert cosine.angle is not None
    return Variable(f"s{cosine.name[1:]}", Kind.SIN, cosine.index, cosine.angle)


def angle_name(angle: Angle) -> str:
    """How the angle is written after c or s: 1-based coordinates, such as 23 for q2 + q3; unambiguous for any angle."""
    parts, offset = angle
    plain = not offset and all(m == 1 for _, m in parts) and (len(parts) == 1 or all(i < 9 for i, _ in parts))
    if plain:
        return "".join(str(i + 1) for i, _ in parts)
    pieces = [f"{'m' if m < 0 else ''}{'' if abs(m) == 1 else f'{abs(m)}x'}{i + 1}" for i, m in parts]
    if offset:
        pieces.append(f"{'m' if offset < 0 else ''}o{abs(offset)}")
    return "_" + "_".join(pieces).replace("/", "d").replace(".", "p")


def oriented(angle: Angle) -> tuple[Angle, int]:
    """The angle or its negative, whichever starts with a positive multiplier, and the sign taken out."""
    parts, offset = angle
    if parts and parts[0][1] < 0:
        return (tuple((i, -m) for i, m in parts), -offset), -1
    return angle, 1


@lru_cache(maxsize=4096)
def exact_fraction(number: float | Fraction) -> Fraction:
    """A float as its shortest decimal says, 0.1 as 1/10; rationals as they are."""
    return Fraction(repr(float(number))) if isinstance(number, float) else Fraction(number)
