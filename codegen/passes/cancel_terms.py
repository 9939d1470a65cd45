"""Terms of a sum that cancel are left out: (A - B) - A is -B, which no builder sees that is given two values at a time."""

from __future__ import annotations

from collections.abc import Iterable

from codegen.ir import ScalarProgram
from codegen.passes.rewriting import Rewriting
from codegen.passes.sums import BINARY, Signed, parts_of, parts_of_sums, terms, written


def cancel_terms(program: ScalarProgram) -> ScalarProgram:
    """The program with no value both added and subtracted in one sum; all other sums are as they were."""
    inner = parts_of_sums(program, BINARY, BINARY)
    shorter = {}
    for position, equation in enumerate(program.equations):
        if equation.op in BINARY and position not in inner:
            added = list(terms(program, position, inner))
            if len(left := _left(added)) < len(added):
                shorter[position] = left
    rewriting = Rewriting(program)
    for position, equation in enumerate(program.equations):
        if position in shorter:
            origins = [program.equations[part].origin for part in parts_of(program, position, inner)]
            rewriting.image.append(written(rewriting, shorter[position], origins))
        else:
            rewriting.image.append(rewriting.emit(equation.op, rewriting.operands(equation), equation.origin))
    return rewriting.finish()


def _left(added: Iterable[Signed]) -> list[Signed]:
    """The terms without pairs of opposite sign; the first of equal ones stay."""
    found: list[Signed] = []
    for sign, atom in added:
        if (-sign, atom) in found:
            found.remove((-sign, atom))
        else:
            found.append((sign, atom))
    return found
