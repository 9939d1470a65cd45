"""Every function, by every backend, against every oracle: the worst errors, what was allowed, and the state that gave each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from codegen.programs import KernelProgram
from codegen.source import Real
from codegen.trust.cases import Case, input_errors, stacked
from codegen.trust.handover import Handover, settled
from codegen.trust.oracles import MPMATH50, ORACLES, Oracle
from codegen.trust.quantities import Quantities
from codegen.trust.rounding import UNIT, Bound, rounding_bounds
from codegen.trust.runners import Outputs, Runner
from codegen.trust.truth import Truth, allowed_errors, told
from derive.model import Model
from derive.states import Array

Listener = Callable[[str], Any]


@dataclass(frozen=True)
class Verdict:
    """One function of one backend before one oracle, where its error is largest relative to what is allowed.

    `relative` is to the largest entry of the output, `ulps` are units in the last place of that entry. `cases` were judged;
    at further ones rounding may do anything, so there is nothing to judge.
    """

    function: str
    backend: str
    oracle: str
    case: str
    absolute: float
    relative: float
    ulps: float
    allowed: float
    cases: int

    @property
    def worst(self) -> float:
        """Error over what is allowed; infinite where none is allowed, NaN where there is no number."""
        if self.absolute == 0.0:
            return 0.0
        return self.absolute / self.allowed if self.allowed else float("inf")

    @property
    def passes(self) -> bool:
        """Whether there was something to judge and all of it is within what is allowed; NaN is not."""
        return self.cases > 0 and self.worst <= 1.0


@dataclass(frozen=True)
class Errors:
    """The worst entry at each case: `at` are the cases' numbers."""

    function: str
    backend: str
    oracle: str
    at: Array
    absolute: Array
    relative: Array
    ulps: Array
    allowed: Array

    @property
    def worst(self) -> Array:
        """Error over what is allowed."""
        with np.errstate(all="ignore"):
            return np.where(self.absolute == 0.0, 0.0, self.absolute / self.allowed)

    def verdict(self, cases: Sequence[Case]) -> Verdict:
        """The worst case."""
        judged = np.isfinite(self.allowed)
        i = int(np.argmax(np.where(judged, np.nan_to_num(self.worst, nan=np.inf), -1.0)))
        return Verdict(
            self.function,
            self.backend,
            self.oracle,
            cases[self.at[i]].name,
            float(self.absolute[i]),
            float(self.relative[i]),
            float(self.ulps[i]),
            float(self.allowed[i]),
            int(judged.sum()),
        )


@dataclass(frozen=True)
class Matrix:
    """All verdicts, the errors at every state, the cases, and which oracles were asked or why not."""

    verdicts: tuple[Verdict, ...]
    errors: tuple[Errors, ...]
    cases: tuple[Case, ...]
    oracles: tuple[tuple[str, str], ...]  # name to the reason it was not asked, "" if it was
    handed: tuple[Handover, ...]


@dataclass(frozen=True)
class Prepared:
    """What a function is judged by: what the oracles say, and what rounding may do in each type, at all cases."""

    function: KernelProgram
    truths: tuple[Truth, ...]
    bounds: Mapping[Real, tuple[Bound, ...]]
    handed: tuple[Handover, ...]

    def errors(self, backend: str, real: Real, at: Array, found: Outputs) -> list[Errors]:
        """The errors of outputs at the cases with these numbers, before each oracle."""
        row_of = {int(number): row for row, number in enumerate(at)}
        errors = []
        for truth in self.truths:
            rows = [(i, row_of[int(n)], int(n)) for i, n in enumerate(truth.at) if int(n) in row_of]
            if rows:
                errors.append(
                    _errors(self.function.name, backend, real, truth, found, self.bounds[real], np.array(rows))
                )
        return errors


