"""Where an oracle that rounds is off by more than it may be: 50 digits say so, and judge there in its stead.

An algorithm may cancel at a state where ours does not. To allow that everywhere would blind the oracle at all other states, so
such a state is taken from it, and what the kernel does there is held to the exact value, which is stricter. Whether an oracle
is off is settled between it and 50 digits: no kernel has a say in it, and a kernel that is off is never excused by it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from codegen.programs import KernelProgram
from codegen.source import Real
from codegen.trust.cases import Case
from codegen.trust.quantities import Quantities
from codegen.trust.rounding import UNIT, Bound
from codegen.trust.truth import Truth, allowed_errors, told
from derive.states import Array

SHARE = 0.5  # of what is allowed before an oracle: the kernel's own rounding may take the rest
HEARD = 8  # states of a function and an oracle that 50 digits are asked about, the worst first


@dataclass(frozen=True)
class Handover:
    """A state at which an oracle does not judge a function, as it is `off` there by more than it may be."""

    function: str
    oracle: str
    case: str
    off: float

    def __str__(self) -> str:
        return f"{self.function} is judged by 50 digits alone at '{self.case}': {self.oracle} is {self.off:.1e} off them there"


def settled(
    function: KernelProgram,
    truths: Sequence[Truth],
    bounds: Mapping[Real, Sequence[Bound]],
    cases: Sequence[Case],
    exactly: Callable[[int], Quantities],
) -> tuple[tuple[Truth, ...], tuple[Handover, ...]]:
    """The truths with such states handed over; `exactly` is what 50 digits know of the case of a number.

    An oracle that is off at more than half of its states keeps them all: it is wrong, and the check must say so.
    """
    judge = next((truth for truth in truths if truth.oracle.exact), None)
    if judge is None:
        return tuple(truths), ()
    kept: list[Truth] = []
    handed: list[Handover] = []
    for truth in truths:
        lost: dict[int, float] = {}
        allowed = () if truth.oracle.exact else _allowed(truth, bounds, cases)
        for row in _suspects(truth, [bound.value[truth.at] for bound in bounds["double"]], allowed) if allowed else ():
            number = int(truth.at[row])
            exact = told(function, judge.oracle, [(number, exactly(number))])
            if exact is not None and (off := _off(truth.rows([row]), exact, [a[[row]] for a in allowed])):
                lost[row] = off
                judge = judge if number in judge.at else judge.with_rows(exact)
        lost = lost if 2 * len(lost) <= len(truth.at) else {}
        kept.append(truth.rows([row for row in range(len(truth.at)) if row not in lost]))
        handed += [Handover(function.name, truth.oracle.name, cases[truth.at[row]].name, x) for row, x in lost.items()]
    return tuple(judge if truth.oracle.exact else truth for truth in kept), tuple(handed)


def _allowed(truth: Truth, bounds: Mapping[Real, Sequence[Bound]], cases: Sequence[Case]) -> tuple[Array, ...]:
    """Per output what the finest kernels that the cases are for may be off, (rows, entries); anything if there are none."""
    fine = np.array([["double" in cases[number].reals] for number in truth.at])
    by_real = [
        [_of_type(bound, truth, real) for bound in bounds[real]] if real in bounds else [np.inf] * len(truth.values)
        for real in ("double", "float")
    ]
    return tuple(np.where(fine, double, single) for double, single in zip(*by_real, strict=True))


def _of_type(bound: Bound, truth: Truth, real: Real) -> Array:
    errors = bound.error.reshape(len(bound.error), -1)
    size = np.zeros((len(truth.at), errors.shape[1]))  # which only an exact oracle asks for
    return allowed_errors(errors, truth.at, size, truth.oracle, UNIT[real])


def _suspects(truth: Truth, values: Sequence[Array], allowed: Sequence[Array]) -> list[int]:
    """Rows at which the oracle is away from the program's own float64 values, the worst first. Asking 50 digits takes time."""
    worst = np.max([np.max(share, axis=1, initial=0.0) for _, share in _shares(truth, values, allowed)], axis=0)
    return [int(row) for row in np.argsort(-worst, kind="stable")[:HEARD] if worst[row] > SHARE]


def _off(truth: Truth, exact: Truth, allowed: Sequence[Array]) -> float:
    """How far the oracle is from 50 digits where that is more than it may be, 0 if it nowhere is; of one row each."""
    pairs = _shares(truth, exact.values, allowed)
    return max((float(np.max(error[share > SHARE], initial=0.0)) for error, share in pairs), default=0.0)


def _shares(truth: Truth, values: Sequence[Array], allowed: Sequence[Array]) -> list[tuple[Array, Array]]:
    """Per output the oracle's distance to these values, and that over what is allowed; (rows, entries) each."""
    pairs = []
    for said, value, most in zip(truth.values, values, allowed, strict=True):
        with np.errstate(all="ignore"):
            error = np.abs(said - value).reshape(len(said), -1)
            pairs.append((error, np.where(error == 0.0, 0.0, np.nan_to_num(error / most, nan=0.0))))
    return pairs
