"""Timing side by side: every contender in every round, so that what slows the machine slows all of them alike.

Time is what the thread spent on a core, so that other work on the machine counts little; only what runs on several cores is
timed by the wall clock. Each runs a few times unmeasured before it is timed, so that it finds the caches as it leaves them
itself: a large batch is a sample of one run, and what ran before, which depends on who takes part, would decide its time. One
run is not enough: megabytes of inputs are back in a shared cache only after several.
"""

from __future__ import annotations

import math
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from codegen.cost import OperationCount
from derive.states import Array

SAMPLE = 2e-3  # seconds one sample should last: long beside the clock's grain, short beside a scheduler's
WARMING = 6  # unmeasured runs before a sample
WARM = 0.1  # seconds of them after which it is warm: cold caches cost milliseconds
AWAKE = 0.02  # seconds of them at least on several cores: one that slept is slow for milliseconds
PATIENCE = 2.0  # seconds for one contender, after which it sits out, once it has
ENOUGH = 3  # samples
HEAT_REPEATS = 7  # rounds in which namesakes find out who races


@dataclass(frozen=True)
class Contender:
    """Something that computes a function: `run(rounds)` computes it `rounds` times for each of `states` states.

    `results` gives our outputs for the first states, in our conventions, for checking before anything is timed. The fastest
    of several contenders of one name counts; `variant` tells them apart. `batched`: its states are the
    batch's. `operations` is known for generated code.
    """

    name: str
    run: Callable[[int], object]
    states: int
    results: Callable[[], tuple[Array, ...]]
    variant: str = ""
    parallel: bool = False
    batched: bool = False
    operations: OperationCount | None = None


@dataclass(frozen=True)
class Timing:
    """Nanoseconds per state, a sample per round; NaN for rounds it sat out."""

    samples: tuple[float, ...]

    @property
    def taken(self) -> list[float]:
        """The samples there are."""
        return [sample for sample in self.samples if not math.isnan(sample)]

    @property
    def median(self) -> float:
        """Half of the samples are below it."""
        return statistics.median(self.taken)

    @property
    def quartiles(self) -> tuple[float, float]:
        """A quarter of the samples is below the first, a quarter above the second."""
        return quartiles(self.taken)


def quartiles(values: Sequence[float]) -> tuple[float, float]:
    """Lower and upper quartile; the value itself where there is one."""
    if len(values) == 1:
        return values[0], values[0]
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, high


def ratio(other: Timing, ours: Timing) -> float:
    """How many times longer `other` takes: the median over rounds, in which both were timed under the same load."""
    pairs = zip(other.samples, ours.samples, strict=True)
    return statistics.median(a / b for a, b in pairs if not (math.isnan(a) or math.isnan(b)))


def race(contenders: Sequence[Contender], repeats: int) -> list[Timing]:
    """A timing for each, from `repeats` rounds in which each takes one sample, in turn."""
    rounds = [_rounds_per_sample(contender) for contender in contenders]
    spent = [0.0] * len(contenders)
    samples: list[list[float]] = [[] for _ in contenders]
    for repeat in range(repeats):
        order = range(len(contenders)) if repeat % 2 == 0 else reversed(range(len(contenders)))
        for i in order:
            if repeat >= ENOUGH and spent[i] > PATIENCE:
                samples[i].append(math.nan)
                continue
            _warm(contenders[i])
            seconds = _seconds(contenders[i], rounds[i])
            spent[i] += seconds
            samples[i].append(seconds * 1e9 / (rounds[i] * contenders[i].states))
    return [Timing(tuple(taken)) for taken in samples]


def fastest(contenders: Sequence[Contender], repeats: int) -> list[Contender]:
    """One contender per name: the one with the quickest sample in a short race of its namesakes."""
    by_name: dict[str, list[Contender]] = {}
    for contender in contenders:
        by_name.setdefault(contender.name, []).append(contender)
    chosen = []
    for namesakes in by_name.values():
        timings = race(namesakes, repeats) if len(namesakes) > 1 else []
        chosen.append(
            namesakes[min(range(len(timings)), key=lambda i: min(timings[i].taken))] if timings else namesakes[0]
        )
    return chosen


def _rounds_per_sample(contender: Contender) -> int:
    """How often to run it for a sample of the right length; the trial runs also warm it up."""
    rounds = 1
    while True:
        seconds = _seconds(contender, rounds)
        if seconds >= SAMPLE / 2:
            return max(1, round(rounds * SAMPLE / seconds))
        rounds *= 2 if seconds <= 0 else max(2, min(100, int(SAMPLE / seconds)))


def _warm(contender: Contender) -> None:
    """Runs it until the caches are as it leaves them, and the cores awake."""
    seconds, runs, least = 0.0, 0, AWAKE if contender.parallel else 0.0
    while seconds < least or (runs < WARMING and seconds < WARM):
        seconds += _seconds(contender, 1)
        runs += 1


def _seconds(contender: Contender, rounds: int) -> float:
    clock = time.perf_counter if contender.parallel else time.thread_time
    start = clock()
    contender.run(rounds)
    return clock() - start
