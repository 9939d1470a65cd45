"""Strength reduction: a cheaper operation for a dearer one, by the weights of `OPERATIONS`.

    a/d, b/d   →   r = 1/d, a·r, b·r     where d divides at least twice, or 1/d is there already
    2·x        →   x + x                 except where every use is a sum, which then contracts to one fused multiply-add

A product with a rounded reciprocal is within 3/2 units in the last place of the quotient rounded once; 1/d must not overflow,
that is |d| > 6e-309, which pivots of a mass matrix are far from.
"""

from __future__ import annotations

from collections import Counter

from codegen.ir import OPERATIONS, Atom, Const, Equation, ScalarProgram, Var
from codegen.passes.rewriting import Rewriting

ONE, TWO = Const(1.0), Const(2.0)
_DIVISION, _PRODUCT = OPERATIONS["div"].weight, OPERATIONS["mul"].weight


def reduce_strength(program: ScalarProgram) -> ScalarProgram:
    """The program with shared reciprocals and with doublings as sums; the same values up to rounding."""
    shared = _shared_denominators(program)
    summed_only = _used_in_sums_only(program)
    rewriting = Rewriting(program)
    reciprocals: dict[Atom, Var] = {}
    for position, equation in enumerate(program.equations):
        op, operands, origin = equation.op, rewriting.operands(equation), equation.origin
        if op == "div" and equation.operands[1] in shared:
            numerator, denominator = operands
            if denominator not in reciprocals:
                reciprocals[denominator] = rewriting.emit("div", (ONE, denominator), origin)
            reciprocal = reciprocals[denominator]
            new = reciprocal if numerator == ONE else rewriting.emit("mul", (numerator, reciprocal), origin)
        elif _is_doubling(equation) and not summed_only[position]:
            doubled = operands[1] if operands[0] == TWO else operands[0]
            new = rewriting.emit("add", (doubled, doubled), origin)
        else:
            new = rewriting.emit(op, operands, origin)
        rewriting.image.append(new)
    return rewriting.finish()


def _shared_denominators(program: ScalarProgram) -> set[Atom]:
    """Denominators d for which one reciprocal and products weigh less than the quotients by d."""
    quotients = Counter(e.operands[1] for e in program.equations if e.op == "div" and e.operands[0] != ONE)
    inverted = {e.operands[1] for e in program.equations if e.op == "div" and e.operands[0] == ONE}
    return inverted | {d for d, n in quotients.items() if _DIVISION + n * _PRODUCT < n * _DIVISION}


def _is_doubling(equation: Equation) -> bool:
    return equation.op == "mul" and TWO in equation.operands


def _used_in_sums_only(program: ScalarProgram) -> list[bool]:
    """For each equation, whether it is used and every use is an addition or a subtraction."""
    summed = [False] * len(program.equations)
    elsewhere = [False] * len(program.equations)
    for equation in program.equations:
        uses = summed if equation.op in ("add", "sub") else elsewhere
        for atom in equation.operands:
            if type(atom) is Var:
                uses[atom.index] = True
    for output in program.outputs:
        for atom in output.entries:
            if type(atom) is Var:
                elsewhere[atom.index] = True
    return [a and not b for a, b in zip(summed, elsewhere, strict=True)]