@dataclass(frozen=True)
class Bench:
    """Cases and oracles, ready to judge; `asked` has the reason an oracle is not, "" if it is."""

    model: Model
    cases: tuple[Case, ...]
    states: Mapping[str, Array]
    asked: Mapping[str, str]
    views: tuple[tuple[Oracle, list[tuple[int, Quantities]]], ...]
    exactly: Callable[[int], Quantities]

    def prepared(self, function: KernelProgram, reals: Iterable[Real] = ("double",)) -> Prepared:
        """Everything about one function."""
        found = (told(function, oracle, views) for oracle, views in self.views)
        bounds = {
            real: rounding_bounds(function.program, self.states, real, input_errors(self.model, self.states, real))
            for real in {"double", *reals}
        }
        truths = [truth for truth in found if truth is not None]
        judging, handed = settled(function, truths, bounds, self.cases, self.exactly)
        return Prepared(function, judging, bounds, handed)

    def fit(self, real: Real) -> Array:
        """The numbers of the cases for kernels of this type."""
        return np.array([i for i, case in enumerate(self.cases) if real in case.reals], dtype=int)


def bench(model: Model, cases: Sequence[Case], gravity: Sequence[float], oracles: Sequence[Oracle] = ORACLES) -> Bench:
    """The oracles that can judge this robot, and these cases."""
    asked = {oracle.name: oracle.obstacle(model) or "" for oracle in oracles}
    views = tuple((o, _views(o, model, cases, gravity)) for o in oracles if not asked[o.name])
    exact = cache(lambda number: MPMATH50.known(model, cases[number].inputs, gravity))
    return Bench(model, tuple(cases), stacked(cases), asked, views, exact)


def judge(
    model: Model,
    programs: Sequence[KernelProgram],
    runners: Sequence[Runner],
    cases: Sequence[Case],
    gravity: Sequence[float],
    listener: Listener = lambda name: None,
) -> Matrix:
    """The matrix. `programs` are those of the model: they say what rounding may do, whatever the kernels do."""
    ready = bench(model, cases, gravity)
    errors: list[Errors] = []
    handed: list[Handover] = []
    for function in programs:
        listener(function.name)
        prepared = ready.prepared(function, {runner.real for runner in runners})
        handed += prepared.handed
        for runner in runners:
            at = ready.fit(runner.real)
            if len(at):
                with np.errstate(all="ignore"):
                    found = runner.run(function.name, {name: array[at] for name, array in ready.states.items()})
                errors += prepared.errors(runner.name, runner.real, at, found)
    return Matrix(
        tuple(e.verdict(cases) for e in errors), tuple(errors), tuple(cases), tuple(ready.asked.items()), tuple(handed)
    )


def _views(
    oracle: Oracle, model: Model, cases: Sequence[Case], gravity: Sequence[float]
) -> list[tuple[int, Quantities]]:
    """The oracle's view of as many cases as it has time for: spread over hard, random and rounded ones."""
    count = min(len(cases), oracle.states(model))
    chosen = sorted({round(i * (len(cases) - 1) / max(1, count - 1)) for i in range(count)})
    return [(i, oracle.known(model, cases[i].inputs, gravity)) for i in chosen]


def _errors(
    function: str,
    backend: str,
    real: Real,
    truth: Truth,
    found: Outputs,
    bounds: tuple[Bound, ...],
    rows: Array,
) -> Errors:
    """`rows` say for each case its row in the truth, in what was found, and its number."""
    in_truth, in_found, number = rows.T
    parts = []
    for output, value, rest, bound in zip(found, truth.values, truth.rests, bounds, strict=True):
        true = value[in_truth].reshape(len(rows), -1)
        given = output[in_found].reshape(len(rows), -1) if output[0].shape == value[0].shape else np.nan * true
        with np.errstate(all="ignore"):
            error = np.abs(given - true - rest[in_truth].reshape(len(rows), -1))
            size = np.max(np.abs(true), axis=1, keepdims=True, initial=0.0) + 0.0 * true
            allowed = allowed_errors(bound.error.reshape(len(bound.error), -1), number, size, truth.oracle, UNIT[real])
        parts.append((error, allowed, size))
    error, allowed, size = (np.concatenate(part, axis=1) for part in zip(*parts, strict=True))
    with np.errstate(all="ignore"):
        ratio = np.where(error == 0.0, 0.0, np.nan_to_num(error / allowed, nan=np.inf))
        entry = np.argmax(ratio, axis=1)[:, None]
        error, allowed, size = (np.take_along_axis(x, entry, axis=1)[:, 0] for x in (error, allowed, size))
        ulps = error / np.spacing(size.astype(np.float32 if real == "float" else np.float64))
        relative = np.where(error == 0.0, 0.0, error / size)
    return Errors(function, backend, truth.oracle.name, number, error, relative, ulps, allowed)
