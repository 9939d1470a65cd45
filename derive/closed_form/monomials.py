"""Monomials as integers: eight bits an exponent, so that a product is a sum."""

from __future__ import annotations

from functools import lru_cache

BITS = 8
FIELD = (1 << BITS) - 1


def exponent(monomial: int, bit: int) -> int:
    """The exponent of the variable whose monomial is `bit`."""
    return (monomial >> (bit.bit_length() - 1)) & FIELD


def divides(a: int, b: int) -> bool:
    """Whether monomial a divides b."""
    return all((b >> shift) & FIELD >= power for shift, power in exponents(a))


@lru_cache(maxsize=1 << 16)
def exponents(monomial: int) -> tuple[tuple[int, int], ...]:
    """Where the exponents of a monomial stand that are not zero, and what they are."""
    found = []
    while monomial:
        shift = ((monomial & -monomial).bit_length() - 1) // BITS * BITS
        power = (monomial >> shift) & FIELD
        monomial ^= power << shift
        found.append((shift, power))
    return tuple(found)
