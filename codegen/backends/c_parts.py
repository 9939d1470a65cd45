"""What functions of a C file have in common: stages that several have become static functions, written once.

They take sines and cosines, not angles, so that a function that calls several computes them once. What a function has for
itself follows its calls.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

from codegen.backends.c_loops import operations_of_loops
from codegen.backends.c_trigonometry import gathered, in_order, values_needed
from codegen.backends.formulas import Term, Tree, paragraphs
from codegen.contractions import LoopedProgram
from codegen.cost import OperationCount, count, count_equations
from codegen.ir import ArraySpec, Atom, Input, ScalarProgram
from codegen.passes.remove_dead_code import remove_dead_code
from codegen.programs import KernelProgram
from codegen.stages import joined, needed_by_angles

LETTERS: Mapping[str, str] = {
    "christoffel": "C",
    "coriolis": "C",
    "jacobian": "J",
    "mass": "M",
    "mass_inverse": "M_inv",
}


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


class Call(NamedTuple):
    """A call of a part, and the stage that names its arrays here."""

    part: Part
    stage: ScalarProgram


Piece: TypeAlias = Call | LoopedProgram | ScalarProgram


def with_letters(program: ScalarProgram) -> ScalarProgram:
    """The program with its large arrays called by letters, as papers do; one whose letter another array has keeps its name."""
    names = [spec.name for spec in (*program.inputs, *program.outputs)]
    letters = {name: LETTERS[name] for name in names if name in LETTERS}
    free = {name: letter for name, letter in letters.items() if [*letters.values(), *names].count(letter) == 1}

    def called(atom: Atom) -> Atom:
        return Input(free.get(atom.array, atom.array), atom.index) if type(atom) is Input else atom

    return replace(
        program,
        inputs=tuple(replace(spec, name=free.get(spec.name, spec.name)) for spec in program.inputs),
        outputs=tuple(
            replace(spec, name=free.get(spec.name, spec.name), entries=tuple(map(called, spec.entries)))
            for spec in program.outputs
        ),
        equations=tuple(e._replace(operands=tuple(map(called, e.operands))) for e in program.equations),
    )


def shared_parts(functions: Sequence[KernelProgram]) -> Mapping[Hashable, Part]:
    """The parts of a file by what they compute, in order of first use."""
    users: dict[Hashable, dict[str, ScalarProgram]] = {}
    whole: set[Hashable] = set()
    for function in functions:
        loops = [stage for stage in function.stages if isinstance(stage, LoopedProgram)]
        read = {spec.name for spec in (*function.program.outputs, *(spec for one in loops for spec in one.inputs))}
        for stage in (stage for stage in stages_of(function) if not isinstance(stage, LoopedProgram)):
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


def split(function: KernelProgram, parts: Mapping[Hashable, Part]) -> tuple[Piece, ...]:
    """Calls of parts and loops, each as soon as there is what it needs; what is computed in between as one program."""
    stages = stages_of(function)
    given = [ArraySpec(spec.name, spec.shape) for spec in function.program.inputs]
    pieces: list[Piece] = []
    waiting: list[ScalarProgram] = []

    def write_what_waits() -> None:
        read = {spec.name for stage in stages for spec in stage.inputs if stage not in waiting}
        read.update(spec.name for spec in function.program.outputs)
        outputs = [spec.name for stage in waiting for spec in stage.outputs if spec.name in read]
        own = remove_dead_code(joined(function.name, given, waiting, outputs))
        pieces.append(own)
        given.extend(ArraySpec(spec.name, spec.shape) for spec in own.outputs)
        waiting.clear()

    for stage in stages:
        part = parts.get(_computation(stage))
        if part is not None and part.public and part.name == function.name:
            part = None
        if part is None and not isinstance(stage, LoopedProgram):
            waiting.append(stage)
            continue
        if not {spec.name for spec in stage.inputs} <= {spec.name for spec in given}:
            write_what_waits()
        pieces.append(Call(part, stage) if part else stage)
        given.extend(ArraySpec(spec.name, spec.shape) for spec in stage.outputs)
    if waiting:
        write_what_waits()
    return tuple(pieces)


def written_operations(function: KernelProgram, pieces: Sequence[Piece]) -> OperationCount:
    """The operations of a function's text: parts do all of theirs, public ones take their own sines and cosines."""
    if not any(isinstance(piece, Call) for piece in pieces):
        return function.operations
    whole = function.straight_line
    total = count_equations([whole.equations[position] for position in sorted(needed_by_angles(whole))])
    for piece in pieces:
        if isinstance(piece, LoopedProgram):
            total += operations_of_loops(piece)
        elif isinstance(piece, Call) and piece.part.public:
            total += count(piece.stage)
        else:
            program = piece.stage if isinstance(piece, Call) else piece
            angles = needed_by_angles(program)
            total += count_equations([e for position, e in enumerate(program.equations) if position not in angles])
    return total


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
    return frozenset(stage.inputs), _computed(stage)
