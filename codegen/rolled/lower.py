"""From a recursion and a robot to a `RolledProgram`: every loop traced at every kind of body until nothing new turns up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from codegen.errors import FunctionError
from codegen.functions import DENSE, Function
from codegen.ir import ArraySpec
from codegen.rolled.arrange import Arrangement, arranged
from codegen.rolled.exchange import UNROLL, Exchange, Names, exchange_of, fields_of, refuse_what_cannot_be_rolled
from codegen.rolled.ir import INDICES, Block, RolledProgram
from codegen.rolled.joints import joint_blocks, placement_blocks
from codegen.rolled.memory import BEFORE, BEYOND, OUTBOARD
from codegen.rolled.settle import Draft, settled
from codegen.rolled.tracer import Tracer
from codegen.rolled.visit import LETTER_ARRAYS, Task, Visit
from derive.constant_maps import with_constant_joint_maps
from derive.conventional import conventional, fused_letters
from derive.model import Model
from derive.operators.spaces import BODIES, COLUMN, JOINTS, POINTS
from derive.recursion import Direction, Field, Output, Recursion, Sweep
from derive.results import find_result

FIXED_NAMES = (*INDICES, *LETTER_ARRAYS, "turn", "point", "i", "j", "k", "kind", "work")


def roll_function(
    function: Function, model: Model, gravity: Sequence[float], algorithm: str | None, inputs: Sequence[str]
) -> tuple[RolledProgram, tuple[Direction, ...]]:
    """The rolled program of a public function with these inputs, and which way its sweeps go."""
    numeric = model.numeric()
    if not function.outputs:
        return roll_placement(function, numeric, gravity), (Direction.BASE_TO_TIP,)
    if algorithm == DENSE:
        raise FunctionError(f"algorithm '{DENSE}' factors a dense matrix, which has no rolled form; {UNROLL}")
    armature = any(a != 0.0 for joint in numeric.joints for a in joint.armature)
    result = find_result(algorithm or function.result)
    recursion = conventional(result.recursion(only=set(function.outputs.values()), armature=armature))
    single = all(joint.kind.nv == 1 for joint in numeric.joints)
    diagonal = frozenset({"D"} & set(function.outputs)) if single else frozenset()
    program = roll(recursion, numeric, function.name, inputs, function.outputs, gravity, diagonal)
    return program, tuple(sweep.direction for sweep in recursion.sweeps)


def roll(
    recursion: Recursion,
    model: Model,
    name: str,
    inputs: Sequence[str],
    outputs: Mapping[str, str],
    gravity: Sequence[float],
    diagonal: frozenset[str] = frozenset(),
) -> RolledProgram:
    """The loops of `recursion` on the numeric `model`, as `instantiate` has it straight-line.

    Outputs that are `diagonal` are given as vectors.
    """
    if recursion.differentiates:
        model = with_constant_joint_maps(model)
    refuse_what_cannot_be_rolled(recursion, model)
    robot, fields, fused = arranged(model), fields_of(recursion), fused_letters(recursion)
    reserved = frozenset({*FIXED_NAMES, *robot.tables})
    task = Task(recursion, fields, tuple(inputs), outputs, diagonal, tuple(map(float, gravity)), reserved)
    names = Names({*inputs, *outputs, *fields, *map(task.array, fields), *reserved})
    drafts = [Draft("joints: steps between bodies", False, partial(joint_blocks, moving="qd" in inputs))]
    done: tuple[Field, ...] = ()
    for number, sweep in enumerate(recursion.sweeps, start=1):
        exchange = exchange_of(sweep, fields, fused, names)
        heading = f"sweep {number}/{len(recursion.sweeps)} {sweep.direction}"
        if exchange.has_early_steps:
            drafts.append(Draft(f"before {heading}", False, partial(_early_blocks, task, sweep, exchange, done)))
        downwards = sweep.direction is Direction.TIP_TO_BASE
        drafts.append(Draft(heading, downwards, partial(_sweep_blocks, task, sweep, exchange, done)))
        done += tuple(statement.target for statement in sweep.statements)
    found = {output.name: output for output in recursion.outputs}
    specs = [ArraySpec(o, _shape(found[source], robot, o in diagonal)) for o, source in outputs.items()]
    return settled(name, robot, drafts, inputs, specs)


def roll_placement(function: Function, model: Model, gravity: Sequence[float]) -> RolledProgram:
    """The loop of a function of the configuration alone: the tip's pose, or the potential energy."""
    pose, energy = (ArraySpec("rotation", (3, 3)), ArraySpec("position", (3,))), (ArraySpec("energy", ()),)
    blocks = partial(placement_blocks, of_tip=function.needs_tip, gravity=tuple(map(float, gravity)))
    draft = Draft("base to tip", False, blocks)
    return settled(function.name, arranged(model), [draft], function.inputs, pose if function.needs_tip else energy)


def _sweep_blocks(
    task: Task, sweep: Sweep, exchange: Exchange, done: tuple[Field, ...], tracer: Tracer
) -> list[Block | None]:
    """The code at the body, then for each position of columns."""
    visit = partial(Visit, task, sweep, exchange, done)
    positions = (OUTBOARD, BEYOND, BEFORE)
    return [visit(tracer).body(), *(visit(tracer.another()).columns(position) for position in positions)]


def _early_blocks(
    task: Task, sweep: Sweep, exchange: Exchange, done: tuple[Field, ...], tracer: Tracer
) -> list[Block | None]:
    return [Visit(task, sweep, exchange, done, tracer).early()]


def _shape(output: Output, robot: Arrangement, diagonal: bool) -> tuple[int, ...]:
    nv, field = robot.original.nv, output.field
    if field.columns is COLUMN:
        return {JOINTS: (nv,), COLUMN: (), BODIES: (robot.n, 6), POINTS: (6,)}[field.rows]
    if diagonal:
        return (nv,)
    sizes = {JOINTS: nv, BODIES: 6 * robot.n, POINTS: 6}
    shape = (sizes[field.rows], sizes[field.columns])
    return shape[::-1] if output.transposed else shape
