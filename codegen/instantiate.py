"""From a recursion and a robot to a `ScalarProgram`: the generic recursion run on program scalars.

This is partial evaluation: the robot's numbers are plain floats, so constants fold, zeros and ones vanish, and each sine and
cosine is written once. What remains is what depends on the inputs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

import numpy as np

from codegen.builder import ProgramBuilder
from codegen.functions import LETTERS, Function, has_moving_tip
from codegen.ir import ScalarProgram
from derive.instance import instance
from derive.model import Model
from derive.placements import point_placement, potential_energy
from derive.recursion import Recursion
from derive.results import find_result
from derive.run import Trace, run
from derive.scalars import Scalars


def instantiate(
    recursion: Recursion,
    model: Model,
    name: str,
    inputs: Sequence[str],
    outputs: Mapping[str, str],
    gravity: Sequence[float],
) -> ScalarProgram:
    """The program of `recursion` on `model`; `outputs` maps the program's outputs to the recursion's.

    Tip vectors are those of the first tip, in world axes. An input the recursion reads but the program lacks is zero.
    """
    builder = ProgramBuilder()
    tips = [model.tips[0].name] if has_moving_tip(model) else []
    arguments = _arguments(builder, model, inputs)
    values: dict[str, Any] = {LETTERS.get(a, a): value for a, value in arguments.items()}
    for given in recursion.inputs:
        if given.name in LETTERS.values() and given.name not in values:
            values[given.name] = [0.0] * (6 * len(tips) if given.name == "f_0" else model.nv)
    found = run(
        recursion,
        model,
        values,
        gravity=tuple(map(float, gravity)),
        scalars=_scalars(builder),
        tips=tips,
        axes="world",
        trace=_tracer(builder, recursion, model),
    )
    return builder.program(name, {output: _squeezed(found[source]) for output, source in outputs.items()})


def instantiate_placement(function: Function, model: Model, gravity: Sequence[float]) -> ScalarProgram:
    """The program of a function of the configuration alone: the tip's pose, or the potential energy."""
    builder = ProgramBuilder()
    q = _arguments(builder, model, function.inputs)["q"]
    tips = [model.tips[0].name] if function.needs_tip else []
    with builder.origin("base-to-tip", "", "pose"):
        robot = instance(model, q.tolist(), None, _scalars(builder), tips=tips)
        if function.needs_tip:
            rotation, position = point_placement(robot)
            return builder.program(function.name, {"rotation": rotation, "position": position})
        return builder.program(function.name, {"energy": potential_energy(robot, tuple(map(float, gravity)))})


def instantiate_function(
    function: Function, model: Model, gravity: Sequence[float], result: str, inputs: Sequence[str]
) -> tuple[ScalarProgram, str]:
    """The program of a public function with these inputs, and a word on its sweeps."""
    numeric = model.numeric()
    if not function.outputs:
        return instantiate_placement(function, numeric, gravity), "1 sweep: base to tip"
    armature = any(a != 0.0 for joint in numeric.joints for a in joint.armature)
    recursion = find_result(result).recursion(only=set(function.outputs.values()), armature=armature)
    program = instantiate(recursion, numeric, function.name, inputs, function.outputs, gravity)
    return _diagonal_D(program, numeric) if "D" in function.outputs else program, sweeps_text(recursion)


def sweeps_text(recursion: Recursion) -> str:
    """How many sweeps, and which way."""
    count = len(recursion.sweeps)
    return f"{count} sweep{'s' if count != 1 else ''}: {', '.join(str(s.direction) for s in recursion.sweeps)}"


def _arguments(builder: ProgramBuilder, model: Model, names: Sequence[str]) -> dict[str, Any]:
    sizes = {"q": model.nq, "f_tip": 6}
    return {name: builder.input(name, (sizes.get(name, model.nv),)) for name in names}


def _scalars(builder: ProgramBuilder) -> Scalars:
    return Scalars(builder.cos, builder.sin, builder.sqrt)


def _tracer(builder: ProgramBuilder, recursion: Recursion, model: Model) -> Trace:
    count = len(recursion.sweeps)

    def trace(sweep: int, body: int, field: str) -> AbstractContextManager[None]:
        which = f"sweep {sweep + 1}/{count} {recursion.sweeps[sweep].direction}"
        return builder.origin(which, f"body {body + 1} '{model.bodies[body].name}'", field)

    return trace


def _squeezed(value: Any) -> Any:
    """Point vectors of the one tip as (6,), not (1, 6)."""
    return value[0] if np.shape(value) == (1, 6) else value


def _diagonal_D(program: ScalarProgram, model: Model) -> ScalarProgram:
    """D as a vector where every joint has one freedom, as a block-diagonal matrix otherwise."""
    if any(joint.kind.nv > 1 for joint in model.joints):
        return program
    diagonal = [
        replace(o, shape=(model.nv,), entries=o.entries[:: model.nv + 1]) if o.name == "D" else o
        for o in program.outputs
    ]
    return replace(program, outputs=tuple(diagonal))
