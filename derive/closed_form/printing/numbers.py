"""Numbers in formulas: exact rationals, or decimals that round-trip through a float, or decimals for reading."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import TypeAlias

Style: TypeAlias = Callable[[Fraction], str]


def exact(number: Fraction) -> str:
    """An integer, or p/q."""
    return str(number)


def decimal(number: Fraction) -> str:
    """The shortest decimal that is the same float; small integers as they are."""
    if number.denominator == 1 and abs(number) < 10**6:
        return str(number.numerator)
    return repr(float(number))


def rounded(digits: int) -> Style:
    """Decimals with so many significant digits, for reading."""

    def shown(number: Fraction) -> str:
        if number.denominator == 1 and abs(number) < 10**6:
            return str(number.numerator)
        return f"{float(number):.{digits}g}"

    return shown
