"""``soagen derive RESULT``: a published result with its derivation; or any operator expression, simplified step by step."""

from __future__ import annotations

import argparse

from codegen.commands.operator_text import operator_text
from codegen.commands.prove import FORMATS
from derive.operators import Derivation, ParseError, simplify
from derive.operators.printing import to_text
from derive.results import Result, UnknownResultError, catalogue, find_result


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this command."""
    parser.add_argument(
        "result", metavar="RESULT", nargs="?", help="a result, or an expression such as \"inv(H phi M phi' H')\""
    )
    parser.add_argument("--format", choices=tuple(FORMATS), default="text", help="default %(default)s")
    parser.epilog = "Without RESULT, lists the results."


def run(options: argparse.Namespace) -> int:
    """Print the result's statement and derivation."""
    if options.result is None:
        print("\n".join(f"{name:<28} {result.title}" for name, result in catalogue().items()))
        return 0
    try:
        result = find_result(options.result)
    except UnknownResultError as unknown:
        derivation = _simplified(options.result, unknown)
    else:
        derivation = result.derive()
        if options.format == "text":
            print(heading(result))
    print(FORMATS[options.format](derivation), end="")
    return 0


def heading(result: Result) -> str:
    """Title, statement, prose and source."""
    lines = [result.title, "=" * len(result.title), ""]
    lines += [f"  {to_text(result.statement())}", ""]
    lines += [result.prose] if result.prose else []
    lines += [f"[{', '.join(result.soa)}; {result.source}]", ""]
    return "\n".join(lines)


def _simplified(text: str, unknown: UnknownResultError) -> Derivation:
    """The simplification of an expression; a single unknown word is rather a misspelt result than an expression."""
    with operator_text(text):
        try:
            return simplify(text)
        except ParseError:
            if text.isidentifier():
                raise unknown from None
            raise
