"""The NumPy backend for rolled programs: Python loops over bodies, arrays over columns and states."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from codegen.backends.formulas import ParagraphText
from codegen.backends.numpy import RESERVED, FunctionText, function_text, module_context
from codegen.programs import KernelProgram, RobotFacts
from codegen.rolled.arrange import TABLES
from codegen.rolled.c import tables_of
from codegen.rolled.ir import RolledProgram
from codegen.rolled.statements import Language, LoopText, loop_texts
from codegen.skeletons import fill
from codegen.source import Real, Source, make_source

BY_COLUMN = {"column_rate": "column_rate", "weight": "WEIGHTS"}  # looked up for many columns at once, under these names
LANGUAGE = Language(
    comment="#",
    constant=repr,
    function=lambda op: f"np.{op}",
    define=lambda name, text: f"{name} = {text}",
    assign=lambda target, text: f"{target} = {text}",
    add=lambda array, index, text, many: (
        f"np.add.at({array}, {index}, {text})" if many else f"{array}[{index}] += {text}"
    ),
    index=lambda name, text: f"{name} = {text}",
    wrap=lambda statement: [statement],
    bodies=lambda n, downwards: f"reversed(range({n}))" if downwards else f"range({n})",
    columns=lambda start, stop, lines: [f"j = np.arange({start}, {stop})", *lines],
    scope=lambda lines: lines,
)


@dataclass(frozen=True)
class BodyContext:
    """The inside of a function."""

    template: ClassVar[str] = "numpy/rolled_body.py.jinja"
    inputs: str
    arrays: tuple[tuple[str, int], ...]
    cleared: tuple[str, ...]
    weighted: bool
    loops: tuple[LoopText, ...]


def rolled_numpy_source(robot: RobotFacts, functions: Sequence[KernelProgram], real: Real) -> Source:
    """`<robot>.py` with every function, all of them rolled."""
    programs = [f.program for f in functions if isinstance(f.program, RolledProgram)]
    tables = tuple(
        (
            TABLES[table.name],
            BY_COLUMN.get(table.name, table.name),
            f"{'np.array' * (table.name in BY_COLUMN)}({list(table.values)!r})",
        )
        for table in tables_of(programs)
    )
    context = module_context(robot, functions, real, tuple(map(_function_text, functions)), tables)
    return make_source("numpy", real, robot, functions, {f"{robot.identifier}.py": fill(context)})


def _function_text(function: KernelProgram) -> FunctionText:
    program = function.program
    assert isinstance(program, RolledProgram)
    body = fill(
        BodyContext(
            inputs="".join(f", {spec.name}" for spec in program.inputs),
            arrays=tuple((spec.name, spec.size) for spec in program.work),
            cleared=program.cleared,
            weighted=any(table.name == "weight" for table in program.tables),
            loops=loop_texts(program, LANGUAGE, RESERVED),
        )
    )
    return function_text(function, (ParagraphText("", tuple(body.splitlines())),))
