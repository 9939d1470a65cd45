"""The C backend for rolled programs: constants in static tables, loops over bodies, work memory that the caller brings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from codegen.backends.c import FunctionText, HeaderContext
from codegen.backends.c_body import LIBRARY, RESERVED, constant
from codegen.backends.c_info import InfoText, info_text
from codegen.backends.c_text import argument_lines, banner, comment, declared, tidy, wrapped
from codegen.backends.formulas import ParagraphText
from codegen.ir import ArraySpec
from codegen.programs import KernelProgram, RobotFacts
from codegen.rolled.arrange import TABLES
from codegen.rolled.ir import RolledProgram, Table
from codegen.rolled.statements import Language, LoopText, loop_texts
from codegen.skeletons import fill
from codegen.source import Real, Source, function_facts, make_source, robot_json

PER_LINE = 10  # numbers of a table
WORK = "memory to work in; what it holds before and after does not matter"


@dataclass(frozen=True)
class TableText:
    """A table of constants."""

    about: str
    type: str
    name: str
    size: int
    lines: tuple[str, ...]


@dataclass(frozen=True)
class BodyContext:
    """The inside of a function."""

    template: ClassVar[str] = "c/rolled_body.c.jinja"
    real: Real
    arrays: tuple[tuple[str, str], ...]  # name and where it starts
    cleared: tuple[tuple[str, int], ...]
    zero: str
    loops: tuple[LoopText, ...]


@dataclass(frozen=True)
class SourceContext:
    """The .c file."""

    template: ClassVar[str] = "c/rolled.c.jinja"
    banner: tuple[str, ...]
    identifier: str
    includes: tuple[str, ...]
    tables: tuple[TableText, ...]
    functions: tuple[FunctionText, ...]
    info: InfoText


@dataclass(frozen=True)
class MainContext:
    """The small program in the header's comment."""

    template: ClassVar[str] = "c/rolled_main.c.jinja"
    identifier: str
    real: Real
    step: str
    inputs: tuple[tuple[str, int], ...]
    outputs: tuple[tuple[str, int], ...]
    work: str
    call: str
    format: str
    cast: str


def rolled_c_source(robot: RobotFacts, functions: Sequence[KernelProgram], real: Real) -> Source:
    """`<robot>.c` and `<robot>.h` with every function, all of them rolled."""
    programs = [_rolled(function) for function in functions]
    texts = tuple(_function_text(robot, function, real) for function in functions)
    calls = {e.op for program in programs for _, block in program.blocks for e in block.program.equations}
    code = SourceContext(
        banner=banner(robot),
        identifier=robot.identifier,
        includes=(*(("math.h",) if calls.intersection(LIBRARY) else ()), "stddef.h"),
        tables=tuple(_table_text(table, real) for table in tables_of(programs)),
        functions=texts,
        info=info_text(robot.identifier, robot_json(robot, real), [function_facts(f).to_json() for f in functions]),
    )
    header = HeaderContext(
        banner=banner(robot),
        main=tuple(rolled_main(robot, functions[0], real).splitlines()) if functions else (),
        identifier=robot.identifier,
        guard=f"{robot.identifier.upper()}_H",
        nq=len(robot.coordinate_names),
        nv=len(robot.rate_names),
        functions=texts,
    )
    files = {f"{robot.identifier}.c": tidy(fill(code)), f"{robot.identifier}.h": tidy(fill(header))}
    return make_source("c", real, robot, functions, files)


def tables_of(programs: Sequence[RolledProgram]) -> list[Table]:
    """The tables of all programs, each once; they are of one robot. The kinds of its bodies come first."""
    found = {}
    for program in programs:
        if any(loop.switches(program.kinds) for loop in program.loops):
            found["kind"] = Table("kind", 1, program.kinds)
    for program in programs:
        found |= {table.name: table for table in program.tables}
    return list(found.values())


