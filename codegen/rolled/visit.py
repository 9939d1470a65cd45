"""One sweep at one kind of body: the statements of the recursion, then what later loops and other bodies read of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

from codegen.errors import FunctionError
from codegen.functions import LETTERS
from codegen.rolled.exchange import UNROLL, Exchange, Step, is_by_columns
from codegen.rolled.generic import CHILDREN, GenericBlocks, GenericExecution
from codegen.rolled.ir import Block, Columns, Form
from codegen.rolled.memory import BEFORE, BEYOND, OUTBOARD, OWN
from codegen.rolled.store import give, give_columns, keep_columns, kept_columns
from codegen.rolled.tracer import Tracer, without_parent
from derive.instance import Instance
from derive.model import GROUND
from derive.model_order import Columns as Value
from derive.model_order import input_values
from derive.operators.spaces import POINTS
from derive.recursion import Action, Field, Kind, Output, Recursion, Statement, Sweep
from derive.spatial import identity

LETTER_ARRAYS = ("steps", "H", "H_rate")  # what the loop over joints leaves


@dataclass(frozen=True)
class Task:
    """What is traced: a recursion with its fields, the function's arguments, and its outputs."""

    recursion: Recursion
    fields: Mapping[str, Field]
    arguments: tuple[str, ...]
    outputs: Mapping[str, str]  # of the function → of the recursion
    diagonal: frozenset[str]  # outputs given as a vector, being diagonal
    gravity: tuple[float, ...]
    reserved: frozenset[str]

    def array(self, field: str) -> str:
        """The array that keeps a field between loops, called like it where that name is free."""
        return f"{field}_kept" if field in {*self.arguments, *self.outputs, *self.reserved} else field

    def outputs_of(self, field: str) -> list[tuple[str, Output]]:
        """The function's outputs that are this field, or of which it is the anticausal half."""
        of = [(name, o) for name, source in self.outputs.items() for o in self.recursion.outputs if o.name == source]
        halves = [
            (name, replace(o, field=o.anticausal, anticausal=None, transposed=not o.transposed))
            for name, o in of
            if o.anticausal is not None
        ]
        return [(name, output) for name, output in (*of, *halves) if output.field.name == field]


