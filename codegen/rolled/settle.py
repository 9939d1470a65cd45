"""Loops traced again and again, until none leaves anything for the others that it did not leave before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from codegen.errors import FunctionError
from codegen.ir import ArraySpec
from codegen.rolled.arrange import Arrangement
from codegen.rolled.exchange import UNROLL
from codegen.rolled.finish import finished
from codegen.rolled.ir import Block, Case, Loop, RolledProgram
from codegen.rolled.memory import Memory
from codegen.rolled.tracer import Tracer

MAX_ROUNDS = 20


@dataclass(frozen=True)
class Draft:
    """A loop to be traced: `blocks` gives the code of one kind of body."""

    heading: str
    downwards: bool
    blocks: Callable[[Tracer], list[Block | None]]


def settled(
    name: str, robot: Arrangement, drafts: Sequence[Draft], inputs: Sequence[str], outputs: Sequence[ArraySpec]
) -> RolledProgram:
    """The program of these loops, once what they leave for each other is settled."""
    memory = Memory()
    for _ in range(MAX_ROUNDS):
        before = memory.state
        loops = [_traced(draft, robot, memory) for draft in drafts]
        memory.end_round()
        if memory.state == before:
            break
    else:
        raise FunctionError(f"{name}: what the loops leave for each other does not settle; {UNROLL}")
    sizes = {"q": robot.original.nq, "f_tip": 6}
    given = [ArraySpec(argument, (sizes.get(argument, robot.original.nv),)) for argument in inputs]
    return finished(name, robot, memory, loops, given, outputs)


def _traced(draft: Draft, robot: Arrangement, memory: Memory) -> Loop:
    cases = []
    for number, kind in enumerate(robot.kinds):
        blocks = tuple(block for block in draft.blocks(Tracer(robot, memory, number)) if block is not None)
        if blocks:
            cases.append(Case((number,), str(kind), blocks))
    return Loop(draft.heading, draft.downwards, tuple(cases))