def rolled_main(robot: RobotFacts, function: KernelProgram, real: Real) -> str:
    """A complete C program that calls the function on made-up inputs and prints its outputs."""
    name = f"{robot.identifier}_{function.name}"
    arguments = [spec.name for spec in function.arguments] + ["work"] * bool(_rolled(function).work_size)
    return fill(
        MainContext(
            identifier=robot.identifier,
            real=real,
            step=constant(0.1, real),
            inputs=tuple((spec.name, spec.size) for spec in function.program.inputs),
            outputs=tuple((spec.name, spec.size) for spec in function.program.outputs),
            work=f"{name}_work" if _rolled(function).work_size else "",
            call=f"{name}({', '.join(arguments)})",
            format="%.17g" if real == "double" else "%.9g",
            cast="" if real == "double" else "(double)",
        )
    )


def _rolled(function: KernelProgram) -> RolledProgram:
    assert isinstance(function.program, RolledProgram)
    return function.program


def _table_text(table: Table, real: Real) -> TableText:
    texts = [str(value) if table.is_integer else constant(value, real) for value in table.values]
    per_line = PER_LINE if table.width == 1 else table.width
    lines = [", ".join(texts[i : i + per_line]) + "," for i in range(0, len(texts), per_line)]
    kind = "int" if table.is_integer else real
    return TableText(TABLES[table.name], kind, table.name, len(texts), tuple(lines))


def _function_text(robot: RobotFacts, function: KernelProgram, real: Real) -> FunctionText:
    name, program = f"{robot.identifier}_{function.name}", _rolled(function)
    title = comment(function.description + (f" ({function.sweeps})" if function.sweeps else ""))
    work = (ArraySpec("work", (program.work_size,)),) if program.work_size else ()
    outputs = (*program.outputs, *work)
    size = f"enum {{ {name}_work = {program.work_size} }};\n" if work else ""
    lines = [*argument_lines(function), *(f"  and  work[{spec.size}]  {WORK}" for spec in work)]
    used = {view.array for _, block in program.blocks for view in (*block.reads, *block.writes)} | set(program.cleared)
    return FunctionText(
        title=title,
        operations=f"Operations: {function.operations}.",
        comment=(title, f"Operations: {function.operations}.", *lines),
        declaration=size + declared(name, program.inputs, outputs, real, ""),
        signature=declared(name, program.inputs, outputs, real, "restrict "),
        unused=tuple(spec.name for spec in (*program.inputs, *program.outputs) if spec.name not in used),
        paragraphs=(ParagraphText("", tuple(_body(program, real).splitlines())),),
    )


def _body(program: RolledProgram, real: Real) -> str:
    loops = loop_texts(program, _language(real), RESERVED)
    sizes = {spec.name: spec.size for spec in (*program.outputs, *program.work)}
    return fill(
        BodyContext(
            real=real,
            arrays=tuple(_arrays(program)),
            cleared=tuple((name, sizes[name]) for name in program.cleared if sizes[name]),
            zero=constant(0.0, real),
            loops=loops,
        )
    )


def _arrays(program: RolledProgram) -> Iterator[tuple[str, str]]:
    start = 0
    for spec in program.work:
        yield spec.name, f"work + {start}" if start else "work"
        start += spec.size


def _language(real: Real) -> Language:
    return Language(
        comment="//",
        constant=lambda value: constant(value, real),
        function=lambda op: op if real == "double" else f"{op}f",
        define=lambda name, text: f"const {real} {name} = {text};",
        assign=lambda target, text: f"{target} = {text};",
        add=lambda array, index, text, many: f"{array}[{index}] += {text};",
        index=lambda name, text: f"const int {name} = {text};",
        wrap=wrapped,
        bodies=lambda n, downwards: f"int k = {n - 1}; k >= 0; k--" if downwards else f"int k = 0; k < {n}; k++",
        columns=lambda start, stop, lines: [
            f"for (int j = {start}; j < {stop}; j++) {{",
            *(f"  {line}" for line in lines),
            "}",
        ],
        scope=lambda lines: ["{", *(f"  {line}" for line in lines), "}"],
    )
