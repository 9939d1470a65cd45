"""Every function, by every backend, against every oracle: the worst errors, what was allowed, and the state that gave each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from codegen.programs import KernelProgram
from codegen.source import Real
from codegen.trust.cases import Case, input_errors, stacked
from codegen.trust.oracles import ORACLES, Oracle
from codegen.trust.quantities import DERIVATIVES, NotOfferedError, Quantities, expected
from codegen.trust.rounding import UNIT, Bound, rounding_bounds
from codegen.trust.runners import Outputs, Runner
from derive.errors import DeriveError
from derive.model import Model
from derive.states import Array

SAFETY = 2.0  # bounds are of first order, and contracted operations round differently
COMBINED = (
    64.0  # units of an output's ordinary size: where numbers are combined beforehand, or a quaternion is not quite 1
)
DIGITS = 1e-35  # what is left of an oracle of 50 digits where its terms cancel
MANY = 4  # states at which derivatives are judged, about
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
class Truth:
    """What an oracle says of one function: the numbers of its cases, and per output values and what float64 leaves of them."""

    oracle: Oracle
    at: Array
    values: tuple[Array, ...]
    rests: tuple[Array, ...]


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


@dataclass(frozen=True)
class Prepared:
    """What a function is judged by: what the oracles say, and what rounding may do in each type, at all cases."""

    function: KernelProgram
    truths: tuple[Truth, ...]
    bounds: Mapping[Real, tuple[Bound, ...]]

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

    def prepared(self, function: KernelProgram, reals: Iterable[Real] = ("double",)) -> Prepared:
        """Everything about one function."""
        truths = (_truth(function, oracle, views) for oracle, views in self.views)
        bounds = {
            real: rounding_bounds(function.program, self.states, real, input_errors(self.model, self.states, real))
            for real in reals
        }
        return Prepared(function, tuple(truth for truth in truths if truth is not None), bounds)

    def fit(self, real: Real) -> Array:
        """The numbers of the cases for kernels of this type."""
        return np.array([i for i, case in enumerate(self.cases) if real in case.reals], dtype=int)


def bench(model: Model, cases: Sequence[Case], gravity: Sequence[float], oracles: Sequence[Oracle] = ORACLES) -> Bench:
    """The oracles that can judge this robot, and these cases."""
    asked = {oracle.name: oracle.obstacle(model) or "" for oracle in oracles}
    views = tuple((o, _views(o, model, cases, gravity)) for o in oracles if not asked[o.name])
    return Bench(model, tuple(cases), stacked(cases), asked, views)


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
    for function in programs:
        listener(function.name)
        prepared = ready.prepared(function, {runner.real for runner in runners})
        for runner in runners:
            at = ready.fit(runner.real)
            if len(at):
                with np.errstate(all="ignore"):
                    found = runner.run(function.name, {name: array[at] for name, array in ready.states.items()})
                errors += prepared.errors(runner.name, runner.real, at, found)
    return Matrix(tuple(e.verdict(cases) for e in errors), tuple(errors), tuple(cases), tuple(ready.asked.items()))


def _views(
    oracle: Oracle, model: Model, cases: Sequence[Case], gravity: Sequence[float]
) -> list[tuple[int, Quantities]]:
    """The oracle's view of as many cases as it has time for: spread over hard, random and rounded ones."""
    count = min(len(cases), oracle.states(model))
    chosen = sorted({round(i * (len(cases) - 1) / max(1, count - 1)) for i in range(count)})
    return [(i, oracle.known(model, cases[i].inputs, gravity)) for i in chosen]


def _truth(function: KernelProgram, oracle: Oracle, views: Sequence[tuple[int, Quantities]]) -> Truth | None:
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


def _allowed(bounds: Array, number: Array, size: Array, oracle: Oracle, unit: float) -> Array:
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
            allowed = _allowed(bound.error.reshape(len(bound.error), -1), number, size, truth.oracle, UNIT[real])
        parts.append((error, allowed, size))
    error, allowed, size = (np.concatenate(part, axis=1) for part in zip(*parts, strict=True))
    with np.errstate(all="ignore"):
        ratio = np.where(error == 0.0, 0.0, np.nan_to_num(error / allowed, nan=np.inf))
        entry = np.argmax(ratio, axis=1)[:, None]
        error, allowed, size = (np.take_along_axis(x, entry, axis=1)[:, 0] for x in (error, allowed, size))
        ulps = error / np.spacing(size.astype(np.float32 if real == "float" else np.float64))
        relative = np.where(error == 0.0, 0.0, error / size)
    return Errors(function, backend, truth.oracle.name, number, error, relative, ulps, allowed)
