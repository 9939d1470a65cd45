"""``soagen generate ROBOT``: write specialised kernels for one robot."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from codegen.commands.kernel_arguments import add_kernel_arguments, chosen_kernels, names
from codegen.commands.robot_arguments import add_robot_arguments, chosen_model
from codegen.pipeline import kernel_programs
from codegen.programs import KernelProgram, RobotFacts, robot_facts
from codegen.progress import Progress
from codegen.render import render
from codegen.source import Source
from codegen.tables import text_table
from codegen.trust.selftest import with_selftests
from codegen.write import check_written, write

CURRENT, STALE = 0, 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this command."""
    add_robot_arguments(parser)
    add_kernel_arguments(parser)
    add_output_arguments(parser)


def add_output_arguments(parser: argparse.ArgumentParser) -> None:
    """--backend, --batch, --out, --check, --json."""
    group = parser.add_argument_group("where it goes")
    group.add_argument("--backend", type=names, default=("c", "numpy"), metavar="c,numpy", help="default c,numpy")
    group.add_argument(
        "--batch", action="store_true", help="also write C functions over many states: ROBOT_batch.c, .h"
    )
    group.add_argument("--out", metavar="DIR", help="where to write; default generated/ROBOT")
    group.add_argument(
        "--check", action="store_true", help="write nothing; exit 1 and show the diff where files are stale"
    )
    group.add_argument("--json", action="store_true", help="print the table as JSON")


def run(options: argparse.Namespace) -> int:
    """Write or check the files, and print what they hold."""
    model = chosen_model(options)
    functions = chosen_kernels(model, options.functions, options.unroll)
    with Progress(f"generating {model.name}", len(functions), quiet=options.quiet) as progress:
        programs = kernel_programs(
            model,
            functions,
            gravity=options.gravity,
            algorithm=options.algorithm,
            unroll=options.unroll,
            listener=progress.at,
        )
    sources = rendered(options, robot_facts(model, options.gravity), programs)
    return deliver(options, with_selftests(sources, model, programs), programs)


def rendered(options: argparse.Namespace, robot: RobotFacts, programs: tuple[KernelProgram, ...]) -> list[Source]:
    """The text of each backend asked for."""
    return [render(robot, programs, backend, options.real, options.trig, options.batch) for backend in options.backend]


def deliver(options: argparse.Namespace, sources: list[Source], programs: tuple[KernelProgram, ...]) -> int:
    """Write the files of the sources, or check those that are there, and print what they hold."""
    folder = Path(options.out or Path("generated") / sources[0].robot.identifier)
    if options.check:
        difference = check_written(sources, folder)
        print(difference or f"{folder} is current\n", end="")
        return STALE if difference else CURRENT
    paths = write(sources, folder)
    if options.json:
        print(json.dumps([function.to_json() for function in sources[0].functions], indent=2, ensure_ascii=False))
    else:
        print(table(programs))
        if not options.quiet:
            print(f"\nwrote {', '.join(f'{p} ({size(p)})' for p in paths)}")
    return CURRENT


def table(programs: tuple[KernelProgram, ...]) -> str:
    """A line per function: sweeps and operations."""
    rows = [
        (
            p.name,
            p.sweeps,
            p.operations.multiplications,
            p.operations.additions,
            p.operations.divisions + p.operations.square_roots,
            p.operations.trigonometric,
        )
        for p in programs
    ]
    return text_table(("function", "sweeps", "mult", "add", "div", "sin/cos"), rows)


def size(path: Path) -> str:
    """The size of a file, in kB."""
    return f"{path.stat().st_size / 1000:.1f} kB"
