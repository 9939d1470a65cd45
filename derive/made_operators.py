"""Factors made of fields, on one robot: Ṽ, W̃, Ã, Δ̃, 𝒬[f], 𝓑[R,V], 𝒟[R,V], and the statements that only they can work out."""

from __future__ import annotations

from functools import reduce
from typing import Any

from derive.algebra import crossed, dot, minus, times
from derive.blocks import Blocks
from derive.instance import Instance
from derive.model_order import Columns
from derive.motion_blocks import NOTHING, ZERO_BLOCK, CoriolisBlock, RigidBody, companion
from derive.recursion import Action, Factor, Kind, Statement
from derive.rigid import RigidInertia
from derive.scalars import Scalars
from derive.spatial import (
    Matrix,
    Vector,
    adjoint_of,
    product_with_vector,
    spatial_cross,
    spatial_cross_adjoint,
    vector_sum,
)


class MadeOperators:
    """Operators made of the stacked fields in `values` and of diagonal blocks; holds the Coriolis blocks itself."""

    def __init__(
        self, robot: Instance, scalars: Scalars, blocks: Blocks, values: dict[str, dict[int, Columns]]
    ) -> None:
        self._robot, self._scalars, self._blocks, self._values = robot, scalars, blocks, values
        self._coriolis: dict[str, dict[int, CoriolisBlock]] = {}
        self._bodies: dict[tuple[str, int], RigidBody] = {}

    def computes(self, statement: Statement) -> bool:
        """Whether a statement is worked out here: Coriolis blocks, pairs, axial vectors, and blocks with a made factor."""
        if statement.target.kind is Kind.CORIOLIS or statement.action in (Action.PAIRED, Action.AXIAL):
            return True
        return statement.target.kind is Kind.BLOCK and any(factor.of for factor in statement.factors)

    def holds(self, name: str) -> bool:
        """Whether `name` is a field of Coriolis blocks."""
        return name in self._coriolis

    def coriolis_block(self, name: str, k: int) -> CoriolisBlock:
        """The block of a field of Coriolis blocks at body k."""
        return self._coriolis[name][k]

    def know(self, name: str, k: int, block: CoriolisBlock) -> None:
        """Enter a Coriolis block that was worked out before."""
        self._coriolis.setdefault(name, {})[k] = block

    def applied(self, factor: Factor, at: int, x: Vector) -> Vector:
        """The factor at a body (or point) times x."""
        if factor.name in self._coriolis:
            return self._coriolis[factor.name][at].applied(x, adjoint=factor.adjoint)
        if factor.name == "Dx":
            return self._own_motion(at, x, adjoint=factor.adjoint)
        *inertia, vector = factor.of
        values = self._vector(vector, at)
        if inertia:
            return self._by_inertia(factor, self._rigid(inertia[0], at), values, x)
        return _by_vector(factor, values, x)

    def compute(self, statement: Statement, k: int) -> Columns | Matrix:
        """Work out target(k), and give it: of a Coriolis block, its N."""
        name = statement.target.name
        if statement.target.kind is Kind.CORIOLIS:
            block = self._outboard(statement, k)
            self.know(name, k, block)
            return block.N
        if statement.target.kind is Kind.BLOCK:
            columns = self._columns(statement, k)
            self._blocks.keep(name, k, columns)
            return columns
        paired = statement.action is Action.PAIRED
        value: Columns = self._paired(statement, k) if paired else {0: (self._axial(statement, k),)}
        self._values.setdefault(name, {})[k] = value
        return value

    def _vector(self, name: str, at: int) -> Vector:
        """The value of a stacked field; zero where nothing was found."""
        return next(iter(self._values[name].get(at, {}).values()), ((0.0,) * 6,))[0]

    def _rigid(self, name: str, k: int) -> RigidBody:
        if (name, k) not in self._bodies:
            body = self._blocks.block(name, k)
            assert isinstance(body, RigidInertia)  # M, or a sum of such moved by steps
            self._bodies[(name, k)] = RigidBody.of(body, self._scalars)
        return self._bodies[(name, k)]

    def _by_inertia(self, factor: Factor, body: RigidBody, V: Vector, x: Vector) -> Vector:
        if factor.name == "DD_R":
            y = body.gyroscopic(V, x)
            return tuple(minus(0.0, e) for e in y) if factor.adjoint else y  # it is skew
        return body.coriolis_adjoint(V, x) if factor.adjoint else body.coriolis(V, x)

    def _own_motion(self, k: int, x: Vector, *, adjoint: bool) -> Vector:
        """Δ̃x = Σ θ̇ s̃ x over the freedoms s of the joint; s̃s is zero without being worked out."""
        cross = spatial_cross_adjoint if adjoint else spatial_cross
        total: Vector = (0.0,) * 6
        for s, rate in zip(self._robot.H[k], self._vector("qd", k), strict=True):
            if s is not x:
                total = vector_sum(total, cross(tuple(times(rate, e) for e in s), x))
        return total

    def moved_inboard(self, statement: Statement, c: int) -> CoriolisBlock:
        """The summand the parent of c takes from it: φ(k,c) [what the terms say at c] φ*(k,c)."""
        inner = [self._coriolis_block(factor, c) for _, factor, _ in (t.factors for t in statement.terms)]
        return reduce(CoriolisBlock.plus, inner).moved(self._robot.steps[c])

    def _outboard(self, statement: Statement, k: int) -> CoriolisBlock:
        """The sum of what the children send."""
        summands = (self.moved_inboard(statement, c) for c in self._robot.children[k])
        return reduce(CoriolisBlock.plus, summands, ZERO_BLOCK)

    def _coriolis_block(self, factor: Factor, k: int) -> CoriolisBlock:
        """A Coriolis block, or 𝓑[R,Δ] of the body's own joint motion Δ = H*θ̇."""
        if not factor.of:
            return self._coriolis[factor.name][k]
        inertia, rates = factor.of
        motion = product_with_vector(self._robot.H[k], self._vector(rates, k), adjoint=True)
        return self._rigid(inertia, k).coriolis_block(motion)

    def _paired(self, statement: Statement, k: int) -> Columns:
        """For every column s of the field and every column h of H*(k), 𝒟[R(k), s] h."""
        inertia, field = statement.terms[0].factors[0].of
        body = self._rigid(inertia, k)
        return {
            a * self._robot.n + k: tuple(body.gyroscopic(s, h) for s in columns for h in self._robot.H[k])
            for a, columns in self._values[field][k].items()
        }

    def _columns(self, statement: Statement, k: int) -> Matrix:
        """The 6×r block that is the sum of the terms, column by column."""
        total: list[Vector] | None = None
        for term in statement.terms:
            *operators, last = term.factors
            columns = list(adjoint_of(self._blocks.matrix(last.name, k)) if not last.adjoint else self._robot.H[k])
            for factor in reversed(operators):
                columns = [self.applied(factor, k, x) for x in columns]
            total = columns if total is None else [vector_sum(u, v) for u, v in zip(total, columns, strict=True)]
        assert total is not None
        return adjoint_of(tuple(total))

    def _axial(self, statement: Statement, k: int) -> Vector:
        """a with a·s = tr(𝒮[s] X Y), 𝒮[[x; y]] = [[x̃, ỹ], [0, x̃]]."""
        X, Y = (self._blocks.matrix(factor.name, k) for factor in statement.terms[0].factors)
        columns = adjoint_of(Y)

        def entry(i: int, j: int) -> Any:
            return dot(X[i], columns[j])

        def axis(row: int, column: int) -> Vector:
            """x ↦ tr(x̃ B) of the 3×3 block B that begins at (row, column), as a vector."""
            return tuple(
                minus(entry(row + i, column + j), entry(row + j, column + i)) for i, j in ((1, 2), (2, 0), (0, 1))
            )

        return (*vector_sum(axis(0, 0), axis(3, 3)), *axis(3, 0))


def _by_vector(factor: Factor, V: Vector, x: Vector) -> Vector:
    """Ṽx, 𝒬[f]x or v̂x, or the adjoint."""
    if factor.name == "Qf":
        y = companion(V, x)
        return tuple(minus(0.0, e) for e in y) if factor.adjoint else y  # it is skew
    if factor.name == "V_0x":
        return (*crossed(x[3:], V[3:]), *NOTHING) if factor.adjoint else (*NOTHING, *crossed(V[3:], x[:3]))
    return spatial_cross_adjoint(V, x) if factor.adjoint else spatial_cross(V, x)
