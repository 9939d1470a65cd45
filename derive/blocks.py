"""Block-diagonal statements on one robot: P, D, G, R, Υ and their like, body by body.

A word of blocks is multiplied left to right, H* into its left neighbour first, so that PH* is worked out once for D, G and
P⁺. A word between two steps is moved by them; where the result is symmetric only half of it is computed. Sums of rigid bodies
moved by steps are rigid bodies, and kept as such (ten numbers) until a matrix is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from derive.errors import SingularModelError
from derive.instance import Instance
from derive.model import GROUND
from derive.operators.spaces import JOINTS
from derive.recursion import Action, Factor, Field, LoweringError, Place, Statement, Term
from derive.rigid import RigidInertia
from derive.scalars import Scalars
from derive.spatial import (
    EntryOf,
    Matrix,
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

Block: TypeAlias = Matrix | RigidInertia


class Blocks:
    """The diagonal blocks known so far, by field and body; given letters come from the robot."""

    def __init__(
        self,
        robot: Instance,
        scalars: Scalars,
        bind: Callable[[str, int, Block], Block] = lambda field, body, block: block,
    ) -> None:
        self._robot, self._scalars, self._bind = robot, scalars, bind
        self._known: dict[str, dict[int, Block]] = {}
        self._products: dict[tuple[str, int], Matrix] = {}  # X(k) H*(k)

    def matrix(self, name: str, k: int) -> Matrix:
        """The block of a field or given letter at body k, as a matrix."""
        return _as_matrix(self.block(name, k))

    def block(self, name: str, k: int) -> Block:
        """The block of a field or given letter at body k, a rigid body if it is one."""
        if name == "tau_bar":
            G, H = self.matrix("G", k), self.matrix("H", k)
            return matrix_sum(identity(6), product(G, H), -1)
        given: Mapping[str, Sequence[Block]] = {
            "H": self._robot.H,
            "M": self._robot.M,
            "J_a": self._robot.armature,
        }
        return given[name][k] if name in given else self._known[name][k]

    def keep(self, name: str, k: int, block: Matrix) -> None:
        """Take a block that was worked out elsewhere."""
        self._known.setdefault(name, {})[k] = block

    def compute(self, statement: Statement, k: int) -> Block:
        """Work out target(k), and give it."""
        total: Block | None = None
        for term in statement.terms:
            for value in self._summands(term, k, statement.target):
                total = self._combined(total, term.coefficient, value)
        if total is None:  # what comes from the ground
            total = ((0.0,) * 6,) * 6
        name = statement.target.name
        block = self._bind(name, k, self._acted(statement, total, k))
        self._known.setdefault(name, {})[k] = block
        return block

    def _acted(self, statement: Statement, block: Block, k: int) -> Block:
        if statement.action is Action.SUM:
            return block
        value = _as_matrix(block)
        joint = self._robot.model.joints[k].name
        if statement.action is Action.INVERSE:
            try:
                return (
                    symmetric_inverse(value, entry_naming(self._bind, k))
                    if len(value) > 1
                    else symmetric_inverse(value)
                )
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

    def _combined(self, total: Block | None, coefficient: Fraction, block: Block) -> Block:
        if coefficient == 1 and isinstance(block, RigidInertia) and (total is None or isinstance(total, RigidInertia)):
            return block if total is None else total + block
        value, total = _as_matrix(block), None if total is None else _as_matrix(total)
        if total is not None and abs(coefficient) == 1:
            return matrix_sum(total, value, 1 if coefficient == 1 else -1)
        scaled = value if coefficient == 1 else matrix_scaled(self._scalars.number(coefficient), value)
        return scaled if total is None else matrix_sum(total, scaled)

    def _summands(self, term: Term, k: int, target: Field) -> list[Block]:
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

    def _moved(self, factors: tuple[Factor, ...], at: int, step: int, symmetric: bool) -> Block:
        """left · core(at) · right*, where both are the step at body `step`."""
        left, *core, right = factors
        block = self._word(tuple(core), at, symmetric)
        phi = self._robot.steps[step]
        if left.name == right.name == "phi" and not left.adjoint and isinstance(block, RigidInertia):
            return phi.of_rigid(block)
        inner = _as_matrix(block)
        if left.name == right.name == "phi" and symmetric:
            return phi.back_of_symmetric(inner) if left.adjoint else phi.of_symmetric(inner)
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

    def _word(self, factors: tuple[Factor, ...], k: int, symmetric: bool) -> Block:
        if len(factors) == 1 and not factors[0].adjoint:
            return self.block(factors[0].name, k)
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


def _as_matrix(block: Block) -> Matrix:
    return block.matrix if isinstance(block, RigidInertia) else block


def entry_naming(bind: Callable[[str, int, Block], Block], k: int) -> EntryOf:
    """How the entries of the factors of a block at body k are bound."""

    def entry_of(letter: str, i: int, j: int, value: Any) -> Any:
        place = f"{i + 1}" if letter == "d" else f"{i + 1}{j + 1}"
        return _as_matrix(bind(f"{letter}{place}_", k, ((value,),)))[0][0]

    return entry_of
