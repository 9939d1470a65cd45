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

from derive.algebra import Any3, dot, minus, plus
from derive.blocks import Block, Blocks
from derive.constant_maps import with_constant_joint_maps
from derive.conventional import fused_letters
from derive.errors import StateError
from derive.instance import Axes, Instance, instance
from derive.made_operators import MadeOperators
from derive.model import GROUND, Model
from derive.model_order import Columns, assembled, input_values, scalars_in
from derive.newton_euler import STILL, body_rate, carried, centrifugal, coupling, gyroscopic, rate_matrix, wrench
from derive.operators.spaces import POINTS
from derive.plan import Node, Op, Plan, plan
from derive.recursion import (
    Action,
    Assembly,
    Direction,
    Factor,
    Kind,
    LoweringError,
    Output,
    Place,
    Recursion,
    Statement,
    Wanted,
)
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
from derive.tensors import assembled_tensor

GRAVITY = (0.0, 0.0, -9.81)
NOTHING: Vector = (0.0,) * 6
BIASES = frozenset({Action.COUPLING, Action.CENTRIFUGAL, Action.GYROSCOPIC})
SINGULAR = 1e12  # condition number from which an inverse means nothing in double precision
Report: TypeAlias = Callable[[Any], None]
Trace: TypeAlias = Callable[[int, int, str], AbstractContextManager[Report]]
Bind: TypeAlias = Callable[[str, int, Any], Any]


def untraced(sweep: int, body: int, field: str) -> AbstractContextManager[Report]:
    """Nobody listens."""
    return nullcontext(lambda value: None)


def unbound(field: str, body: int, value: Any) -> Any:
    """Every value stands for itself."""
    return value


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
    bind: Bind = unbound,
) -> dict[str, Any]:
    """The outputs by name, as arrays: joints (nv,), bodies (n, 6), points (points, 6), matrices stacked alike.

    `inputs` has q and what `recursion.inputs` name. Point vectors are in the axes of the tip frames, or the world's.
    Every statement at every body is worked out inside `trace(number of the sweep, body, name of the field)`, and what it gave
    is reported there: columns by block, or a block. What is read
    afterwards is `bind(name of the field, body, value)`, of a sum over the bodies each body's part: with names instead of
    values, a let-bound form comes out.
    """
    if model.has_mimics and recursion.needs_articulated_inertia:
        names = ", ".join(f"'{j.name}'" for j in model.joints if j.mimic is not None)
        raise LoweringError(
            f"model '{model.name}' has joints that follow others ({names}): they close loops, for which D(k) is not defined "
            "joint by joint; lock or free them, or ask for the mass matrix and solve"
        )
    if recursion.needs_articulated_inertia:
        model.require_invertible_mass_matrix()
    if recursion.differentiates:
        model = with_constant_joint_maps(model)
    values = {name: np.asarray(value).tolist() for name, value in inputs.items()}
    chosen = scalars or scalars_for(scalars_in([list(values.values()), *gravity, *(parameters or {}).values()]))
    robot = instance(model, values["q"], values.get("qd"), chosen, parameters=parameters, tips=tips, axes=axes)
    execution = Execution(robot, chosen, bind=bind)
    for given in recursion.inputs:
        execution.values[given.name] = input_values(given, values, robot, gravity)
    fused = fused_letters(recursion)
    plans = [plan((s for s in sweep.statements if _is_planned(s)), fused) for sweep in recursion.sweeps]
    needless = frozenset(letter for planned in plans for letter in planned.fused)
    for number, sweep in enumerate(recursion.sweeps):
        bodies = range(robot.n) if sweep.direction is Direction.BASE_TO_TIP else reversed(range(robot.n))
        execution.start(plans[number])
        for k in bodies:
            for statement in (s for s in sweep.statements if s.target.name not in needless):
                with trace(number, k, statement.target.name) as report:
                    report(execution.visit(statement, k))
        for statement in sweep.closing:
            execution.close(statement)
    return {output.name: _assembled(output, execution.values, robot) for output in recursion.outputs}


def _assembled(output: Output, values: Mapping[str, dict[int, Columns]], robot: Instance) -> Any:
    held = values.get(output.field.name, {})
    if output.assembly is not Assembly.MATRIX:
        return assembled_tensor(output.assembly, held, robot)
    return assembled(output, held, robot, values.get(output.anticausal.name) if output.anticausal else None)


