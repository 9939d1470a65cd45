"""The spaces operators act between, and the structure (causality) of an operator.

A `Space` is where stacked vectors live: joints (T, θ̈), bodies (V, α, f), points (tip velocities and forces), or
the single column that makes a vector an operator of one column. A `Structure` says which blocks (i, j) of an
operator may be non-zero in the papers' numbering, 1 = tip … n = base: causal = lower block triangular = tip-to-base
recursion [section 0 of the specification]. Structures form an algebra: sums, products and adjoints of structures
bound those of the operators.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import cache

import sympy


@dataclass(frozen=True)
class Space:
    """A space of stacked vectors: its name, its symbolic size, and what one of its vectors stacks."""

    name: str
    size: sympy.Expr
    meaning: str

    def __str__(self) -> str:
        return self.name


def _count(name: str) -> sympy.Symbol:
    return sympy.Symbol(name, integer=True, positive=True)


JOINTS = Space("joints", _count("N"), "joint rates and forces, N = Σ r(k)")
BODIES = Space("bodies", 6 * _count("n"), "one spatial vector per body")
POINTS = Space("points", 6 * _count("n_C"), "one spatial vector per tip or closure point")
COLUMN = Space("column", sympy.Integer(1), "a single column: operators from it are vectors")
PAIRS = Space("pairs", _count("N") ** 2, "ordered pairs of joint freedoms: what a Christoffel symbol is summed over")

SPACES: dict[str, Space] = {space.name: space for space in (JOINTS, BODIES, POINTS, COLUMN, PAIRS)}


class Structure(Enum):
    """Which blocks (i, j) may be non-zero: the value is the set of signs of i − j."""

    MEMORYLESS = frozenset({0})
    CAUSAL = frozenset({0, 1})
    STRICTLY_CAUSAL = frozenset({1})
    ANTICAUSAL = frozenset({-1, 0})
    STRICTLY_ANTICAUSAL = frozenset({-1})
    NONE = frozenset({-1, 0, 1})

    def __str__(self) -> str:
        return self.name.lower().replace("_", " ")

    def __add__(self, other: Structure) -> Structure:
        """The structure of a sum."""
        return self if self is other else _smallest(self.value | other.value)

    def __mul__(self, other: Structure) -> Structure:
        """The structure of a product: block (i, k) sums over j, so only the signs of (i − j) and (j − k) matter."""
        return _product(self, other)

    @property
    def adjoint(self) -> Structure:
        """The structure of the adjoint."""
        return _smallest(frozenset(-sign for sign in self.value))

    @property
    def inverse(self) -> Structure:
        """The structure of the inverse, where there is one: triangular matrices have triangular inverses."""
        return self if self in (Structure.MEMORYLESS, Structure.CAUSAL, Structure.ANTICAUSAL) else Structure.NONE


@cache
def _product(left: Structure, right: Structure) -> Structure:
    signs: set[int] = set()
    for i in left.value:
        for j in right.value:
            signs |= {-1, 0, 1} if i * j < 0 else {i or j}
    return _smallest(frozenset(signs))


@cache
def _smallest(signs: frozenset[int]) -> Structure:
    return min((s for s in Structure if signs <= s.value), key=lambda s: len(s.value))
