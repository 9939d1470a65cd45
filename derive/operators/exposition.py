"""Derivations for people and programs: numbered text, LaTeX that compiles as it stands, JSON."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from derive.operators.derivation import Derivation, Step
from derive.operators.expr import Equation, OpExpr, Sum
from derive.operators.printing import to_ascii, to_latex, to_text

_PREAMBLE = r"""\documentclass{article}
\usepackage[a4paper,landscape,margin=15mm]{geometry}
\usepackage{amsmath,amssymb}
\allowdisplaybreaks
\setlength{\parindent}{0pt}
\begin{document}
"""
_POSTAMBLE = "\\end{document}\n"
_TERMS_PER_LINE = 4
_WIDEST = 60


def derivation_text(derivation: Derivation) -> str:
    """The derivation as numbered lines of Unicode text, each with its reason."""
    lines = [to_text(derivation.statement)]
    lines += [f"  note: {note}" for note in derivation.notes]
    if derivation.goal != derivation.statement:
        lines.append(f"  both sides are square: it is enough that {to_text(derivation.goal)}")
    width = min(_WIDEST, max((len(to_text(step.after)) for step in derivation.steps), default=0))
    lines.append(f"     {to_text(derivation.goal.lhs)}")
    for number, step in enumerate(derivation.steps, 1):
        lines.append(f"{number:2d}.  = {to_text(step.after):<{width}}   {reason(step, to_text)}")
    return "\n".join([*lines, "  ∎"]) + "\n"


def derivation_latex(derivation: Derivation) -> str:
    """The derivation as a LaTeX document of its own."""
    return latex_document(derivation_latex_body(derivation))


def latex_document(body: str) -> str:
    """A document that compiles as it stands, around paragraphs that need amsmath and amssymb."""
    return _PREAMBLE + body + _POSTAMBLE


def derivation_latex_body(derivation: Derivation) -> str:
    """The derivation as LaTeX paragraphs, for a document that loads amsmath and amssymb."""
    lines = [rf"\textbf{{Claim.}} ${to_latex(derivation.statement)}$.", ""]
    if derivation.goal != derivation.statement:
        lines += [rf"Both sides are square, so it is enough that ${to_latex(derivation.goal)}$.", ""]
    if derivation.steps:
        rows = [rf"& {to_latex(derivation.goal.lhs)}"]
        for step in derivation.steps:
            rows += _latex_rows(step)
        lines += [r"\begin{align*}", " \\\\\n".join(rows), r"\end{align*}"]
    return "\n".join([*lines, ""])


def _latex_rows(step: Step) -> list[str]:
    """One step, a long sum broken into several rows, its reason beside the first."""
    terms = step.after.args if isinstance(step.after, Sum) else (step.after,)
    chunks = [terms[i : i + _TERMS_PER_LINE] for i in range(0, len(terms), _TERMS_PER_LINE)]
    why = reason(step, lambda e: f"${to_latex(e)}$").replace("×", r"$\times$")
    rows = []
    for i, chunk in enumerate(chunks):
        pieces = [to_latex(term) for term in chunk]
        body = pieces[0] + "".join(p if p.startswith("-") else f" + {p}" for p in pieces[1:])
        lead = "= " if i == 0 else r"\quad " if body.startswith("-") else r"\quad + "
        rows.append(f"&{lead}{body}" + (rf" && \text{{{why}}}" if i == 0 else ""))
    return rows


def reason(step: Step, show: Callable[[OpExpr | Equation], str]) -> str:
    """Why a step holds, in words: the identities it uses, their `SOA-nn`, and how often."""
    if step.kind in ("expand", "collect"):
        return step.kind
    identities = step.identities
    if step.kind == "definition":
        text = "definition of " + ", ".join(show(identity.lhs) for identity in identities)
    else:
        text = show(identities[0]) + (" and its adjoint" if len(identities) > 1 else "")
    times = f" (×{len(step.places)})" if len(step.places) > 1 else ""
    return f"{text} [{', '.join(step.soa)}]{times}"


def derivation_json(derivation: Derivation) -> dict[str, Any]:
    """The derivation as plain data; expressions are ASCII text that parses back."""
    return {
        "statement": to_ascii(derivation.statement),
        "goal": to_ascii(derivation.goal),
        "system": derivation.system_name,
        "notes": list(derivation.notes),
        "steps": [_step_json(step) for step in derivation.steps],
    }


def _step_json(step: Step) -> dict[str, Any]:
    return {
        "before": to_ascii(step.before),
        "kind": step.kind,
        "by": [to_ascii(identity) for identity in step.identities],
        "soa": list(step.soa),
        "backwards": step.backwards,
        "places": [
            {"coefficient": str(p.coefficient), "before": list(p.before), "after": list(p.after)} for p in step.places
        ],
        "after": to_ascii(step.after),
    }


def derivation_json_text(derivation: Derivation) -> str:
    """The JSON text of a derivation."""
    return json.dumps(derivation_json(derivation), indent=2, ensure_ascii=False) + "\n"
