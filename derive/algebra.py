"""Sums and products on any scalar (float, complex, mpmath, SymPy, program scalars) that keep exact zeros and ones out.

A plain float 0.0 or 1.0 is a fact about the robot, not a number to compute with: 0·x is 0, 0 + x is x, ±1·x is ±x.
These are called millions of times to generate code for one robot, so `is_constant` is written out in them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

Any3: TypeAlias = tuple[Any, Any, Any]
Any3x3: TypeAlias = tuple[Any3, Any3, Any3]


def is_constant(x: Any, constant: float) -> bool:
    """Whether x is the plain float `constant`."""
    return isinstance(x, float) and x == constant


def plus(a: Any, b: Any) -> Any:
    """a + b."""
    if isinstance(a, float) and a == 0.0:
        return b
    if isinstance(b, float) and b == 0.0:
        return a
    return a + b


def minus(a: Any, b: Any) -> Any:
    """a − b."""
    if isinstance(b, float) and b == 0.0:
        return a
    if isinstance(a, float) and a == 0.0:
        return -b
    return a - b


def times(a: Any, b: Any) -> Any:
    """a·b."""
    if isinstance(b, float):
        a, b = b, a
    if isinstance(a, float):
        if a == 0.0 or (isinstance(b, float) and b == 0.0):
            return 0.0
        if a == 1.0:
            return b
        if a == -1.0:
            return -b
    return a * b


def dot(a: Sequence[Any], b: Sequence[Any]) -> Any:
    """Σ aᵢ·bᵢ."""
    total: Any = 0.0
    for x, y in zip(a, b, strict=True):
        if (isinstance(x, float) and x == 0.0) or (isinstance(y, float) and y == 0.0):
            continue
        total = plus(total, times(x, y))
    return total


def scaled(v: Sequence[Any], factor: Any) -> Any3:
    """v·factor for a 3-vector."""
    return (times(v[0], factor), times(v[1], factor), times(v[2], factor))


def added(a: Sequence[Any], b: Sequence[Any]) -> Any3:
    """a + b for 3-vectors."""
    return (plus(a[0], b[0]), plus(a[1], b[1]), plus(a[2], b[2]))


def crossed(a: Sequence[Any], b: Sequence[Any]) -> Any3:
    """a × b for 3-vectors [SOA-1]."""
    return (
        minus(times(a[1], b[2]), times(a[2], b[1])),
        minus(times(a[2], b[0]), times(a[0], b[2])),
        minus(times(a[0], b[1]), times(a[1], b[0])),
    )


def applied(A: Sequence[Sequence[Any]], v: Sequence[Any]) -> Any3:
    """A·v for a 3×3 matrix by rows."""
    return (dot(A[0], v), dot(A[1], v), dot(A[2], v))


def multiplied(A: Sequence[Sequence[Any]], B: Sequence[Sequence[Any]]) -> Any3x3:
    """A·B for 3×3 matrices by rows."""
    columns = transposed(B)
    a, b, c = (applied(columns, row) for row in A)
    return (a, b, c)


def transposed(A: Sequence[Sequence[Any]]) -> Any3x3:
    """A* for a 3×3 matrix by rows."""
    a, b, c = zip(*A, strict=True)
    return (a, b, c)
