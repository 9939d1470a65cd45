"""Sums taken whole: additions and subtractions used once, in the sum of which they are a part, are one sum with many terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import TypeAlias

from codegen.ir import Atom, Const, Origin, ScalarProgram, Var
from codegen.passes.rewriting import Rewriting

BINARY = ("add", "sub")
SUMS = (*BINARY, "neg")
Signed: TypeAlias = tuple[int, Atom]  # a term and its sign


def parts_of_sums(program: ScalarProgram, ops: Collection[str], sums: Collection[str] = SUMS) -> set[int]:
    """The equations with operations `ops` that are used once, by one of `sums`."""
    uses = Counter(atom.index for e in program.equations for atom in e.operands if type(atom) is Var)
    uses += Counter(atom.index for o in program.outputs for atom in o.entries for _ in (1, 2) if type(atom) is Var)
    return {
        atom.index
        for equation in program.equations
        if equation.op in sums
        for atom in equation.operands
        if type(atom) is Var and uses[atom.index] == 1 and program.equations[atom.index].op in ops
    }


def terms(program: ScalarProgram, position: int, inner: Collection[int]) -> Iterator[Signed]:
    """The terms of the sum at `position`, with their signs, in the order they are added."""
    waiting: list[Signed] = [(1, Var(position))]
    while waiting:
        sign, atom = waiting.pop()
        is_part = type(atom) is Var and (atom.index in inner or atom.index == position)
        equation = program.equations[atom.index] if is_part else None  # type: ignore[union-attr]
        if equation is None or equation.op not in SUMS:
            yield sign, atom
            continue
        for place, operand in reversed(list(enumerate(equation.operands))):
            flipped = equation.op == "neg" or (equation.op == "sub" and place == 1)
            waiting.append((-sign if flipped else sign, operand))


def parts_of(program: ScalarProgram, position: int, inner: Collection[int]) -> list[int]:
    """The parts of the sum at `position`, operands first, and itself."""
    found, waiting = [], [position]
    while waiting:
        current = waiting.pop()
        found.append(current)
        operands = program.equations[current].operands
        waiting += [atom.index for atom in operands if type(atom) is Var and atom.index in inner]
    return sorted(found)


def written(rewriting: Rewriting, added: Sequence[Signed], origins: Sequence[Origin]) -> Atom:
    """The sum of these terms, one after the other, in a new program; its equations have the last of these origins."""
    if not added:
        return Const(0.0)
    (sign, first), *others = added
    total = rewriting.new(first)
    for term, origin in zip(others, origins[len(origins) - len(others) :], strict=True):
        pair = (total, rewriting.new(term[1]))
        total = rewriting.emit("add" if term[0] == sign else "sub", pair if sign >= term[0] else pair[::-1], origin)
        sign = max(sign, term[0])
    return total if sign > 0 else rewriting.emit("neg", (total,), origins[-1])
