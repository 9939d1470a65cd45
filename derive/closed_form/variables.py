"""The generators of the ring of closed forms: parameters, coordinates, rates, cosines and sines of angles, and names."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache
from typing import TypeAlias

LONGEST = 15  # digits that every float keeps
PLAIN = 12  # digits up to which a decimal is taken for what a file says or the product of two such: chance is 1 in 1000
NOISE = 2  # units in the last place by which a float may miss it
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

    def __hash__(self) -> int:
        """Of the name, which strings remember: variables are looked up more often than anything else."""
        return hash(self.name)


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
    """A float as its shortest decimal says, 0.1 as 1/10; rationals as they are.

    What loading did in floats is taken back where it shows: 0.0028799999999999997, which is 0.09·0.032, is 0.00288.
    """
    if not isinstance(number, float):
        return Fraction(number)
    short = f"{number:.{LONGEST}g}"
    near = abs(float(short) - number) <= NOISE * math.ulp(number)
    return Fraction(short if near and _digits(short) <= PLAIN else repr(float(number)))


def _digits(decimal: str) -> int:
    """Significant digits of a decimal."""
    mantissa = decimal.partition("e")[0].lstrip("-").replace(".", "")
    return len(mantissa.strip("0"))
