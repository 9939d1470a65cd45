"""A function in stages: programs that follow one another, each with what the inputs and the stages before it have found.

Where a route factors the mass matrix, its parts and what is done with their values at the end are stages, each finished by the
passes on its own. Two functions whose routes have a part in common then have a stage in common, and a backend may write it
once. Other functions stay in one piece: parts that share their work, as those of derivatives do, take fewer operations so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from codegen.backends.formulas import TRIGONOMETRIC, used_inputs
from codegen.builder import ProgramBuilder
from codegen.contractions import looped
from codegen.functions import LETTERS, Function
from codegen.instantiate import (
    Numbered,
    argument_arrays,
    argument_specs,
    diagonal_D,
    joint_tracer,
    of_part,
    singular_by_name,
    squeezed,
)
from codegen.ir import ArraySpec, Atom, Const, Equation, Input, OutputSpec, ScalarProgram, Var, check, variable
from codegen.labels import with_entry_names
from codegen.passes import run_passes
from codegen.route import Contracted, Part, Route, Solved, Sort, Sweeps
from derive.model import Model

Compute: TypeAlias = Callable[[ProgramBuilder, dict[str, Any]], Mapping[str, Any]]


@dataclass(eq=False)
class Stages:
    """The stages of one robot's functions; those that several routes have are made once."""

    robot: Callable[[Sort], Model]
    gravity: Sequence[float]
    _made: dict[tuple[Part, tuple[str, ...]], ScalarProgram] = field(default_factory=dict)

    def of(self, route: Route, function: Function, inputs: Sequence[str]) -> tuple[ScalarProgram, ...]:
        """The stages of a function by a route: one for each part, and one for what is done at the end."""
        main = self.robot(route.parts[0].sort)
        stages: list[ScalarProgram] = []
        with singular_by_name(main):
            for part in route.parts:
                stages.append(self._of_part(part, inputs, stages))

            def finish(builder: ProgramBuilder, values: dict[str, Any]) -> Mapping[str, Any]:
                return route.finish(values, joint_tracer(builder, main))

            if route.finishes:
                stages.append(_stage(function.name, finish, main, inputs, stages))
        return tuple(stages)

    def _of_part(self, part: Part, inputs: Sequence[str], before: Sequence[ScalarProgram]) -> ScalarProgram:
        model = self.robot(part.sort)

        def compute(builder: ProgramBuilder, values: dict[str, Any]) -> Mapping[str, Any]:
            return of_part(builder, part, model, values, self.gravity, Numbered(len(part.directions)))

        if isinstance(part, Contracted):
            given = [*argument_specs(model, inputs), *(spec for stage in before for spec in stage.outputs)]
            return looped("_and_".join(one.output for one in part.sums), given, part.sums, part.heading)
        if isinstance(part, Solved):
            return _stage(part.name, compute, model, inputs, before)
        if isinstance(part, Sweeps) and part.leading:
            read = ("q", *(name for name in LETTERS if _reads(part, name)))
            key = replace(part, alone=False), read
            if key not in self._made:
                self._made[key] = with_leading(_stage("", compute, model, read, ()), part.leading)
            return beginning(self._made[key], part.leading) if part.alone else self._made[key]
        solved = {spec.name for stage in before for spec in stage.outputs} & set(LETTERS)
        read = tuple(name for name in inputs if name == "q" or (isinstance(part, Sweeps) and _reads(part, name)))
        if any(_reads(part, name) for name in solved if isinstance(part, Sweeps)):
            return _stage("", compute, model, inputs, before)
        if (part, read) not in self._made:
            self._made[part, read] = _stage("", compute, model, read, ())
        return self._made[part, read]


def _reads(part: Sweeps, argument: str) -> bool:
    return argument not in part.without and LETTERS.get(argument) in {given.name for given in part.recursion.inputs}


def _stage(
    name: str, compute: Compute, model: Model, inputs: Sequence[str], before: Sequence[ScalarProgram]
) -> ScalarProgram:
    """The finished program of what `compute` gives, with the inputs it reads: of the function, or outputs of stages before."""
    builder = ProgramBuilder()
    values = argument_arrays(builder, model, inputs)
    values |= {spec.name: _given(builder, spec) for stage in before for spec in stage.outputs}
    found = {output: squeezed(value) for output, value in compute(builder, values).items()}
    written = diagonal_D(builder.program(name or "_and_".join(found), found), model)
    return _without_unread_inputs(with_entry_names(run_passes(written), written, tuple(builder.labels)))


