"""MathML that browsers render by themselves: one <math> per formula, long sums in several rows."""

from __future__ import annotations

import re
from fractions import Fraction
from html import escape

from derive.closed_form.expression import Expression, Number, Power, Product, Quotient, Sum, Symbol, split_number
from derive.closed_form.printing import text
from derive.closed_form.printing.lines import broken
from derive.closed_form.printing.names import GREEK, angle_text, letter_and_index
from derive.closed_form.printing.numbers import Style
from derive.closed_form.sheet import Label, Sheet
from derive.closed_form.variables import Kind, Variable

WIDTH = 125  # characters of a line, counted as text
NEGATIVE = '<mo form="prefix">−</mo>'
SPACE = '<mspace width="0.16em"/>'
NAMESPACE = 'xmlns="http://www.w3.org/1998/Math/MathML"'
LETTERS = {"christoffel": "Γ", "psi": "ψ", "tau_bar": "τ̄", "dM": "M", "KE": "T", "PE": "V"}


def to_mathml(sheet: Sheet, number: Style) -> str:
    """A <math> element for each definition and formula, one a line."""
    lines = [formula(symbol(d.variable), d.expression, number, d.value) for d in sheet.definitions]
    lines += [formula(label(f.label), f.expression, number) for f in sheet.formulas]
    lines += [meaning(v) for v in sheet.variables() if v.angle is not None]
    return "\n".join(lines)


def formula(left: str, expression: Expression, number: Style, value: Fraction | None = None) -> str:
    """left = expression, and its value if it has one."""
    pieces = broken(expression, text.notation(number), WIDTH)
    tail = "" if value is None or isinstance(expression, Number) else f"<mo>=</mo>{_number(value, number)}"
    rows = []
    for i, piece in enumerate(pieces):
        terms = piece.terms if isinstance(piece, Sum) else (piece,)
        body = "".join(_term(term, number, i == 0 and t == 0) for t, term in enumerate(terms))
        start = f"<mtd>{left}</mtd><mtd><mo>=</mo></mtd>" if i == 0 else "<mtd></mtd><mtd></mtd>"
        rows.append(f"<mtr>{start}<mtd>{body}{tail if i == len(pieces) - 1 else ''}</mtd></mtr>")
    return f'<math {NAMESPACE} displaystyle="true"><mtable displaystyle="true">{"".join(rows)}</mtable></math>'


def meaning(variable: Variable) -> str:
    """c₂₃ = cos(q₂ + q₃)."""
    assert variable.angle is not None
    function = "cos" if variable.kind is Kind.COS else "sin"
    inner = angle_text(variable.angle, q="{}", plus=" + ", minus=" − ", times=" ")
    parts = re.split(r"([+−])", inner)
    angle = "".join(
        f"<mo>{p.strip()}</mo>" if p.strip() in ("+", "−") else _angle_part(p.strip()) for p in parts if p.strip()
    )
    body = f"{symbol(variable)}<mo>=</mo><mi>{function}</mi><mo>(</mo>{angle}<mo>)</mo>"
    return f"<math {NAMESPACE}><mrow>{body}</mrow></math>"


def _angle_part(part: str) -> str:
    """A coordinate, with a multiplier in front if there is one, or a plain offset."""
    *multiplier, index = part.split(" ")
    if "." in index:
        return f"<mn>{index}</mn>"
    return "".join(f"<mn>{m}</mn>" for m in multiplier) + f"<msub><mi>q</mi><mn>{index}</mn></msub>"


def label(of: Label) -> str:
    """M with its indices."""
    letter = f"<mi>{LETTERS.get(of.letter, escape(of.letter))}</mi>"
    indices = "<mo>,</mo>".join(f"<mn>{i}</mn>" for i in of.indices)
    entry = f"<msub>{letter}<mrow>{indices}</mrow></msub>" if of.indices else letter
    if not of.along:
        return entry
    below = f"<mrow><mi>∂</mi><msub><mi>q</mi><mn>{of.along}</mn></msub></mrow>"
    return f"<mfrac><mrow><mi>∂</mi>{entry}</mrow>{below}</mfrac>"


