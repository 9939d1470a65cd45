"""Block-diagonal statements on one robot: P, D, G, R, Υ and their like, body by body.

A word of blocks is multiplied left to right, H* into its left neighbour first, so that PH* is worked out once for D, G and
P⁺. A word between two steps is moved by them; where the result is symmetric only half of it is computed.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from derive.algebra import applied
from derive.errors import SingularModelError
from derive.instance import Instance
from derive.model import GROUND
from derive.operators.spaces import JOINTS
from derive.recursion import Action, Factor, Field, LoweringError, Place, Statement, Term
from derive.scalars import Scalars
from derive.spatial import (
    Matrix,
    Transition,
    Vector,
    adjoint_of,
    identity,
    matrix_scaled,
    matrix_sum,
    mirrored,
    product,
    product_with_vector,
    symmetric_inverse,
    symmetric_product,
    vector_difference,
)


class Blocks:
    """The diagonal blocks known so far, by field and body; given letters come from the robot."""

    def __init__(self, robot: Instance, scalars: Scalars) -> None:
        self._robot, self._scalars = robot, scalars
        self._known: dict[str, dict[int, Matrix]] = {}
        self._products: dict[tuple[str, int], Matrix] = {}  # X(k) H*(k)

    def matrix(self, name: str, k: int) -> Matrix:
        """The block of a field or given letter at body k."""
        if name == "tau_bar":
            G, H = self.matrix("G", k), self.matrix("H", k)
            return matrix_sum(identity(6), product(G, H), -1)
        given: Mapping[str, tuple[Matrix, ...]] = {
            "H": self._robot.H,
            "M": self._robot.M,
            "J_a": self._robot.armature,
        }
        return given[name][k] if name in given else self._known[name][k]

    def compute(self, statement: Statement, k: int) -> None:
        """Work out target(k)."""
        total: Matrix | None = None
        for term in statement.terms:
            for value in self._summands(term, k, statement.target):
                total = self._combined(total, term.coefficient, value)
        assert total is not None
        self._known.setdefault(statement.target.name, {})[k] = self._acted(statement, total, k)

    def _acted(self, statement: Statement, value: Matrix, k: int) -> Matrix:
        if statement.action is Action.SUM:
            return value
        joint = self._robot.model.joints[k].name
        if statement.action is Action.INVERSE:
            try:
                return symmetric_inverse(value)
            except ZeroDivisionError:
                what = statement.target.name
                raise SingularModelError(
                    f"model '{self._robot.model.name}': {what} does not exist at joint '{joint}', which moves nothing with "
                    "mass; lock it, or give its link an inertia or the joint an armature"
                ) from None
        if len(value) != 1:
            raise LoweringError(f"D^½ is computed for joints with one degree of freedom; '{joint}' has {len(value)}")
        root = self._scalars.sqrt(value[0][0])
        return ((root if statement.action is Action.SQRT else 1 / root,),)

    def _combined(self, total: Matrix | None, coefficient: Fraction, value: Matrix) -> Matrix:
        if total is not None and abs(coefficient) == 1:
            return matrix_sum(total, value, 1 if coefficient == 1 else -1)
        scaled = value if coefficient == 1 else matrix_scaled(self._scalars.number(coefficient), value)
        return scaled if total is None else matrix_sum(total, scaled)

    def _summands(self, term: Term, k: int, target: Field) -> list[Matrix]:
        """The values of a term at body k: one, or one per child; without factors it is the identity."""
        symmetric = target.symmetric
        if not term.factors:
            return [identity(len(self._robot.H[k]) if target.rows is JOINTS else 6)]
        first = term.factors[0]
        if first.place is Place.CHILD:
            return [self._moved(term.factors, c, c, symmetric) for c in self._robot.children[k]]
        if first.place is Place.PARENT:
            parent = self._robot.parent[k]
            return [] if parent == GROUND else [self._moved(term.factors, parent, k, symmetric)]
        return [self._word(term.factors, k, symmetric)]

    def _moved(self, factors: tuple[Factor, ...], at: int, step: int, symmetric: bool) -> Matrix:
        """left · core(at) · right*, where both are the step at body `step`."""
        left, *core, right = factors
        inner = self._word(tuple(core), at, symmetric)
        phi = self._robot.steps[step]
        if left.name == right.name == "phi" and symmetric:
            return _congruence(phi, inner, left.adjoint)
        columns = [self._step(left, step, column) for column in adjoint_of(inner)]
        rows = [
            self._step(Factor(right.name, adjoint=not right.adjoint), step, row) for row in adjoint_of(tuple(columns))
        ]
        return mirrored(rows) if symmetric else tuple(rows)

    def _step(self, step: Factor, body: int, x: Vector) -> Vector:
        """φ x or ψ x (or the adjoint) for the step from `body` to its parent."""
        phi = self._robot.steps[body]
        if step.name == "phi":
            return phi.applied(x, adjoint=step.adjoint)
        if step.adjoint:
            return self._projected(phi.of_motion(x), body, adjoint=True)
        return phi.of_force(self._projected(x, body, adjoint=False))

    def _projected(self, x: Vector, k: int, *, adjoint: bool) -> Vector:
        """τ̄ x = x − G(Hx), or τ̄* x = x − H*(G*x)."""
        first, second = ("G", "H") if adjoint else ("H", "G")
        inner = product_with_vector(self.matrix(first, k), x, adjoint=adjoint)
        return vector_difference(x, product_with_vector(self.matrix(second, k), inner, adjoint=adjoint))

    def _word(self, factors: tuple[Factor, ...], k: int, symmetric: bool) -> Matrix:
        parts: list[Matrix] = []
        for i, factor in enumerate(factors):
            if factor.name == "H" and factor.adjoint and i and not factors[i - 1].adjoint:
                parts[-1] = self._times_H_star(factors[i - 1].name, k)
            else:
                block = self.matrix(factor.name, k)
                parts.append(adjoint_of(block) if factor.adjoint else block)
        result = parts[0]
        for i, part in enumerate(parts[1:], start=2):
            result = symmetric_product(result, part) if symmetric and i == len(parts) else product(result, part)
        return result

    def _times_H_star(self, name: str, k: int) -> Matrix:
        if (name, k) not in self._products:
            rows = [product_with_vector(self.matrix(name, k), h) for h in self.matrix("H", k)]
            self._products[(name, k)] = adjoint_of(tuple(rows))
        return self._products[(name, k)]


def _congruence(phi: Transition, X: Matrix, adjoint: bool) -> Matrix:
    """φ X φ*, or φ* X φ, for a symmetric X: one half, the other mirrored."""
    columns = [phi.applied(column, adjoint=adjoint) for column in X]
    rows = adjoint_of(tuple(columns))
    if adjoint:
        return mirrored([phi.of_motion(row) for row in rows])
    lower: list[Any] = [(0.0, 0.0, 0.0, *applied(phi.rotation, row[3:])) for row in rows[3:]]
    return mirrored([*(phi.of_force(row) for row in rows[:3]), *lower])
