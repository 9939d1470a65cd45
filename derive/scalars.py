"""What a recursion needs of its scalar besides + − · /: cosine, sine, square root, and rational constants.

`scalars_for(values)` picks them by the type of the values: SymPy, mpmath, complex or float.
"""

from __future__ import annotations

import cmath
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import mpmath
import sympy


@dataclass(frozen=True)
class Scalars:
    """The functions of one scalar type; `number` makes a constant of a rational."""

    cos: Callable[[Any], Any]
    sin: Callable[[Any], Any]
    sqrt: Callable[[Any], Any]
    number: Callable[[Fraction], Any] = float
    of_sums: bool = False  # whether the cosine of a coordinate and a constant costs no more than that of the coordinate


def each_once(scalars: Scalars) -> Scalars:
    """The same functions, which work out the cosine and the sine of one and the same object once."""
    return replace(scalars, cos=_once(scalars.cos), sin=_once(scalars.sin))


def _once(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    known: dict[int, tuple[Any, Any]] = {}  # by identity: the argument is kept, so its number stays its own

    def remembering(x: Any) -> Any:
        if id(x) not in known:
            known[id(x)] = x, function(x)
        return known[id(x)][1]

    return remembering


FLOAT = Scalars(math.cos, math.sin, math.sqrt)
COMPLEX = Scalars(cmath.cos, cmath.sin, cmath.sqrt)
MPMATH = Scalars(mpmath.cos, mpmath.sin, mpmath.sqrt, lambda f: mpmath.mpf(f.numerator) / f.denominator)
SYMPY = Scalars(sympy.cos, sympy.sin, sympy.sqrt, lambda f: sympy.Rational(f.numerator, f.denominator))


def scalars_for(values: Iterable[Any]) -> Scalars:
    """The functions for a mixture of values: SymPy before mpmath before complex before float."""
    kinds = [_kind(value) for value in values]
    return next((known for known in (SYMPY, MPMATH, COMPLEX) if any(k is known for k in kinds)), FLOAT)


def _kind(value: Any) -> Scalars:
    if isinstance(value, sympy.Basic):
        return SYMPY
    if isinstance(value, mpmath.mpf | mpmath.mpc):
        return MPMATH
    return COMPLEX if isinstance(value, complex) else FLOAT