@dataclass(frozen=True)
class Visit:
    """A sweep (or the loop before it, for early steps) at one kind of body; the fields `done` are of earlier loops."""

    task: Task
    sweep: Sweep
    exchange: Exchange
    done: tuple[Field, ...]
    tracer: Tracer

    def body(self) -> Block | None:
        """The code at the body itself."""
        self._run(self.sweep.statements, self._execution(OWN, self.done))
        return self.tracer.block()

    def early(self) -> Block | None:
        """The steps that go against the sweep."""
        self._send(self._execution(OWN, self.done), early=True)
        return self.tracer.block()

    def columns(self, position: str) -> Block | None:
        """The code for one column in a position other than the body's own."""
        chosen = [s for s in self.sweep.statements if is_by_columns(s.target)]
        if not chosen:
            return None
        others = [s.target for s in self.sweep.statements if not is_by_columns(s.target)]
        self._run(chosen, self._execution(position, [*self.done, *others]))
        return self.tracer.block(_range(position, self.tracer.rates))

    def _run(self, statements: Sequence[Statement], execution: GenericExecution) -> None:
        for statement in statements:
            with self._origin(statement.target.name):
                execution.visit(statement, self.tracer.here)
        for statement in statements:
            self._store(execution, statement)
        self._send(execution, early=False)

    def _origin(self, field: str) -> AbstractContextManager[None]:
        return self.tracer.builder.origin("", "", field)

    # -- what is there before the statements --------------------------------------------------------------------------------

    def _execution(self, position: str, done: Iterable[Field]) -> GenericExecution:
        tracer, here = self.tracer, self.tracer.here
        blocks_of_parent = {name: self._inherited(name) for name in self.exchange.inherited_blocks if here}
        robot = self._robot(with_parent=None not in blocks_of_parent.values())
        blocks = GenericBlocks(robot, tracer, self.exchange.block_steps)
        execution = GenericExecution(robot, tracer, blocks, self.exchange, position)
        for given in self.task.recursion.inputs:
            execution.values[given.name] = self._input(given, robot, position)
        for field in done:
            self._preload(field, execution)
        for name, left in blocks_of_parent.items():
            blocks.know(name, 0, left)
        for name in self.exchange.inherited:
            if here and name in self.task.recursion.names:
                left = self._inherited(name)
                execution.values.setdefault(name, {})[0] = {} if left is None else {0: left}
        return execution

    def _inherited(self, field: str) -> Any:
        return self.tracer.left_by_parent(self.task.array(field))

    def _robot(self, *, with_parent: bool) -> Instance:
        """The made-up robot with the letters that the loop over joints left, and all its children as one if they are known."""
        tracer, here = self.tracer, self.tracer.here
        made_up = without_parent(tracer.made_up((0.0,) * tracer.kind.joint.nq, None), here)
        letters: dict[str, Any] = {
            name: (*(None,) * here, tracer.left_here(name))
            for name in LETTER_ARRAYS
            if (name, tracer.number) in tracer.memory.here
        }
        point = tracer.left_here("point") if tracer.kind.has_tip else None
        summed = (step.array for step in self.exchange.block_steps.values())
        with_children = all((array, tracer.kind.carries_tip) in tracer.memory.sums for array in summed)
        return replace(
            made_up,
            parent=made_up.parent if with_parent else (GROUND,) * (here + 1),
            children=(*((),) * here, (CHILDREN,) if with_children else ()),
            points=() if point is None else ((here, point),),
            **letters,
        )

    def _input(self, given: Field, robot: Instance, position: str) -> dict[int, Value]:
        tracer, here = self.tracer, self.tracer.here
        if is_by_columns(given):
            return {here: {here: identity(tracer.rates)}} if position == OWN else {}
        if given.name not in LETTERS.values():
            return input_values(given, {}, robot, self.task.gravity)
        argument = next(a for a, letter in LETTERS.items() if letter == given.name)
        present = argument in self.task.arguments
        if given.rows is POINTS:
            force = tracer.read(argument, argument, Form(), range(6)) if present else [0.0] * 6
            return {0: {0: (tuple(force),)}}
        if not present or (given.name == "T" and tracer.kind.follows):
            part: Sequence[Any] = (0.0,) * tracer.rates
        elif given.name == "T":
            part = tracer.argument(argument, "v", tracer.rates)
        else:
            part = tracer.joint_rates(argument)
        return {here: {0: (tuple(part),)}}

    def _preload(self, field: Field, execution: GenericExecution) -> None:
        """Enter a field of an earlier loop."""
        array, here = self.task.array(field.name), self.tracer.here
        if field.kind is Kind.BLOCK:
            execution.blocks.know(field.name, here, self.tracer.left_here(array))
        elif field.kind is Kind.CORIOLIS:
            execution.made.know(field.name, here, self.tracer.left_here(array))
        elif is_by_columns(field):
            columns = kept_columns(self.tracer, field, array, execution.position)
            execution.values[field.name] = {here: {execution.key: columns} if columns else {}}
        else:
            left = self.tracer.left_here(array)
            execution.values[field.name] = {_at(field, here): {} if left is None else {0: left}}

    # -- what is left after them --------------------------------------------------------------------------------------------

    def _store(self, execution: GenericExecution, statement: Statement) -> None:
        """Leave the statement's value for later loops, and in the outputs."""
        field, tracer, here = statement.target, self.tracer, self.tracer.here
        array, outputs = self.task.array(field.name), self.task.outputs_of(field.name)
        if field.kind is Kind.BLOCK:
            tracer.leave(array, execution.blocks.block(field.name, here))
            return
        if field.kind is Kind.CORIOLIS:
            tracer.leave(array, execution.made.coriolis_block(field.name, here))
            return
        is_sum = statement.action is Action.DOT
        value = execution.values[field.name].get(0 if is_sum else _at(field, here), {})
        if is_by_columns(field):
            columns, position = value.get(execution.key), execution.position
            if columns:
                keep_columns(tracer, field, array, columns, position)
                for name, output in outputs:
                    give_columns(tracer, name, output, columns, position, diagonal=name in self.task.diagonal)
            return
        if not is_sum:
            tracer.leave(array, value.get(0))
        for name, output in outputs if value else ():
            give(tracer, name, output, value[0], adds=is_sum)

    def _send(self, execution: GenericExecution, *, early: bool) -> None:
        """Work out the steps from this body and leave them where they are read."""
        tracer, position = self.tracer, execution.position
        if position == OWN and early == (not self.exchange.inboard):
            for block_step in self.exchange.block_steps.values():
                with self._origin(block_step.array):
                    tracer.send(block_step.array, execution.blocks.moved_inboard(block_step, tracer.here))
            for statement, array in self.exchange.coriolis.values():
                with self._origin(array):
                    tracer.send(array, execution.made.moved_inboard(statement, tracer.here))
        for step in self.exchange.steps:
            if self.exchange.is_early(step) != early or (position != OWN and not step.by_columns):
                continue
            if step.by_columns and early:
                raise FunctionError(f"{step.array}: columns against their sweep have no rolled form; {UNROLL}")
            value = self._moved(execution, step)
            if step.by_columns:
                self._send_columns(step, value.get(execution.key, ()), position)
            elif step.inboard:
                tracer.send(step.array, value.get(0))
            else:
                tracer.leave(step.array, value.get(0))

    def _moved(self, execution: GenericExecution, step: Step) -> Value:
        execution.half = step.half
        with self._origin(step.array):
            value = execution.value(step.inner, self.tracer.here)
            if not step.inboard:
                return value
            return {j: tuple(map(execution.step.of_force, columns)) for j, columns in value.items()}

    def _send_columns(self, step: Step, columns: Sequence[Sequence[Any]], position: str) -> None:
        """Leave columns for the parent or the children; zeros where others have columns and this body has none."""
        tracer, memory, nc = self.tracer, self.tracer.memory, self.tracer.robot.columns
        known = memory.climbing if step.inboard else memory.rows
        if columns:
            known[step.array] = known.get(step.array, frozenset()) | {position}
        elif step.array not in known or position not in _read(step):
            return
        if not columns and step.inboard and memory.is_summed(step.array):
            return
        width = tracer.rates if position == OWN else 1
        index = "w" if position == OWN else "j"
        entries = {nc * i + c: columns[c][i] if columns else 0.0 for c in range(width) for i in range(6)}
        adds = step.inboard and memory.is_summed(step.array)
        row = "p" if adds else "s"
        base = Form(((1, index),)) if step.inboard and not adds else Form(((6 * nc, row), (1, index)))
        tracer.write(step.array, base, entries, adds=adds)


def _at(field: Field, here: int) -> int:
    """Where a field's value is: at the body, or at its point."""
    return 0 if field.rows is POINTS else here


def _read(step: Step) -> tuple[str, ...]:
    """The positions that whoever reads the columns takes for granted."""
    return (OWN, OUTBOARD) if step.inboard else (OWN, OUTBOARD, BEYOND, *(() if step.half else (BEFORE,)))


def _range(position: str, rates: int) -> Columns:
    w, e = Form(((1, "w"),)), Form(((1, "e"),))
    if position == OUTBOARD:
        return Columns(Form(w.terms, rates), e)
    return Columns(e, Form(((1, "l"),))) if position == BEYOND else Columns(Form(((1, "t"),)), w)
