"""φ(p,k): how forces and motions at one body are seen from its parent, and what that does to inertias. On any scalar."""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce

from derive.algebra import Any3, Any3x3, added, crossed, minus, multiplied, plus
from derive.frames import IDENTITY
from derive.inertia import INDEX, PLACES
from derive.rigid import RigidInertia
from derive.spatial import Matrix, Vector
from derive.turns import Full, Part, Symmetric


@dataclass(frozen=True, eq=False)
class Transition:
    """φ(p,k) = [[Q, ℓ̃Q], [0, Q]], Q from k's axes to p's and ℓ from O_p to O_k in p's axes [SOA-140].

    Q is the product of `parts`, the last of which acts first.
    """

    parts: tuple[Part, ...]
    translation: Any3

    @classmethod
    def of(cls, rotation: Any3x3, translation: Any3) -> Transition:
        """With Q given as a matrix."""
        return cls((Full(rotation),), translation)

    @property
    def rotation(self) -> Any3x3:
        """Q as a matrix."""
        return reduce(multiplied, (part.matrix for part in self.parts), IDENTITY)

    def turned(self, v: Any3) -> Any3:
        """Q v."""
        return reduce(lambda x, part: part.forward(x), reversed(self.parts), v)

    def turned_back(self, v: Any3) -> Any3:
        """Q* v."""
        return reduce(lambda x, part: part.back(x), self.parts, v)

    def of_force(self, f: Vector) -> Vector:
        """φ f: a force at O_k, seen from O_p."""
        push = self.turned(f[3:])
        return (*added(self.turned(f[:3]), crossed(self.translation, push)), *push)

    def of_motion(self, v: Vector) -> Vector:
        """φ* v: a velocity at O_p, seen from O_k."""
        spin = v[:3]
        moved = added(v[3:], crossed(spin, self.translation))
        return (*self.turned_back(spin), *self.turned_back(moved))

    def applied(self, x: Vector, *, adjoint: bool) -> Vector:
        """φ x, or φ* x."""
        return self.of_motion(x) if adjoint else self.of_force(x)

    def of_rigid(self, body: RigidInertia) -> RigidInertia:
        """φ M φ* of a rigid body is a rigid body again: ten numbers, not twenty-one."""
        moment, inertia = body.moment, body.inertia
        for part in reversed(self.parts):
            moment, inertia = part.forward(moment), part.of_symmetric(inertia)
        return RigidInertia(body.mass, moment, inertia).shifted(self.translation)

    def of_symmetric(self, X: Matrix) -> Matrix:
        """φ X φ* of a symmetric 6×6 matrix."""
        A, B, C = _blocks(X)
        for part in reversed(self.parts):
            A, B, C = part.of_symmetric(A), part.of_matrix(B), part.of_symmetric(C)
        return _matrix(*_shifted(A, B, C, self.translation))

    def back_of_symmetric(self, X: Matrix) -> Matrix:
        """φ* X φ of a symmetric 6×6 matrix: the same with moments and forces exchanged, and all the other way."""
        A, B, C = _blocks(X)
        away = (minus(0.0, self.translation[0]), minus(0.0, self.translation[1]), minus(0.0, self.translation[2]))
        C, B_star, A = _shifted(C, _transposed(B), A, away)
        B = _transposed(B_star)
        for part in self.parts:
            A, B, C = part.inverse.of_symmetric(A), part.inverse.of_matrix(B), part.inverse.of_symmetric(C)
        return _matrix(A, B, C)


def _shifted(A: Symmetric, B: Any3x3, C: Symmetric, by: Any3) -> tuple[Symmetric, Any3x3, Symmetric]:
    """[[1, ℓ̃], [0, 1]] [[A, B], [B*, C]] [[1, ℓ̃], [0, 1]]*: B' = B + ℓ̃C and A' = A + ℓ̃B* + (ℓ̃B'*)*."""
    columns = [crossed(by, (C[INDEX[0][j]], C[INDEX[1][j]], C[INDEX[2][j]])) for j in range(3)]
    moved = tuple(tuple(plus(B[i][j], columns[j][i]) for j in range(3)) for i in range(3))
    before, after = ([crossed(by, row) for row in rows] for rows in (B, moved))
    shifted = tuple(plus(a, plus(before[j][i], after[i][j])) for a, (i, j) in zip(A, PLACES, strict=True))
    return shifted, moved, C  # type: ignore[return-value]


def _blocks(X: Matrix) -> tuple[Symmetric, Any3x3, Symmetric]:
    A, C = (tuple(X[i + o][j + o] for i, j in PLACES) for o in (0, 3))
    B = tuple(tuple(X[i][3:]) for i in range(3))
    return A, B, C  # type: ignore[return-value]


def _matrix(A: Symmetric, B: Any3x3, C: Symmetric) -> Matrix:
    upper = tuple((*(A[INDEX[i][j]] for j in range(3)), *B[i]) for i in range(3))
    lower = tuple((*(B[j][i] for j in range(3)), *(C[INDEX[i][j]] for j in range(3))) for i in range(3))
    return upper + lower


def _transposed(B: Any3x3) -> Any3x3:
    first, second, third = zip(*B, strict=True)
    return (first, second, third)
