"""Outputs of any shape: vectors, numbers, and matrices by columns, by composite blocks, or pairwise through common ancestors."""

from __future__ import annotations

from derive.lowering.vectors import Lowering
from derive.operators.expr import OpExpr
from derive.operators.spaces import COLUMN, POINTS
from derive.recursion import Field, Output


def lower_output(lowering: Lowering, name: str, expr: OpExpr) -> Output:
    """The output called `name`, its statements added to the lowering's builder."""
    assert expr.codomain is not None
    assert expr.domain is not None
    if expr.domain is COLUMN:
        return Output(name, lowering.materialised(lowering.terms(expr), expr.codomain, name))
    unit = lowering.builder.unit(expr.domain)
    return Output(name, lowering.materialised(lowering.terms(expr, unit), expr.codomain, name))


def columns_of_points(lowering: Lowering, expr: OpExpr) -> Field:
    """A points-by-points operator by columns."""
    unit = lowering.builder.unit(POINTS)
    return lowering.materialised(lowering.terms(expr, unit), POINTS, "W")