class Execution:
    """Field values so far: stacked ones here, diagonal blocks in `blocks`."""

    def __init__(self, robot: Instance, scalars: Scalars, blocks: Blocks | None = None, bind: Bind = unbound) -> None:
        self.values: dict[str, dict[int, Columns]] = {}
        self._robot, self._scalars, self._bind = robot, scalars, bind
        self._blocks = blocks or Blocks(robot, scalars, bind)
        self._plan = Plan((), {})
        self._memo: dict[tuple[int, int, bool], Columns] = {}
        self.half = False
        self._made = MadeOperators(robot, scalars, self._blocks, self.values)

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

    def visit(self, statement: Statement, k: int) -> Columns | Block | None:
        """Work out the statement at body k, or at the points of body k; what it is at the body."""
        target = statement.target
        if self._made.computes(statement):
            return self._made.compute(statement, k)
        if target.kind is Kind.BLOCK:
            return self._blocks.compute(statement, k)
        held = self.values.setdefault(target.name, {})
        if statement.action is Action.DOT:
            held[0] = _sum_of(held.get(0, {}), self._bind(target.name, k, self._dot(statement, k)))
            return None
        if statement.action is Action.PAIRS:
            self._pairs(statement, k)
            return None
        if statement.action is Action.RATE_MATRIX:
            (_, alpha) = statement.factors
            return rate_matrix(self._spin(k), self.values[alpha.name][k].get(0, (NOTHING,))[0][:3])
        if statement.action is Action.BODY_RATE:
            A, W = (self.values[f.name].get(k, {}).get(0, (NOTHING,))[0] for f in statement.factors)
            held[k] = {0: (body_rate(A, W),)}
            return held[k]
        if statement.action in BIASES:
            held[k] = {0: (self._bias(statement.action, k),)}
            return held[k]
        self.half = statement.wanted is Wanted.HALF
        for at in self._robot.points_of(k) if target.rows is POINTS else (k,):
            value: Columns = {}
            if statement.wanted is not Wanted.COMMON or self._climbing[k]:
                value = self.value(self._plan.roots[target.name], at)
            if statement.wanted is Wanted.COMMON:
                value = {j: columns for j, columns in value.items() if j in self._climbing[k]}
            kept = {j: columns for j, columns in value.items() if j >= k} if self.half else value
            held[at] = self._bind(target.name, at, kept)
        return None if target.rows is POINTS else held[k]

    def _bias(self, action: Action, k: int) -> Vector:
        """The bias of the conventional form at body k [SOA-12 … SOA-15]."""
        omega = self._spin(k)
        if action is Action.GYROSCOPIC:
            return gyroscopic(self._robot.M[k], omega)
        outer, step = self._spin(self._robot.parent[k]), self._robot.steps[k]
        if action is Action.CENTRIFUGAL:
            return (0.0, 0.0, 0.0, *step.turned_back(centrifugal(outer, step.translation)))
        rate = self.values["qd"][k][0][0]
        relative = product_with_vector(self._robot.H[k], rate, adjoint=True)
        return coupling(omega, step.turned_back(outer), relative)

    def _spin(self, k: int) -> Any3:
        """ω of body k; the ground does not turn."""
        if k == GROUND or not self.values["V"].get(k):
            return STILL
        x, y, z, *_ = self.values["V"][k][0][0]
        return (x, y, z)

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

    def value(self, number: int, at: int) -> Columns:
        """The value of a node at a body or point; at the ground all but the ground's acceleration is zero."""
        key = (number, at, self.half)
        if key not in self._memo:
            self._memo[key] = self.computed(self._plan.nodes[number], at)
        return self._memo[key]

    def computed(self, node: Node, at: int) -> Columns:
        """The value of a node, worked out."""
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
                parts = [_mapped(robot.steps[c].of_force, self.value(inner, c)) for c in robot.children[at]]
            case Op.FROM_PARENT:
                outer = self.value(inner, robot.parent[at])
                if self.half:
                    outer = {j: columns for j, columns in outer.items() if j >= at}
                parts = [_mapped(robot.steps[at].of_motion, outer)]
            case Op.CARRIED:
                parent, step = robot.parent[at], robot.steps[at]
                (alpha,) = self.value(inner, parent).get(0, (NOTHING,))
                moved = carried(alpha, self._spin(parent), step.translation)
                return {0: ((*step.turned_back(moved[:3]), *step.turned_back(moved[3:])),)}
            case Op.WRENCH:
                (alpha,) = self.value(inner, at).get(0, (NOTHING,))
                return {0: (wrench(robot.M[at], self._spin(at), alpha),)}
            case Op.FROM_POINTS:
                parts = [_mapped(robot.points[a][1].of_force, self.value(inner, a)) for a in robot.points_of(at)]
            case Op.AT_POINT:
                body, phi = robot.points[at]
                parts = [_mapped(phi.of_motion, self.value(inner, body))]
            case _:
                assert node.factor is not None
                value = self.value(inner, at)
                return _mapped(self._block(node.factor, at), value) if value and at != GROUND else {}
        total: Columns = {}
        for part in parts:
            total = _sum_of(total, part)
        return total

    def _block(self, factor: Factor, k: int) -> Callable[[Vector], Vector]:
        """Multiplication by a factor at body k."""
        if factor.of or self._made.holds(factor.name):
            return lambda x: self._made.applied(factor, k, x)
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
            value = self.value(inner, at)
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
    return statement.target.kind in (Kind.STACK, Kind.COLUMNS) and statement.action is Action.SUM


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
