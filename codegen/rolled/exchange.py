"""What the bodies of one sweep send each other: for every step of its statements, the array it goes through.

A step from the children, Σ φ(k,c) x(c), is worked out where it comes from: each body adds φ x to its parent's row. A step from
the parent reads the row that the parent left. Columns of joints climb in place, since a column is at one body at a time, or
are left in a row of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass

from codegen.errors import FunctionError
from derive.model import Model
from derive.operators.spaces import JOINTS, POINTS
from derive.plan import Node, Op, Plan, plan
from derive.recursion import Action, Direction, Factor, Field, Kind, Place, Recursion, Statement, Sweep, Wanted

UNROLL = "use --unroll always (unroll='always')"


@dataclass(frozen=True)
class Step:
    """A step of a sweep: the node that is moved, whether half its columns are wanted, and the array it goes through."""

    inner: int
    half: bool
    inboard: bool  # to the parent
    array: str
    by_columns: bool


@dataclass(frozen=True)
class BlockStep:
    """A term of a diagonal block that comes from the children."""

    factors: tuple[Factor, ...]
    symmetric: bool
    array: str


@dataclass(frozen=True)
class Exchange:
    """The steps of a sweep, by node and half; `inherited` fields and blocks are read at the parent as they are."""

    plan: Plan
    outward: Mapping[tuple[int, bool], Step]
    inward: Mapping[tuple[int, bool], Step]
    block_steps: Mapping[tuple[Factor, ...], BlockStep]
    coriolis: Mapping[
        str, tuple[Statement, str]
    ]  # a field of Coriolis blocks → its statement, and the array of its sums
    inherited: tuple[str, ...]
    inherited_blocks: tuple[str, ...]
    inboard: bool

    @property
    def steps(self) -> tuple[Step, ...]:
        """All steps but those of blocks."""
        return (*self.outward.values(), *self.inward.values())

    def is_early(self, step: Step) -> bool:
        """Whether the step goes against the sweep, so that a loop before it must take it."""
        return step.inboard != self.inboard

    @property
    def has_early_steps(self) -> bool:
        """Whether there is something to be done before the sweep."""
        return any(map(self.is_early, self.steps)) or (bool(self.block_steps) and not self.inboard)


class Names:
    """Array names, each given once."""

    def __init__(self, taken: set[str]) -> None:
        self._taken = set(taken)

    def fresh(self, name: str) -> str:
        """`name`, with a number behind it where that is taken."""
        number, found = 1, name
        while found in self._taken:
            number += 1
            found = f"{name}{number}"
        self._taken.add(found)
        return found


def fields_of(recursion: Recursion) -> dict[str, Field]:
    """All fields by name."""
    return {f.name: f for f in (*recursion.inputs, *(s.target for s in recursion.statements))}


def is_by_columns(field: Field) -> bool:
    """Whether a field has columns of joints, which are looped over."""
    return field.kind is Kind.COLUMNS and field.columns is JOINTS


def is_planned(statement: Statement) -> bool:
    """Whether the statement is worked out by a plan."""
    return statement.target.kind in (Kind.STACK, Kind.COLUMNS) and statement.action is Action.SUM


def refuse_what_cannot_be_rolled(recursion: Recursion, model: Model) -> None:
    """Raise where loops are not known for a statement, or the robot has no articulated inertias."""
    if recursion.needs_articulated_inertia:
        model.require_invertible_mass_matrix()
        if model.has_mimics:
            raise FunctionError(
                f"model '{model.name}' has joints that follow others: D has no rolled form there; lock them or {UNROLL}"
            )
    for statement in recursion.statements:
        field, action = statement.target, statement.action
        if action is Action.SOLVE:
            raise FunctionError(f"{field.name} is a solve over all points, which has no rolled form; {UNROLL}")
        if field.kind is Kind.COLUMNS and field.columns not in (JOINTS, POINTS):
            raise FunctionError(f"{field.name} has a column for each body's frame, which has no rolled form; {UNROLL}")
        if is_by_columns(field) and (field.rows is POINTS or action is not Action.SUM):
            raise FunctionError(f"{field.name} has no rolled form; {UNROLL}")
    for output in recursion.outputs:
        if output.field.name not in recursion.names:
            raise FunctionError(f"{output.name} is an input as it is, which has no rolled form; {UNROLL}")


def exchange_of(sweep: Sweep, fields: Mapping[str, Field], fused: Set[str], names: Names) -> Exchange:
    """The steps of a sweep."""
    planned = [s for s in sweep.statements if is_planned(s)]
    nodes = plan(planned, fused)
    inward: dict[tuple[int, bool], Step] = {}
    outward: dict[tuple[int, bool], Step] = {}
    for statement in planned:
        target, half = statement.target.name, statement.wanted is Wanted.HALF
        for node in _steps(nodes, nodes.roots[target]):
            inner, inboard = node.inner[0][1], node.op is Op.FROM_CHILDREN
            if next(_steps(nodes, inner), None) is not None:
                raise FunctionError(f"{target} takes two steps at once, which has no rolled form; {UNROLL}")
            known = inward if inboard else outward
            by_columns = any(is_by_columns(fields[name]) for name in _leaves(nodes, inner))
            if (inner, half) in known or not (inboard or by_columns or _has_blocks(nodes, inner)):
                continue
            endings = ("climbing", "row") if by_columns else ("children", "parent")
            array = names.fresh(f"{target}_{endings[not inboard]}")
            known[inner, half] = Step(inner, half, inboard, array, by_columns)
    of_blocks = [(s.target, t.factors) for s in sweep.statements if s.target.kind is Kind.BLOCK for t in s.terms]
    block_steps = {
        factors: BlockStep(factors, target.symmetric, names.fresh(f"{target.name}_children"))
        for target, factors in of_blocks
        if factors and factors[0].place is Place.CHILD
    }
    at_parent = [factors[1:-1] for _, factors in of_blocks if factors and factors[0].place is Place.PARENT]
    blocks = dict.fromkeys(factor.name for core in at_parent for factor in core)
    read = [name for s in sweep.statements for name, place in s.reads if place is Place.PARENT]
    inherited = dict.fromkeys(n for n in read if fields[n].kind is not Kind.BLOCK and not is_by_columns(fields[n]))
    coriolis = {
        s.target.name: (s, names.fresh(f"{s.target.name}_children"))
        for s in sweep.statements
        if s.target.kind is Kind.CORIOLIS
    }
    inboard = sweep.direction is Direction.TIP_TO_BASE
    return Exchange(nodes, outward, inward, block_steps, coriolis, tuple(inherited), tuple(blocks), inboard)


def _steps(nodes: Plan, number: int) -> Iterator[Node]:
    """The steps in a node, those inside other steps left out."""
    node = nodes.nodes[number]
    if node.op in (Op.FROM_CHILDREN, Op.FROM_PARENT, Op.CARRIED):
        yield node
        return
    for _, inner in node.inner:
        yield from _steps(nodes, inner)


def _has_blocks(nodes: Plan, number: int) -> bool:
    """Whether a node multiplies by something only its own body knows."""
    node = nodes.nodes[number]
    return node.op not in (Op.READ, Op.SUM) or any(_has_blocks(nodes, inner) for _, inner in node.inner)


def _leaves(nodes: Plan, number: int) -> Iterator[str]:
    """The fields a node reads as vectors or columns."""
    node = nodes.nodes[number]
    if node.op is Op.READ and node.factor is not None:
        yield node.factor.name
    for _, inner in node.inner:
        yield from _leaves(nodes, inner)
