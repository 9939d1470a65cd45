"""What an oracle says of a function at the states it is asked about, and how far a kernel may be off that."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from codegen.programs import KernelProgram
from codegen.trust.oracles import Oracle
from codegen.trust.quantities import DERIVATIVES, NotOfferedError, Quantities, expected
from derive.errors import DeriveError
from derive.states import Array

SAFETY = 2.0  # bounds are of first order, and contracted operations round differently
COMBINED = (
    64.0  # units of an output's ordinary size: where numbers are combined beforehand, or a quaternion is not quite 1
)
DIGITS = 1e-35  # what is left of an oracle of 50 digits where its terms cancel
MANY = 4  # states at which derivatives are judged, about


@dataclass(frozen=True)
class Truth:
    """What an oracle says of one function: the numbers of its cases, and per output values and what float64 leaves of them."""

    oracle: Oracle
    at: Array
    values: tuple[Array, ...]
    rests: tuple[Array, ...]

    def rows(self, chosen: Sequence[int]) -> Truth:
        """Of these rows only."""
        at = np.array(chosen, dtype=int)
        return Truth(self.oracle, self.at[at], tuple(v[at] for v in self.values), tuple(r[at] for r in self.rests))

    def with_rows(self, other: Truth) -> Truth:
        """The same oracle's at further cases added."""
        values, rests = (
            tuple(np.concatenate(pair) for pair in zip(*both, strict=True))
            for both in ((self.values, other.values), (self.rests, other.rests))
        )
        return Truth(self.oracle, np.concatenate([self.at, other.at]), values, rests)


def told(function: KernelProgram, oracle: Oracle, views: Sequence[tuple[int, Quantities]]) -> Truth | None:
    """What the oracle says of the function; None if it cannot tell. A state it refuses, as singular, is left out.

    A function without an entry, as the forces of a robot without joints, has nothing to be told.
    """
    if not any(spec.size for spec in function.program.outputs):
        return None
    name = function.extends or function.name
    rows: list[tuple[Any, ...]] = []
    at: list[int] = []
    if name in DERIVATIVES:
        views = views[:: max(1, len(views) // MANY)]
    for number, known in views:
        try:
            rows.append(expected(name, known, with_tip_force=bool(function.extends)))
        except (NotOfferedError, KeyError):
            return None
        except (DeriveError, np.linalg.LinAlgError, ZeroDivisionError):
            continue
        at.append(number)
    if not rows:
        return None
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    values = tuple(column.astype(float) for column in columns)
    rests = tuple(
        (column - value).astype(float) if column.dtype == object else np.zeros_like(value)
        for column, value in zip(columns, values, strict=True)
    )
    return Truth(oracle, np.array(at), values, rests)


def allowed_errors(bounds: Array, number: Array, size: Array, oracle: Oracle, unit: float) -> Array:
    """How far each entry may be off at the cases of these numbers; `size` is that of the outputs, `unit` that of the type.

    An oracle with rounding of its own may be off as much as the worst entry of a kernel, and at a state where kernels are
    exact by luck as much as at an ordinary one.
    """
    own = bounds[number]
    if oracle.exact:
        return np.asarray(SAFETY * own + COMBINED * unit * np.median(size) + DIGITS)
    largest = np.max(bounds, axis=1, keepdims=True, initial=0.0)
    floor = np.median(largest[np.isfinite(largest)]) if np.isfinite(largest).any() else np.inf
    return np.broadcast_to(SAFETY * oracle.slack * np.maximum(largest[number], floor), own.shape)
