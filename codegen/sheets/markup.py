"""How HTML, LaTeX and Markdown write the pieces of a document: words, tables, lists, formulas."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from derive.closed_form.expression import Number
from derive.closed_form.printing import latex, markdown, mathml
from derive.closed_form.printing.names import latex_label, latex_symbol
from derive.closed_form.printing.numbers import rounded
from derive.closed_form.sheet import Definition, Formula, Label
from derive.closed_form.variables import Variable

Rows = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Markup:
    """The pieces in one format."""

    text: Callable[[str], str]
    maths: Callable[[str], str]  # short mathematics in Unicode, x_k with an index
    label: Callable[[Label], str]
    table: Callable[[Sequence[str], Rows], str]  # of what is written already
    listed: Callable[[Sequence[str]], str]
    meaning: Callable[[Variable], str]
    definition: Callable[[Definition, int], str]
    formula: Callable[[Formula, int], str]

    def prose(self, text: str) -> str:
        """Words with mathematics between dollars."""
        pieces = text.split("$")
        return "".join(self.maths(piece) if i % 2 else self.text(piece) for i, piece in enumerate(pieces))


# -- HTML ---------------------------------------------------------------------------------------------------------------


def _html_table(headings: Sequence[str], rows: Rows) -> str:
    head = "".join(f"<th>{h}</th>" for h in headings)
    body = "\n".join("<tr>" + "".join(f"<td>{c}</td>" for c in row) + "</tr>" for row in rows)
    return f"<table>\n<tr>{head}</tr>\n{body}\n</table>"


def _html_formula(formula: Formula, digits: int) -> str:
    note = f'<span class="note">{escape(formula.note)}</span>' if formula.note else ""
    return f"<div>{mathml.formula(mathml.label(formula.label), formula.expression, rounded(digits))}{note}</div>"


def _html_definition(definition: Definition, digits: int) -> str:
    left = mathml.symbol(definition.variable)
    return f"<div>{mathml.formula(left, definition.expression, rounded(digits), definition.value)}</div>"


def _html_maths(text: str) -> str:
    """Letters in italics, indices below."""
    text = re.sub(r"(?:[^\W\d_][\u0307\u0308]?)+", r"<i>\g<0></i>", escape(text))
    return re.sub(r"_(<i>\w+</i>)", r"<sub>\1</sub>", text)


HTML = Markup(
    text=escape,
    maths=_html_maths,
    label=lambda label: f"<math {mathml.NAMESPACE}><mrow>{mathml.label(label)}</mrow></math>",
    table=_html_table,
    listed=lambda items: ", ".join(items),
    meaning=mathml.meaning,
    definition=_html_definition,
    formula=_html_formula,
)


# -- LaTeX --------------------------------------------------------------------------------------------------------------

TEX = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "−": "$-$", "≤": r"$\le$", "…": r"\ldots{}", "Σ": r"$\Sigma$",
    "Γ": r"$\Gamma$", "τ": r"$\tau$", "∂": r"$\partial$", "½": r"$\tfrac12$", "∏": r"$\prod$", "φ": r"$\varphi$",
    "ψ": r"$\psi$", "q̇": r"$\dot q$", "q̈": r"$\ddot q$", "Ṁ": r"$\dot M$", "–": "--", "°": r"$^\circ$", "×": r"$\times$",
    "ω": r"$\omega$", "ζ": r"$\zeta$",
}  # fmt: skip
TEX_WIDTH = 84


def _tex(text: str) -> str:
    """The text with what is special in LaTeX escaped; letters that its fonts lack become question marks."""
    for pair in ("q̇", "q̈"):
        text = text.replace(pair, f"\0{pair}\0")
    pieces = text.split("\0")
    return "".join(TEX[p] if p in TEX else "".join(TEX.get(c, c if ord(c) < 256 else "?") for c in p) for p in pieces)


TEX_MATHS = {
    "q̇": r"\dot{q}", "q̈": r"\ddot{q}", "Ṁ": r"\dot{M}", "Σ": r"\sum", "Γ": r"\Gamma", "τ": r"\tau", "ζ": r"\zeta",
    "φ": r"\varphi", "∂": r"\partial", "∏": r"\prod", "−": "-", "≤": r"\le", "½": r"\tfrac12",
}  # fmt: skip


def _tex_maths(text: str) -> str:
    """Between dollars, as LaTeX and Markdown have it."""
    text = re.sub(r"_(\w+)", r"_{\1}", text)
    for letter, command in TEX_MATHS.items():
        text = text.replace(letter, f"{command} " if command[-1].isalpha() else command)
    return f"${text}$"


def _tex_label(label: Label) -> str:
    return f"${latex_label(label)}$"


def _tex_table(headings: Sequence[str], rows: Rows) -> str:
    lines = [" & ".join(row) + r" \\" for row in (headings, *rows)]
    columns = "l" * (len(headings) - 1) + "X"
    head = f"{lines[0]} \\hline"
    return "\n".join([rf"\noindent\begin{{tabularx}}{{\linewidth}}{{{columns}}}", head, *lines[1:], r"\end{tabularx}"])


def _tex_rows(left: str, lines: Sequence[str]) -> str:
    rows = [f"{left} &= {lines[0]}", *(rf"&\quad {line}" for line in lines[1:])]
    return " \\\\\n".join(rows)


def _tex_formula(formula: Formula, digits: int) -> str:
    rows = _tex_rows(latex_label(formula.label), markdown.latex_lines(formula.expression, rounded(digits), TEX_WIDTH))
    note = rf" \\ &\quad\parbox{{.8\linewidth}}{{\small\itshape {_tex(formula.note)}}}" if formula.note else ""
    return rows + note


def _tex_definition(definition: Definition, digits: int) -> str:
    lines = markdown.latex_lines(definition.expression, rounded(digits), TEX_WIDTH)
    return _tex_rows(latex_symbol(definition.variable), _with_value(lines, definition, digits))


def _with_value(lines: Sequence[str], definition: Definition, digits: int) -> list[str]:
    if definition.value is None or isinstance(definition.expression, Number):
        return list(lines)
    value = latex.notation(rounded(digits)).write(Number(definition.value))
    return [*lines[:-1], f"{lines[-1]} = {value}"]


LATEX = Markup(
    text=_tex,
    maths=_tex_maths,
    label=_tex_label,
    table=_tex_table,
    listed=lambda items: ", ".join(f"${item}$" for item in items),
    meaning=latex.meaning,
    definition=_tex_definition,
    formula=_tex_formula,
)


# -- Markdown -----------------------------------------------------------------------------------------------------------


def _md_table(headings: Sequence[str], rows: Rows) -> str:
    lines = [headings, ["---"] * len(headings), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


def _md_formula(formula: Formula, digits: int) -> str:
    return markdown.formula_markdown(formula, rounded(digits))


def _md_definition(definition: Definition, digits: int) -> str:
    lines = markdown.latex_lines(definition.expression, rounded(digits))
    return markdown.display([(latex_symbol(definition.variable), _with_value(lines, definition, digits))])


MARKDOWN = Markup(
    text=str,
    maths=_tex_maths,
    label=_tex_label,
    table=_md_table,
    listed=lambda items: ", ".join(f"${item}$" for item in items),
    meaning=latex.meaning,
    definition=_md_definition,
    formula=_md_formula,
)
