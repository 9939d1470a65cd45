"""LaTeX mathematics: a bare equation for one formula, an align* for several."""

from __future__ import annotations

from derive.closed_form.expression import Number
from derive.closed_form.printing.infix import Notation
from derive.closed_form.printing.names import angle_text, latex_label, latex_name, latex_symbol
from derive.closed_form.printing.numbers import Style
from derive.closed_form.sheet import Sheet
from derive.closed_form.variables import Kind, Variable


def notation(number: Style) -> Notation:
    """How LaTeX writes formulas."""
    return Notation(
        symbol=latex_symbol,
        number=lambda n: _number(number(n)),
        product=" ",
        power=lambda base, n: f"{base}^{{{n}}}",
        quotient=lambda a, b: rf"\frac{{{a}}}{{{b}}}",
        brackets=(r"\left(", r"\right)"),
        before_bracket=r" \cdot ",
    )


def to_latex(sheet: Sheet, number: Style) -> str:
    """The formulas and the definitions they rest on."""
    write = notation(number)
    rows = []
    for d in sheet.definitions:
        value = "" if d.value is None or isinstance(d.expression, Number) else f" = {write.write(Number(d.value))}"
        rows.append((latex_symbol(d.variable), write.write(d.expression) + value))
    rows += [(latex_label(f.label), write.write(f.expression)) for f in sheet.formulas]
    if len(rows) == 1:
        return f"{rows[0][0]} = {rows[0][1]}"
    body = " \\\\\n".join(f"{left} &= {right}" for left, right in rows)
    return f"\\begin{{align*}}\n{body}\n\\end{{align*}}"


def meaning(variable: Variable) -> str:
    """c_{23} = \\cos(q_{2} + q_{3})."""
    assert variable.angle is not None
    function = r"\cos" if variable.kind is Kind.COS else r"\sin"
    return rf"{latex_name(variable.name)} = {function}({angle_text(variable.angle, q='q_{{{}}}', times=' ')})"


def _number(text: str) -> str:
    if "/" in text:
        numerator, _, denominator = text.partition("/")
        return rf"\frac{{{numerator}}}{{{denominator}}}"
    mantissa, e, exponent = text.partition("e")
    return rf"{mantissa} \cdot 10^{{{int(exponent)}}}" if e else text
