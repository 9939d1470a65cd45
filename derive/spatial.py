"""6-D algebra on any scalar, built on `derive.algebra`: exact zeros and ones cost nothing, nothing needs NumPy.

Vectors are tuples, matrices tuples of rows. Division happens only by pivots of symmetric matrices.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from derive.algebra import added, crossed, dot, is_constant, minus, plus, times

Vector: TypeAlias = tuple[Any, ...]
Matrix: TypeAlias = tuple[Vector, ...]
EntryOf: TypeAlias = Callable[[str, int, int, Any], Any]


def vector_sum(u: Vector, v: Vector) -> Vector:
    """u + v."""
    return tuple(plus(x, y) for x, y in zip(u, v, strict=True))


def vector_difference(u: Vector, v: Vector) -> Vector:
    """u − v."""
    return tuple(minus(x, y) for x, y in zip(u, v, strict=True))


def vector_scaled(factor: Any, v: Vector) -> Vector:
    """factor · v."""
    return tuple(times(factor, x) for x in v)


def product_with_vector(A: Matrix, v: Vector, *, adjoint: bool = False) -> Vector:
    """A v, or A* v."""
    return tuple(dot(row, v) for row in (adjoint_of(A) if adjoint else A))


def product(A: Matrix, B: Matrix) -> Matrix:
    """A B."""
    columns = adjoint_of(B)
    return tuple(tuple(dot(row, column) for column in columns) for row in A)


def symmetric_product(A: Matrix, B: Matrix) -> Matrix:
    """A B where it is known to be symmetric: the upper half is computed, the lower mirrors it."""
    columns = adjoint_of(B)
    return mirrored([[dot(A[i], columns[j]) if j >= i else 0.0 for j in range(len(columns))] for i in range(len(A))])


def mirrored(A: Sequence[Sequence[Any]]) -> Matrix:
    """The symmetric matrix with the upper half of A."""
    n = len(A)
    return tuple(tuple(A[min(i, j)][max(i, j)] for j in range(n)) for i in range(n))


def adjoint_of(A: Matrix) -> Matrix:
    """A*."""
    return tuple(zip(*A, strict=True))


def matrix_sum(A: Matrix, B: Matrix, sign: int = 1) -> Matrix:
    """A + B, or A − B."""
    combine = vector_sum if sign > 0 else vector_difference
    return tuple(combine(a, b) for a, b in zip(A, B, strict=True))


def matrix_scaled(factor: Any, A: Matrix) -> Matrix:
    """factor · A."""
    return tuple(vector_scaled(factor, row) for row in A)


def identity(n: int) -> Matrix:
    """The n×n identity, exact."""
    return tuple(tuple(1.0 if i == j else 0.0 for j in range(n)) for i in range(n))


def spatial_cross(V: Vector, x: Vector) -> Vector:
    """Ṽ x: the spatial cross product of two velocities [SOA-4]."""
    omega, v = V[:3], V[3:]
    return (*crossed(omega, x[:3]), *added(crossed(v, x[:3]), crossed(omega, x[3:])))


def spatial_cross_adjoint(V: Vector, f: Vector) -> Vector:
    """Ṽ* f = −[ω×n + v×f; ω×f] for a force [n; f] [SOA-4]."""
    omega, v = V[:3], V[3:]
    return (*added(crossed(f[:3], omega), crossed(f[3:], v)), *crossed(f[3:], omega))


def as_it_is(letter: str, i: int, j: int, value: Any) -> Any:
    """Every entry stands for itself."""
    return value


def symmetric_inverse(A: Matrix, entry_of: EntryOf = as_it_is) -> Matrix:
    """A⁻¹ of a symmetric matrix by L D L*, dividing by the pivots only; ZeroDivisionError where one is an exact zero.

    What is read of a pivot d or an entry of the factor L or its inverse W is `entry_of(letter, i, j, value)`.
    """
    n = len(A)
    L, pivots = _factors(A, entry_of)
    reciprocals = tuple(reciprocal(pivot) for pivot in pivots)
    W = [[0.0] * n for _ in range(n)]  # L⁻¹, lower triangular
    for j in range(n):
        W[j][j] = 1.0
        for i in range(j + 1, n):
            W[i][j] = entry_of("W", i, j, minus(0.0, dot(L[i][j:i], [W[m][j] for m in range(j, i)])))

    def entry(i: int, j: int) -> Any:
        return dot([times(W[m][i], reciprocals[m]) for m in range(j, n)], [W[m][j] for m in range(j, n)])

    return mirrored([[entry(i, j) if j >= i else 0.0 for j in range(n)] for i in range(n)])


def symmetric_pivots(A: Matrix, entry_of: EntryOf = as_it_is) -> list[Any]:
    """The pivots of A = L D L*, whose product is det A."""
    return _factors(A, entry_of)[1]


def symmetric_solve(A: Matrix, right: Vector) -> Vector:
    """A⁻¹ right for a symmetric matrix, by L D L*."""
    n = len(A)
    L, pivots = _factors(A)
    x = list(right)
    for i in range(n):
        x[i] = minus(x[i], dot(L[i][:i], x[:i]))
    x = [times(v, reciprocal(pivot)) for v, pivot in zip(x, pivots, strict=True)]
    for i in reversed(range(n)):
        x[i] = minus(x[i], dot([L[m][i] for m in range(i + 1, n)], x[i + 1 :]))
    return tuple(x)


def _factors(A: Matrix, entry_of: EntryOf = as_it_is) -> tuple[list[list[Any]], list[Any]]:
    """Unit lower L and the pivots of D with A = L D L*."""
    n = len(A)
    L: list[list[Any]] = [[0.0] * n for _ in range(n)]
    pivots: list[Any] = []
    for j in range(n):
        weighted = [times(L[j][m], pivots[m]) for m in range(j)]
        pivots.append(entry_of("d", j, j, minus(A[j][j], dot(weighted, L[j][:j]))))
        for i in range(j + 1, n):
            value = times(minus(A[i][j], dot(weighted, L[i][:j])), reciprocal(pivots[j]))
            L[i][j] = entry_of("L", i, j, value)
    return L, pivots


def reciprocal(pivot: Any) -> Any:
    """1/pivot."""
    return 1.0 if is_constant(pivot, 1.0) else 1 / pivot
