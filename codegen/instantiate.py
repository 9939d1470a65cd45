"""From a recursion and a robot to a `ScalarProgram`: the generic recursion run on program scalars.

This is partial evaluation: the robot's numbers are plain floats, so constants fold, zeros and ones vanish, and each sine and
cosine is written once. What remains is what depends on the inputs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from codegen.builder import ProgramBuilder
from codegen.functions import LETTERS, Function, has_moving_tip
from codegen.ir import ArraySpec, Input, Label, ScalarProgram
from codegen.labels import entries
from codegen.route import FACTORIZATION, Contracted, Part, Route, Solved, Sort, Sweeps
from derive.constant_maps import with_constant_joint_maps
from derive.errors import SingularModelError
from derive.instance import instance
from derive.joint_space import NO_RATE, ZeroPivotError
from derive.joint_space import Trace as JointTrace
from derive.model import Model
from derive.recursion import Direction, Recursion
from derive.run import Report, Trace, run
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
    arguments = argument_arrays(builder, model, inputs)
    found = _run(builder, recursion, model, arguments, gravity, Numbered(len(recursion.sweeps)))
    return builder.program(name, {output: squeezed(found[source]) for output, source in outputs.items()})


class Instantiated(NamedTuple):
    """A program as it was written, and which of its values are which entries of what it computes."""

    program: ScalarProgram
    labels: tuple[Label, ...]


def instantiate_route(
    route: Route,
    robot: Callable[[Sort], Model],
    function: Function,
    inputs: Sequence[str],
    gravity: Sequence[float],
) -> Instantiated:
    """A public function by `route`, each of its parts run on the robot for its sort."""
    route = route.given(inputs)
    builder, main = ProgramBuilder(), robot(route.parts[0].sort)
    values = argument_arrays(builder, main, inputs)
    numbered = Numbered(sum(len(part.directions) for part in route.parts))
    with singular_by_name(main):
        for part in route.parts:
            values |= of_part(builder, part, robot(part.sort), values, gravity, numbered)
            numbered = replace(numbered, before=numbered.before + len(part.directions))
        outputs = route.finish(values, joint_tracer(builder, main))
    program = builder.program(function.name, {name: squeezed(value) for name, value in outputs.items()})
    return Instantiated(diagonal_D(program, main), tuple(builder.labels))


def of_part(
    builder: ProgramBuilder,
    part: Part,
    model: Model,
    values: Mapping[str, Any],
    gravity: Sequence[float],
    numbered: Numbered,
) -> dict[str, Any]:
    """What a part finds, from the arguments and what was found before it."""
    if isinstance(part, Sweeps):
        arguments = {name: v for name, v in values.items() if name == "q" or name in LETTERS.keys() - part.without}
        found = _run(builder, part.recursion, model, arguments, gravity, numbered)
        names = dict(part.names)
        return {names.get(name, name): value for name, value in found.items()}
    if isinstance(part, Contracted):
        found = {}
        for one in part.sums:
            with builder.origin(part.heading, "", one.output):
                found[one.output] = one.of(values)
        return found
    if isinstance(part, Solved):
        return part.compute(dict(values), joint_tracer(builder, model, part.heading))
    with builder.origin(numbered.label(0, part.directions[0]), "", "T"):
        placed = instance(model, values["q"].tolist(), None, _scalars(builder, model), tips=_tips(model))
        return part.compute(placed, tuple(map(float, gravity)))


@contextmanager
def singular_by_name(model: Model) -> Iterator[None]:
    """A zero pivot is reported with the joint that has it."""
    try:
        yield
    except ZeroPivotError as zero:
        joint = model.joints[_owners(model)[zero.rate]].name
        raise SingularModelError(
            f"model '{model.name}': joint '{joint}' moves nothing with mass, so the mass matrix is singular; lock it, or "
            "give its link an inertia or the joint an armature"
        ) from None


@dataclass(frozen=True)
class Numbered:
    """How sweeps are numbered: so many in all, so many before this recursion's."""

    count: int
    before: int = 0

    def label(self, sweep: int, direction: Direction) -> str:
        """What sweep number `sweep` of this recursion is called."""
        return f"sweep {self.before + sweep + 1}/{self.count} {direction}"


