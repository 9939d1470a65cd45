"""``soagen prove "LHS = RHS"``: a proof step by step, or a counter-example."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable

from codegen.commands.operator_text import operator_text
from derive.operators import Derivation, Refuted, Undecided, prove
from derive.operators.exposition import derivation_json_text, derivation_latex, derivation_text
from derive.operators.printing import to_ascii, to_text

PROVED, REFUTED, UNDECIDED = 0, 1, 3
FORMATS: dict[str, Callable[[Derivation], str]] = {
    "text": derivation_text,
    "latex": derivation_latex,
    "json": derivation_json_text,
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this command."""
    parser.add_argument(
        "statement",
        metavar='"LHS = RHS"',
        help="letters as in 'soagen letters'; A' or A^* is the adjoint, inv(A) or A^-1 the inverse, a blank or * the product",
    )
    parser.add_argument("--format", choices=tuple(FORMATS), default="text", help="default %(default)s")
    parser.epilog = (
        "Exit code: 0 proved, 1 refuted, 2 not well-typed, 3 neither proved nor refuted (with the numeric verdict)."
    )


def run(options: argparse.Namespace) -> int:
    """Print the proof, the refutation, or the numeric verdict."""
    try:
        with operator_text(options.statement):
            derivation = prove(options.statement)
        derivation.replay()  # trust the checker, not the search
    except Refuted as refuted:
        print(refutation_json(refuted) if options.format == "json" else refutation_text(refuted))
        return REFUTED
    except Undecided as undecided:
        print(undecided)
        return UNDECIDED
    print(FORMATS[options.format](derivation), end="")
    return PROVED


def refutation_text(refuted: Refuted) -> str:
    """The statement, its non-zero difference, and the robot and state that tell its sides apart."""
    example = refuted.counterexample
    i, j = example.entry
    lines = [f"{to_text(refuted.statement)}  is false"]
    if not refuted.decided:
        lines.append("  (outside the decided fragment: refuted by the counter-example alone)")
    lines += [
        f"  left − right  = {to_text(refuted.normal_form)}",
        f"  counter-example: {example.robot}",
        f"  entry ({i + 1}, {j + 1}): left {example.lhs[i, j]:.12g}, right {example.rhs[i, j]:.12g}",
    ]
    return "\n".join(lines)


def refutation_json(refuted: Refuted) -> str:
    """The same as JSON, with the state and the whole of both sides."""
    example = refuted.counterexample
    content = {
        "statement": to_ascii(refuted.statement),
        "verdict": "refuted",
        "decided": refuted.decided,
        "difference": to_ascii(refuted.normal_form),
        "robot": example.model.name,
        "q": list(example.q),
        "entry": [index + 1 for index in example.entry],
        "left": example.lhs.tolist(),
        "right": example.rhs.tolist(),
    }
    return json.dumps(content, indent=2, ensure_ascii=False)
