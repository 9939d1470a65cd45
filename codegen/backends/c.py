"""The C backend: one .c and one .h per robot, C99, no allocation, no state, nothing but <math.h>."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from codegen.backends.c_batch import batch_files
from codegen.backends.c_body import LIBRARY, Values, body, constant, first_entries, unused_arguments
from codegen.backends.c_constants import constant_table, repeated_constants
from codegen.backends.c_info import InfoText, info_text
from codegen.backends.c_loops import loops
from codegen.backends.c_parts import (
    Call,
    Part,
    Piece,
    angles_of,
    passed_angles,
    read_beside_angles,
    shared_parts,
    split,
    static_parts,
    with_letters,
    written_operations,
)
from codegen.backends.c_text import COLUMNS, argument_lines, banner, comment, declared, tidy, wrapped
from codegen.backends.c_trigonometry import RESULTS, Sincos, angles_at_once, sincos
from codegen.backends.expression import Dialect, expression
from codegen.backends.formulas import TRIGONOMETRIC, ParagraphText, Tree
from codegen.contractions import LoopedProgram
from codegen.cost import count
from codegen.ir import ArraySpec, ScalarProgram
from codegen.programs import KernelProgram, RobotFacts, printable
from codegen.skeletons import fill
from codegen.source import Real, Source, Trig, function_facts, make_source, robot_json

INLINED = 700  # operations of the largest part that compilers are told to put where it is called


@dataclass(frozen=True)
class FunctionText:
    """One function: how it is declared, documented and defined."""

    title: str
    operations: str
    comment: tuple[str, ...]
    declaration: str
    signature: str
    unused: tuple[str, ...]
    paragraphs: tuple[ParagraphText, ...]


@dataclass(frozen=True)
class PartText:
    """What several functions have in common; `inlined` where calling it takes a tenth of what they take."""

    comment: tuple[str, ...]
    inlined: bool
    signature: str
    unused: tuple[str, ...]
    paragraphs: tuple[ParagraphText, ...]


@dataclass(frozen=True)
class SourceContext:
    """The .c file."""

    template: ClassVar[str] = "c/source.c.jinja"
    banner: tuple[str, ...]
    identifier: str
    includes: tuple[str, ...]
    sincos: Sincos | None
    constants: tuple[str, ...]
    angles: tuple[str, ...]
    parts: tuple[PartText, ...]
    functions: tuple[FunctionText, ...]
    info: InfoText


@dataclass(frozen=True)
class HeaderContext:
    """The .h file."""

    template: ClassVar[str] = "c/header.h.jinja"
    banner: tuple[str, ...]
    main: tuple[str, ...]
    identifier: str
    guard: str
    nq: int
    nv: int
    functions: tuple[FunctionText, ...]


@dataclass(frozen=True)
class MainArray:
    """An array of the documented main; `extent` is its size, or 1 where C has no empty arrays."""

    name: str
    size: int
    extent: int
    values: str


@dataclass(frozen=True)
class MainContext:
    """The small program in the header's comment."""

    template: ClassVar[str] = "c/main.c.jinja"
    identifier: str
    real: Real
    inputs: tuple[MainArray, ...]
    outputs: tuple[MainArray, ...]
    call: str
    format: str
    cast: str


def c_source(
    robot: RobotFacts,
    functions: Sequence[KernelProgram],
    real: Real = "double",
    trig: Trig = "polynomial",
    batch: bool = False,
) -> Source:
    """`<robot>.c` and `<robot>.h` with every function; with `batch`, `<robot>_batch.c` and `.h` too."""
    functions = printable(functions)
    parts = shared_parts(functions)
    splits = {function.name: split(function, parts) for function in functions}
    functions = tuple(replace(f, written=written_operations(f, splits[f.name])) for f in functions)
    parts_called = [piece.part for pieces in splits.values() for piece in pieces if isinstance(piece, Call)]
    called = [part.program for part in parts_called if not part.public]
    passed = passed_angles([*(f.straight_line for f in functions if _shares_sines(splits[f.name])), *called])
    own = [piece for pieces in splits.values() for piece in pieces if not isinstance(piece, Call | LoopedProgram)]
    names = repeated_constants([*(part.program for part in static_parts(parts)), *own])
    most = max((len(tuple(angles_of(f.straight_line))) for f in functions), default=0)
    at_once = angles_at_once(max(most, len(passed)))
    values = _reals(robot, real, trig, at_once, names)
    part_texts = tuple(_part_text(robot, part, values, passed) for part in static_parts(parts))
    texts = tuple(
        _function_text(
            robot, function, real, tuple(_paragraphs(robot, function, splits[function.name], values, passed))
        )
        for function in functions
    )
    printed = [*(p for text in part_texts for p in text.paragraphs), *(p for text in texts for p in text.paragraphs)]
    calls = {equation.op for function in functions for equation in function.straight_line.equations}
    polynomial = trig == "polynomial" and not calls.isdisjoint(TRIGONOMETRIC)
    code = SourceContext(
        banner=banner(robot),
        identifier=robot.identifier,
        includes=_includes(calls, polynomial),
        sincos=sincos(robot.identifier, real, at_once) if polynomial else None,
        constants=constant_table(names, printed, real),
        angles=tuple(expression(angle, values.dialect) for angle in passed),
        parts=part_texts,
        functions=texts,
        info=info_text(robot.identifier, robot_json(robot, real), [function_facts(f).to_json() for f in functions]),
    )
    header = HeaderContext(
        banner=banner(robot),
        main=tuple(documented_main(robot, functions[0], real).splitlines()) if functions else (),
        identifier=robot.identifier,
        guard=f"{robot.identifier.upper()}_H",
        nq=len(robot.coordinate_names),
        nv=len(robot.rate_names),
        functions=texts,
    )
    files = {f"{robot.identifier}.c": tidy(fill(code)), f"{robot.identifier}.h": tidy(fill(header))}
    if batch:
        files |= batch_files(robot, functions, real, trig)
    return make_source("c", real, robot, functions, files)


