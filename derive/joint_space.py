"""The mass matrix as a dense matrix over the joints: factors, solutions, inverse. On any scalar.

Elimination goes from the tip to the base, 𝓜 = L D L* with L unit upper triangular in model order (the papers number the other
way: lower there, and the innovations factor [SOA-48]). So nothing fills in on a tree: what is zero stays an exact zero, and
costs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from derive.algebra import dot, is_constant, minus, times
from derive.spatial import Matrix, Vector, adjoint_of, identity, mirrored, reciprocal

Trace: TypeAlias = Callable[[int, str], AbstractContextManager[None]]  # which rate, which quantity
NO_RATE = -1  # what belongs to no rate in particular


def untraced(rate: int, quantity: str) -> AbstractContextManager[None]:
    """Nobody listens."""
    return nullcontext()


class ZeroPivotError(ZeroDivisionError):
    """The mass matrix is singular: D is exactly zero at `rate`, whatever the configuration."""

    def __init__(self, rate: int) -> None:
        self.rate = rate
        super().__init__(f"the mass matrix is singular: pivot {rate} is zero")


@dataclass(frozen=True, eq=False)
class Factors:
    """𝓜 = L D L*, and 1/D: `L[i][k]` is zero unless i is inboard of k or is k. What is done for a rate is done in `trace`."""

    L: Matrix
    D: Vector
    D_inverse: Vector
    trace: Trace = field(default=untraced)

    def solve(self, right: Vector) -> Vector:
        """𝓜⁻¹ right."""
        x = list(self._eliminated(right))
        for k, d in enumerate(self.D_inverse):
            with self.trace(k, "x"):
                x[k] = minus(times(x[k], d), dot([self.L[i][k] for i in range(k)], x[:k]))
        return tuple(x)

    def inverse(self) -> Matrix:
        """𝓜⁻¹ = L⁻* D⁻¹ L⁻¹."""
        return self._products(identity(len(self.D)), range(len(self.D)))

    def L_inverse(self) -> Matrix:
        """L⁻¹."""
        return adjoint_of(tuple(self._eliminated(column) for column in identity(len(self.D))))

    def between(self, right: Matrix) -> Matrix:
        """R* 𝓜⁻¹ R for the columns of R, which are given as rows."""
        return self._products(right, [NO_RATE] * len(right))

    def _products(self, right: Matrix, rates: Sequence[int]) -> Matrix:
        columns = [self._eliminated(column) for column in right]
        products: list[list[Any]] = [[0.0] * len(columns) for _ in columns]
        for i, (rate, column) in enumerate(zip(rates, columns, strict=True)):
            with self.trace(rate, "Z"):
                weighted = tuple(map(times, column, self.D_inverse))
                products[i][i:] = [dot(weighted, other) for other in columns[i:]]
        return mirrored(products)

    def _eliminated(self, right: Vector) -> Vector:
        """L⁻¹ right."""
        x = list(right)
        for i in reversed(range(len(x))):
            with self.trace(i, "y"):
                for k in reversed(range(i + 1, len(x))):
                    x[i] = minus(x[i], times(self.L[i][k], x[k]))
        return tuple(x)


def factors(mass: Any, trace: Trace = untraced) -> Factors:
    """The factors of a symmetric matrix; ZeroPivotError where a pivot is an exact zero.

    All that follows waits for the pivots, a division after each. In pairs they wait half as often: for i = k − 1,
    1/D(i) = D(k)/det, where det = m(i,i) D(k) − m(i,k)² waits for no division. Numbers wait for nothing.
    """
    n = len(mass)
    left = [[mass[i][j] for j in range(n)] for i in range(n)]
    L = [[1.0 if i == j else 0.0 for j in range(n)] for i in range(n)]
    D: list[Any] = [0.0] * n
    D_inverse: list[Any] = [0.0] * n
    paired = False
    for k in reversed(range(n)):
        if not paired:
            D[k] = left[k][k]
            if is_constant(D[k], 0.0):
                raise ZeroPivotError(k)
            with trace(k, "D_inv"):
                D_inverse[k] = reciprocal(D[k])
        waited = not isinstance(D[k], float)
        paired = waited and not paired and k > 0 and not is_constant(left[k - 1][k], 0.0)
        if paired:
            with trace(k - 1, "D_inv"):
                det = minus(times(left[k - 1][k - 1], D[k]), times(left[k - 1][k], left[k - 1][k]))
                D_inverse[k - 1], D[k - 1] = D[k] / det, times(det, D_inverse[k])
        with trace(k, "L"):
            for i in range(k):
                L[i][k] = times(left[i][k], D_inverse[k])
        with trace(k, "S"):
            for i in range(k):
                for j in range(i, k):
                    # The next pivot does not wait for L either.
                    at_pivot = waited and i == k - 1
                    product = (
                        times(times(left[i][k], left[i][k]), D_inverse[k]) if at_pivot else times(L[i][k], left[j][k])
                    )
                    left[i][j] = minus(left[i][j], product)
    return Factors(tuple(map(tuple, L)), tuple(D), tuple(D_inverse), trace)
