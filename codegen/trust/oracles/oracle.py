"""One independent judge: what it is, which robots it can judge, how exact it is, and how many states it has time for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from codegen.trust.quantities import Quantities
from derive.model import Model
from derive.states import Array


def no_obstacle(model: Model) -> str | None:
    """Any robot will do."""
    return None


def all_states(model: Model) -> int:
    """As many states as there are."""
    return 10**9


@dataclass(frozen=True)
class Oracle:
    """A row of the table of oracles.

    `exact` ones have no error of their own, so an entry may be off by what rounding can do to it and no more; others are
    allowed `slack` times the largest such bound of the output, since their own rounding is of that size.
    """

    name: str
    about: str  # the route it takes, in one line
    known: Callable[[Model, Mapping[str, Array], Sequence[float]], Quantities]
    obstacle: Callable[[Model], str | None] = no_obstacle  # why it cannot judge this robot
    states: Callable[[Model], int] = all_states
    exact: bool = False
    slack: float = 2.0
    version: Callable[[], str] = lambda: ""  # of software that is not ours
