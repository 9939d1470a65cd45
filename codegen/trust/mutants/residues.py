"""Whether two programs compute the same, decided with a chance of error that is known: values modulo a large random prime.

Inputs are drawn at random modulo the prime; each angle gets a random point (c, s) with c² + s² = 1, each radicand a random
root, so an equality that shows is one of rational functions in all of these. By Schwartz and Zippel one that is none shows with
a chance of at most its degree over the prime, unless the prime divides all its coefficients. Values therefore carry their
`size`: their numerator is a polynomial of at most that degree (twice it in the points' parameters) whose coefficients are
integers below 2^(2125·size) over a power of two, for any float64 is one below 2^1024 over 2^1074.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from sympy import nextprime

from codegen.interpret import Namespace

BITS = 521
# Of the 2^511 and more primes of that many bits, no more than 5·size divide a coefficient; a point is a zero with a chance
# below 2·size·2^-520. So unequal functions whose difference has this size look the same with a chance below size·2^-508.
SURE = 508


class Factor:
    """What a denominator has as a factor: a numerator of this size."""

    __slots__ = ("size",)

    def __init__(self, size: int) -> None:
        self.size = size


Below = Mapping[Factor, int]  # a denominator: factors with their powers
WHOLE: Below = {}


def _total(below: Below) -> int:
    return sum(power * factor.size for factor, power in below.items())


def _together(a: Below, b: Below) -> Below:
    """The least common multiple."""
    if a is b or not b:
        return a
    return {**a, **{factor: max(power, a.get(factor, 0)) for factor, power in b.items()}}


def _product(a: Below, b: Below) -> Below:
    if not a or not b:
        return a or b
    return {**a, **{factor: power + a.get(factor, 0) for factor, power in b.items()}}


class Residue:
    """A value modulo the field's prime, with a bound on the size of its numerator and with its denominator."""

    __slots__ = ("below", "factor", "field", "size", "value")

    def __init__(self, field: ResidueField, value: int, size: int, below: Below = WHOLE) -> None:
        self.field, self.value, self.size, self.below = field, value % field.prime, size, below
        self.factor: Factor | None = None

    def _sum(self, value: int, other: Residue) -> Residue:
        if self.below is other.below:
            return Residue(self.field, value, max(self.size, other.size) + 1, self.below)
        below = _together(self.below, other.below)
        total = _total(below)
        size = max(self.size + total - _total(self.below), other.size + total - _total(other.below)) + 1
        return Residue(self.field, value, size, below)

    def __add__(self, other: Residue) -> Residue:
        if type(other) is not Residue:  # an array, which does it entry by entry
            return NotImplemented
        return self._sum(self.value + other.value, other)

    def __sub__(self, other: Residue) -> Residue:
        if type(other) is not Residue:
            return NotImplemented
        return self._sum(self.value - other.value, other)

    def __mul__(self, other: Residue) -> Residue:
        if type(other) is not Residue:
            return NotImplemented
        return Residue(self.field, self.value * other.value, self.size + other.size, _product(self.below, other.below))

    def __truediv__(self, other: Residue) -> Residue:
        if type(other) is not Residue:
            return NotImplemented
        if not other.value:
            raise ZeroDivisionError
        if other.factor is None:
            other.factor = Factor(other.size)
        value = self.value * pow(other.value, -1, self.field.prime)
        return Residue(self.field, value, self.size + _total(other.below), _product(self.below, {other.factor: 1}))

    def __neg__(self) -> Residue:
        return Residue(self.field, -self.value, self.size, self.below)


class ResidueField:
    """A prime, and what was drawn for inputs, angles and radicands."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.prime = _prime(seed)
        self.waves: dict[int, tuple[int, int]] = {0: (1, 0)}
        self.roots: dict[int, int] = {}
        self.met = 1  # the sum of the sizes of angles and radicands

    @property
    def namespace(self) -> Namespace:
        """The functions and constants of its values."""
        return Namespace(lambda x: self._wave(x, 1), lambda x: self._wave(x, 0), self._root, self.constant)

    def constant(self, number: float) -> Residue:
        """A float as it is."""
        numerator, denominator = number.as_integer_ratio()
        return Residue(self, numerator * pow(denominator, -1, self.prime), 1)

    def drawn(self) -> Residue:
        """An input."""
        return Residue(self, self.random.randrange(self.prime), 1)

    def chance(self, before: list[Any], after: list[Any]) -> float:
        """log2 of the chance that equal values are so by accident; that two arguments are taken for one is included."""
        pairs = [(a, b) for a, b in zip(before, after, strict=True) if a is not b]
        size = sum(max(a.size + _total(b.below), b.size + _total(a.below)) + 1 for a, b in pairs)
        arguments = len(self.waves) + len(self.roots)
        return math.log2(size + arguments * self.met + 1) - SURE

    def _wave(self, angle: Residue, which: int) -> Residue:
        """The cosine (0) or sine (1); sin(−x) = −sin x."""
        turned = angle.value > self.prime // 2
        key = self.prime - angle.value if turned else angle.value
        if key not in self.waves:
            t = self.random.randrange(self.prime)
            scale = pow(1 + t * t, -1, self.prime)
            self.waves[key] = ((1 - t * t) * scale, 2 * t * scale)
            self.met += angle.size + _total(angle.below)
        value = self.waves[key][which]
        return Residue(self, -value if turned and which else value, 1)

    def _root(self, radicand: Residue) -> Residue:
        if radicand.value not in self.roots:
            self.roots[radicand.value] = self.random.randrange(self.prime)
            self.met += radicand.size + _total(radicand.below)
        return Residue(self, self.roots[radicand.value], 1)


@lru_cache(maxsize=8)
def _prime(seed: int) -> int:
    """A prime of 521 bits drawn with the seed."""
    return int(nextprime(random.Random(seed).randrange(2 ** (BITS - 1), 2**BITS - 2**16)))
