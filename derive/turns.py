"""Rotations as what they are made of: turns about one coordinate axis, and constant matrices. On any scalar.

A turn costs 4 multiplications and 2 additions on a vector where a full matrix costs 9 and 6, and leaves the trace of a matrix
alone: of R S R* about z, with d = S_xx − S_yy and w = s·d + 2c·S_xy,

    S'_xx = S_xx − s·w      S'_yy = S_yy + s·w      S'_xy = c·w − S_xy      (S'_xz, S'_yz) = the vector (S_xz, S_yz), turned

which is 8 multiplications and 7 additions for a symmetric matrix, where two matrix products cost 45 and 30.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol, TypeAlias

from derive.algebra import Any3, Any3x3, applied, dot, is_constant, minus, multiplied, plus, times, transposed
from derive.frames import IDENTITY
from derive.inertia import INDEX

Symmetric: TypeAlias = tuple[Any, Any, Any, Any, Any, Any]  # xx, xy, xz, yy, yz, zz


class Part(Protocol):
    """A rotation R that acts on vectors and matrices."""

    @property
    def matrix(self) -> Any3x3:
        """R."""

    def forward(self, v: Any3) -> Any3:
        """R v."""

    def back(self, v: Any3) -> Any3:
        """R* v."""

    def of_symmetric(self, S: Symmetric) -> Symmetric:
        """R S R*."""

    def of_matrix(self, B: Any3x3) -> Any3x3:
        """R B R*."""

    @property
    def inverse(self) -> Part:
        """R*."""


@dataclass(frozen=True, eq=False)
class Turn:
    """The turn about coordinate axis number `axis` by the angle whose cosine and sine are c and s.

    `angle` is known where the cosine of its sum with others costs no more than theirs.
    """

    axis: int
    c: Any
    s: Any
    angle: Any = None

    @property
    def _plane(self) -> tuple[int, int, int]:
        return (self.axis + 1) % 3, (self.axis + 2) % 3, self.axis

    @property
    def matrix(self) -> Any3x3:
        """R."""
        x, y, z = self._plane
        R = [[0.0] * 3 for _ in range(3)]
        R[x][x], R[x][y], R[y][x], R[y][y], R[z][z] = self.c, minus(0.0, self.s), self.s, self.c, 1.0
        return _rows(R)

    @property
    def inverse(self) -> Turn:
        """R*."""
        return Turn(self.axis, self.c, minus(0.0, self.s))

    def forward(self, v: Any3) -> Any3:
        """R v."""
        x, y, _ = self._plane
        turned = [v[0], v[1], v[2]]
        turned[x], turned[y] = self._turned(v[x], v[y])
        return (turned[0], turned[1], turned[2])

    def back(self, v: Any3) -> Any3:
        """R* v."""
        x, y, _ = self._plane
        turned = [v[0], v[1], v[2]]
        turned[x] = plus(times(self.c, v[x]), times(self.s, v[y]))
        turned[y] = minus(times(self.c, v[y]), times(self.s, v[x]))
        return (turned[0], turned[1], turned[2])

    def of_symmetric(self, S: Symmetric) -> Symmetric:
        """R S R*."""
        x, y, z = self._plane
        xx, xy, yy = INDEX[x][x], INDEX[x][y], INDEX[y][y]
        xz, yz = INDEX[x][z], INDEX[y][z]
        w = plus(times(self.s, minus(S[xx], S[yy])), times(plus(self.c, self.c), S[xy]))
        moved = times(self.s, w)
        turned = list(S)
        turned[xx], turned[yy] = minus(S[xx], moved), plus(S[yy], moved)
        turned[xy] = minus(times(self.c, w), S[xy])
        turned[xz], turned[yz] = self._turned(S[xz], S[yz])
        return (turned[0], turned[1], turned[2], turned[3], turned[4], turned[5])

    def of_matrix(self, B: Any3x3) -> Any3x3:
        """R B R*: trace and skew part of the turned plane stay, 4 multiplications do the rest of it."""
        x, y, z = self._plane
        w = plus(times(self.s, minus(B[x][x], B[y][y])), times(self.c, plus(B[x][y], B[y][x])))
        moved, across = times(self.s, w), times(self.c, w)
        turned = [list(row) for row in B]
        turned[x][x], turned[y][y] = minus(B[x][x], moved), plus(B[y][y], moved)
        turned[x][y], turned[y][x] = minus(across, B[y][x]), minus(across, B[x][y])
        turned[z][x], turned[z][y] = self._turned(B[z][x], B[z][y])
        turned[x][z], turned[y][z] = self._turned(B[x][z], B[y][z])
        return _rows(turned)

    def _turned(self, a: Any, b: Any) -> tuple[Any, Any]:
        """The plane vector (a, b), turned."""
        return minus(times(self.c, a), times(self.s, b)), plus(times(self.s, a), times(self.c, b))


@dataclass(frozen=True, eq=False)
class Full:
    """Any rotation, by its matrix. A signed permutation costs nothing."""

    matrix: Any3x3

    @property
    def inverse(self) -> Full:
        """R*."""
        return Full(transposed(self.matrix))

    def forward(self, v: Any3) -> Any3:
        """R v."""
        return applied(self.matrix, v)

    def back(self, v: Any3) -> Any3:
        """R* v."""
        return applied(transposed(self.matrix), v)

    def of_symmetric(self, S: Symmetric) -> Symmetric:
        """R S R*; the last diagonal entry from the trace, unless a zero of R makes it cheap anyway."""
        R = self.matrix
        half = multiplied(R, [[S[INDEX[i][j]] for j in range(3)] for i in range(3)])
        xx, xy, xz, yy, yz = (dot(half[i], R[j]) for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2)))
        if any(is_constant(x, 0.0) for x in R[2]):
            return (xx, xy, xz, yy, yz, dot(half[2], R[2]))
        return (xx, xy, xz, yy, yz, minus(minus(plus(plus(S[0], S[3]), S[5]), xx), yy))

    def of_matrix(self, B: Any3x3) -> Any3x3:
        """R B R*."""
        return multiplied(multiplied(self.matrix, B), transposed(self.matrix))


@lru_cache(maxsize=4096)
def constant_parts(R: Any3x3) -> tuple[Part, ...]:
    """A constant rotation as the cheapest product of parts: nothing, a permutation, a permutation and a turn, or itself."""
    if R == IDENTITY:
        return ()
    units = [(i, j) for i in range(3) for j in range(3) if _stands_alone(R, i, j)]
    if len(units) != 1:
        return (Full(R),)
    ((i, j),) = units
    turn = _turn_in(R, i, j)
    permutation = multiplied(R, transposed(turn.matrix))
    cleared = _rows([[float(round(x)) for x in row] for row in permutation])
    return (turn,) if cleared == IDENTITY else (Full(cleared), turn)


@lru_cache(maxsize=4096)
def without_last_turn(R: Any3x3, axis: int) -> tuple[tuple[Part, ...], float]:
    """A constant rotation as parts, and the angle of a turn about `axis` that follows them and may join a joint's own.

    Only turns that are no multiples of a quarter are taken out: those cost nothing where they are.
    """
    parts = constant_parts(R)
    last = parts[-1] if parts else None
    if isinstance(last, Turn) and last.axis == axis:
        return parts[:-1], math.atan2(last.s, last.c)
    if not isinstance(last, Full) or all(abs(x) in (0.0, 1.0) for row in R for x in row):
        return parts, 0.0
    x, y, z = (axis + 1) % 3, (axis + 2) % 3, axis  # R = turn about z, turn about x, turn about z
    tilt = math.hypot(R[x][z], R[y][z])
    first = Turn(z, -R[y][z] / tilt, R[x][z] / tilt) if tilt else Turn(z, 1.0, 0.0)
    second = Turn(x, R[z][z], tilt)
    # From what the first two leave, not from R: where the tilt is small they are rounded, and this makes up for it.
    rest = multiplied(transposed(multiplied(first.matrix, second.matrix)), R)
    return (first, second), math.atan2(rest[y][x] - rest[x][y], rest[x][x] + rest[y][y])


def _stands_alone(R: Any3x3, i: int, j: int) -> bool:
    """Whether R moves axis j to ± axis i: cos 1e-8 is 1.0 too, but has company."""
    beside = [R[i][k] for k in range(3) if k != j] + [R[k][j] for k in range(3) if k != i]
    return abs(R[i][j]) == 1.0 and not any(beside)


def _turn_in(R: Any3x3, i: int, j: int) -> Turn:
    """The turn about axis j that R does before it moves axis j to ± axis i."""
    first = (i + 1) % 3
    a, b = R[first][(j + 1) % 3], R[first][(j + 2) % 3]  # row `first` of R is ±(c, −s) or a quarter turn of it
    return Turn(j, a, -b)


def _rows(R: Any) -> Any3x3:
    first, second, third = (tuple(row) for row in R)
    return (first, second, third)
