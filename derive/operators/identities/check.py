"""The ledger checked: each entry proved, replayed, and compared with numbers; what `soagen identities --check` prints."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from derive.operators.block_system import random_block_system
from derive.operators.counterexample import TOLERANCE, numeric_difference
from derive.operators.errors import OperatorError, SpaceError
from derive.operators.identities import LEDGER
from derive.operators.identities.entry import BlockCheck, Identity, Misprint
from derive.operators.parse import parse_equation
from derive.operators.prove import Refuted, prove


@dataclass(frozen=True)
class Report:
    """What checking one entry gave; `failures` is empty if all of it holds."""

    entry: Identity
    systems: tuple[str, ...]  # the rewriting systems that decided its statements
    steps: int
    worst: float  # largest relative difference seen in numbers
    refuted: tuple[str, ...]  # errata whose printed form was refuted
    seconds: float
    failures: tuple[str, ...]


def check_ledger() -> Iterator[Report]:
    """A report for each entry, in order."""
    return map(check_entry, LEDGER)


def check_entry(entry: Identity) -> Report:
    """Prove and replay every statement, evaluate every statement and block check, refute every misprint."""
    start = time.perf_counter()
    failures: list[str] = []
    systems: dict[str, None] = {}
    steps, worst = 0, 0.0
    for text in entry.statements:
        try:
            derivation = prove(text)
            derivation.replay()
        except OperatorError as error:
            failures.append(str(error))
            continue
        systems[derivation.system_name] = None
        steps += len(derivation.steps)
        worst = max(worst, numeric_difference(parse_equation(text)[0])[1])
    worst = max([worst, *(_residual(check) for check in entry.checks)])
    if worst > TOLERANCE:
        failures.append(f"{entry.soa} differs by {worst:.1e}")
    failures += [f"{m.erratum} is not refuted: {m.statement}" for m in entry.misprints if not _is_refuted(m)]
    refuted = tuple(dict.fromkeys(m.erratum for m in entry.misprints))
    return Report(entry, tuple(systems), steps, worst, refuted, time.perf_counter() - start, tuple(failures))


def _residual(check: BlockCheck) -> float:
    """The worst residual on a few random systems the check is about."""
    trees = (False,) if check.serial else (False, True)
    dofs = ((1,), (1, 2, 3))
    systems = [
        random_block_system(seed, n, tree=tree, dofs=r, floating=check.floating)
        for seed, n in enumerate((1, 2, 4, 7))
        for tree in trees
        for r in dofs
    ]
    return max(check.residual(system) for system in systems)


def _is_refuted(misprint: Misprint) -> bool:
    try:
        prove(misprint.statement)
    except SpaceError:
        return misprint.ill_typed
    except Refuted:
        return True
    except OperatorError:
        return False
    return False
