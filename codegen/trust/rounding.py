"""What rounding may do to a program's outputs: a running error analysis, entry by entry and state by state.

Every value travels with a bound on its error (Wilkinson 1963; Higham 2002, section 3.3), so what is allowed to a kernel follows
the conditioning of its own formulas at that very state: nothing is tuned to a robot. The bounds are of first order with the
products of errors kept, so a value near zero that is divided by shows as an infinite bound and not as a wrong one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from codegen.interpret import Namespace
from codegen.source import Real
from codegen.trust.carry_out import Program, carried_out
from derive.states import Array

# Half a unit in the last place, and the smallest number above zero.
UNIT: Mapping[Real, float] = {"double": 2.0**-53, "float": 2.0**-24}
TINY: Mapping[Real, float] = {"double": 2.0**-1074, "float": 2.0**-149}
TRIGONOMETRIC = 4.0  # units that a sine or cosine may be off
CONSTANT = (
    64.0  # units that a constant may be off: worked out in float64 from the robot's numbers, some of which cancel
)


@dataclass(frozen=True, eq=False, slots=True)
class Rounded:
    """Values at many states, with bounds on their errors; `u` and `tiny` are those of the type they are computed in."""

    value: Any
    error: Any
    u: float
    tiny: float

    def _made(self, value: Any, carried: Any) -> Rounded:
        """The result of an operation: what its operands' errors come to, and its own rounding."""
        return Rounded(value, carried + self.u * abs(value) + self.tiny, self.u, self.tiny)

    def __add__(self, other: Rounded) -> Rounded:
        return self._made(self.value + other.value, self.error + other.error)

    def __sub__(self, other: Rounded) -> Rounded:
        return self._made(self.value - other.value, self.error + other.error)

    def __mul__(self, other: Rounded) -> Rounded:
        carried = abs(self.value) * other.error + abs(other.value) * self.error + self.error * other.error
        return self._made(self.value * other.value, carried)

    def __truediv__(self, other: Rounded) -> Rounded:
        value, room = self.value / other.value, abs(other.value) - other.error
        carried = np.where(room > 0, (self.error + abs(value) * other.error) / np.where(room > 0, room, 1.0), np.inf)
        return self._made(value, carried)

    def __neg__(self) -> Rounded:
        return Rounded(-self.value, self.error, self.u, self.tiny)

    def sin(self) -> Rounded:
        """Its sine."""
        return self._wave(np.sin(self.value), np.cos(self.value))

    def cos(self) -> Rounded:
        """Its cosine."""
        return self._wave(np.cos(self.value), np.sin(self.value))

    def sqrt(self) -> Rounded:
        """Its square root."""
        value = np.sqrt(self.value)
        return self._made(value, self.error / np.maximum(value, self.tiny))

    def _wave(self, value: Any, slope: Any) -> Rounded:
        carried = np.minimum(abs(slope) * self.error + 0.5 * self.error**2, 2.0)
        return self._made(value, carried + (TRIGONOMETRIC - 1.0) * self.u * abs(value))


@dataclass(frozen=True)
class Bound:
    """An output of a program at many states, as float64 has it, and how far a kernel may be from the truth; both (B, …)."""

    value: Array
    error: Array


def rounding_bounds(
    program: Program,
    inputs: Mapping[str, Array],
    real: Real = "double",
    errors: Mapping[str, Array] | None = None,
) -> tuple[Bound, ...]:
    """One bound per output, for inputs (B, …) that are exact, or have these errors."""
    u, tiny = UNIT[real], TINY[real]
    rows = len(next(iter(inputs.values()))) if inputs else 1
    errors = errors or {name: np.zeros_like(array) for name, array in inputs.items()}

    def constant(c: float) -> Rounded:
        return Rounded(c, CONSTANT * u * abs(c), u, tiny)

    namespace = Namespace(Rounded.sin, Rounded.cos, Rounded.sqrt, constant)
    entries = {
        spec.name: [
            Rounded(x, e, u, tiny)
            for x, e in zip(inputs[spec.name].reshape(rows, -1).T, errors[spec.name].reshape(rows, -1).T, strict=True)
        ]
        for spec in program.inputs
    }
    with np.errstate(all="ignore"):
        found = carried_out(program, entries, namespace)
    bounds = []
    for spec in program.outputs:
        value, error = np.empty((rows, spec.size)), np.empty((rows, spec.size))
        for i, entry in enumerate(found[spec.name]):
            value[:, i], error[:, i] = entry.value, entry.error
        bounds.append(Bound(value.reshape((rows, *spec.shape)), error.reshape((rows, *spec.shape))))
    if real == "float" and not all(np.isfinite(bound.error).all() for bound in bounds):
        return _scaled(bounds, rounding_bounds(program, inputs, "double", _scaled_errors(errors)))
    return tuple(bounds)


def _scaled(bounds: Sequence[Bound], fine: Sequence[Bound]) -> tuple[Bound, ...]:
    """Where errors of float grow so large that their products hide everything, those of double at float's unit: first order."""
    scale = UNIT["float"] / UNIT["double"]
    pairs = zip(bounds, fine, strict=True)
    return tuple(Bound(a.value, np.where(np.isfinite(a.error), a.error, scale * b.error)) for a, b in pairs)


def _scaled_errors(errors: Mapping[str, Array]) -> dict[str, Array]:
    return {name: UNIT["double"] / UNIT["float"] * array for name, array in errors.items()}
