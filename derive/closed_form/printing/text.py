"""Plain text for a terminal, with Unicode: M[1,2] = I2 + m2·lc2² + m2·l1·lc2·c2."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Sequence

from derive.closed_form.expression import Number
from derive.closed_form.printing.infix import Notation
from derive.closed_form.printing.names import trigonometry
from derive.closed_form.printing.numbers import Style
from derive.closed_form.sheet import Label, Sheet

SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
WIDTH = 118
FEW = 12  # entries that are listed one by one


def notation(number: Style) -> Notation:
    """How text writes formulas."""
    return Notation(
        symbol=lambda v: v.name,
        number=number,
        product="·",
        power=lambda base, n: f"{base}{str(n).translate(SUPERSCRIPTS)}",
        minus="−",
    )


def to_text(sheet: Sheet, number: Style) -> str:
    """Definitions, formulas, and what the short names stand for."""
    write = notation(number).write
    lines = []
    for definition in sheet.definitions:
        value = "" if definition.value is None else f"  = {write(Number(definition.value))}"
        value = "" if isinstance(definition.expression, Number) else value
        lines.append(wrapped(f"{definition.variable.name} = {write(definition.expression)}{value}"))
    if lines:
        lines.append("")
    for formula in sheet.nonzero:
        note = f"   ({formula.note})" if formula.note else ""
        lines.append(wrapped(f"{formula.label} = {write(formula.expression)}{note}"))
    lines += [wrapped(f"{gathered(labels)} = 0" + (f"   ({note})" if note else "")) for note, labels in sheet.zeros]
    legend = [f"{name} = {meaning}" for name, meaning in trigonometry(sheet.variables())]
    if legend:
        lines += ["", wrapped("where " + ", ".join(legend), "      ")]
    if sheet.notes:
        lines += ["", *sheet.notes]
    return "\n".join(lines)


def gathered(labels: Sequence[Label], write: Callable[[Label], str] = str) -> str:
    """The labels, the first two and the last if they are many."""
    if len(labels) <= FEW:
        return ", ".join(map(write, labels))
    return f"{write(labels[0])}, {write(labels[1])} … {write(labels[-1])} ({len(labels)} entries)"


def wrapped(line: str, indent: str = "    ") -> str:
    """One formula over as many lines as it takes, broken at blanks."""
    if len(line) <= WIDTH:
        return line
    return "\n".join(
        textwrap.wrap(line, WIDTH, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)
    )
