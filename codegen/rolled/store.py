"""Where values go that later loops or the caller read: columns into matrices, outputs into the arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

from codegen.rolled.ir import Form
from codegen.rolled.memory import OWN
from codegen.rolled.tracer import Tracer
from derive.algebra import times
from derive.frames import ZERO
from derive.operators.spaces import BODIES, JOINTS, POINTS, Space
from derive.recursion import Field, Output
from derive.transition import Transition

Columns: TypeAlias = Sequence[Sequence[Any]]


def kept_columns(tracer: Tracer, field: Field, array: str, position: str) -> tuple[tuple[Any, ...], ...]:
    """The columns of a field that an earlier loop kept; none if there are none in this position."""
    if position not in tracer.memory.columns.get((array, tracer.number), frozenset()):
        return ()
    rows = tracer.rates if field.rows is JOINTS else 6
    width, nc = tracer.rates if position == OWN else 1, tracer.robot.columns
    offsets = [nc * i + c for c in range(width) for i in range(rows)]
    flat = tracer.read(f"{array}_j", array, _matrix_place(tracer, field, position), offsets)
    return tuple(tuple(flat[rows * c : rows * (c + 1)]) for c in range(width))


def keep_columns(tracer: Tracer, field: Field, array: str, columns: Columns, position: str) -> None:
    """Columns of joints into the field's own matrix."""
    memory, nc = tracer.memory, tracer.robot.columns
    memory.columns[array, tracer.number] = memory.columns.get((array, tracer.number), frozenset()) | {position}
    memory.matrix_sizes[array] = nc * (nc if field.rows is JOINTS else 6 * tracer.robot.n)
    entries = {nc * i + c: x for c, column in enumerate(columns) for i, x in enumerate(column)}
    tracer.write(array, _matrix_place(tracer, field, position), entries)


def give_columns(tracer: Tracer, name: str, output: Output, columns: Columns, position: str, *, diagonal: bool) -> None:
    """Columns of joints into an output, and into its other half if it is symmetric."""
    height, width = _extent(output.field.rows, tracer), _extent(output.field.columns, tracer)
    strides = (1, 0) if diagonal else (1, height) if output.transposed else (width, 1)
    index, weight = "v", tracer.weight
    if position != OWN:
        index, weight = "c", 1.0
        if tracer.robot.model.has_mimics:
            (weight,) = tracer.read("weight_j", "weight", Form(((1, "j"),)), range(1))
    weighted = [[times(weight, x) for x in column] for column in columns]
    _put(tracer, name, output.field.rows, strides, index, weighted)
    if output.symmetric and position != OWN:
        _put(tracer, name, output.field.rows, strides[::-1], index, weighted)


def give(tracer: Tracer, name: str, output: Output, columns: Columns, *, adds: bool) -> None:
    """A vector, or the columns of the tip, into an output; `adds` to what other bodies give."""
    strides = (1, _extent(output.field.rows, tracer)) if output.transposed else (len(columns), 1)
    _put(tracer, name, output.field.rows, strides, "", columns, adds=adds)


def _matrix_place(tracer: Tracer, field: Field, position: str) -> Form:
    nc = tracer.robot.columns
    return Form(((nc, "w") if field.rows is JOINTS else (6 * nc, "k"), (1, "w" if position == OWN else "j")))


def _extent(space: Space, tracer: Tracer) -> int:
    """Number of entries of a stacked vector, as callers see it."""
    return {JOINTS: tracer.robot.original.nv, BODIES: 6 * tracer.robot.n, POINTS: 6}.get(space, 1)


def _put(
    tracer: Tracer,
    output: str,
    rows: Space,
    strides: tuple[int, int],
    column_index: str,
    columns: Columns,
    *,
    adds: bool = False,
) -> None:
    """Entry (i, c) goes to down·(row + i) + across·(column + c); joints that follow add to their master's."""
    down, across = strides
    if rows is BODIES:  # in the axes of the model's frames
        back = Transition.of(tracer.rotation_in("axes"), ZERO)
        columns = [back.of_force(tuple(column)) for column in columns]
    coefficients: dict[str, int] = {}
    if rows is JOINTS:
        coefficients["v"] = down
    elif rows is BODIES:
        coefficients["b"] = 6 * down
    if column_index:
        coefficients[column_index] = coefficients.get(column_index, 0) + across
    base = Form(tuple((coefficient, index) for index, coefficient in coefficients.items() if coefficient))
    weight = tracer.weight if rows is JOINTS else 1.0
    entries = {
        down * i + across * c: times(weight, x)
        for c, column in enumerate(columns)
        for i, x in enumerate(column)
        if across or i == c
    }
    tracer.write(output, base, entries, adds=adds or tracer.robot.model.has_mimics)
