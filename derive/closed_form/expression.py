"""Formulas as they are printed: sums, products and powers of numbers and symbols, in the order a reader sees them.

    expression ::= Number | Symbol | Sum | Product | Power | Quotient

An expression is made from an element by one of `forms`, and printed by one of `printing`. It is never calculated with,
but for `evaluate`, which says what it means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeAlias

from derive.closed_form.variables import Variable


@dataclass(frozen=True)
class Number:
    """An exact rational."""

    value: Fraction


@dataclass(frozen=True)
class Symbol:
    """A variable of the ring."""

    variable: Variable


@dataclass(frozen=True)
class Sum:
    """Two terms or more, in order."""

    terms: tuple[Expression, ...]


@dataclass(frozen=True)
class Product:
    """Two factors or more, a number first."""

    factors: tuple[Expression, ...]


@dataclass(frozen=True)
class Power:
    """A symbol or sum to a power of 2 or more."""

    base: Expression
    exponent: int


@dataclass(frozen=True)
class Quotient:
    """A ratio."""

    numerator: Expression
    denominator: Expression


Expression: TypeAlias = Number | Symbol | Sum | Product | Power | Quotient
ZERO = Number(Fraction(0))
ONE = Number(Fraction(1))


def summed(terms: Iterable[Expression]) -> Expression:
    """The sum, without zeros and without sums inside it."""
    flat: list[Expression] = []
    for term in terms:
        if isinstance(term, Sum):
            flat += term.terms
        elif term != ZERO:
            flat.append(term)
    return Sum(tuple(flat)) if len(flat) > 1 else flat[0] if flat else ZERO


def multiplied(factors: Iterable[Expression]) -> Expression:
    """The product, its number in front, without ones; as one quotient if there are any."""
    number, rest, below = Fraction(1), [], []
    for factor in factors:
        if isinstance(factor, Quotient):
            below.append(factor.denominator)
            factor = factor.numerator
        parts = factor.factors if isinstance(factor, Product) else (factor,)
        for part in parts:
            if isinstance(part, Number):
                number *= part.value
            else:
                rest.append(part)
    if not number:
        return ZERO
    if below:
        return Quotient(multiplied([Number(number), *rest]), multiplied(below))
    found: list[Expression] = [*([Number(number)] if number != 1 else []), *rest]
    return Product(tuple(found)) if len(found) > 1 else found[0] if found else ONE


def power(base: Expression, exponent: int) -> Expression:
    """base to a power of 1 or more."""
    return base if exponent == 1 else Power(base, exponent)


def split_number(expression: Expression) -> tuple[Fraction, Expression]:
    """The number in front and the rest."""
    if isinstance(expression, Number):
        return expression.value, ONE
    if isinstance(expression, Product) and isinstance(expression.factors[0], Number):
        return expression.factors[0].value, multiplied(expression.factors[1:])
    if isinstance(expression, Quotient):
        number, rest = split_number(expression.numerator)
        return number, Quotient(rest, expression.denominator)
    return Fraction(1), expression


def evaluate(expression: Expression, value: Callable[[Variable], Any]) -> Any:
    """What the expression means, on any scalar."""
    match expression:
        case Number(number):
            return number
        case Symbol(variable):
            return value(variable)
        case Sum(terms):
            total: Any = 0
            for term in terms:
                total = total + evaluate(term, value)
            return total
        case Product(factors):
            product: Any = 1
            for factor in factors:
                product = product * evaluate(factor, value)
            return product
        case Power(base, exponent):
            return evaluate(base, value) ** exponent
        case Quotient(numerator, denominator):
            return evaluate(numerator, value) / evaluate(denominator, value)


def variables_of(expression: Expression) -> tuple[Variable, ...]:
    """The variables that occur, in order of first appearance."""
    found: dict[Variable, None] = {}
    todo = [expression]
    while todo:
        node = todo.pop()
        match node:
            case Symbol(variable):
                found[variable] = None
            case Sum(parts) | Product(parts):
                todo += reversed(parts)
            case Power(base, _):
                todo.append(base)
            case Quotient(numerator, denominator):
                todo += [denominator, numerator]
    return tuple(found)


def count_terms(expression: Expression) -> int:
    """How many products of symbols are added up, brackets counted by what is in them."""
    match expression:
        case Number(value) if not value:
            return 0
        case Sum(terms):
            return sum(map(count_terms, terms))
        case Product(factors):
            return max(1, sum(count_terms(f) for f in factors if isinstance(f, Sum | Quotient)))
        case Quotient(numerator, denominator):
            return count_terms(numerator) + count_terms(denominator)
        case Power(base, _):
            return count_terms(base)
        case _:
            return 1
