"""The ``soagen`` command: parses arguments and calls one library function per sub-command.

Sub-commands are imported only when used, so that ``soagen --help`` answers at once. A user's mistake is one line on standard
error and exit code 2; set SOAGEN_DEBUG=1 to see the traceback of anything else.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import warnings
from collections.abc import Mapping, Sequence
from typing import NoReturn, TextIO

COMMANDS = {
    "robots": "list the bundled robots",
    "info": "show a robot: tree, both numberings, masses, limits, what was snapped, warnings",
    "generate": "write specialised C and NumPy kernels for one robot",
    "check": "build a robot's kernels and compare them with the independent reference",
    "compile": "write a kernel for any operator expression",
    "count": "count the operations of a robot's kernels",
    "bench": "time a robot's kernels beside the reference and, with --peers, beside other libraries",
    "inspect": "show exact closed forms: any entry of M, C, g, J and their like, as text, LaTeX or code",
    "letters": "the letters of the operator algebra: how to type them, what they mean",
    "prove": "prove an operator identity step by step, or refute it with a counter-example",
    "identities": "the ledger of identities and how each is established; --check checks them all",
    "derive": "derive a published result, or simplify any operator expression, step by step",
}
OK, BAD_INPUT, INTERRUPTED, INTERNAL = 0, 2, 130, 70


class Parser(argparse.ArgumentParser):
    """An argument parser whose complaints are one line."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the arguments and exit 2."""
        raise SystemExit(fail(f"{message}; see '{self.prog} --help'"))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a terminal without Unicode shows '?', not a traceback
    try:
        return _run(list(sys.argv[1:] if arguments is None else arguments))
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else INTERNAL
    except BrokenPipeError:  # the reader (head, less) has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except KeyboardInterrupt:
        fail("interrupted")
        return INTERRUPTED
    except Exception as error:
        if os.environ.get("SOAGEN_DEBUG"):
            raise
        fail(f"internal error: {type(error).__name__}: {error}; set SOAGEN_DEBUG=1 to see where, and please report it")
        return INTERNAL


def fail(message: str) -> int:
    """One line on standard error; returns the exit code for bad input."""
    print(f"soagen: error: {' '.join(message.split())}", file=sys.stderr)
    return BAD_INPUT


def _run(arguments: list[str]) -> int:
    from codegen.errors import CodegenError
    from derive.errors import DeriveError, ModelWarning

    parser = Parser(
        prog="soagen", description="Robot dynamics by the spatial operator algebra: proofs, formulas, kernels."
    )
    subparsers = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name, text in COMMANDS.items():
        subparser = subparsers.add_parser(name, help=text, description=text[0].upper() + text[1:] + ".")
        if arguments[:1] == [name]:
            command = importlib.import_module(f"codegen.commands.{name}")
            command.add_arguments(subparser)
            subparser.add_argument(
                "-q", "--quiet", action="store_true", help="print results only: no notes, no warnings"
            )
    options = _parsed(parser, subparsers.choices, arguments)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore" if options.quiet else "always", ModelWarning)
        warnings.showwarning = _show_warning
        try:
            code: int = command.run(options)
        except (DeriveError, CodegenError) as error:
            return fail(str(error))
        sys.stdout.flush()
        return code


def _parsed(parser: Parser, commands: Mapping[str, Parser], arguments: list[str]) -> argparse.Namespace:
    """The options; of a command they may stand before, between and after its arguments, also those that may be left out."""
    asks = {"-h", "--help"} & set(arguments)
    if not asks and arguments[:1] and arguments[0] in commands:
        return commands[arguments[0]].parse_intermixed_args(arguments[1:])
    return parser.parse_args(arguments)


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    print(f"soagen: warning: {message}", file=sys.stderr)
