"""SymPy objects: cos and sin of the coordinates q1 … qn, rates qd1 …, and parameters by name."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import sympy

from derive.closed_form.element import Element
from derive.closed_form.variables import Kind, Variable


def symbol_of(variable: Variable) -> Any:
    """What a variable is in SymPy."""
    if variable.angle is None:
        return sympy.Symbol(variable.name)
    parts, offset = variable.angle
    angle = sympy.Add(*(_rational(m) * sympy.Symbol(f"q{i + 1}") for i, m in parts), _rational(offset))
    return sympy.cos(angle) if variable.kind is Kind.COS else sympy.sin(angle)


def to_sympy(element: Element, known: Mapping[Variable, Any] | None = None) -> Any:
    """The element as a SymPy sum, exact; `known` says what some variables are instead of symbols."""
    ring, powers = element.ring, {}
    symbols = {
        v: symbol_of(v) if v not in ring.inverses else 1 / symbol_of(ring.inverses[v]) for v in element.variables()
    }
    symbols |= dict(known or {})

    def power(variable: Variable, exponent: int) -> Any:
        if (variable, exponent) not in powers:
            powers[variable, exponent] = symbols[variable] ** exponent
        return powers[variable, exponent]

    terms = [
        sympy.Mul(_rational(coefficient), *(power(v, p) for v, p in ring.factors(monomial)))
        for monomial, coefficient in element.coefficients()
    ]
    return sympy.Add(*terms)


def _rational(number: Fraction) -> Any:
    return sympy.Rational(number.numerator, number.denominator)
