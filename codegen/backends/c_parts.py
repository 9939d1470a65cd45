"""What functions of a C file have in common: stages that several have become static functions, written once.

They take sines and cosines, not angles, so that a function that calls several computes them once. What a function has for
itself follows its calls.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from codegen.backends.c_trigonometry import gathered, in_order, values_needed
from codegen.backends.formulas import Term, Tree, paragraphs
from codegen.ir import ArraySpec, Input, ScalarProgram
from codegen.passes.remove_dead_code import remove_dead_code
from codegen.programs import KernelProgram
from codegen.stages import joined


@dataclass(frozen=True)
class Part:
    """A stage that several functions have; `whole` if it is all of one of them, and so gives every entry of its outputs."""

    name: str
    program: ScalarProgram
    users: tuple[str, ...]
    whole: bool


@dataclass(frozen=True)
class Split:
    """A function as calls of parts, each with the stage that names its arrays here, and what it has for itself, if anything."""

    calls: tuple[tuple[Part, ScalarProgram], ...]
    own: ScalarProgram | None


def shared_parts(functions: Sequence[KernelProgram]) -> Mapping[Hashable, Part]:
    """The parts of a file by what they compute, in order of first use."""
    users: dict[Hashable, dict[str, ScalarProgram]] = {}
    for function in functions:
        for stage in stages_of(function):
            users.setdefault(_computation(stage), {})[function.name] = stage
    found = {}
    for key, stages in users.items():
        whole = next((f.name for f in functions if f.name in stages and not f.stages), None)
        if len(stages) > 1:
            program = stages[whole] if whole else next(iter(stages.values()))
            found[key] = Part(whole or program.name, program, tuple(stages), whole is not None)
    return found


def stages_of(function: KernelProgram) -> tuple[ScalarProgram, ...]:
    """The stages of a function, or all of it as one."""
    return function.stages or (function.straight_line,)


def split(function: KernelProgram, parts: Mapping[Hashable, Part]) -> Split:
    """Calls of the parts that need nothing the function must compute before; the rest as one program."""
    calls, rest = [], []
    found = {spec.name for spec in function.program.inputs}
    for stage in stages_of(function):
        part = parts.get(_computation(stage))
        if part is not None and found.issuperset(spec.name for spec in stage.inputs):
            calls.append((part, stage))
            found |= {spec.name for spec in stage.outputs}
        else:
            rest.append(stage)
    given = [*function.program.inputs, *(spec for _, stage in calls for spec in stage.outputs)]
    arrays = [ArraySpec(spec.name, spec.shape) for spec in given]
    own = remove_dead_code(joined(function.name, arrays, rest)) if rest else None
    return Split(tuple(calls), own)


def passed_angles(programs: Sequence[ScalarProgram]) -> tuple[Tree, ...]:
    """The angles of all these programs, in the order in which their sines and cosines are passed on."""
    return in_order(dict.fromkeys(angle for program in programs for angle in angles_of(program)))


def angles_of(program: ScalarProgram) -> Iterator[Tree]:
    """The angles whose sines and cosines a program takes first, in terms of its inputs."""
    yield from gathered(paragraphs(program))[0].expanded


def read_beside_angles(program: ScalarProgram) -> frozenset[str]:
    """The inputs that a program reads for more than its first sines and cosines."""
    angles, rest = gathered(paragraphs(program))
    trees = [formula.tree for paragraph in rest for formula in paragraph.formulas]
    needed = values_needed(trees, angles.before)
    trees += [formula.tree for formula in angles.before if formula.name in needed]
    return frozenset(array for tree in trees for array in _arrays(tree))


def _arrays(tree: Tree) -> Iterator[str]:
    if type(tree) is Input:
        yield tree.array
    elif type(tree) is Term:
        for operand in tree.operands:
            yield from _arrays(operand)


def _computation(stage: ScalarProgram) -> Hashable:
    """What a stage computes, whatever it calls it."""
    operations = tuple(equation[:2] for equation in stage.equations)
    return stage.inputs, tuple((spec.shape, spec.entries) for spec in stage.outputs), operations
