"""``soagen count ROBOT``: the operations of each function, counted from the program that is printed as code."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict

from codegen.commands.generate import table
from codegen.commands.kernel_arguments import add_kernel_arguments, chosen_kernels
from codegen.commands.robot_arguments import add_robot_arguments, chosen_model
from codegen.pipeline import kernel_programs
from codegen.progress import Progress


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this command."""
    add_robot_arguments(parser)
    add_kernel_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Print multiplications, additions, divisions and sines per function."""
    model = chosen_model(options)
    functions = chosen_kernels(model, options.functions)
    with Progress(f"counting {model.name}", len(functions), quiet=options.quiet) as progress:
        programs = kernel_programs(
            model, functions, gravity=options.gravity, algorithm=options.algorithm, listener=progress.at
        )
    if options.json:
        print(json.dumps({p.name: {"sweeps": p.sweeps, **asdict(p.operations)} for p in programs}, indent=2))
    else:
        print(table(programs))
    return 0
