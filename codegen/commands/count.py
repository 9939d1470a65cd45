"""``soagen count ROBOT``: the operations of each function, counted from the program that is printed as code."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from codegen.choices import Choices
from codegen.commands.generate import table
from codegen.commands.kernel_arguments import add_kernel_arguments, chosen_kernels
from codegen.commands.robot_arguments import add_robot_arguments, chosen_model
from codegen.pipeline import kernel_programs
from codegen.programs import KernelProgram
from codegen.progress import Progress
from codegen.published_counts import PublishedCount, published_for
from codegen.tables import text_table


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this command."""
    add_robot_arguments(parser)
    add_kernel_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Print multiplications, additions, divisions and sines per function, and published counts beside ours."""
    model = chosen_model(options)
    functions = chosen_kernels(model, options.functions, options.unroll)
    choices = Choices(model.numeric(), options.gravity)
    with Progress(f"counting {model.name}", len(functions), quiet=options.quiet) as progress:
        programs = kernel_programs(
            model,
            functions,
            gravity=options.gravity,
            algorithm=options.algorithm,
            unroll=options.unroll,
            listener=progress.at,
            choices=choices,
        )
    published = published_for(model)
    if options.json:
        print(json.dumps({program.name: _json(program, published, choices) for program in programs}, indent=2))
    else:
        parts = table(programs), _chosen(choices), _comparison(programs, published)
        print("\n\n".join(part for part in parts if part))
    return 0


def _json(program: KernelProgram, published: Sequence[PublishedCount], choices: Choices) -> dict[str, Any]:
    theirs = [
        {
            "by": p.by,
            "multiplications": p.multiplications,
            "additions": p.additions,
            "divisions": p.divisions,
            "total": p.total,
        }
        for p in published
        if p.function == program.name
    ]
    chosen = [asdict(step) for function, step in choices.explained() if function == program.name]
    return {"sweeps": program.sweeps, **asdict(program.operations), "published": theirs, "chosen": chosen}


def _chosen(choices: Choices) -> str:
    """What was chosen by counting (all operations, before the passes on scalars), and what it saved."""
    rows = [
        (function, step.what, step.before, step.after, step.before - step.after)
        for function, step in choices.explained()
    ]
    return text_table(("counted on", "chosen", "before", "after", "saves"), rows) if rows else ""


def _comparison(programs: Sequence[KernelProgram], published: Sequence[PublishedCount]) -> str:
    """Multiplications and additions of others beside ours; "" where there are none."""
    ours = {p.name: p.operations.multiplications + p.operations.additions for p in programs}
    rows = [
        (
            p.function,
            p.by,
            "" if p.multiplications is None else p.multiplications,
            "" if p.additions is None else p.additions,
            p.total,
            ours[p.function],
            f"{p.total / ours[p.function]:.2f}×",
        )
        for function in ours
        for p in sorted(published, key=lambda p: -p.total)
        if p.function == function
    ]
    headings = ("function", "published or measured", "mult", "add", "mult+add", "ours", "theirs ÷ ours")
    return text_table(headings, rows) if rows else ""