def _run(
    builder: ProgramBuilder,
    recursion: Recursion,
    model: Model,
    arguments: Mapping[str, Any],
    gravity: Sequence[float],
    numbered: Numbered,
) -> dict[str, Any]:
    if recursion.differentiates:
        model = with_constant_joint_maps(model)  # as `run` does: bodies are called here as they are there
    tips = _tips(model)
    values: dict[str, Any] = {LETTERS.get(a, a): value for a, value in arguments.items()}
    for given in recursion.inputs:
        if given.name in LETTERS.values() and given.name not in values:
            values[given.name] = [0.0] * (6 * len(tips) if given.name == "f_0" else model.nv)
    return run(
        recursion,
        model,
        values,
        gravity=tuple(map(float, gravity)),
        scalars=_scalars(builder, model),
        tips=tips,
        axes="world",
        trace=_tracer(builder, recursion, model, numbered),
    )


def argument_arrays(builder: ProgramBuilder, model: Model, names: Sequence[str]) -> dict[str, Any]:
    """The inputs of a program, by name."""
    return {spec.name: builder.input(spec.name, spec.shape) for spec in argument_specs(model, names)}


def argument_specs(model: Model, names: Sequence[str]) -> list[ArraySpec]:
    """Names and shapes of the inputs of a program."""
    sizes = {"q": model.nq, "f_tip": 6}
    return [ArraySpec(name, (sizes.get(name, model.nv),)) for name in names]


def _tips(model: Model) -> list[str]:
    return [model.tips[0].name] if has_moving_tip(model) else []


def _scalars(builder: ProgramBuilder, model: Model) -> Scalars:
    """Functions whose values are called by the number of the body whose joint has the angle, where it has no other."""
    places = model.q_slices
    bodies = {Input("q", at.start): f"{k + 1}" for k, at in enumerate(places) if at.stop - at.start == 1}

    def of_joint(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        def called(angle: Any) -> Any:
            atom = getattr(angle, "atom", None)
            with builder.origin(symbol=bodies.get(atom, "") if isinstance(atom, Input) else ""):
                return function(angle)

        return called

    return Scalars(of_joint(builder.cos), of_joint(builder.sin), builder.sqrt, of_sums=True)


def _tracer(builder: ProgramBuilder, recursion: Recursion, model: Model, numbered: Numbered) -> Trace:
    def report(value: Any) -> None:
        for entry, scalar in entries(value):
            builder.label(entry, scalar)

    @contextmanager
    def trace(sweep: int, body: int, field: str) -> Iterator[Report]:
        which = numbered.label(sweep, recursion.sweeps[sweep].direction)
        with builder.origin(which, body_label(model, body), _as_written(field)):
            yield report

    return trace


def _as_written(field: str) -> str:
    """A field as it stands in names, before the number of a body: DD_S is DS, and the second and third f are fb and fc."""
    short = re.sub(r"^([A-Z])\1?_(?=[A-Z]$)", r"\1", field)
    return re.sub(r"(?<=\D)[2-9]$", lambda found: chr(ord("a") - 1 + int(found[0])), short)


def joint_tracer(builder: ProgramBuilder, model: Model, heading: str = FACTORIZATION) -> JointTrace:
    """A trace that names the body whose joint has the rate; `heading` says what is done."""
    owner = _owners(model)

    def trace(rate: int, quantity: str) -> AbstractContextManager[None]:
        label = "" if rate == NO_RATE else body_label(model, owner[rate])
        return builder.origin(heading, label, quantity)

    return trace


def _owners(model: Model) -> list[int]:
    """The body whose joint has the rate, for each rate."""
    return [k for k, joint in enumerate(model.joints) if joint.mimic is None for _ in range(joint.kind.nv)]


def body_label(model: Model, body: int) -> str:
    """How a body is called in generated code: its number from 1, its name, and where its coordinates are in q from 0."""
    at = model.q_slices[body]
    where = f"q[{at.start}]" if at.stop - at.start == 1 else f"q[{at.start}..{at.stop - 1}]"
    return f"body {body + 1} '{model.bodies[body].name}', {where}"


def squeezed(value: Any) -> Any:
    """Point vectors of the one tip as (6,), not (1, 6)."""
    return value[0] if np.shape(value) == (1, 6) else value


def diagonal_D(program: ScalarProgram, model: Model) -> ScalarProgram:
    """D, if it is an output, as a vector where every joint has one freedom, as a block-diagonal matrix otherwise."""
    if any(joint.kind.nv > 1 for joint in model.joints):
        return program
    diagonal = [
        replace(o, shape=(model.nv,), entries=o.entries[:: model.nv + 1]) if o.name == "D" else o
        for o in program.outputs
    ]
    return replace(program, outputs=tuple(diagonal))
