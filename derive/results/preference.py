"""Which of several results that compute the same thing is cheapest: by counted operations, not by opinion."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from derive.model import Model
from derive.operation_counts import count_operations
from derive.random_models import random_chain
from derive.results.result import Result

YARDSTICK_BODIES = 7  # a general arm: no exact zeros to favour one algorithm by luck


def cheapest(results: Sequence[Result], model: Model | None = None) -> Result:
    """The result whose recursion takes the fewest operations on `model`, by default on a general seven-joint chain."""
    robot = model or _yardstick()
    return min(results, key=lambda result: count_operations(result.recursion(), robot).total)


@cache
def _yardstick() -> Model:
    return random_chain(YARDSTICK_BODIES, seed=0)
