"""`derive.run` at one made-up body: what comes from its children or its parent is read through views.

Columns of joints are traced once for all columns in the same position seen from the body: its own, those outboard of it,
beyond its subtree, before it. In the made-up robot the body's own column has its number, the others the numbers around it.
"""

from __future__ import annotations

from collections.abc import Mapping

from codegen.rolled.exchange import BlockStep, Exchange, Step
from codegen.rolled.ir import Form
from codegen.rolled.memory import BEFORE, BEYOND, OUTBOARD, OWN
from codegen.rolled.tracer import Tracer
from derive.blocks import Block, Blocks
from derive.instance import Instance
from derive.made_operators import MadeOperators
from derive.model_order import Columns
from derive.motion_blocks import ZERO_BLOCK, CoriolisBlock
from derive.plan import Node, Op
from derive.recursion import Factor, Statement
from derive.run import Execution
from derive.transition import Transition

CHILDREN = 2  # the made-up number of all children together
NUMBERS = {BEFORE: -1, OWN: 0, OUTBOARD: 1, BEYOND: 2}  # of columns, counted from the body's


class GenericBlocks(Blocks):
    """Diagonal blocks, where what comes from the children has been summed up already."""

    def __init__(self, robot: Instance, tracer: Tracer, steps: Mapping[tuple[Factor, ...], BlockStep]) -> None:
        super().__init__(robot, tracer.scalars)
        self._tracer, self._steps = tracer, steps

    def know(self, name: str, k: int, value: Block) -> None:
        """Enter a block that was worked out before."""
        self._known.setdefault(name, {})[k] = value

    def moved_inboard(self, step: BlockStep, k: int) -> Block:
        """The summand the parent of k takes from it."""
        return super()._moved(step.factors, k, k, step.symmetric)

    def _moved(self, factors: tuple[Factor, ...], at: int, step: int, symmetric: bool) -> Block:
        if step != CHILDREN:
            return super()._moved(factors, at, step, symmetric)
        value: Block = self._tracer.sent_by_children(self._steps[factors].array)
        return value


class GenericOperators(MadeOperators):
    """Operators made of fields, where Coriolis blocks from the children have been summed up already."""

    def __init__(
        self,
        robot: Instance,
        tracer: Tracer,
        blocks: GenericBlocks,
        values: dict[str, dict[int, Columns]],
        sums: Mapping[str, tuple[Statement, str]],
    ) -> None:
        super().__init__(robot, tracer.scalars, blocks, values)
        self._tracer, self._sums = tracer, sums

    def _outboard(self, statement: Statement, k: int) -> CoriolisBlock:
        _, array = self._sums[statement.target.name]
        found: CoriolisBlock | None = self._tracer.sent_by_children(array)
        return ZERO_BLOCK if found is None else found


class GenericExecution(Execution):
    """Stacked fields, where steps go through arrays; `position` says which columns of joints are traced."""

    def __init__(
        self, robot: Instance, tracer: Tracer, blocks: GenericBlocks, exchange: Exchange, position: str
    ) -> None:
        super().__init__(robot, tracer.scalars, blocks)
        self.blocks, self.position = blocks, position
        self._tracer, self._exchange = tracer, exchange
        self._made = self.made = GenericOperators(robot, tracer, blocks, self.values, exchange.coriolis)
        self.start(exchange.plan)

    @property
    def step(self) -> Transition:
        """The step from the body to its parent."""
        return self._robot.steps[self._tracer.here]

    @property
    def key(self) -> int:
        """The number of the traced columns in the made-up robot."""
        return self._tracer.here + NUMBERS[self.position]

    def value(self, number: int, at: int) -> Columns:
        """A node's value; what the parent worked out is read from where it left it."""
        tracer = self._tracer
        step = self._exchange.outward.get((number, self.half))
        if step is None or at != tracer.here - 1 or tracer.kind.on_ground:
            return super().value(number, at)
        if step.by_columns:
            return self._columns_of_parent(step)
        left = tracer.left_by_parent(step.array)
        return {} if left is None else {0: left}

    def computed(self, node: Node, at: int) -> Columns:
        """A node's value, where sums over children are read from where they were added up."""
        if at != self._tracer.here or node.op is not Op.FROM_CHILDREN:
            return super().computed(node, at)
        step = self._exchange.inward[node.inner[0][1], self.half]
        if step.by_columns:
            return self._columns_of_children(step)
        received = self._tracer.sent_by_children(step.array)
        return {} if received is None else {0: received}

    def _columns_of_children(self, step: Step) -> Columns:
        """A column outboard of the body is at one of its children, unless others are there too."""
        tracer, nc = self._tracer, self._tracer.robot.columns
        if tracer.memory.is_summed(step.array):
            return self._summed_columns(step)
        if self.position != OUTBOARD or step.array not in tracer.memory.climbing:
            return {}
        rows = tracer.read(f"{step.array}_j", step.array, Form(((1, "j"),)), [nc * i for i in range(6)])
        return {self.key: (tuple(rows),)}

    def _summed_columns(self, step: Step) -> Columns:
        """What the children added to the body's row."""
        if not _is_sent(self.position, self._tracer.memory.climbing[step.array]):
            return {}
        return self._row_of_columns(f"{step.array}_k", step.array, "k")

    def _row_of_columns(self, name: str, array: str, row: str) -> Columns:
        """The traced columns of a row that has six numbers for each."""
        tracer, nc = self._tracer, self._tracer.robot.columns
        base = Form(((6 * nc, row), (1, "w" if self.position == OWN else "j")))
        width = tracer.rates if self.position == OWN else 1
        flat = tracer.read(name, array, base, [nc * i + c for c in range(width) for i in range(6)])
        return {self.key: tuple(tuple(flat[6 * c : 6 * c + 6]) for c in range(width))}

    def _columns_of_parent(self, step: Step) -> Columns:
        if not _is_left(self.position, self._tracer.memory.rows.get(step.array, frozenset())):
            return {}
        return self._row_of_columns(f"{step.array}_u", step.array, "u")


def _is_left(position: str, by_parent: frozenset[str]) -> bool:
    """Whether the parent leaves the columns that are in this position seen from the child."""
    if position in (OWN, OUTBOARD):
        return OUTBOARD in by_parent
    return bool(by_parent & ({OUTBOARD, BEYOND} if position == BEYOND else {OWN, BEFORE, OUTBOARD}))


def _is_sent(position: str, by_children: frozenset[str]) -> bool:
    """Whether children send the columns that are in this position seen from the parent."""
    if position in (OWN, BEFORE):
        return BEFORE in by_children
    return BEYOND in by_children if position == BEYOND else bool(by_children)
