"""Order of terms: what a sum must wait for longest is added last, so that the rest is done while it waits.

One state at a time, a processor waits for results more than it computes: elimination waits for each pivot, sweeps for the body
before. The terms of a sum are added one after the other, those known first first; a product that is fused with its addition
counts from its factors. Constants of a sum become one. Otherwise the same operations in another order: values change by
rounding only.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from codegen.ir import Atom, Const, ScalarProgram, Var
from codegen.passes.rewriting import Rewriting
from codegen.passes.sums import BINARY, Signed, parts_of, parts_of_sums, terms, written

# Cycles until a result is there, of current x86 and ARM cores; sines and cosines come before all else.
LATENCY: Mapping[str, int] = {"mul": 4, "div": 13, "neg": 1, "sqrt": 18, "sin": 60, "cos": 60}
FUSED = 4  # an addition, with the product in it


def with_one_constant(added: Iterable[Signed]) -> list[Signed]:
    """The terms of a sum with its constants as one, the first; it is positive where no other term is: a sum needs one."""
    found = list(added)
    constants = [sign * atom.value for sign, atom in found if type(atom) is Const]
    if len(constants) < 2:
        return found
    total, others = sum(constants), [term for term in found if type(term[1]) is not Const]
    subtracted = total < 0.0 and any(sign > 0 for sign, _ in others)
    return [(-1, Const(-total)) if subtracted else (1, Const(total)), *others]


def add_latest_last(program: ScalarProgram) -> ScalarProgram:
    """The program with the terms of every sum in the order in which they are known."""
    inner, products = (parts_of_sums(program, ops, BINARY) for ops in (BINARY, ("mul",)))
    rewriting = Rewriting(program)
    known: list[int] = []  # the cycle at which each old equation is

    def cycle(atom: Atom) -> int:
        return known[atom.index] if type(atom) is Var else 0

    def needed(term: Signed) -> int:
        """When a sum can take up a term."""
        atom = term[1]
        if type(atom) is Var and atom.index in products:
            return max(map(cycle, program.equations[atom.index].operands))
        return cycle(atom)

    for position, (op, operands, origin) in enumerate(program.equations):
        if position in inner:  # it is worked out with the sum it is a part of
            rewriting.image.append(Var(-1))
            known.append(0)
        elif op in BINARY:
            ordered = sorted(with_one_constant(terms(program, position, inner)), key=needed)
            origins = [program.equations[part].origin for part in parts_of(program, position, inner)]
            when = needed(ordered[0])
            for term in ordered[1:]:
                when = max(when, needed(term)) + FUSED
            rewriting.image.append(written(rewriting, ordered, origins))
            known.append(when)
        else:
            rewriting.image.append(rewriting.emit(op, rewriting.operands(program.equations[position]), origin))
            known.append(max(map(cycle, operands), default=0) + LATENCY[op])
    return rewriting.finish()
