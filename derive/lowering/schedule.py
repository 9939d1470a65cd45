"""The fewest sweeps that run a list of statements, and which statement goes into which.

Statements that define each other (the Riccati recursion) form one unit. In a sweep of one direction runs every unit whose
operands are there: from earlier sweeps, at the same body from units before it, or at the neighbour the sweep comes from. Two
explicit φ or ψ sweeps share a pass only if neither depends on the other, as the papers count; riders (letters' definitions)
join any pass. With `chain` dependent sweeps of one direction share a pass too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from derive.recursion import Direction, IllFormedRecursionError, Place, Statement, Sweep, readable


@dataclass(frozen=True)
class _Unit:
    """Statements that are computed together, body by body."""

    statements: tuple[Statement, ...]

    @cached_property
    def targets(self) -> frozenset[str]:
        return frozenset(s.target.name for s in self.statements)

    @cached_property
    def reads(self) -> tuple[tuple[str, Place], ...]:
        return tuple(dict.fromkeys(read for s in self.statements for read in s.reads))

    @cached_property
    def is_explicit_sweep(self) -> bool:
        """Whether it is a φ or ψ of the expression: a recursion, and no rider."""
        return not any(s.rider for s in self.statements) and any(name in self.targets for name, _ in self.reads)


def scheduled(statements: Sequence[Statement], inputs: frozenset[str], *, chain: bool = False) -> tuple[Sweep, ...]:
    """The shortest sequence of sweeps; of equally short ones, the one that turns tip to base first."""
    units = _units(statements)
    frontier: list[tuple[tuple[Sweep, ...], frozenset[str]]] = [((), inputs)]
    everything = frozenset(name for unit in units for name in unit.targets)
    for _ in range(len(units) + 1):
        grown = []
        for sweeps, done in frontier:
            if everything <= done:
                return sweeps
            for direction in Direction:
                sweep = _fullest(units, direction, done, chain)
                if sweep is not None:
                    targets = {s.target.name for s in (*sweep.statements, *sweep.closing)}
                    grown.append(((*sweeps, sweep), done | targets))
        frontier = grown
    raise IllFormedRecursionError("these statements depend on each other in a circle that no sweep runs")


def _fullest(units: tuple[_Unit, ...], direction: Direction, done: frozenset[str], chain: bool) -> Sweep | None:
    """The sweep with every unit that can run in it, or None."""
    taken: list[_Unit] = []
    behind: dict[str, bool] = {}  # field of this sweep → whether it depends on an explicit sweep of this sweep
    written: set[str] = set()
    for unit in units:
        if unit.targets <= done or any(s.is_closing for s in unit.statements):
            continue
        here = written | unit.targets
        if not all(
            name in done
            or (name in unit.targets and place is Place.HERE)
            or readable(name, place, direction, written, here)
            for name, place in unit.reads
        ):
            continue
        depends = any(behind.get(name, False) for name, _ in unit.reads)
        if depends and unit.is_explicit_sweep and not chain:
            continue
        taken.append(unit)
        written |= unit.targets
        behind |= dict.fromkeys(unit.targets, depends or unit.is_explicit_sweep)
    closing = _closing(units, done, frozenset(written))
    if not taken and not closing:
        return None
    return Sweep(direction, tuple(s for unit in taken for s in unit.statements), closing)


def _closing(units: tuple[_Unit, ...], done: frozenset[str], written: frozenset[str]) -> tuple[Statement, ...]:
    known = done | written
    found: list[Statement] = []
    for unit in units:
        (statement, *others) = unit.statements
        waiting = not others and statement.is_closing and not unit.targets <= known
        if waiting and all(name in known for name, _ in unit.reads):
            found.append(statement)
            known |= unit.targets
    return tuple(found)


def _units(statements: Sequence[Statement]) -> tuple[_Unit, ...]:
    """The statements grouped by mutual dependence, in the order written, operands first."""
    reads = {s.target.name: {name for name, _ in s.reads} for s in statements}
    reach = {name: _reachable(name, reads) for name in reads}
    groups: dict[str, list[Statement]] = {}
    for s in statements:
        name = s.target.name
        leader = next((key for key in groups if key in reach[name] and name in reach[key]), name)
        groups.setdefault(leader, []).append(s)
    return tuple(_Unit(tuple(group)) for group in groups.values())


def _reachable(start: str, reads: dict[str, set[str]]) -> set[str]:
    seen: set[str] = set()
    stack = [start]
    while stack:
        for name in reads.get(stack.pop(), ()):
            if name not in seen:
                seen.add(name)
                stack.append(name)
    return seen
