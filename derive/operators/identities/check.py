"""The ledger checked: each entry proved, replayed, and compared with numbers; what `soagen identities --check` prints."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np

from derive.operators.counterexample import TOLERANCE, numeric_difference
from derive.operators.errors import OperatorError, SpaceError
from derive.operators.identities import LEDGER
from derive.operators.identities.entry import Check, Identity, Misprint
from derive.operators.parse import parse_equation
from derive.operators.prove import Refuted, prove

SEEDS = (0, 1, 2)
CLEARLY = 1e-3  # a residual that says a printed form is false


@dataclass(frozen=True)
class Report:
    """What checking one entry gave; `failures` is empty if all of it holds."""

    entry: Identity
    systems: tuple[str, ...]  # the rewriting systems that decided its statements
    steps: int
    worst: float  # largest relative difference seen in numbers
    refuted: tuple[str, ...]  # errata whose printed form was refuted
    slowest_proof: float  # seconds
    seconds: float  # for all of the entry
    failures: tuple[str, ...]


def check_ledger() -> Iterator[Report]:
    """A report for each entry, in order."""
    return map(check_entry, LEDGER)


def check_entry(entry: Identity) -> Report:
    """Prove and replay every statement, evaluate every statement and block check, refute every misprint."""
    start = time.perf_counter()
    failures: list[str] = []
    systems: dict[str, None] = {}
    steps, worst, slowest = 0, 0.0, 0.0
    for text in entry.statements:
        began = time.perf_counter()
        try:
            derivation = prove(text)
            slowest = max(slowest, time.perf_counter() - began)
            derivation.replay()
        except OperatorError as error:
            failures.append(str(error))
            continue
        systems[derivation.system_name] = None
        steps += len(derivation.steps)
        worst = max(worst, numeric_difference(parse_equation(text)[0])[1])
    worst = float(np.max([worst, *(residual(check) for check in entry.checks)]))
    if not worst <= TOLERANCE:
        failures.append(f"{entry.soa} differs by {worst:.1e}")
    failures += [f"{m.erratum} is not refuted: {m.statement}" for m in entry.misprints if not _is_refuted(m)]
    refuted = tuple(dict.fromkeys(m.erratum for m in entry.misprints))
    seconds = time.perf_counter() - start
    return Report(entry, tuple(systems), steps, worst, refuted, slowest, seconds, tuple(failures))


def residual(check: Check, seeds: Iterable[int] = SEEDS) -> float:
    """The worst residual over what the check is tried on; NaN if one is."""
    return float(np.max([value for seed in seeds for value in check.residuals(seed)]))


def _is_refuted(misprint: Misprint) -> bool:
    if misprint.check is not None:
        return residual(misprint.check) > CLEARLY
    try:
        prove(misprint.statement)
    except SpaceError:
        return misprint.ill_typed
    except Refuted:
        return True
    except OperatorError:
        return False
    return False