def _includes(calls: set[str], polynomial: bool) -> tuple[str, ...]:
    library = ("math.h",) if calls.intersection(LIBRARY) else ()
    return ("float.h", *library, "stddef.h", "stdint.h", "string.h") if polynomial else (*library, "stddef.h")


def documented_main(robot: RobotFacts, function: KernelProgram, real: Real) -> str:
    """A complete C program that calls the function on made-up inputs and prints its outputs."""

    def array(spec: ArraySpec, start: int) -> MainArray:
        values = ", ".join(constant(round(0.1 * (start + i), 1), real) for i in range(spec.size))
        return MainArray(spec.name, spec.size, max(spec.size, 1), values or constant(0.0, real))

    inputs = [array(spec, position + 1) for position, spec in enumerate(function.program.inputs)]
    outputs = [array(spec, 0) for spec in function.program.outputs]
    names = ", ".join(spec.name for spec in function.arguments)
    return fill(
        MainContext(
            identifier=robot.identifier,
            real=real,
            inputs=tuple(inputs),
            outputs=tuple(outputs),
            call=f"{robot.identifier}_{function.name}({names})",
            format="%.17g" if real == "double" else "%.9g",
            cast="" if real == "double" else "(double)",
        )
    )


def _function_text(
    robot: RobotFacts, function: KernelProgram, real: Real, found: tuple[ParagraphText, ...]
) -> FunctionText:
    name = f"{robot.identifier}_{function.name}"
    program = function.straight_line
    sweeps = f" ({function.sweeps})" if function.sweeps else ""
    return FunctionText(
        title=comment(function.description),
        operations=f"Operations: {function.operations}.",
        comment=(
            comment(function.description + sweeps),
            f"Operations: {function.operations}.",
            *argument_lines(function),
        ),
        declaration=declared(name, program.inputs, program.outputs, real, ""),
        signature=declared(name, program.inputs, program.outputs, real, "restrict "),
        unused=unused_arguments(program),
        paragraphs=found,
    )


def _paragraphs(
    robot: RobotFacts, function: KernelProgram, pieces: Sequence[Piece], values: Values, passed: Sequence[Tree]
) -> Iterator[ParagraphText]:
    """The statements of a function: sines and cosines, calls of the parts it shares, and what it has for itself."""
    shared = _shares_sines(pieces)
    if shared and (statements := tuple(_filled(function.straight_line, values, passed))):
        yield ParagraphText("sines and cosines", statements)
    known = {spec.name for spec in function.arguments}
    words: set[str] = set()
    for piece in pieces:
        rooms = [spec for spec in (piece.stage if isinstance(piece, Call) else piece).outputs if spec.name not in known]
        lines = [_rooms(rooms, values)] if rooms else []
        if isinstance(piece, Call):
            lines.append(_call(robot, piece, passed))
        if lines:
            yield ParagraphText("", tuple(text for line in lines for text in wrapped(line)))
        if isinstance(piece, LoopedProgram):
            yield from loops(piece, values)
        elif isinstance(piece, ScalarProgram):
            written = tuple(body(piece, values, given=passed if shared else None, reserved=words))
            words |= {word for text in written for line in text.lines for word in re.findall(r"\w+", line)}
            yield from written


