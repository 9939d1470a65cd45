"""Scheduling: the same equations in an order that keeps few values alive, one paragraph per sweep and body where possible.

A paragraph takes in every equation of its sweep and body that depends on nothing later, so a body's work reads in one place.
Inside it, the better of two orders is kept: the one it had, and bottom-up list scheduling, which goes backwards through the
paragraph and takes the equation that makes fewest new values live, the most recently wanted first. What is alive at a
paragraph's ends does not depend on the order inside, so the choices are independent.

Paragraphs go in the order written, or branch by branch of the robot's tree (down a leg and back before the next), whichever
keeps fewer values alive. Where a matrix is computed column by column along long branches (the mass matrix of a humanoid),
paragraphs per body keep all columns alive at once: if that takes more than twice the registers, each entry is instead computed
from beginning to end before the next, last entries first.

Inputs and constants are in memory and an output's entry is stored as soon as it is known: neither is a live value here.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush

from codegen.ir import Atom, Equation, ScalarProgram, Var, variable
from codegen.passes.rewriting import with_equations

ENTRY_BY_ENTRY = 2  # by how much it must lower the pressure: paragraphs per body read better


def schedule_for_registers(program: ScalarProgram) -> ScalarProgram:
    """The program in paragraphs of low register pressure; the same equations, so not one bit of any result changes."""
    operands = _operands(program)
    users = _user_counts(operands)
    paragraphs = _paragraphs(program, operands)
    as_written, by_branch = (
        _scheduled(written, operands) for written in (paragraphs, _branch_by_branch(paragraphs, operands))
    )
    order = min((as_written, by_branch), key=lambda candidate: _pressure(candidate, operands, users))
    entries = _depth_first(program, operands)
    if ENTRY_BY_ENTRY * _pressure(entries, operands, users)[0] < _pressure(order, operands, users)[0]:
        order = entries
    image: list[Atom] = [Var(-1)] * len(program.equations)
    for new, old in enumerate(order):
        image[old] = variable(new)
    equations = []
    for old in order:
        op, atoms, origin = program.equations[old]
        equations.append(Equation(op, tuple([image[a.index] if type(a) is Var else a for a in atoms]), origin))
    return with_equations(program, equations, image)


def _branch_by_branch(paragraphs: list[list[int]], operands: Sequence[tuple[int, ...]]) -> list[list[int]]:
    """The paragraphs in another order they allow: all a paragraph needs just before it, so one branch after the other."""
    of = {position: number for number, members in enumerate(paragraphs) for position in members}
    needs = [sorted({of[v] for position in members for v in operands[position]}) for members in paragraphs]
    order: list[int] = []
    seen: set[int] = set()
    for last in reversed(range(len(paragraphs))):
        waiting = [(last, False)]
        while waiting:
            number, ready = waiting.pop()
            if ready:
                order.append(number)
            elif number not in seen:
                seen.add(number)
                waiting.append((number, True))
                waiting += [(needed, False) for needed in needs[number] if needed != number]
    return [paragraphs[number] for number in order]


def _scheduled(paragraphs: list[list[int]], operands: Sequence[tuple[int, ...]]) -> list[int]:
    """The equations paragraph by paragraph, each in the better of two orders."""
    remaining = _user_counts(operands)
    order: list[int] = []
    for written in paragraphs:
        rescheduled = _bottom_up(written, operands, remaining)
        better = min((written, rescheduled), key=lambda candidate: _pressure(candidate, operands, remaining))
        order += better
        for position in better:
            for v in operands[position]:
                remaining[v] -= 1
    return order


def _depth_first(program: ScalarProgram, operands: Sequence[tuple[int, ...]]) -> list[int]:
    """Entry after entry, the last first; of two operands the one that takes more registers first (Sethi and Ullman)."""
    needs: list[int] = []
    for used in operands:
        most = sorted((needs[v] for v in used), reverse=True)
        needs.append(max([1, *(n + i for i, n in enumerate(most))]))
    order: list[int] = []
    seen: set[int] = set()
    for output in reversed(program.outputs):
        for entry in reversed(output.entries):
            waiting = [(entry.index, False)] if type(entry) is Var else []
            while waiting:
                position, ready = waiting.pop()
                if ready:
                    order.append(position)
                elif position not in seen:
                    seen.add(position)
                    waiting.append((position, True))
                    waiting += [(v, False) for v in sorted(operands[position], key=needs.__getitem__)]
    unused = [position for position in range(len(operands)) if position not in seen]
    return order + unused


def max_live(program: ScalarProgram) -> int:
    """The largest number of values that are alive at once, that is computed and still to be used by an equation."""
    operands = _operands(program)
    return _pressure(range(len(operands)), operands, _user_counts(operands))[0]


def _operands(program: ScalarProgram) -> list[tuple[int, ...]]:
    """The equations each equation uses, each once."""
    return [tuple(dict.fromkeys(a.index for a in e.operands if type(a) is Var)) for e in program.equations]


def _user_counts(operands: Sequence[tuple[int, ...]]) -> list[int]:
    """How many equations use each equation."""
    users = [0] * len(operands)
    for used in operands:
        for v in used:
            users[v] += 1
    return users


def _paragraphs(program: ScalarProgram, operands: Sequence[tuple[int, ...]]) -> list[list[int]]:
    """Positions of equations by paragraph: each in the first of its sweep and body that its operands allow."""
    paragraphs: list[list[int]] = []
    of_body: dict[tuple[str, str], list[int]] = {}
    at: list[int] = []  # the paragraph of each equation
    for position, equation in enumerate(program.equations):
        mine = of_body.setdefault(equation.origin.paragraph, [])
        earliest = max([at[v] for v in operands[position]], default=0)
        chosen = next((p for p in mine if p >= earliest), len(paragraphs))
        if chosen == len(paragraphs):
            mine.append(chosen)
            paragraphs.append([])
        at.append(chosen)
        paragraphs[chosen].append(position)
    return paragraphs


def _bottom_up(members: list[int], operands: Sequence[tuple[int, ...]], remaining: Sequence[int]) -> list[int]:
    """The members in bottom-up list order; `remaining` says how many users of each value are in this or later paragraphs."""
    users: dict[int, list[int]] = {v: [] for v in members}  # of a value: members that use it
    for position in members:
        for v in operands[position]:
            users.setdefault(v, []).append(position)
    live = {v for v, here in users.items() if remaining[v] > len(here)}
    waiting = {position: len(users[position]) for position in members}
    heap: list[tuple[int, int, int, int]] = []

    def offer(position: int, time: int) -> None:
        new = sum(v not in live for v in operands[position]) - (position in live)
        heappush(heap, (new, -time, -position, position))

    for position in members:
        if not waiting[position]:
            offer(position, 0)
    backwards: list[int] = []
    done: set[int] = set()
    while heap:
        position = heappop(heap)[-1]
        if position in done:
            continue
        done.add(position)
        backwards.append(position)
        live.discard(position)
        for v in operands[position]:
            newly_live = v not in live
            live.add(v)
            if v in waiting:
                waiting[v] -= 1
                if not waiting[v]:
                    offer(v, len(backwards))
            if newly_live:  # its other users have become cheaper
                for user in users[v]:
                    if not waiting[user] and user not in done:
                        offer(user, len(backwards))
    return backwards[::-1]


def _pressure(order: Sequence[int], operands: Sequence[tuple[int, ...]], remaining: Sequence[int]) -> tuple[int, int]:
    """Most values alive at once, and the sum of values alive over time, not counting those alive before the order starts."""
    left: dict[int, int] = {}
    alive = most = total = 0
    for position in order:
        alive += remaining[position] > 0
        for v in operands[position]:
            left[v] = left.get(v, remaining[v]) - 1
            alive -= left[v] == 0
        most = max(most, alive)
        total += alive
    return most, total
