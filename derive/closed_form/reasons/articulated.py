"""Why entries of the Riccati quantities P, D, G, K, τ̄ and ψ are zero, component by component in body axes."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from derive.closed_form.reasons.facts import UNKNOWN, Fact, Facts, because
from derive.closed_form.reasons.screws import is_zero
from derive.closed_form.riccati import Riccati, components_read, has_armature
from derive.closed_form.robot import ClosedForms
from derive.closed_form.sheet import Label
from derive.inertia import INDEX
from derive.spatial import Matrix, adjoint_of, identity

COMPONENTS = ("ωx", "ωy", "ωz", "vx", "vy", "vz")
LETTERS = "xyz"


class Articulated:
    """Reasons of one robot; bodies, rows and columns are 0-based."""

    def __init__(self, forms: ClosedForms) -> None:
        self._forms, self._model = forms, forms.model

    @cached_property
    def _riccati(self) -> Riccati:
        return Riccati(self._forms)

    @cached_property
    def _riccati_psi(self) -> Riccati:
        """The same again: asking for ψ gives its names anew."""
        return Riccati(self._forms)

    def P(self, k: int, row: int, column: int) -> Facts:
        """Of P."""
        P, M = self._riccati.block("P", k), self._forms.instance.M[k].matrix
        if not self._model.children[k]:
            return self._rigid(k, min(row, column), max(row, column))
        for axis in range(3):
            if _is_even(row, axis) != _is_even(column, axis) and _mirrored(P, axis):
                plane = " and ".join(letter for letter in LETTERS if letter != LETTERS[axis])
                return (Fact(f"P({k + 1}) is mirror-symmetric about the plane of the body's {plane}"),)
        if is_zero(M[row][column]) and is_zero(P[row][column]):
            return (Fact(f"zero in M({k + 1}), and in what each body further out hands inwards"),)
        return UNKNOWN

    def _rigid(self, k: int, row: int, column: int) -> Facts:
        """Of a body that carries no other: its entry of M(k), row ≤ column."""
        M, name = self._forms.instance.M[k], self._model.bodies[k].name
        if row >= 3:
            return (Fact("a rigid body's mass is the same in all directions"),) if row < column else UNKNOWN
        if column < 3:
            what = "moment" if row == column else "product"
            fact = Fact(f"the {what} of inertia {LETTERS[row]}{LETTERS[column]} of {name} is zero")
            return (fact,) if is_zero(M.inertia[INDEX[row][column]]) else UNKNOWN
        if row == column - 3:
            return (Fact("a rigid body that slides has no angular momentum along its way"),)
        other = 3 - row - (column - 3)
        fact = Fact(f"the centre of mass of {name} has {LETTERS[other]} = 0 in its frame")
        return (fact,) if is_zero(M.moment[other]) else UNKNOWN

    def D(self, k: int, row: int = 0, column: int = 0) -> Facts:
        """Of D = HPH*."""
        if all(is_zero(x) for line in self._riccati.block("D", k) for x in line):
            return (Fact("nothing with mass moves with", (self._model.joints[k].name,)),)
        read = components_read(self._forms, k)
        return self._entry_of_P(k, read[row], read[column]) if read else UNKNOWN

    def G(self, k: int, row: int, column: int = 0) -> Facts:
        """Of G = PH*D⁻¹: the column of P that H reads, or HG = I."""
        read = components_read(self._forms, k)
        if row in read:
            alone = row != read[column] and not has_armature(self._forms, k)
            return (Fact("H G = I: along the joint each force moves its own component"),) if alone else UNKNOWN
        return self._entry_of_P(k, row, read[0]) if len(read) == 1 else UNKNOWN

    def tau_bar(self, k: int, row: int, column: int) -> Facts:
        """Of τ̄ = I − GH."""
        read = components_read(self._forms, k)
        if read and column not in read and row != column:
            return (Fact(f"H({k + 1}) does not read {COMPONENTS[column]}, so τ̄ leaves it as it is"),)
        if row in read and not has_armature(self._forms, k):
            return (Fact("H τ̄ = 0: along the joint nothing is handed inwards"),)
        why = self.G(k, row) if row != column else UNKNOWN
        return because(Label("G", (k + 1, row + 1)), why)

    def K(self, k: int, row: int, column: int = 0) -> Facts:
        """Of K = φ(p,k) G(k)."""
        step, G = f"φ({self._model.joints[k].parent + 1},{k + 1})", self._riccati.block("G", k)
        return self._products(step, self._step(k)[row], f"G({k + 1})", G, column)

    def psi(self, i: int, j: int, row: int, column: int) -> Facts:
        """Of ψ(i, j) = ψ(i, p) φ(p, j) τ̄(j), p the parent of j."""
        if i == j:
            return (Fact("ψ(k,k) is the identity"),) if row != column else UNKNOWN
        if i not in self._model.path(j):
            return (Fact("ψ carries forces inwards, along a branch"),)
        p, tau_bar = self._model.joints[j].parent, self._riccati.block("tau_bar", j)
        if p == i:
            return self._products(f"φ({i + 1},{j + 1})", self._step(j)[row], f"τ̄({j + 1})", tau_bar, column)
        left, right = self._riccati_psi.block("psi", i, p)[row], self._riccati_psi.block("psi", p, j)
        return self._products(f"ψ({i + 1},{p + 1})", left, f"ψ({p + 1},{j + 1})", right, column)

    def _entry_of_P(self, k: int, row: int, column: int) -> Facts:
        return because(Label("P", (k + 1, row + 1, column + 1)), self.P(k, row, column))

    @staticmethod
    def _products(left: str, row: Any, right: str, matrix: Matrix, column: int) -> Facts:
        """Every product of a row and a column has a factor that is zero."""
        if any(not is_zero(x) and not is_zero(line[column]) for x, line in zip(row, matrix, strict=True)):
            return UNKNOWN
        return (Fact(f"in {left} {right} every product of this row and column has a zero factor"),)

    def _step(self, k: int) -> Matrix:
        """φ(p,k)."""
        step = self._forms.instance.steps[k]
        return adjoint_of(tuple(step.of_force(unit) for unit in identity(6)))


def _is_even(component: int, axis: int) -> bool:
    """Whether a component is kept by the reflection of one axis: turns about it, and slides across it."""
    return (component == axis) if component < 3 else (component - 3 != axis)


def _mirrored(P: Matrix, axis: int) -> bool:
    """Whether P couples nothing that the reflection keeps with what it turns round."""
    return all(is_zero(P[a][b]) for a in range(6) for b in range(6) if _is_even(a, axis) and not _is_even(b, axis))
