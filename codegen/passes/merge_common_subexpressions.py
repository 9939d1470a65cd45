"""Common subexpressions: operations with equal operands, in either order where the operation commutes, become one equation.

Value numbering and nothing more: no arithmetic, so not one bit of any result changes. The first of equal equations stays, with
its origin.
"""

from __future__ import annotations

from codegen.ir import OPERATIONS, Atom, ScalarProgram, Var, atom_key
from codegen.passes.rewriting import Rewriting


def merge_common_subexpressions(program: ScalarProgram) -> ScalarProgram:
    """The program with each operation written once, commutative operands in the order of `atom_key`."""
    commutative = {name for name, row in OPERATIONS.items() if row.commutative}
    rewriting = Rewriting(program)
    known: dict[tuple[str, tuple[Atom, ...]], Var] = {}
    for equation in program.equations:
        operands = rewriting.operands(equation)
        if equation.op in commutative and atom_key(operands[1]) < atom_key(operands[0]):
            operands = operands[::-1]
        key = (equation.op, operands)
        if key not in known:
            known[key] = rewriting.emit(equation.op, operands, equation.origin)
        rewriting.image.append(known[key])
    return rewriting.finish()