def _shares_sines(pieces: Sequence[Piece]) -> bool:
    """Whether sines and cosines are taken in front of all pieces: for parts, and where several pieces may take the same."""
    return len(pieces) > 1 or any(isinstance(piece, Call) for piece in pieces)


def _call(robot: RobotFacts, call: Call, passed: Sequence[Tree]) -> str:
    """The call of a part with a stage's arrays, and nothing where the stage does not go so far."""
    part, stage = call
    known = {*RESULTS.values(), *(spec.name for spec in stage.inputs)}
    inputs = part.program.inputs if part.public else _part_inputs(part.program, passed)
    names = [spec.name if spec.name in known else "NULL" for spec in inputs]
    names += [*(spec.name for spec in stage.outputs), *["NULL"] * (len(part.program.outputs) - len(stage.outputs))]
    return f"{_part_name(robot, part)}({', '.join(names)});"


def _rooms(arrays: Sequence[ArraySpec], values: Values) -> str:
    return f"{values.type} {', '.join(f'{spec.name}[{spec.size}]' for spec in arrays)};"


def _filled(program: ScalarProgram, values: Values, passed: Sequence[Tree]) -> Iterator[str]:
    """Statements that fill the arrays of sines and cosines, each with a call of its own where `values` has none for all."""
    needed = set(angles_of(program))
    angles = {i: expression(angle, values.dialect) for i, angle in enumerate(passed) if angle in needed}
    if angles and values.sincos:
        nothing = values.dialect.constant(0.0)
        for statement in values.sincos([angles.get(i, nothing) for i in range(len(passed))]):
            yield from wrapped(statement)
    elif angles:
        taken = _taken(program)
        yield f"{values.type} {', '.join(f'{array}[{len(passed)}]' for array in taken.values())};"
        for i, angle in angles.items():
            yield from (f"{array}[{i}] = {values.dialect.function(op)}({angle});" for op, array in taken.items())


def _taken(program: ScalarProgram) -> dict[str, str]:
    """Of sines and cosines those that a program takes any of, and their arrays."""
    found = {equation.op for equation in program.equations}
    return {op: array for op, array in RESULTS.items() if op in found}


def _part_text(robot: RobotFacts, part: Part, values: Values, passed: Sequence[Tree]) -> PartText:
    program = with_letters(part.program)
    beginning = with_letters(part.beginning) if part.beginning else None
    stored = None if part.whole else first_entries(program, constants=False)
    inlined = count(program).total <= INLINED
    return PartText(
        comment=tuple(textwrap.wrap(f"Common to {', '.join(part.users)}.", COLUMNS - 3)),
        inlined=inlined,
        signature=declared(
            _part_name(robot, part),
            _part_inputs(program, passed),
            program.outputs,
            values.type,
            "restrict ",
            returns="static inline void" if inlined else "static void",
        ),
        unused=(),
        paragraphs=tuple(body(program, values, stored=stored, given=passed, beginning=beginning)),
    )


def _part_name(robot: RobotFacts, part: Part) -> str:
    return f"{robot.identifier}_{part.name}{'' if part.public else '_part'}"


def _part_inputs(program: ScalarProgram, passed: Sequence[Tree]) -> tuple[ArraySpec, ...]:
    """Sines, cosines, as far as it takes any, then inputs that it reads otherwise than through them."""
    read = read_beside_angles(program)
    arrays = tuple(ArraySpec(array, (len(passed),)) for array in _taken(program).values())
    return (*arrays, *(spec for spec in program.inputs if spec.name in read))


def _reals(robot: RobotFacts, real: Real, trig: Trig, at_once: int, names: Mapping[float, str]) -> Values:
    """One state at a time, `at_once` of its angles in a call; constants that have names are written so."""

    def number(value: float) -> str:
        return f"{'-' * (value < 0.0)}{names[abs(value)]}" if abs(value) in names else constant(value, real)

    dialect = Dialect(
        constant=number,
        entry=lambda array, index: f"{array}[{index}]",
        function=lambda op: op if real == "double" else f"{op}f",
    )

    def sincos(angles: Sequence[str]) -> Iterator[str]:
        """Calls of `at_once` angles."""
        texts = [*angles, *[dialect.constant(0.0)] * (-len(angles) % at_once)]
        yield f"{real} {', '.join(f'{array}[{len(texts)}]' for array in RESULTS.values())};"
        for first in range(0, len(texts), at_once):
            arrays = (f"{array} + {first}" if first else array for array in RESULTS.values())
            yield f"{robot.identifier}_sincos({', '.join((*texts[first : first + at_once], *arrays))});"

    return Values(real, dialect, lambda text: text, sincos if trig == "polynomial" else None)
