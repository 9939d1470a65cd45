"""Expressions as one line of infix text: what text, Markdown, LaTeX, Python and C have in common.

A notation says how it writes symbols, products, powers, quotients and numbers; where brackets go is decided here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from derive.closed_form.expression import Expression, Number, Power, Product, Quotient, Sum, Symbol, split_number
from derive.closed_form.variables import Variable

SUM, PRODUCT, ATOM = 0, 1, 2


@dataclass(frozen=True)
class Notation:
    """How one language writes the parts of a formula."""

    symbol: Callable[[Variable], str]
    number: Callable[[Fraction], str]  # of a positive number
    product: str
    power: Callable[[str, int], str]
    quotient: Callable[[str, str], str] | None = None  # None: with a slash and brackets
    minus: str = "-"
    brackets: tuple[str, str] = ("(", ")")
    before_bracket: str = ""  # the product sign in front of a bracket, where a letter there would look like a function

    def write(self, expression: Expression) -> str:
        """The expression as text."""
        return self._text(expression, SUM)

    def _text(self, expression: Expression, level: int) -> str:
        text, own = self._bare(expression)
        return text if own >= level else f"{self.brackets[0]}{text}{self.brackets[1]}"

    def _bare(self, expression: Expression) -> tuple[str, int]:
        """The text and how tightly it binds."""
        match expression:
            case Number(value):
                text = self.number(abs(value))
                plain = ATOM if "/" not in text else PRODUCT
                return (text, plain) if value >= 0 else (f"{self.minus}{text}", SUM)
            case Symbol(variable):
                return self.symbol(variable), ATOM
            case Sum(terms):
                return self._sum(terms), SUM
            case Product():
                number, rest = split_number(expression)
                if number < 0:
                    positive = self._product(abs(number), rest)
                    return f"{self.minus}{positive}", SUM
                return self._product(number, rest), PRODUCT
            case Power(base, exponent):
                return self.power(self._text(base, ATOM), exponent), ATOM
            case Quotient(numerator, denominator):
                number, _ = split_number(numerator)
                if number < 0:
                    return f"{self.minus}{self._text(_negated(expression), PRODUCT)}", SUM
                if self.quotient is None:
                    return f"{self._text(numerator, PRODUCT)}/{self._text(denominator, ATOM)}", PRODUCT
                return self.quotient(self._text(numerator, SUM), self._text(denominator, SUM)), PRODUCT
        raise TypeError(f"{expression!r} is not an expression")

    def _product(self, number: Fraction, rest: Expression) -> str:
        factors = rest.factors if isinstance(rest, Product) else (rest,)
        pieces = [self._text(f, ATOM if len(factors) > 1 or number != 1 else PRODUCT) for f in factors]
        if number != 1:
            text = self.number(number)
            pieces.insert(0, text if "/" not in text else f"{self.brackets[0]}{text}{self.brackets[1]}")
        text = pieces[0]
        for piece in pieces[1:]:
            bracket = self.before_bracket and piece.startswith(self.brackets[0])
            text += (self.before_bracket if bracket else self.product) + piece
        return text

    def _sum(self, terms: tuple[Expression, ...]) -> str:
        text = ""
        for i, term in enumerate(terms):
            number, _ = split_number(term)
            piece = self._text(_negated(term) if number < 0 else term, PRODUCT)
            sign = self.minus if number < 0 else "+"
            text += (f" {sign} " if i else sign if number < 0 else "") + piece
        return text


def _negated(expression: Expression) -> Expression:
    number, rest = split_number(expression)
    if isinstance(expression, Number):
        return Number(-number)
    if isinstance(expression, Quotient):
        return Quotient(_negated(expression.numerator), expression.denominator)
    factors = rest.factors if isinstance(rest, Product) else (rest,)
    return Product((Number(-number), *factors)) if number != -1 else rest
