"""Dead code: equations no output depends on are left out; inputs stay, they are the program's interface."""

from __future__ import annotations

from itertools import compress

from codegen.ir import Equation, ScalarProgram, Var
from codegen.passes.rewriting import Rewriting


def remove_dead_code(program: ScalarProgram) -> ScalarProgram:
    """The program without the equations that no output needs, the others in the same order."""
    rewriting = Rewriting(program)
    absent = Var(-1)  # never read: a live equation has live operands
    for equation, is_live in zip(program.equations, _live(program), strict=True):
        kept = is_live and rewriting.emit(equation.op, rewriting.operands(equation), equation.origin)
        rewriting.image.append(kept or absent)
    return rewriting.finish()


def live_equations(program: ScalarProgram) -> list[Equation]:
    """The equations some output needs, as they stand in the program: enough to count them."""
    return list(compress(program.equations, _live(program)))


def _live(program: ScalarProgram) -> list[bool]:
    """For each equation, whether some output needs it."""
    live = [False] * len(program.equations)
    for output in program.outputs:
        for atom in output.entries:
            if type(atom) is Var:
                live[atom.index] = True
    for position in range(len(live) - 1, -1, -1):
        if live[position]:
            for atom in program.equations[position].operands:
                if type(atom) is Var:
                    live[atom.index] = True
    return live
