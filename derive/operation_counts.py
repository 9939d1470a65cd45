"""How much arithmetic a recursion does on a robot: `count_operations` runs it with scalars that count.

Exact zeros and ones of the robot cost nothing, as in generated code. Cosines and sines are counted apart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from derive.model import Model
from derive.recursion import Recursion
from derive.run import run
from derive.scalars import Scalars
from derive.states import neutral


@dataclass
class OperationCounts:
    """Numbers of operations."""

    additions: int = 0  # and subtractions and sign changes
    multiplications: int = 0
    divisions: int = 0
    functions: int = 0  # cosines, sines, square roots

    @property
    def total(self) -> int:
        """Additions, multiplications and divisions."""
        return self.additions + self.multiplications + self.divisions


class Counted:
    """A scalar of which only the operations matter."""

    __slots__ = ("_counts",)

    def __init__(self, counts: OperationCounts) -> None:
        self._counts = counts

    def _add(self, other: Any = None) -> Counted:
        self._counts.additions += 1
        return self

    def _multiply(self, other: Any) -> Counted:
        self._counts.multiplications += 1
        return self

    def _divide(self, other: Any) -> Counted:
        self._counts.divisions += 1
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __neg__ = _add
    __mul__ = __rmul__ = _multiply
    __truediv__ = __rtruediv__ = _divide


def count_operations(recursion: Recursion, model: Model) -> OperationCounts:
    """The operations of one run on `model`, all inputs variable."""
    counts = OperationCounts()

    def function() -> Callable[[Any], Counted]:
        def called(x: Any) -> Counted:
            counts.functions += 1
            return Counted(counts)

        return called

    scalars = Scalars(function(), function(), function())
    points = sum(tip.body >= 0 for tip in model.tips)
    sizes = {"joints": model.nv, "bodies": 6 * model.n, "points": 6 * points}
    sizes_of = {f.name: sizes[f.rows.name] for f in recursion.inputs} | {"q": len(neutral(model)), "qd": model.nv}
    inputs: dict[str, Any] = {name: [Counted(counts) for _ in range(size)] for name, size in sizes_of.items()}
    inputs.pop("g", None)
    run(recursion, model, inputs, scalars=scalars)
    return counts
