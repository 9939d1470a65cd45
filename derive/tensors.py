"""Symbols with three indices, read off the columns of pairs: Christoffel symbols, and the sensitivity of the mass matrix.

With freedoms a inboard of b (or on the same body) and i inboard of b (or on it), the field holds v(i; a, b) = H(i)φ(i,b)c(a,b)
with c(a,b) = 𝒟[R(b), φ*(a,b)H*(a)]H*(b). Then [SOA-131, SOA-133]

    ℂ_i(b,a) = v(i; a, b),  and = ℂ_i(a,b) where a and b are on different bodies;
    ℂ_b(i,a) = −v(i; a, b)  for a inboard of i or on it, i inboard of b, and = ℂ_b(a,i) where a and i are on different bodies;

and every other symbol is zero. Where rates are not derivatives of coordinates (spherical and floating joints) these are the
coefficients ⟨∇_k e_j, e_i⟩ of the Levi-Civita connection in the frame of the joint motions: then ℂ_i(j,k) and ℂ_i(k,j) differ
by the bracket of the two motions, while Σ_k ℂ_i(j,k) θ̇_k is still the Coriolis matrix.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from derive.algebra import minus, plus, times
from derive.instance import Instance
from derive.model_order import Columns, Place, array_of, places
from derive.operators.spaces import JOINTS
from derive.recursion import Assembly

Tensor = list[list[list[Any]]]


def assembled_tensor(assembly: Assembly, held: dict[int, Columns], robot: Instance) -> Any:
    """The tensor as an (nv, nv, nv) array: ℂ[i, j, k], or ∂M/∂θ_i at [i]."""
    size = robot.model.nv
    symbols: Tensor = [[[0.0] * size for _ in range(size)] for _ in range(size)]
    for i, j, k, value in _symbols(held, robot):
        symbols[i][j][k] = plus(symbols[i][j][k], value)
    if assembly is Assembly.SENSITIVITY:
        symbols = [
            [[plus(symbols[k][j][i], symbols[j][k][i]) for k in range(size)] for j in range(size)] for i in range(size)
        ]
    return array_of(symbols, (size, size, size))


def _symbols(held: dict[int, Columns], robot: Instance) -> Iterator[tuple[int, int, int, Any]]:
    """i, j, k, and what is to be added to ℂ_i(j,k)."""
    where = places(JOINTS, robot)
    for i, columns in held.items():
        for key, block in columns.items():
            a, b = divmod(key, robot.n)
            pairs = ((x, y) for x in where[a] for y in where[b])
            for (x, y), column in zip(pairs, block, strict=True):
                for z, value in zip(where[i], column, strict=True):
                    yield from _weighted(_spread(robot, (a, b, i), (x, y, z)), value)


def _spread(robot: Instance, bodies: tuple[int, int, int], at: tuple[Place, Place, Place]) -> Iterator[tuple[Any, ...]]:
    """Which symbols v(i; a, b) is, with the sign."""
    (a, b, i), (x, y, z) = bodies, at
    yield z, y, x, 1
    if a != b:
        yield z, x, y, 1
    if i != b and a in robot.model.path(i):
        yield y, z, x, -1
        if a != i:
            yield y, x, z, -1


def _weighted(symbols: Iterator[tuple[Any, ...]], value: Any) -> Iterator[tuple[int, int, int, Any]]:
    """Joints that follow others give what they have to their masters."""
    for first, second, third, sign in symbols:
        weight = first[1] * second[1] * third[1]
        weighted = times(weight, value)
        yield first[0], second[0], third[0], weighted if sign > 0 else minus(0.0, weighted)
