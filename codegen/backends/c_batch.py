"""The C backend over many states: `<robot>_batch.c` and `.h`, the same programs with a state in each lane of a vector.

A recursion waits for its own results, and polynomials of sines do not: so a function computes the sines and cosines of the
states that come next between the paragraphs of its own states.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import ClassVar

from codegen.backends.c_body import LIBRARY, Values, body, constant, first_entries, first_equals, unused_arguments
from codegen.backends.c_parts import passed_angles, read_beside_angles
from codegen.backends.c_text import argument_lines, banner, comment, declared, tidy, wrapped
from codegen.backends.c_trigonometry import RESULTS, Sincos, sincos
from codegen.backends.expression import Dialect, expression
from codegen.backends.formulas import ParagraphText, Tree
from codegen.cost import count
from codegen.ir import ArraySpec, OutputSpec, ScalarProgram
from codegen.programs import KernelProgram, RobotFacts
from codegen.skeletons import fill
from codegen.source import Real, Trig

WHOLE, ROWS = ("size_t count",), ("size_t first", "size_t end", "size_t count")  # what arrays follow
BLOCKS = ("int careful", "size_t rows", *ROWS)
SMALL = (
    1150  # operations of a function that is put where it is called; larger ones have no registers to spare for the next
)
EIGHT = 8  # numbers of a cache line


@dataclass(frozen=True)
class Ahead:
    """Sines and cosines of the states that come next: of how many angles made of which inputs, their function and its calls.

    `quick` does all blocks but for angles beyond the limit, and says whether there were any; `careful` does all, and rows that
    are less than a block.
    """

    count: int
    inputs: tuple[ArraySpec, ...]
    signature: str
    lines: tuple[str, ...]
    first: tuple[str, ...]
    next: tuple[str, ...]
    blocks_signature: str
    quick: tuple[str, ...]
    careful: tuple[str, ...]


@dataclass(frozen=True)
class BatchFunction:
    """One function: over lanes (`lanes_signature`, `paragraphs`), and over rows, which it moves before and after its call."""

    title: str
    comment: tuple[str, ...]
    declaration: str
    rows_declaration: str
    signature: str
    rows_signature: str
    lanes_signature: str
    unused: tuple[str, ...]
    paragraphs: tuple[ParagraphText, ...]
    tables: tuple[str, ...]
    room: str
    ahead: Ahead | None
    before: tuple[str, ...]
    call: tuple[str, ...]
    after: tuple[str, ...]
    results: int
    whole: tuple[str, ...]


@dataclass(frozen=True)
class BatchContext:
    """The .c file."""

    template: ClassVar[str] = "c/batch.c.jinja"
    banner: tuple[str, ...]
    identifier: str
    prefix: str
    macro: str
    lanes: str
    real: Real
    includes: tuple[str, ...]
    sincos: Sincos | None
    together: bool  # the angles of a function, in front of it
    ahead: int  # angles of the states that come next, at most
    elementwise: tuple[str, ...]
    functions: tuple[BatchFunction, ...]


@dataclass(frozen=True)
class BatchHeaderContext:
    """The .h file."""

    template: ClassVar[str] = "c/batch.h.jinja"
    banner: tuple[str, ...]
    identifier: str
    guard: str
    functions: tuple[BatchFunction, ...]


def batch_files(robot: RobotFacts, functions: Sequence[KernelProgram], real: Real, trig: Trig) -> dict[str, str]:
    """Path to text; `functions` are without dead code."""
    prefix = f"{robot.identifier}_batch"
    texts = tuple(_function(robot, function, real, trig) for function in functions)
    lines = [line for text in texts for paragraph in text.paragraphs for line in paragraph.lines]
    calls = {op for op in LIBRARY if any(f"{prefix}_{op}(" in line for line in lines)}
    together = any(f"{prefix}_sincos(" in line for line in lines)
    ahead = max((text.ahead.count for text in texts if text.ahead), default=0)
    code = BatchContext(
        banner=banner(robot),
        identifier=robot.identifier,
        prefix=prefix,
        macro=prefix.upper(),
        lanes=f"{robot.identifier}_lanes",
        real=real,
        includes=("float.h", "math.h", "stdint.h", "string.h"),
        sincos=sincos(prefix, real) if together or ahead else None,
        together=together,
        ahead=ahead,
        elementwise=tuple(sorted(calls)),
        functions=texts,
    )
    header = BatchHeaderContext(
        banner=banner(robot), identifier=robot.identifier, guard=f"{prefix.upper()}_H", functions=texts
    )
    return {f"{prefix}.c": tidy(fill(code)), f"{prefix}.h": tidy(fill(header))}


def _lanes(robot: RobotFacts, real: Real, trig: Trig) -> Values:
    """A state in each lane."""
    lanes, prefix = f"{robot.identifier}_lanes", f"{robot.identifier}_batch"
    dialect = Dialect(
        constant=lambda value: constant(value, real),
        entry=lambda array, index: f"{array}[{index}]",
        function=lambda op: f"{prefix}_{op}",
    )

    def statements(angles: Sequence[str]) -> Iterator[str]:
        yield f"const {lanes} angle[{len(angles)}] = {{{', '.join(angles)}}};"
        yield f"{lanes} {', '.join(f'{array}[{len(angles)}]' for array in RESULTS.values())};"
        yield f"{prefix}_sincos({len(angles)}, angle, {', '.join(RESULTS.values())});"

    return Values(
        type=lanes,
        dialect=dialect,
        spread=lambda text: f"({lanes}){{0}} + {text}",  # a vector is not assigned a number
        sincos=statements if trig == "polynomial" else None,
    )


def _function(robot: RobotFacts, function: KernelProgram, real: Real, trig: Trig) -> BatchFunction:
    prefix, name = f"{robot.identifier}_batch", f"{robot.identifier}_{function.name}"
    program, values = function.straight_line, _lanes(robot, real, trig)
    inputs, outputs = program.inputs, program.outputs
    small = trig == "polynomial" and count(program).total <= SMALL
    angles = passed_angles((program,)) if small else ()
    paragraphs = tuple(body(program, values, stored=first_entries(program), given=angles or None))
    read = [spec for spec in inputs if not angles or spec.name in read_beside_angles(program)]
    waves = [ArraySpec(array, (len(angles),)) for array in RESULTS.values() if angles and _reads(paragraphs, array)]

    ahead = _ahead(robot, name, program, angles, values, real) if angles else None
    early = ahead.inputs if ahead else ()
    rows = "rows" if ahead else "end - row"
    room = [f"{spec.name}_rows{'[2]' * (spec in early)}[{max(spec.size, 1)}]" for spec in inputs]
    given = [f"{spec.name}_rows{'[now]' * (spec in early)}" for spec in read]
    given += [f"waves[now].{spec.name}" for spec in waves]
    given += [*(f"{spec.name}_rows" for spec in outputs), *(("&waves[!now]", "&beyond") if angles else ())]
    after = (
        f"{prefix}_store({spec.size}, {rows}, {spec.name}_entry, {spec.name}_rows, {spec.name} + {spec.size} * row, stream);"
        for spec in outputs
    )
    title = comment(function.description + (f" ({function.sweeps})" if function.sweeps else ""))
    return BatchFunction(
        title=title,
        comment=(title, *argument_lines(function, "[count]")),
        declaration=declared(f"{name}_batch", inputs, outputs, real, "", WHOLE),
        rows_declaration=declared(f"{name}_batch_rows", inputs, outputs, real, "", ROWS),
        signature=declared(f"{name}_batch", inputs, outputs, real, "restrict ", WHOLE),
        rows_signature=declared(f"{name}_batch_rows", inputs, outputs, real, "restrict ", ROWS),
        lanes_signature=declared(
            f"{name}_lanes",
            (*read, *waves),
            outputs,
            values.type,
            "restrict ",
            returns="static inline void" if angles else "static void",
            last=(f"{prefix}_waves *restrict next", f"{prefix}_words *restrict beyond") if angles else (),
        ),
        unused=tuple(n for n in unused_arguments(program) if n in {spec.name for spec in (*read, *outputs)}),
        paragraphs=_with_waves(paragraphs, [f"{prefix}_wave(next, {i}, beyond);" for i in range(len(angles))]),
        tables=tuple(line for spec in outputs for line in _table(spec)),
        room=", ".join([*room, *(f"{spec.name}_rows[{max(spec.size, 1)}]" for spec in outputs)]),
        ahead=ahead,
        before=tuple(_loads(prefix, [spec for spec in inputs if spec not in early], rows, "row", "")),
        call=tuple(wrapped(f"{name}_lanes({', '.join(given)});")),
        after=tuple(line for text in after for line in wrapped(text)),
        results=max(1, sum(spec.size for spec in outputs)),
        whole=tuple(wrapped(f"{name}_batch_rows({', '.join(['0', 'count', 'count', *_names(program)])});")),
    )


def _loads(prefix: str, inputs: Sequence[ArraySpec], rows: str, row: str, which: str) -> list[str]:
    """The statements that bring so many rows, from `row` on, to lanes."""
    return [
        f"{prefix}_load({spec.size}, {rows}, {spec.name} + {spec.size} * {row}, {spec.name}_rows{which});"
        for spec in inputs
    ]


def _names(program: ScalarProgram) -> list[str]:
    return [spec.name for spec in (*program.inputs, *program.outputs)]


def _ahead(
    robot: RobotFacts, name: str, program: ScalarProgram, angles: Sequence[Tree], values: Values, real: Real
) -> Ahead:
    """The function that gives the angles of states, and what is done with the first states and with the next."""
    prefix, width = f"{robot.identifier}_batch", f"{robot.identifier}_batch_LANES".upper()
    lines = [f"angle[{i}] = {expression(angle, values.dialect)};" for i, angle in enumerate(angles)]
    read = [spec for spec in program.inputs if any(re.search(rf"\b{spec.name}\[", line) for line in lines)]
    made = [ArraySpec("angle", (len(angles),))]

    def brought(row: str, which: str) -> tuple[str, ...]:
        call = f"{name}_angles({', '.join(f'{spec.name}_rows{which}' for spec in read)}, waves{which}.angle);"
        return (*_loads(prefix, read, "rows", row, which), *wrapped(call))

    def blocks(careful: int, rows: str) -> str:
        return f"{name}_batch_blocks({careful}, {rows}, {', '.join(['first', 'end', 'count', *_names(program)])})"

    return Ahead(
        count=len(angles),
        inputs=tuple(read),
        signature=declared(f"{name}_angles", read, made, values.type, "restrict ", returns="static void"),
        lines=tuple(line for text in lines for line in wrapped(text)),
        first=brought("first", "[0]"),
        next=brought("next", "[!now]"),
        blocks_signature=declared(
            f"{name}_batch_blocks",
            program.inputs,
            program.outputs,
            real,
            "restrict ",
            BLOCKS,
            returns="static inline int",
        ),
        quick=tuple(wrapped(f"if (end - first >= {width} && !{blocks(0, width)})")),
        careful=tuple(wrapped(f"{blocks(1, f'end - first < {width} ? end - first : {width}')};")),
    )


def _reads(paragraphs: Sequence[ParagraphText], array: str) -> bool:
    """Whether any statement mentions entries of an array."""
    return any(re.search(rf"\b{array}\[", line) for paragraph in paragraphs for line in paragraph.lines)


def _with_waves(paragraphs: Sequence[ParagraphText], waves: Sequence[str]) -> tuple[ParagraphText, ...]:
    """These statements between the paragraphs, evenly among the text of all but the first, which only names things."""
    lengths = [0, *(sum(map(len, paragraph.lines)) for paragraph in paragraphs[1:])] if len(paragraphs) > 1 else [1]
    ends = list(accumulate(lengths))
    due = [ends[-1] * i / len(waves) for i in range(len(waves))]
    return tuple(
        replace(
            paragraph, lines=(*paragraph.lines, *(w for w, at in zip(waves, due, strict=True) if start <= at < end))
        )
        for paragraph, start, end in zip(paragraphs, [0, *ends], ends, strict=False)
    )


def _table(spec: OutputSpec) -> list[str]:
    """Where each entry of an output is found among those that are computed; the last again up to a multiple of `EIGHT`."""
    found = first_equals(spec) or (0,)
    entries = ", ".join(map(str, (*found, *found[-1:] * (-len(found) % EIGHT))))
    return wrapped(f"static const unsigned {spec.name}_entry[] = {{{entries}}};")
