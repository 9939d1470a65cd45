"""Long sums in several lines: where to break, for notations that do not break lines by themselves."""

from __future__ import annotations

from derive.closed_form.expression import Expression, Product, Sum, multiplied, summed
from derive.closed_form.printing.infix import Notation


def broken(expression: Expression, notation: Notation, width: int) -> list[Expression]:
    """The expression as sums of at most about `width` characters each, in order."""
    if not isinstance(expression, Sum):
        terms = flat(Sum((expression,)), notation, width)
        return [expression] if len(terms) == 1 else broken(summed(terms), notation, width)
    lines: list[list[Expression]] = [[]]
    used = 0
    for term in flat(expression, notation, width):
        size = len(notation.write(term)) + 3
        if lines[-1] and used + size > width:
            lines.append([])
            used = 0
        lines[-1].append(term)
        used += size
    return [summed(line) for line in lines]


def flat(expression: Sum, notation: Notation, width: int) -> list[Expression]:
    """The terms, a bracket that is wider than a line multiplied out over its terms."""
    terms: list[Expression] = []
    for term in expression.terms:
        if len(notation.write(term)) > width and isinstance(term, Product) and isinstance(term.factors[-1], Sum):
            lead = term.factors[:-1]
            spread = summed(multiplied([*lead, inner]) for inner in term.factors[-1].terms)
            terms += flat(spread, notation, width) if isinstance(spread, Sum) else [spread]
        else:
            terms.append(term)
    return terms
