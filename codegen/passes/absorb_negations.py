"""Negations: −x costs nothing in the count but an instruction in the machine, so it moves into the operation that makes x.

    −(−a) → a      −(a − b) → b − a      −(c·a) → (−c)·a
    −(a·b) → (−a)·b,  −(a/b) → (−a)/b,  −(a + b) → (−a) − b   where −a is absorbed

and only where x has no other use. No rounding changes: float64 is symmetric under negation.
"""

from __future__ import annotations

from collections.abc import Sequence

from codegen.ir import Atom, Const, Equation, ScalarProgram, Var
from codegen.passes.rewriting import Rewriting, use_counts


def absorb_negations(program: ScalarProgram) -> ScalarProgram:
    """The program without the negations that another operation can take over."""
    carrier = _carriers(program)
    flipped: set[int] = set()
    absorbed: set[int] = set()
    for position in reversed(range(len(program.equations))):  # what a negation takes with it is not absorbed elsewhere
        op, operands, _ = program.equations[position]
        if position in flipped or op != "neg":
            continue
        if type(operands[0]) is Var and _changes_sign(operands[0], carrier):
            absorbed.add(position)
            _flip(program, operands[0], carrier, flipped)
    rewriting = Rewriting(program)
    for position, equation in enumerate(program.equations):
        op, operands = equation.op, rewriting.operands(equation)
        if position in absorbed or (position in flipped and op == "neg"):
            rewriting.image.append(operands[0])
            continue
        if position in flipped:
            op, operands = _opposite(equation, operands, carrier[position] or 0)
        rewriting.image.append(rewriting.emit(op, operands, equation.origin))
    return rewriting.finish()


def _carriers(program: ScalarProgram) -> list[int | None]:
    """For each equation, which operand carries a change of its sign, any for sub and neg; None where that is not free."""
    carrier: list[int | None] = []
    for (op, operands, _), uses in zip(program.equations, use_counts(program), strict=True):
        if uses != 1 or op not in ("add", "sub", "mul", "div", "neg"):
            carrier.append(None)
        elif op in ("sub", "neg"):
            carrier.append(0)
        else:
            carrier.append(next((i for i, atom in enumerate(operands) if _changes_sign(atom, carrier)), None))
    return carrier


def _changes_sign(atom: Atom, carrier: Sequence[int | None]) -> bool:
    return type(atom) is Const or (type(atom) is Var and carrier[atom.index] is not None)


def _flip(program: ScalarProgram, atom: Atom, carrier: Sequence[int | None], flipped: set[int]) -> None:
    """Mark the equations that change so that `atom` changes its sign."""
    while type(atom) is Var:
        flipped.add(atom.index)
        equation: Equation = program.equations[atom.index]
        if equation.op in ("sub", "neg"):
            return
        atom = equation.operands[carrier[atom.index] or 0]


def _opposite(old: Equation, operands: tuple[Atom, ...], carrier: int) -> tuple[str, tuple[Atom, ...]]:
    """The equation with the opposite value; its new operand that carries this has changed its sign already, but a constant."""
    if old.op == "sub":
        return old.op, (operands[1], operands[0])
    signed, constant = list(operands), old.operands[carrier]
    if type(constant) is Const:
        signed[carrier] = Const(0.0 - constant.value)
    return ("sub", (signed[carrier], signed[1 - carrier])) if old.op == "add" else (old.op, tuple(signed))
