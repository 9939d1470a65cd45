"""Whether let-bound elements are zero, at one random point modulo one random prime: certain but for a chance that is bounded.

A difference of closed forms is N/Q with integer polynomials N, Q in the parameters, slides, rates and in t of every angle,
where c = (1 − t²)/(1 + t²), s = 2t/(1 + t²), and likewise of every unit quaternion. If N is not zero, it is zero at a random
point modulo p with a chance of at most degree(N)/p (Schwartz, Zippel); that a random prime of 256 bits divides all of N's
numbers, should they have a million bits, has one below 1e-60. Nothing is expanded: values and bounds on degrees are worked out
name by name.
"""

from __future__ import annotations

import math
import random
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import Generic, TypeAlias, TypeVar

from derive.closed_form.element import Element
from derive.closed_form.lets import Lets
from derive.closed_form.monomials import exponent
from derive.closed_form.variables import Angle, Kind, Variable

BITS = 256  # of the prime
UNLUCKY_PRIME = 1e-60


@dataclass(frozen=True)
class Residue:
    """A rational function at the point, and bounds on the degrees above and below its fraction stroke."""

    value: int
    above: int
    below: int = 0


Turn: TypeAlias = tuple[Residue, Residue]  # cos and sin
Value = TypeVar("Value")


class _Somewhere(ABC, Generic[Value]):
    """What elements are where the variables have random values; every variable is drawn, and every name worked out, once."""

    def __init__(self, lets: Lets, source: random.Random) -> None:
        self._lets, self._source = lets, source
        self._at: dict[Variable, Value] = {}

    def at(self, element: Element) -> Value:
        """The element there."""
        for let in self._lets.needed([element], self._at.__contains__):
            self._at[let.variable] = self._element(let.value)
        return self._element(element)

    def _variable(self, variable: Variable) -> Value:
        if variable not in self._at:
            self._at[variable] = self._drawn(variable)
        return self._at[variable]

    @abstractmethod
    def _element(self, element: Element) -> Value:
        """An element whose names are known."""

    @abstractmethod
    def _drawn(self, variable: Variable) -> Value:
        """A variable that is met for the first time."""


class Point(_Somewhere[Residue]):
    """A random point modulo a random prime."""

    def __init__(self, lets: Lets, source: random.Random) -> None:
        from sympy import nextprime

        super().__init__(lets, source)
        self.prime = int(nextprime(source.getrandbits(BITS) | 1 << (BITS - 1)))
        self._turns: dict[Angle, Turn] = {}
        for quaternion in lets.ring.quaternions:
            self._at |= zip(quaternion, self._unit_quaternion(), strict=True)

    def chance(self, found: Residue) -> float:
        """A bound on the chance that an element that is not zero is zero here."""
        return found.above / self.prime + UNLUCKY_PRIME if found.above else 0.0

    def _element(self, element: Element) -> Residue:
        ring, prime = element.ring, self.prime
        factors = [(ring.bit(v), self._variable(v)) for v in element.variables()]
        highest = [max(exponent(m, bit) for m in element.terms) for bit, _ in factors]
        below = sum(power * at.below for power, (_, at) in zip(highest, factors, strict=True))
        total, above = 0, 0
        for monomial, coefficient in element.terms.items():
            product, degree = coefficient, below
            for bit, at in factors:
                if power := exponent(monomial, bit):
                    product = product * pow(at.value, power, prime) % prime
                    degree += power * (at.above - at.below)
            total, above = total + product, max(above, degree)
        return Residue(total * pow(element.denominator, -1, prime) % prime, above, below)

    def _drawn(self, variable: Variable) -> Residue:
        if variable.kind is Kind.INVERSE:
            base = self._variable(self._lets.ring.inverses[variable])
            return Residue(pow(base.value, -1, self.prime), base.below, base.above)
        if variable.angle is None:
            return Residue(self._source.randrange(self.prime), 1)
        cosine, sine = self._turned(variable.angle)
        return cosine if variable.kind is Kind.COS else sine

    def _turned(self, angle: Angle) -> Turn:
        """cos and sin of an angle: a point of its own on the circle, but sums and multiples of angles are what they are."""
        if angle not in self._turns:
            parts, offset = angle
            whole = not offset and all(m.denominator == 1 for _, m in parts)
            single = len(parts) == 1 and parts[0][1] == 1
            self._turns[angle] = self._composed(parts) if whole and not single else self._circle()
        return self._turns[angle]

    def _composed(self, parts: tuple[tuple[int, Fraction], ...]) -> Turn:
        c, s = 1, 0
        for coordinate, multiplier in parts:
            cosine, sine = self._turned((((coordinate, Fraction(1)),), Fraction(0)))
            turn = sine.value if multiplier > 0 else -sine.value
            for _ in range(abs(int(multiplier))):
                c, s = (c * cosine.value - s * turn) % self.prime, (s * cosine.value + c * turn) % self.prime
        degree = 2 * sum(abs(int(m)) for _, m in parts)
        return Residue(c, degree, degree), Residue(s, degree, degree)

    def _circle(self) -> Turn:
        t = self._source.randrange(self.prime)
        over = pow(1 + t * t, -1, self.prime)
        return Residue((1 - t * t) * over % self.prime, 2, 2), Residue(2 * t * over % self.prime, 2, 2)

    def _unit_quaternion(self) -> tuple[Residue, ...]:
        t = [self._source.randrange(self.prime) for _ in range(3)]
        square = sum(x * x for x in t)
        over = pow(1 + square, -1, self.prime)
        return tuple(Residue(x * over % self.prime, 2, 2) for x in (*(2 * x for x in t), 1 - square))


class Example(_Somewhere[float]):
    """A random state and random parameters in floats: `drawn` by name."""

    def __init__(self, lets: Lets, source: random.Random) -> None:
        super().__init__(lets, source)
        self.drawn: dict[str, float] = {}
        for quaternion in lets.ring.quaternions:
            parts = [source.gauss(0, 1) for _ in quaternion]
            self._at |= {v: x / math.hypot(*parts) for v, x in zip(quaternion, parts, strict=True)}
            self.drawn |= {v.name: self._at[v] for v in quaternion}

    def _element(self, element: Element) -> float:
        return float(element.evaluate(self._variable))

    def _drawn(self, variable: Variable) -> float:
        if variable.kind is Kind.INVERSE:
            return 1 / self._variable(self._lets.ring.inverses[variable])
        if variable.angle is None:
            return self._draw(variable.name, *((0.5, 1.5) if variable.kind is Kind.PARAMETER else (-1.0, 1.0)))
        parts, offset = variable.angle
        angle = sum(float(m) * self._draw(f"q{i + 1}", -math.pi, math.pi) for i, m in parts) + float(offset)
        return math.cos(angle) if variable.kind is Kind.COS else math.sin(angle)

    def _draw(self, name: str, low: float, high: float) -> float:
        return self.drawn.setdefault(name, round(self._source.uniform(low, high), 3))