def symbol(variable: Variable) -> str:
    """A variable: its first letter, and the rest as an index; rates as q with a dot."""
    if variable.kind is Kind.RATE:  # no accent: browsers without a font for mathematics lay that over the letter
        return f"<msub><mover><mi>q</mi><mo>˙</mo></mover><mn>{variable.index + 1}</mn></msub>"
    first, index = letter_and_index(variable.name)
    letter = f"<mi>{escape(GREEK.get(first, first))}</mi>"
    return f"<msub>{letter}<mi mathvariant='normal'>{escape(index)}</mi></msub>" if index else letter


def _row(expression: Expression, number: Style) -> str:
    """The expression as a row of MathML."""
    match expression:
        case Number(value):
            return f"<mo>−</mo>{_number(-value, number)}" if value < 0 else _number(value, number)
        case Symbol(variable):
            return symbol(variable)
        case Sum(terms):
            return f"<mrow>{''.join(_term(term, number, i == 0) for i, term in enumerate(terms))}</mrow>"
        case Product(factors):
            rest, sign = list(factors), ""
            if isinstance(factors[0], Number) and factors[0].value < 0:
                sign, rest[0] = "<mo>−</mo>", Number(-factors[0].value)
            shown = [f for f in rest if f != Number(Fraction(1))]
            return f"<mrow>{sign}{SPACE.join(_bracketed(f, number) for f in shown)}</mrow>"
        case Power(Symbol(variable), exponent) if (simple := symbol(variable)).startswith("<msub>"):
            return f"<msubsup>{simple[6:-7]}<mn>{exponent}</mn></msubsup>"
        case Power(base, exponent):
            return f"<msup>{_bracketed(base, number)}<mn>{exponent}</mn></msup>"
        case Quotient(numerator, denominator):
            sign, top = ("<mo>−</mo>", _positive(numerator)) if split_number(numerator)[0] < 0 else ("", numerator)
            below = f"<mrow>{_row(denominator, number)}</mrow>"
            return f"<mrow>{sign}<mfrac><mrow>{_row(top, number)}</mrow>{below}</mfrac></mrow>"
    raise TypeError(f"{expression!r} is not an expression")


def _term(term: Expression, number: Style, first: bool) -> str:
    """A term of a sum with its sign in front, so that the sign is spaced as an infix operator."""
    if split_number(term)[0] < 0:
        return f"<mo>−</mo>{_row(_positive(term), number)}"
    return _row(term, number) if first else f"<mo>+</mo>{_row(term, number)}"


def _positive(expression: Expression) -> Expression:
    number, rest = split_number(expression)
    if isinstance(expression, Number):
        return Number(-number)
    if isinstance(expression, Quotient):
        return Quotient(_positive(expression.numerator), expression.denominator)
    return (
        rest if number == -1 else Product((Number(-number), *(rest.factors if isinstance(rest, Product) else (rest,))))
    )


def _bracketed(expression: Expression, number: Style) -> str:
    inner = _row(expression, number)
    return f"<mrow><mo>(</mo>{inner}<mo>)</mo></mrow>" if isinstance(expression, Sum) else inner


def _number(value: Fraction, number: Style) -> str:
    shown = number(value)
    if "/" in shown:
        top, _, bottom = shown.partition("/")
        return f"<mfrac><mn>{top}</mn><mn>{bottom}</mn></mfrac>"
    mantissa, e, exponent = shown.partition("e")
    if not e:
        return f"<mn>{shown}</mn>" if not shown.startswith("-") else f"{NEGATIVE}<mn>{shown[1:]}</mn>"
    sign = NEGATIVE if mantissa.startswith("-") else ""
    return (
        f"<mrow>{sign}<mn>{mantissa.lstrip('-')}</mn><mo>·</mo><msup><mn>10</mn><mn>{int(exponent)}</mn></msup></mrow>"
    )
