"""``soagen derive RESULT``: statement, derivation, loops, sweeps and complexity of a result, or of any expression."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import dataclass

from codegen.commands.operator_text import operator_text
from derive.operators import Derivation, ParseError, simplify
from derive.operators.exposition import derivation_json, derivation_latex_body, derivation_text, latex_document
from derive.operators.printing import to_text
from derive.recursion import LoweringError, Recursion
from derive.recursion_printing import to_latex as recursion_latex
from derive.recursion_printing import to_text as recursion_text
from derive.results import Result, UnknownResultError, catalogue, find_result
from derive.sweeps import to_recursion


@dataclass(frozen=True)
class Page:
    """What is printed of one result or expression; `refusal` says why there is no recursion."""

    title: str
    prose: str
    sources: str
    derivations: tuple[Derivation, ...]
    recursion: Recursion | None
    refusal: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this command."""
    parser.add_argument(
        "result", metavar="RESULT", nargs="?", help="a result, or an expression such as \"inv(H phi M phi' H')\""
    )
    parser.add_argument("--format", choices=("text", "latex", "json"), default="text", help="default %(default)s")
    parser.add_argument(
        "--chain", action="store_true", help="let sweeps of one direction share a pass though one needs the other"
    )
    parser.epilog = "Without RESULT, lists the results."


def run(options: argparse.Namespace) -> int:
    """Print the page of a result or expression."""
    if options.result is None:
        print("\n".join(f"{name:<28} {result.title}" for name, result in catalogue().items()))
        return 0
    try:
        page = result_page(find_result(options.result), options.chain)
    except UnknownResultError as unknown:
        page = _expression_page(options.result, options.chain, unknown)
    print({"text": page_text, "latex": page_latex, "json": page_json}[options.format](page), end="")
    return 0


def result_page(result: Result, chain: bool = False) -> Page:
    """The page of a catalogued result."""
    sources = f"[{', '.join(result.soa)}; {result.source}]"
    return Page(result.title, result.prose, sources, result.derive(), result.recursion(chain=chain))


def _expression_page(text: str, chain: bool, unknown: UnknownResultError) -> Page:
    """The page of an expression; a single unknown word is rather a misspelt result than an expression."""
    with operator_text(text):
        try:
            derivation = simplify(text)
        except ParseError:
            if text.isidentifier():
                raise unknown from None
            raise
    title = to_text(derivation.statement.lhs)
    try:
        return Page(title, "", "", (derivation,), to_recursion({"x": derivation.result}, chain=chain))
    except LoweringError as error:
        return Page(title, "", "", (derivation,), None, str(error))


def page_text(page: Page) -> str:
    """The page for a terminal."""
    parts = ["\n".join(line for line in (page.title, "=" * len(page.title), page.prose, page.sources) if line)]
    parts += [derivation_text(derivation).rstrip() for derivation in _told(page.derivations)]
    parts.append(recursion_text(page.recursion).rstrip() if page.recursion else f"no recursion: {page.refusal}")
    return "\n\n".join(parts) + "\n"


def page_latex(page: Page) -> str:
    """The page as a LaTeX document of its own."""
    parts = [derivation_latex_body(derivation) for derivation in _told(page.derivations)]
    if page.recursion:
        parts.append(recursion_latex(page.recursion))
    return latex_document("\n".join(parts))


def page_json(page: Page) -> str:
    """The page as JSON; loops as lines of text."""
    content: dict[str, object] = {"title": page.title, "sources": page.sources}
    content["derivations"] = [derivation_json(derivation) for derivation in page.derivations]
    if page.recursion:
        content |= {
            "sweeps": len(page.recursion.sweeps),
            "complexity": page.recursion.complexity,
            "loops": recursion_text(page.recursion).splitlines(),
        }
    else:
        content["refusal"] = page.refusal
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _told(derivations: Sequence[Derivation]) -> list[Derivation]:
    """The derivations with something to tell: those whose two sides are not the same to begin with."""
    return [d for d in derivations if d.steps] or list(derivations[:1])
