"""``soagen compile "EXPRESSION" ROBOT``: a kernel for any operator expression."""

from __future__ import annotations

import argparse

from codegen.commands.generate import add_output_arguments, deliver, rendered
from codegen.commands.kernel_arguments import add_precision_arguments
from codegen.commands.operator_text import operator_text
from codegen.commands.robot_arguments import add_robot_arguments, chosen_model
from codegen.pipeline import expression_program
from codegen.programs import robot_facts


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this command."""
    parser.add_argument(
        "expression", metavar='"EXPRESSION"', help="such as \"B' psi' H' D^-1 H psi B\"; see 'soagen letters'"
    )
    add_robot_arguments(parser)
    parser.add_argument("--name", default="expression", help="what the function is called; default %(default)s")
    add_precision_arguments(parser)
    add_output_arguments(parser)


def run(options: argparse.Namespace) -> int:
    """Write the kernel, as `generate` does."""
    model = chosen_model(options)
    with operator_text(options.expression):
        program = expression_program(
            model, options.expression, name=options.name, gravity=options.gravity, unroll=options.unroll
        )
    return deliver(options, rendered(options, robot_facts(model, options.gravity), (program,)), (program,))
