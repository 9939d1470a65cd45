"""Horner's form: what most terms share is taken out in front, again and again.

A length that occurs squared stays inside: m2·(lc2² + l1·lc2·c2), not m2·lc2·(lc2 + l1·c2).
"""

from __future__ import annotations

import math
from fractions import Fraction

from derive.closed_form.expression import Expression, Number, multiplied, summed
from derive.closed_form.forms.terms import Polynomial, Reading
from derive.closed_form.monomials import BITS, FIELD, exponent, exponents
from derive.closed_form.variables import Kind, Variable


def nested(polynomial: Polynomial, reading: Reading) -> Expression:
    """The polynomial with common factors in front of brackets."""
    if len(polynomial) <= 1:
        return reading.sum(polynomial)
    shared = _common_factor(polynomial, reading)
    if shared:
        return multiplied([*reading.product(shared), nested({m - shared: c for m, c in polynomial.items()}, reading)])
    number = _common_number(polynomial)
    if number != 1:
        return multiplied([Number(number), nested({m: c / number for m, c in polynomial.items()}, reading)])
    bit = _most_shared(polynomial, reading)
    if not bit:
        return reading.sum(polynomial)
    inside = {m: c for m, c in polynomial.items() if exponent(m, bit)}
    outside = {m: c for m, c in polynomial.items() if not exponent(m, bit)}
    parts = sorted((inside, outside), key=lambda part: min(reading.key(m) for m in part))
    return summed(nested(part, reading) for part in parts)


def grouped(polynomial: Polynomial, reading: Reading) -> Expression:
    """A sum in which terms with the same number share a bracket: Izz2 + 0.186·(m3 + m4)."""
    shared = _common_factor(polynomial, reading) if len(polynomial) > 1 else 0
    groups: dict[Fraction, Polynomial] = {}
    for monomial, coefficient in polynomial.items():
        groups.setdefault(abs(coefficient), {})[monomial - shared] = coefficient
    parts = []
    for size, inner in sorted(groups.items(), key=lambda item: item[0] != 1):
        number = -size if size != 1 and all(c < 0 for c in inner.values()) else size
        parts.append(multiplied([Number(number), reading.sum({m: c / number for m, c in inner.items()})]))
    return multiplied([*reading.product(shared), summed(parts)])


def _common_factor(polynomial: Polynomial, reading: Reading) -> int:
    """The largest monomial that divides every term and may be taken out."""
    shared = 0
    for shift, _ in exponents(next(iter(polynomial))):
        powers = {(m >> shift) & FIELD for m in polynomial}
        least = min(powers)
        if len(powers) == 1 or not _is_length(reading.ring.variables[shift // BITS], reading):
            shared |= least << shift
    return shared


def _common_number(polynomial: Polynomial) -> Fraction:
    """What divides all coefficients of a polynomial of integers or halves, negative if they all are."""
    if any(c.denominator > 2 for c in polynomial.values()):
        return Fraction(1)
    number = Fraction(math.gcd(*(int(2 * c) for c in polynomial.values())), 2)
    return -number if all(c < 0 for c in polynomial.values()) else number


def _most_shared(polynomial: Polynomial, reading: Reading) -> int:
    """The variable to take out of some terms: masses first, then what occurs in the most terms; 0 if none occurs twice."""
    counts: dict[int, int] = {}
    for monomial in polynomial:
        for variable, _ in reading.ring.factors(monomial):
            if not _is_length(variable, reading):
                bit = reading.ring.bit(variable)
                counts[bit] = counts.get(bit, 0) + 1
    variables = reading.ring.variables
    first = {bit for bit in counts if variables[(bit.bit_length() - 1) // BITS].name in reading.first}
    repeated = [bit for bit in counts if counts[bit] > 1]
    return max(repeated, key=lambda bit: (bit in first, counts[bit], -bit), default=0)


def _is_length(variable: Variable, reading: Reading) -> bool:
    return variable.kind is Kind.PARAMETER and variable.name not in reading.first
