"""Markdown: formulas as mathematics between $$, as GitHub, pandoc and Jupyter read them."""

from __future__ import annotations

from derive.closed_form.expression import Expression, Number, Sum, split_number
from derive.closed_form.printing.latex import meaning, notation
from derive.closed_form.printing.lines import broken
from derive.closed_form.printing.names import latex_label, latex_symbol
from derive.closed_form.printing.numbers import Style
from derive.closed_form.printing.text import gathered
from derive.closed_form.printing.text import notation as text_notation
from derive.closed_form.sheet import Formula, Label, Sheet

WIDTH = 100


def to_markdown(sheet: Sheet, number: Style) -> str:
    """A paragraph for each definition and formula, and what the short names stand for."""
    parts = [f"**{sheet.title} of {sheet.robot}**"]
    if sheet.definitions:
        parts.append(
            display([(latex_symbol(d.variable), _with_value(d.expression, d.value, number)) for d in sheet.definitions])
        )
    parts += [formula_markdown(f, number) for f in sheet.nonzero]
    parts += [f"{gathered(labels, _inline)} $= 0$: {note}" for note, labels in sheet.zeros]
    angles = [v for v in sheet.variables() if v.angle is not None]
    if angles:
        parts.append("where " + ", ".join(f"${meaning(v)}$" for v in angles))
    return "\n\n".join([*parts, *sheet.notes])


def formula_markdown(formula: Formula, number: Style) -> str:
    """One formula on its own, with its note."""
    note = f"\n\n*{formula.note}*" if formula.note else ""
    return display([(latex_label(formula.label), latex_lines(formula.expression, number))]) + note


def display(rows: list[tuple[str, list[str]]]) -> str:
    """Aligned equations."""
    lines = [
        f"{left if i == 0 else ''} &{'= ' if i == 0 else chr(92) + 'quad '}{piece}"
        for left, pieces in rows
        for i, piece in enumerate(pieces)
    ]
    body = " \\\\\n".join(lines)
    return f"$$\n\\begin{{aligned}}\n{body}\n\\end{{aligned}}\n$$"


def latex_lines(expression: Expression, number: Style, width: int = WIDTH) -> list[str]:
    """The expression in LaTeX, a long sum in several lines that each start with a sign."""
    write = notation(number).write
    lines = []
    for i, piece in enumerate(broken(expression, text_notation(number), width)):
        first = piece.terms[0] if isinstance(piece, Sum) else piece
        lines.append(write(piece) if i == 0 or split_number(first)[0] < 0 else f"+ {write(piece)}")
    return lines


def _inline(label: Label) -> str:
    return f"${latex_label(label)}$"


def _with_value(expression: Expression, value: object, number: Style) -> list[str]:
    lines = latex_lines(expression, number)
    if value is not None and not isinstance(expression, Number):
        lines[-1] += f" = {notation(number).write(Number(value))}"  # type: ignore[arg-type]
    return lines
