"""Operators as text: Unicode for people, ASCII that `parse` reads back exactly, and LaTeX.

Unicode writes the product by juxtaposition and the adjoint as ∗ (U+2217, so that it cannot be confused with the
product sign * of ASCII input); `parse` reads it back too. ASCII writes `H*psi'*inv(D)`.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from fractions import Fraction

from derive.operators.alphabet import SPELLINGS
from derive.operators.expr import Adjoint, Equation, Identity, Inverse, Letter, OpExpr, Product, Sum, Zero

_SUM, _PRODUCT, _POSTFIX = 0, 1, 2


@dataclass(frozen=True)
class _Style:
    """How one notation spells letters, juxtaposition and postfixes."""

    letter: str  # attribute of the alphabet's row
    product: str
    minus: str
    adjoint: str
    adjoint_inverse: str
    inverse: str
    opening: str = "("
    closing: str = ")"


_ASCII = _Style("name", "*", "-", "{}'", "inv({}')", "inv({})")
_TEXT = _Style("unicode", "", "−", "{}∗", "{}∗⁻¹", "{}⁻¹")
_LATEX = _Style("latex", r" ", "-", "{}^{{*}}", "{}^{{-*}}", "{}^{{-1}}", r"\left(", r"\right)")


def to_ascii(expr: OpExpr | Equation) -> str:
    """`expr` in ASCII; `parse(to_ascii(expr)) == expr`."""
    return _printed(expr, _ASCII)


def to_text(expr: OpExpr | Equation) -> str:
    """`expr` in Unicode."""
    return _printed(expr, _TEXT)


def to_latex(expr: OpExpr | Equation) -> str:
    """`expr` in LaTeX mathematics, without delimiters."""
    return _printed(expr, _LATEX)


def _printed(expr: OpExpr | Equation, style: _Style) -> str:
    if isinstance(expr, Equation):
        return f"{_render(expr.lhs, style, _SUM)} = {_render(expr.rhs, style, _SUM)}"
    return _render(expr, style, _SUM)


def _render(expr: OpExpr, style: _Style, level: int) -> str:
    """`expr`, in parentheses if it binds less tightly than `level`."""
    if isinstance(expr, Sum):
        text, own = _sum(expr, style), _SUM
    elif isinstance(expr, Product):
        text, own = _product(expr, style)
    elif isinstance(expr, Adjoint):
        text, own = style.adjoint.format(_render(expr.args[0], style, _POSTFIX)), _POSTFIX
    elif isinstance(expr, Inverse):
        text, own = _inverse(expr.args[0], style), _POSTFIX
    elif isinstance(expr, Letter):
        text, own = getattr(expr.info, style.letter), _POSTFIX
    else:
        assert isinstance(expr, Identity | Zero)
        text, own = ("I" if isinstance(expr, Identity) else "0"), _POSTFIX
    return text if own >= level else f"{style.opening}{text}{style.closing}"


def _inverse(inner: OpExpr, style: _Style) -> str:
    if style is _ASCII:
        return style.inverse.format(_render(inner, style, _SUM))
    if isinstance(inner, Adjoint):
        return style.adjoint_inverse.format(_render(inner.args[0], style, _POSTFIX))
    return style.inverse.format(_render(inner, style, _POSTFIX))


def _sum(expr: Sum, style: _Style) -> str:
    pieces = []
    for i, term in enumerate(expr.args):
        negative = isinstance(term, Product) and term.coefficient < 0
        text = _render(-term if negative else term, style, _PRODUCT)
        sign = style.minus if negative else "+"
        pieces.append((f" {sign} " if i else sign if negative else "") + text)
    return "".join(pieces)


def _product(expr: Product, style: _Style) -> tuple[str, int]:
    factors = [_render(f, style, _POSTFIX) for f in expr.factors]
    number = abs(expr.coefficient)
    if number != 1:
        factors.insert(0, _fraction(number, style))
    if expr.coefficient < 0:
        return style.minus + _joined(factors, style), _SUM
    return _joined(factors, style), _PRODUCT


def _joined(factors: list[str], style: _Style) -> str:
    """The factors side by side, with a blank where two letters together would spell a third (M M is not 𝓜)."""
    text = factors[0]
    for left, right in itertools.pairwise(factors):
        end, start = _run(left[::-1])[::-1], _run(right)
        text += style.product or (" " if end and start and end + start in SPELLINGS else "")
        text += right
    return text


def _run(text: str) -> str:
    """The ASCII letters `text` starts with."""
    return "".join(itertools.takewhile(lambda c: c.isascii() and c.isalpha(), text))


def _fraction(number: Fraction, style: _Style) -> str:
    if number.denominator == 1:
        return str(number.numerator)
    if style is _LATEX:
        return rf"\tfrac{{{number.numerator}}}{{{number.denominator}}}"
    return f"{number.numerator}/{number.denominator}" + ("" if style is _ASCII else " ")
