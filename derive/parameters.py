"""Scalars of a model: a plain float, or a polynomial in named parameters such as ``m1*lc1^2``.

This is the least algebra that lets masses, lengths and inertias be symbols while links are lumped and frames moved:
sums, products and integer powers, nothing else. It is not a computer algebra system (the closed forms use SymPy), which is
what keeps loading a robot free of the SymPy import.
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from typing import TypeAlias

Monomial: TypeAlias = tuple[tuple[str, int], ...]  # (("l1", 2), ("m2", 1)) is l1²·m2; () is 1

MAX_TEXT = 200  # characters of one expression in a file
MAX_POWER = 8
NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
STANDARD_PARAMETER = re.compile(r"(m|m[xyz]|Ixx|Ixy|Ixz|Iyy|Iyz|Izz)[1-9][0-9]*")  # of a body, about its frame's origin


@dataclass(frozen=True)
class Polynomial:
    """A polynomial in named parameters with at least one parameter in it; constants are plain floats."""

    terms: tuple[tuple[Monomial, float], ...]  # sorted by monomial, no zero coefficient

    def __add__(self, other: Scalar) -> Scalar:
        total = dict(self.terms)
        for monomial, coefficient in _terms(other):
            total[monomial] = total.get(monomial, 0.0) + coefficient
        return _scalar(total)

    def __mul__(self, other: Scalar) -> Scalar:
        product: dict[Monomial, float] = {}
        for left, a in self.terms:
            for right, b in _terms(other):
                monomial = _times(left, right)
                product[monomial] = product.get(monomial, 0.0) + a * b
        return _scalar(product)

    def __neg__(self) -> Scalar:
        return self * -1.0

    def __sub__(self, other: Scalar) -> Scalar:
        return self + -other

    def __rsub__(self, other: float) -> Scalar:
        return -self + other

    def __truediv__(self, divisor: float) -> Scalar:
        return self * (1.0 / divisor)

    __radd__ = __add__
    __rmul__ = __mul__

    def evaluate(self, values: Mapping[str, float]) -> float:
        """The number this is when each parameter has its value."""
        return math.fsum(c * math.prod(values[name] ** power for name, power in monomial) for monomial, c in self.terms)

    @property
    def parameters(self) -> frozenset[str]:
        """Names that occur."""
        return frozenset(name for monomial, _ in self.terms for name, _ in monomial)

    def __str__(self) -> str:
        parts = [
            "*".join([*_shown(coefficient, monomial), *_factors(monomial)]) for monomial, coefficient in self.terms
        ]
        return " + ".join(parts).replace("+ -", "- ")


Scalar: TypeAlias = float | Polynomial


def parameter(name: str) -> Polynomial:
    """The parameter itself, as a scalar."""
    return Polynomial(((((name, 1),), 1.0),))


def value(scalar: Scalar, values: Mapping[str, float]) -> float:
    """The number behind `scalar`."""
    return scalar.evaluate(values) if isinstance(scalar, Polynomial) else scalar


def number(scalar: Scalar) -> float:
    """`scalar`, which must be numeric."""
    if isinstance(scalar, Polynomial):
        raise TypeError(f"{scalar} has no number; take Model.numeric() first")
    return scalar


def parameters_of(scalars: Iterable[Scalar]) -> frozenset[str]:
    """All parameter names in `scalars`."""
    return frozenset().union(*(s.parameters for s in scalars if isinstance(s, Polynomial)))


def parse_scalar(text: str) -> Scalar:
    """Read a number or expression: names, numbers, ``pi``, ``+ - * /``, integer powers with ``^`` or ``**``.

    Raises ValueError that says what in `text` is not understood.
    """
    if len(text) > MAX_TEXT:
        raise ValueError(f"expression longer than {MAX_TEXT} characters")
    try:
        tree = ast.parse(text.strip().replace("^", "**"), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ValueError(f"{text!r} is not a number or an expression in named parameters") from None
    result = _evaluate(tree, text)
    if not isinstance(result, Polynomial) and not math.isfinite(result):
        raise ValueError(f"{text!r} is not finite")
    return result


def _evaluate(node: ast.expr, text: str) -> Scalar:
    match node:
        case ast.Constant(value=int() | float() as number) if not isinstance(number, bool):
            return _to_float(number, text)
        case ast.Name(id="pi"):
            return math.pi
        case ast.Name(id=name) if NAME.fullmatch(name):
            return parameter(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_evaluate(operand, text)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _evaluate(operand, text)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() as power)) if 0 < power <= MAX_POWER:
            base = _evaluate(left, text)
            return reduce(lambda product, _: product * base, range(power - 1), base)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div() as op, right=right):
            return _binary(_evaluate(left, text), op, _evaluate(right, text), text)
    raise ValueError(f"{text!r} holds something other than numbers, names, pi, + - * / and powers up to {MAX_POWER}")


def _binary(left: Scalar, op: ast.operator, right: Scalar, text: str) -> Scalar:
    match op:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
    if isinstance(right, Polynomial):
        raise ValueError(f"{text!r} divides by a parameter; name the quotient as a parameter of its own")
    if right == 0.0:
        raise ValueError(f"{text!r} divides by zero")
    return left / right


def _to_float(number: float, text: str) -> float:
    try:
        return float(number)
    except OverflowError:
        raise ValueError(f"{text!r} is too large for a float") from None


def _terms(scalar: Scalar) -> tuple[tuple[Monomial, float], ...]:
    return scalar.terms if isinstance(scalar, Polynomial) else (((), scalar),)


def _scalar(terms: Mapping[Monomial, float]) -> Scalar:
    kept = tuple(sorted((m, c) for m, c in terms.items() if c != 0.0))
    if all(monomial == () for monomial, _ in kept):
        return kept[0][1] if kept else 0.0
    return Polynomial(kept)


def _times(left: Monomial, right: Monomial) -> Monomial:
    powers = dict(left)
    for name, power in right:
        powers[name] = powers.get(name, 0) + power
    return tuple(sorted(powers.items()))


def _shown(coefficient: float, monomial: Monomial) -> list[str]:
    if monomial and coefficient in (1.0, -1.0):
        return [] if coefficient == 1.0 else ["-1.0"]
    return [repr(coefficient)]


def _factors(monomial: Monomial) -> list[str]:
    return [name if power == 1 else f"{name}^{power}" for name, power in monomial]
