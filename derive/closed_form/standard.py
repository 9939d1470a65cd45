"""The standard inertial parameters of a robot as symbols: m2, mx2, my2, mz2, Ixx2 … Izz2 of body 2, about its frame's origin.

Everything of dynamics is linear in them. By default a parameter that is zero stays zero, and two that are the same number in
one body (a round link's Ixx and Iyy) share a symbol, which is how published models are written.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from derive.closed_form.element import Element
from derive.closed_form.errors import ClosedFormError
from derive.closed_form.ring import Ring
from derive.inertia import Inertia
from derive.model import Body, Model
from derive.parameters import Polynomial, Scalar, number, parameter

NAMES = ("m", "mx", "my", "mz", "Ixx", "Ixy", "Ixz", "Iyy", "Iyz", "Izz")


def with_standard_parameters(model: Model, every: bool = False) -> Model:
    """`model` with its bodies' inertial parameters as symbols; with `every`, also those that are zero or equal."""
    if model.is_symbolic:
        raise ClosedFormError(f"model '{model.name}' has named parameters already")
    values: dict[str, float] = {}
    bodies = []
    for k, body in enumerate(model.bodies, start=1):
        symbols = _symbols(body, k, every)
        for symbol, value in zip(symbols.values(), _numbers(body), strict=True):
            if isinstance(symbol, Polynomial):
                (name,) = symbol.parameters
                values.setdefault(name, value)
        mass, x, y, z, xx, xy, xz, yy, yz, zz = symbols.values()
        bodies.append(Body(body.name, Inertia(mass, (x, y, z), (xx, xy, xz, yy, yz, zz))))
    return replace(model, bodies=tuple(bodies), parameters=tuple(sorted(values.items())))


def standard_names(model: Model, every: bool = False) -> dict[str, Scalar]:
    """What each standard name stands for on a numeric model: a symbol, another's symbol, or zero."""
    return {
        f"{name}{k}": scalar
        for k, body in enumerate(model.bodies, start=1)
        for name, scalar in _symbols(body, k, every).items()
    }


def _numbers(body: Body) -> tuple[float, ...]:
    return tuple(number(x) for x in body.inertia.scalars)


def _symbols(body: Body, k: int, every: bool) -> dict[str, Scalar]:
    """Symbol or zero for each standard name; equal inertias share one unless `every` parameter is wanted."""
    found: dict[str, Scalar] = {}
    shared: dict[float, Scalar] = {}
    for name, value in zip(NAMES, _numbers(body), strict=True):
        symbol: Scalar = parameter(f"{name}{k}")
        if not every and value == 0.0:
            symbol = 0.0
        elif not every and name.startswith("I"):
            symbol = shared.setdefault(value, symbol)
        found[name] = symbol
    return found


def parse_element(text: str, ring: Ring, names: Mapping[str, Any]) -> Element:
    """An expression in names as an element, its decimals exact."""
    return _evaluated(ast.parse(text.replace("^", "**"), mode="eval").body, ring, names)


def _evaluated(node: ast.expr, ring: Ring, names: Mapping[str, Any]) -> Element:
    match node:
        case ast.Constant(value=int() | float() as value):
            return ring.constant(value)
        case ast.Name(id=name) if name in names:
            found = names[name]
            return found if isinstance(found, Element) else ring.constant(found)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_evaluated(operand, ring, names)
        case ast.BinOp(left=left, op=ast.Pow(), right=ast.Constant(value=int() as exponent)):
            return _evaluated(left, ring, names) ** exponent
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() as op, right=right):
            a, b = _evaluated(left, ring, names), _evaluated(right, ring, names)
            return a + b if isinstance(op, ast.Add) else a - b if isinstance(op, ast.Sub) else a * b
    raise ClosedFormError(f"'{ast.unparse(node)}' is not a sum of products of known parameters")
