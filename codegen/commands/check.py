"""``soagen check ROBOT``: build every backend and compare every function with the independent reference."""

from __future__ import annotations

import argparse
import json

from codegen.commands.kernel_arguments import add_kernel_arguments, chosen_kernels, names
from codegen.commands.robot_arguments import add_robot_arguments, chosen_model
from codegen.pipeline import compile_kernels
from codegen.progress import Progress
from codegen.tables import text_table
from codegen.validate import Verdict, validate

PASS, MISMATCH = 0, 1


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this command."""
    add_robot_arguments(parser)
    add_kernel_arguments(parser)
    parser.add_argument("--backend", type=names, default=("c", "numpy"), metavar="c,numpy", help="default c,numpy")
    parser.add_argument("--samples", type=int, default=100, help="random states; default %(default)s")
    parser.add_argument("--seed", type=int, default=0, help="default %(default)s")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(options: argparse.Namespace) -> int:
    """Print the worst error of each function and backend; 1 if one is too large."""
    model = chosen_model(options)
    functions = chosen_kernels(model, options.functions)
    verdicts: list[Verdict] = []
    with Progress(f"checking {model.name}", len(options.backend), quiet=options.quiet) as progress:
        for backend in options.backend:
            progress.at(backend)
            kernels = compile_kernels(
                model,
                functions,
                backend=backend,
                gravity=options.gravity,
                real=options.real,
                algorithm=options.algorithm,
            )
            verdicts += validate(kernels, model, options.samples, options.seed)
    print(_json(verdicts) if options.json else _table(verdicts, options.samples, options.seed))
    return PASS if all(verdict.passes for verdict in verdicts) else MISMATCH


def _table(verdicts: list[Verdict], samples: int, seed: int) -> str:
    rows = [
        (v.function, v.backend, "pass" if v.passes else "MISMATCH", f"{v.worst:.1e}", f"{v.allowed:.0e}", v.sample)
        for v in verdicts
    ]
    table = text_table(("function", "backend", "verdict", "worst error", "allowed", "at sample"), rows)
    passed = sum(verdict.passes for verdict in verdicts)
    return f"{table}\n{passed} of {len(verdicts)} pass, against derive.reference on {samples} states of seed {seed}"


def _json(verdicts: list[Verdict]) -> str:
    rows = [
        {
            "function": v.function,
            "backend": v.backend,
            "passes": v.passes,
            "worst": v.worst,
            "allowed": v.allowed,
            "sample": v.sample,
        }
        for v in verdicts
    ]
    return json.dumps(rows, indent=2)
