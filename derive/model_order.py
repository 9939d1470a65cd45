"""Between stacked fields and arrays: inputs into body-by-body values, values into outputs in model order.

Joint quantities are in model order (parents before children); bodies are rows in model order, points in the order of the tips.
The papers' order is the reverse, body by body: `papers_order` is the one place that says so. Joints that follow others are
worked out here: their rates are their master's times the multiplier, and their forces are added to the master's.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np

from derive.algebra import minus, plus, times
from derive.errors import StateError
from derive.instance import Instance
from derive.model import GROUND, Model
from derive.operators.spaces import BODIES, COLUMN, JOINTS, POINTS, Space
from derive.recursion import Field, Kind, Output
from derive.spatial import Vector, identity

#: which column block → its columns; absent is zero; a vector has the one block 0
Columns: TypeAlias = dict[int, tuple[Vector, ...]]
#: where an entry goes in an array, and with what weight
Place: TypeAlias = tuple[int, float]


def papers_order(model: Model, space: Space, points: int = 0) -> list[int]:
    """For each row in the papers' order (body 1 = tip first) of a stacked vector on `space`, its row in model order."""
    if space is JOINTS:
        return [i for s in reversed(model.v_slices) for i in range(s.start, s.stop)]
    if space is BODIES:
        return [6 * k + i for k in reversed(range(model.n)) for i in range(6)]
    return list(range(6 * points)) if space is POINTS else [0]


def scalars_in(values: Any) -> Iterator[Any]:
    """The scalars in nested lists."""
    if isinstance(values, list | tuple):
        for value in values:
            yield from scalars_in(value)
    else:
        yield values


def input_values(
    field: Field, values: Mapping[str, Any], robot: Instance, gravity: Sequence[Any]
) -> dict[int, Columns]:
    """The values of an input field, by body or point; the ground's acceleration is −gravity, at the ground."""
    if field.kind is Kind.COLUMNS:
        return {k: {k: identity(size)} for k, size in enumerate(_sizes(field.rows, robot))}
    if field.name == "g" and "g" not in values:
        return {GROUND: {0: ((0.0, 0.0, 0.0, *(minus(0.0, x) for x in gravity)),)}}
    if field.name not in values:
        raise StateError(f"the recursion reads {field.name}: pass inputs={{'{field.name}': …}}")
    flat = list(scalars_in(values[field.name]))
    wanted = robot.model.nv if field.rows is JOINTS else sum(_sizes(field.rows, robot))
    if len(flat) != wanted:
        raise StateError(f"{field.name} has {len(flat)} entries; model '{robot.model.name}' wants {wanted}")
    if field.rows is JOINTS:
        return {k: {0: (part,)} for k, part in enumerate(_joint_parts(robot.model, field.name, flat))}
    return {k: {0: (tuple(flat[6 * k : 6 * k + 6]),)} for k in range(len(_sizes(field.rows, robot)))}


def assembled(
    output: Output, held: dict[int, Columns], robot: Instance, anticausal: dict[int, Columns] | None = None
) -> Any:
    """The output as an array in model order: (nv,), (n, 6), (points, 6), a number, or a matrix of such rows and columns."""
    field = output.field
    rows, columns = places(field.rows, robot), places(field.columns, robot)
    height, width = (1 + max((i for place in side for i, _ in place), default=-1) for side in (rows, columns))
    dense: list[list[Any]] = [[0.0] * width for _ in range(height)]

    def add(i: int, j: int, x: Any) -> None:
        dense[i][j] = plus(dense[i][j], x)

    for k, value in held.items():
        for m, block in value.items():
            for (j, weight_j), column in zip(columns[m], block, strict=True):
                for (i, weight_i), x in zip(rows[k], column, strict=True):
                    weighted = times(times(weight_i, weight_j), x)
                    add(i, j, weighted)
                    if output.symmetric and k != m:
                        add(j, i, weighted)
    for k, value in (anticausal or {}).items():  # its adjoint is what is added
        for m, block in value.items():
            for (i, weight_i), column in zip(rows[m], block, strict=True):
                for (j, weight_j), x in zip(columns[k], column, strict=True):
                    add(i, j, times(times(weight_i, weight_j), x))
    if output.transposed:
        dense = [list(column) for column in zip(*dense, strict=True)]
    if field.columns is not COLUMN:
        return array_of(dense, (len(dense), len(dense[0]) if dense else 0))
    flat = [x for row in dense for x in row]
    shape = {JOINTS: (len(flat),), COLUMN: ()}.get(field.rows, (len(flat) // 6, 6))
    return array_of(flat, shape)


def array_of(values: list[Any], shape: tuple[int, ...]) -> Any:
    """Nested lists as an array: of numbers, or of objects."""
    flat = list(scalars_in(values))
    if all(isinstance(x, int | float | complex) for x in flat):
        return np.array(flat, dtype=None if flat else float).reshape(shape)[()]
    filled = np.empty(len(flat), dtype=object)
    filled[:] = flat
    return filled.reshape(shape)[()]


def _sizes(space: Space, robot: Instance) -> list[int]:
    if space is JOINTS:
        return [len(h) for h in robot.H]
    return [6] * (len(robot.points) if space is POINTS else robot.n)


def places(space: Space, robot: Instance) -> list[list[Place]]:
    """For each block of a stacked vector, where its entries go in the array and with what weight."""
    if space is COLUMN:
        return [[(0, 1.0)]]
    if space is JOINTS:
        model = robot.model
        weights = [1.0 if joint.mimic is None else joint.mimic.multiplier for joint in model.joints]
        slices = zip(model.v_slices, weights, strict=True)
        return [[(i, weight) for i in range(s.start, s.stop)] for s, weight in slices]
    return [[(6 * k + i, 1.0) for i in range(6)] for k in range(len(_sizes(space, robot)))]


def _joint_parts(model: Model, name: str, given: Sequence[Any]) -> Sequence[Vector]:
    """Joint by joint; a joint that follows another has its rate but takes no force of its own."""
    if name != "T":
        return model.joint_rates(given)
    each = zip(model.joints, model.v_slices, strict=True)
    return [tuple(given[s]) if joint.mimic is None else (0.0,) for joint, s in each]
