"""What functions of a C file have in common: stages that several have become static functions, written once.

They take sines and cosines, not angles, so that a function that calls several computes them once. What a function has for
itself follows its calls.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from codegen.backends.c_trigonometry import gathered, in_order, values_needed
from codegen.backends.formulas import Term, Tree, paragraphs
from codegen.contractions import LoopedProgram
from codegen.ir import ArraySpec, Input, ScalarProgram
from codegen.passes.remove_dead_code import remove_dead_code
from codegen.programs import KernelProgram
from codegen.stages import joined


@dataclass(frozen=True)
class Part:
    """A stage that several functions have; `whole` if it gives every entry of its outputs, for some user reads them all.

    Where functions have only its `beginning` as their stage, they call it without the arrays that follow. A part that is a
    `public` function, and otherwise in its variants only, stays where it is.
    """

    name: str
    program: ScalarProgram
    users: tuple[str, ...]
    whole: bool
    beginning: ScalarProgram | None = None
    public: bool = False


@dataclass(frozen=True)
class Split:
    """A function as calls of parts, each with the stage that names its arrays here, what it has for itself, if anything, and
    loops at the end."""

    calls: tuple[tuple[Part, ScalarProgram], ...]
    own: ScalarProgram | None
    loops: LoopedProgram | None


def shared_parts(functions: Sequence[KernelProgram]) -> Mapping[Hashable, Part]:
    """The parts of a file by what they compute, in order of first use."""
    users: dict[Hashable, dict[str, ScalarProgram]] = {}
    whole: set[Hashable] = set()
    for function in functions:
        body, loops = without_loops(stages_of(function))
        read = {spec.name for spec in (*function.program.outputs, *(loops.inputs if loops else ()))}
        for stage in body:
            users.setdefault(_computation(stage), {})[function.name] = stage
            if read.intersection(spec.name for spec in stage.outputs):
                whole.add(_computation(stage))
    found: dict[Hashable, Part] = {}
    for key, stages in users.items():
        first = next(iter(stages.values()))
        begun = [other for other in users if other != key and _begins(next(iter(users[other].values())), first)]
        names = tuple(name for k in (*begun, key) for name in users[k])
        if len(names) > 1 and not any(_begins(first, next(iter(users[k].values()))) for k in users if k != key):
            one = next((f.name for f in functions if f.name in stages and not f.stages), None)
            beginning = next(iter(users[begun[0]].values())) if begun else None
            public = all(f.extends == one for f in functions if f.name in names and f.name != one)
            part = Part(one or first.name, stages[one] if one else first, names, key in whole, beginning, public)
            found |= dict.fromkeys((*begun, key), part)
    return found


def static_parts(parts: Mapping[Hashable, Part]) -> tuple[Part, ...]:
    """Those that become static functions."""
    return tuple({part.name: part for part in parts.values() if not part.public}.values())


def _begins(shorter: ScalarProgram, longer: ScalarProgram) -> bool:
    """Whether all of a stage is the beginning of another, which has further outputs."""
    count = len(shorter.outputs)
    return (
        count < len(longer.outputs)
        and _computed(shorter) == _computed(longer, count, len(shorter.equations))
        and {spec.name for spec in shorter.inputs} <= {spec.name for spec in longer.inputs}
    )


def _computed(stage: ScalarProgram, outputs: int | None = None, equations: int | None = None) -> Hashable:
    """What the first so many outputs of a stage are, whatever it calls them."""
    operations = tuple(equation[:2] for equation in stage.equations[:equations])
    return tuple((spec.shape, spec.entries) for spec in stage.outputs[:outputs]), operations


def stages_of(function: KernelProgram) -> tuple[ScalarProgram, ...]:
    """The stages of a function, or all of it as one."""
    return function.stages or (function.straight_line,)


def without_loops(stages: Sequence[ScalarProgram]) -> tuple[Sequence[ScalarProgram], LoopedProgram | None]:
    """The stages up to the loops at the end, and those."""
    last = stages[-1]
    return (stages[:-1], last) if isinstance(last, LoopedProgram) else (stages, None)


def split(function: KernelProgram, parts: Mapping[Hashable, Part]) -> Split:
    """Calls of the parts that need nothing the function must compute before; the rest as one program, and loops."""
    calls, rest = [], []
    body, loops = without_loops(stages_of(function))
    found = {spec.name for spec in function.program.inputs}
    for stage in body:
        part = parts.get(_computation(stage))
        if (
            part is not None
            and not (part.public and part.name == function.name)
            and found.issuperset(spec.name for spec in stage.inputs)
        ):
            calls.append((part, stage))
            found |= {spec.name for spec in stage.outputs}
        else:
            rest.append(stage)
    given = [*function.program.inputs, *(spec for _, stage in calls for spec in stage.outputs)]
    arrays = [ArraySpec(spec.name, spec.shape) for spec in given]
    needed = dict.fromkeys(spec.name for spec in (*function.program.outputs, *(loops.inputs if loops else ())))
    computed = {spec.name for stage in rest for spec in stage.outputs}
    outputs = [name for name in needed if name in computed]
    own = remove_dead_code(joined(function.name, arrays, rest, outputs)) if rest else None
    return Split(tuple(calls), own, loops)


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
    """What a stage computes of its inputs."""
    return stage.inputs, _computed(stage)