def _given(builder: ProgramBuilder, spec: OutputSpec) -> NDArray[Any]:
    """An output of a stage before as values: what is constant there is here, equal entries are one."""
    entries = np.empty(spec.size, dtype=object)
    array = np.ravel(builder.input(spec.name, spec.shape))
    first: dict[Atom, int] = {}
    for i, atom in enumerate(spec.entries):
        entries[i] = atom.value if type(atom) is Const else array[first.setdefault(atom, i)]
    return entries.reshape(spec.shape)


def with_leading(program: ScalarProgram, output: str) -> ScalarProgram:
    """The program with this output first among the outputs, and what it takes first among the equations."""
    outputs = tuple(sorted(program.outputs, key=lambda spec: spec.name != output))
    needed = {atom.index for atom in outputs[0].entries if type(atom) is Var}
    for position in reversed(range(len(program.equations))):
        if position in needed:
            needed |= {atom.index for atom in program.equations[position].operands if type(atom) is Var}
    order = sorted(range(len(program.equations)), key=lambda position: position not in needed)
    image: list[Atom] = [variable(0)] * len(order)
    for new, old in enumerate(order):
        image[old] = variable(new)
    equations = [program.equations[old] for old in order]
    return check(
        replace(
            program,
            outputs=tuple(replace(spec, entries=_moved(spec.entries, image, {})) for spec in outputs),
            equations=tuple(e._replace(operands=_moved(e.operands, image, {})) for e in equations),
        )
    )


def beginning(program: ScalarProgram, output: str) -> ScalarProgram:
    """The program `with_leading` up to that output."""
    last = max((atom.index for atom in program.outputs[0].entries if type(atom) is Var), default=-1)
    begun = replace(program, name=output, outputs=program.outputs[:1], equations=program.equations[: last + 1])
    return _without_unread_inputs(begun)


def _without_unread_inputs(program: ScalarProgram) -> ScalarProgram:
    used = used_inputs(program)
    return replace(program, inputs=tuple(spec for spec in program.inputs if spec.name in used))


def joined(
    name: str, inputs: Sequence[ArraySpec], stages: Sequence[ScalarProgram], outputs: Sequence[str]
) -> ScalarProgram:
    """The stages as one program with these of their outputs. Sines and cosines that several take are there once."""
    equations: list[Equation] = []
    known: dict[tuple[str, tuple[Atom, ...]], Var] = {}
    arrays: dict[str, tuple[Atom, ...]] = {}
    found: dict[str, OutputSpec] = {}
    for stage in stages:
        image: list[Atom] = []
        angles = needed_by_angles(stage)
        for position, equation in enumerate(stage.equations):
            moved = equation._replace(operands=_moved(equation.operands, image, arrays))
            key = (moved.op, moved.operands)
            if position not in angles or key not in known:
                equations.append(moved)
                known[key] = variable(len(equations) - 1)
            image.append(known[key])
        moved_outputs = [replace(spec, entries=_moved(spec.entries, image, arrays)) for spec in stage.outputs]
        found |= {spec.name: spec for spec in moved_outputs}
        arrays |= {spec.name: spec.entries for spec in moved_outputs}
    return check(ScalarProgram(name, tuple(inputs), tuple(found[name] for name in outputs), tuple(equations)))


def _moved(atoms: Sequence[Atom], image: Sequence[Atom], arrays: Mapping[str, Sequence[Atom]]) -> tuple[Atom, ...]:
    """Atoms of a stage as those of the joined program: `image` are its equations, `arrays` outputs of the stages before."""

    def moved(atom: Atom) -> Atom:
        if type(atom) is Var:
            return image[atom.index]
        return arrays[atom.array][atom.index] if type(atom) is Input and atom.array in arrays else atom

    return tuple(map(moved, atoms))


def needed_by_angles(program: ScalarProgram) -> set[int]:
    """The sines and cosines of a program, and what their angles are made of."""
    found: set[int] = set()
    for position in reversed(range(len(program.equations))):
        equation = program.equations[position]
        if equation.op in TRIGONOMETRIC or position in found:
            found |= {position, *(atom.index for atom in equation.operands if type(atom) is Var)}
    return found
