"""The C backend over many states: `<robot>_batch.c` and `.h`, the same programs with a state in each lane of a vector."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from codegen.backends.c_body import LIBRARY, Values, body, constant, first_entries, first_equals, unused_arguments
from codegen.backends.c_text import argument_lines, banner, comment, declared, tidy, wrapped
from codegen.backends.c_trigonometry import RESULTS, Sincos, sincos
from codegen.backends.expression import Dialect
from codegen.backends.formulas import ParagraphText
from codegen.ir import OutputSpec
from codegen.programs import KernelProgram, RobotFacts
from codegen.skeletons import fill
from codegen.source import Real, Trig

WHOLE, ROWS = ("size_t count",), ("size_t first", "size_t end", "size_t count")  # what arrays follow
EIGHT = 8  # numbers of a cache line


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
    blocks: str
    before: tuple[str, ...]
    call: str
    after: tuple[str, ...]
    results: int
    whole: str


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
    polynomial = any(f"{prefix}_sincos(" in line for line in lines)
    code = BatchContext(
        banner=banner(robot),
        identifier=robot.identifier,
        prefix=prefix,
        macro=prefix.upper(),
        lanes=f"{robot.identifier}_lanes",
        real=real,
        includes=("float.h", "math.h", "stdint.h", "string.h"),
        sincos=sincos(prefix, real) if polynomial else None,
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
    program = function.straight_line
    inputs, outputs = program.inputs, program.outputs
    title = comment(function.description + (f" ({function.sweeps})" if function.sweeps else ""))

    return BatchFunction(
        title=title,
        comment=(title, *argument_lines(function, "[count]")),
        declaration=declared(f"{name}_batch", inputs, outputs, real, "", WHOLE),
        rows_declaration=declared(f"{name}_batch_rows", inputs, outputs, real, "", ROWS),
        signature=declared(f"{name}_batch", inputs, outputs, real, "restrict ", WHOLE),
        rows_signature=declared(f"{name}_batch_rows", inputs, outputs, real, "restrict ", ROWS),
        lanes_signature=declared(
            f"{name}_lanes", inputs, outputs, f"{robot.identifier}_lanes", "restrict ", returns="static void"
        ),
        unused=unused_arguments(program),
        paragraphs=tuple(body(program, _lanes(robot, real, trig), stored=first_entries(program))),
        tables=tuple(line for spec in outputs for line in _table(spec)),
        blocks=", ".join(f"{spec.name}_rows[{max(spec.size, 1)}]" for spec in (*inputs, *outputs)),
        before=tuple(
            f"{prefix}_load({spec.size}, end - row, {spec.name} + {spec.size} * row, {spec.name}_rows);"
            for spec in inputs
        ),
        call=f"{name}_lanes({', '.join(f'{spec.name}_rows' for spec in (*inputs, *outputs))})",
        after=tuple(
            line
            for spec in outputs
            for line in wrapped(
                f"{prefix}_store({spec.size}, end - row, {spec.name}_entry, {spec.name}_rows, "
                f"{spec.name} + {spec.size} * row, stream);"
            )
        ),
        results=max(1, sum(spec.size for spec in outputs)),
        whole=f"{name}_batch_rows({', '.join(['0', 'count', 'count', *(spec.name for spec in (*inputs, *outputs))])})",
    )


def _table(spec: OutputSpec) -> list[str]:
    """Where each entry of an output is found among those that are computed; the last again up to a multiple of `EIGHT`."""
    found = first_equals(spec) or (0,)
    entries = ", ".join(map(str, (*found, *found[-1:] * (-len(found) % EIGHT))))
    return wrapped(f"static const unsigned {spec.name}_entry[] = {{{entries}}};")
