"""`run(recursion, model, inputs)`: the meaning of a recursion, on any scalar.

The same function runs on floats (to be compared with dense operators), complex numbers, mpmath, SymPy, and the scalars of the
code generator. Joint quantities go in and come out in model order, bodies as rows in model order, points in the order of the
tips.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from fractions import Fraction
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np

from derive.algebra import dot, minus, plus
from derive.blocks import Blocks
from derive.errors import StateError
from derive.instance import Axes, Instance, instance
from derive.model import GROUND, Model
from derive.model_order import Columns, assembled, input_values, scalars_in
from derive.operators.spaces import POINTS
from derive.plan import Node, Op, Plan, plan
from derive.recursion import Action, Direction, Factor, Kind, LoweringError, Place, Recursion, Statement, Wanted
from derive.scalars import Scalars, scalars_for
from derive.spatial import (
    Vector,
    adjoint_of,
    product_with_vector,
    spatial_cross,
    spatial_cross_adjoint,
    symmetric_solve,
    vector_difference,
    vector_scaled,
    vector_sum,
)

GRAVITY = (0.0, 0.0, -9.81)
SINGULAR = 1e12  # condition number from which an inverse means nothing in double precision
Trace: TypeAlias = Callable[[int, int, str], AbstractContextManager[None]]


def untraced(sweep: int, body: int, field: str) -> AbstractContextManager[None]:
    """Nobody listens."""
    return nullcontext()


def run(
    recursion: Recursion,
    model: Model,
    inputs: Mapping[str, Any],
    *,
    gravity: Sequence[Any] = GRAVITY,
    scalars: Scalars | None = None,
    parameters: Mapping[str, Any] | None = None,
    tips: Sequence[str] | None = None,
    axes: Axes = "tip",
    trace: Trace = untraced,
) -> dict[str, Any]:
    """The outputs by name, as arrays: joints (nv,), bodies (n, 6), points (points, 6), matrices stacked alike.

    `inputs` has q and what `recursion.inputs` name. Point vectors are in the axes of the tip frames, or the world's.
    Every statement at every body is worked out inside `trace(number of the sweep, body, name of the field)`.
    """
    if model.has_mimics and recursion.needs_articulated_inertia:
        names = ", ".join(f"'{j.name}'" for j in model.joints if j.mimic is not None)
        raise LoweringError(
            f"model '{model.name}' has joints that follow others ({names}): they close loops, for which D(k) is not defined "
            "joint by joint; lock or free them, or ask for the mass matrix and solve"
        )
    if recursion.needs_articulated_inertia:
        model.require_invertible_mass_matrix()
    values = {name: np.asarray(value).tolist() for name, value in inputs.items()}
    chosen = scalars or scalars_for(scalars_in([list(values.values()), *gravity, *(parameters or {}).values()]))
    robot = instance(model, values["q"], values.get("qd"), chosen, parameters=parameters, tips=tips, axes=axes)
    execution = _Execution(robot, chosen)
    for given in recursion.inputs:
        execution.values[given.name] = input_values(given, values, robot, gravity)
    for number, sweep in enumerate(recursion.sweeps):
        bodies = range(robot.n) if sweep.direction is Direction.BASE_TO_TIP else reversed(range(robot.n))
        execution.start(plan(s for s in sweep.statements if _is_planned(s)))
        for k in bodies:
            for statement in sweep.statements:
                with trace(number, k, statement.target.name):
                    execution.visit(statement, k)
        for statement in sweep.closing:
            execution.close(statement)
    return {
        output.name: assembled(output, execution.values.get(output.field.name, {}), robot)
        for output in recursion.outputs
    }


class _Execution:
    """Field values so far: stacked ones here, diagonal blocks in `blocks`."""

    def __init__(self, robot: Instance, scalars: Scalars) -> None:
        self.values: dict[str, dict[int, Columns]] = {}
        self._robot, self._scalars = robot, scalars
        self._blocks = Blocks(robot, scalars)
        self._plan = Plan((), {})
        self._memo: dict[tuple[int, int, bool], Columns] = {}
        self._half = False

    @cached_property
    def _meeting(self) -> list[list[tuple[int, int]]]:
        """For each body, the pairs of points of which it is the closest common ancestor."""
        pairs: list[list[tuple[int, int]]] = [[] for _ in range(self._robot.n)]
        for i, (body, _) in enumerate(self._robot.points):
            for j, (other, _) in enumerate(self._robot.points):
                meet = self._robot.closest_common_ancestor(body, other)
                if meet != GROUND:
                    pairs[meet].append((i, j))
        return pairs

    @cached_property
    def _climbing(self) -> list[set[int]]:
        """For each body, the points outboard of it that meet another point here or further inboard."""
        climbing: list[set[int]] = [set() for _ in range(self._robot.n)]
        for i, (body, _) in enumerate(self._robot.points):
            path = self._robot.model.path(body)
            last = max(at for at, k in enumerate(path) if any(i == j for j, _ in self._meeting[k]))
            for k in path[: last + 1]:
                climbing[k].add(i)
        return climbing

    def start(self, plan: Plan) -> None:
        """Begin a sweep."""
        self._plan, self._memo = plan, {}

    def visit(self, statement: Statement, k: int) -> None:
        """Work out the statement at body k, or at the points of body k."""
        target = statement.target
        if target.kind is Kind.BLOCK:
            self._blocks.compute(statement, k)
            return
        held = self.values.setdefault(target.name, {})
        if statement.action is Action.DOT:
            held[0] = _sum_of(held.get(0, {}), self._dot(statement, k))
            return
        if statement.action is Action.PAIRS:
            self._pairs(statement, k)
            return
        self._half = statement.wanted is Wanted.HALF
        for at in self._robot.points_of(k) if target.rows is POINTS else (k,):
            value: Columns = {}
            if statement.wanted is not Wanted.COMMON or self._climbing[k]:
                value = self._value(self._plan.roots[target.name], at)
            if statement.wanted is Wanted.COMMON:
                value = {j: columns for j, columns in value.items() if j in self._climbing[k]}
            held[at] = {j: columns for j, columns in value.items() if j >= k} if self._half else value

    def close(self, statement: Statement) -> None:
        """Solve W x = y over all points."""
        W, y = (self.values[f.name] for f in statement.terms[0].factors)
        number = len(self._robot.points)
        dense = [
            [W[i][j][c][r] if j in W[i] else 0.0 for j in range(number) for c in range(6)]
            for i in range(number)
            for r in range(6)
        ]
        if all(isinstance(x, float) for row in dense for x in row) and np.linalg.cond(dense) > SINGULAR:
            raise StateError(
                f"{statement.terms[0].factors[0].name} over the points is singular on model '{self._robot.model.name}' here: "
                "the points cannot move in all directions independently; choose fewer with tips=, or another q"
            )
        blocks = sorted({j for value in y.values() for j in value})
        solved: dict[int, Columns] = {i: {} for i in range(number)}
        for j in blocks:
            width = next(len(value[j]) for value in y.values() if j in value)
            for c in range(width):
                right = [x for i in range(number) for x in (y[i][j][c] if j in y[i] else (0.0,) * 6)]
                x = symmetric_solve(tuple(map(tuple, dense)), tuple(right))
                for i in range(number):
                    solved[i][j] = (*solved[i].get(j, ()), x[6 * i : 6 * i + 6])
        self.values[statement.target.name] = solved

    def _dot(self, statement: Statement, k: int) -> Columns:
        """The part of Σ x*y that body k (or its points) brings."""
        total: Any = 0.0
        for term in statement.terms:
            left, right = (self.values[f.name] for f in term.factors)
            for at in self._robot.points_of(k) if term.factors[0].place is Place.POINT else (k,):
                if left[at] and right[at]:
                    product = dot(left[at][0][0], right[at][0][0])
                    total = plus(total, self._scaled(term.coefficient, (product,))[0])
        return {0: ((total,),)}

    def _pairs(self, statement: Statement, c: int) -> None:
        """The blocks (i, j) of the points whose closest common ancestor is body c [SOA-77]."""
        held = self.values[statement.target.name]
        number = len(self._robot.points)
        for a in range(number):
            held.setdefault(a, {})
        for i, j in self._meeting[c]:
            total: Columns = {}
            for term in statement.terms:
                x, r, y = (f.name for f in term.factors)
                X, R = adjoint_of(self.values[x][c][i]), self._blocks.matrix(r, c)
                columns = [product_with_vector(R, column) for column in self.values[y][c][j]]
                block = tuple(
                    self._scaled(term.coefficient, product_with_vector(X, column, adjoint=True)) for column in columns
                )
                total = _sum_of(total, {j: block})
            held[i] |= total

    def _value(self, number: int, at: int) -> Columns:
        """The value of a node at a body or point; at the ground all but the ground's acceleration is zero."""
        key = (number, at, self._half)
        if key not in self._memo:
            self._memo[key] = self._computed(self._plan.nodes[number], at)
        return self._memo[key]

    def _computed(self, node: Node, at: int) -> Columns:
        match node.op:
            case Op.READ:
                assert node.factor is not None
                return self.values[node.factor.name].get(at, {})
            case Op.SUM:
                return self._sum(node, at)
        ((_, inner),) = node.inner
        robot = self._robot
        match node.op:
            case Op.FROM_CHILDREN:
                parts = [_mapped(robot.steps[c].of_force, self._value(inner, c)) for c in robot.children[at]]
            case Op.FROM_PARENT:
                carried = self._value(inner, robot.parent[at])
                if self._half:
                    carried = {j: columns for j, columns in carried.items() if j >= at}
                parts = [_mapped(robot.steps[at].of_motion, carried)]
            case Op.FROM_POINTS:
                parts = [_mapped(robot.points[a][1].of_force, self._value(inner, a)) for a in robot.points_of(at)]
            case Op.AT_POINT:
                body, phi = robot.points[at]
                parts = [_mapped(phi.of_motion, self._value(inner, body))]
            case _:
                assert node.factor is not None
                value = self._value(inner, at)
                return _mapped(self._block(node.factor, at), value) if value and at != GROUND else {}
        total: Columns = {}
        for part in parts:
            total = _sum_of(total, part)
        return total

    def _block(self, factor: Factor, k: int) -> Callable[[Vector], Vector]:
        """Multiplication by a factor at body k."""
        if factor.tilde:
            V = self.values[factor.name][k][0][0]
            cross = spatial_cross_adjoint if factor.adjoint else spatial_cross
            return lambda x: cross(V, x)
        if factor.name == "H_rate":
            columns = self._robot.H_rate[k]
            if columns is None:
                return lambda x: (0.0,) * 6
            return lambda x: product_with_vector(columns, x, adjoint=True)
        matrix = self._blocks.matrix(factor.name, k)
        return lambda x: product_with_vector(matrix, x, adjoint=factor.adjoint)

    def _sum(self, node: Node, at: int) -> Columns:
        """Σ coefficient · part, those with coefficient 1 first so that the others are subtracted from something."""
        total: Columns = {}
        for coefficient, inner in sorted(node.inner, key=lambda part: part[0] != 1):
            value = self._value(inner, at)
            if coefficient == -1:
                total = _difference_of(total, value)
            elif coefficient == 1:
                total = _sum_of(total, value)
            else:
                total = _sum_of(total, _mapped(lambda x, c=coefficient: self._scaled(c, x), value))  # type: ignore[misc]
        return total

    def _scaled(self, coefficient: Fraction, x: Vector) -> Vector:
        return x if coefficient == 1 else vector_scaled(self._scalars.number(coefficient), x)


def _is_planned(statement: Statement) -> bool:
    return statement.target.kind is not Kind.BLOCK and statement.action is Action.SUM


def _mapped(function: Callable[[Vector], Vector], value: Columns) -> Columns:
    return {j: tuple(map(function, columns)) for j, columns in value.items()}


def _sum_of(a: Columns, b: Columns) -> Columns:
    total = dict(a)
    for j, columns in b.items():
        total[j] = tuple(map(vector_sum, total[j], columns)) if j in total else columns
    return total


def _difference_of(a: Columns, b: Columns) -> Columns:
    total = dict(a)
    for j, columns in b.items():
        if j in total:
            total[j] = tuple(map(vector_difference, total[j], columns))
        else:
            total[j] = tuple(tuple(minus(0.0, x) for x in column) for column in columns)
    return total
