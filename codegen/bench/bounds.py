"""The least time a batch can take per state on this core: what issuing its multiplications takes, and storing its results.

Every multiplication takes a slot of the multipliers, whether an addition is fused with it or not; an addition takes none where
it is fused, which at best all are. Divisions and square roots count as one multiplication, integer work and reading inputs as
nothing: no code with these operations can be faster, and none gets all the way.
"""

from __future__ import annotations

from dataclasses import dataclass

from codegen.backends.c_trigonometry import ADDITIONS, MULTIPLICATIONS
from codegen.bench.clock import Limits, bytes_per_ns
from codegen.bench.run import Benchmark
from codegen.cost import OperationCount

NUMBER_BYTES = 8


@dataclass(frozen=True)
class Bound:
    """Nanoseconds per state."""

    issue: float
    stores: float

    @property
    def least(self) -> float:
        """Both at once at best."""
        return max(self.issue, self.stores)


def batch_bounds(result: Benchmark, limits: Limits) -> dict[str, Bound]:
    """For every function of a benchmark; stores are measured on as many bytes as the batch's results have."""
    bounds = {}
    for race in result.races:
        rate = bytes_per_ns(race.results * NUMBER_BYTES * result.batch)
        bounds[race.function] = bound(race.operations, race.results, limits, rate)
    return bounds


def bound(operations: OperationCount, results: int, limits: Limits, rate: float) -> Bound:
    """For so many operations and results per state, stored at `rate` bytes per ns; a sine and a cosine are of one angle."""
    angles = (operations.trigonometric + 1) // 2
    multiplied = operations.multiplications + operations.divisions + operations.square_roots + angles * MULTIPLICATIONS
    added = operations.additions + angles * ADDITIONS
    cycles = max(multiplied / limits.multiplications, max(multiplied, added) / limits.unfused)
    return Bound(cycles / limits.gigahertz, results * NUMBER_BYTES / rate)
