"""Dead code: equations no output depends on are left out; inputs stay, they are the program's interface."""

from __future__ import annotations

from codegen.ir import ScalarProgram, Var
from codegen.passes.rewriting import Rewriting


def remove_dead_code(program: ScalarProgram) -> ScalarProgram:
    """The program without the equations that no output needs, the others in the same order."""
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
    rewriting = Rewriting(program)
    absent = Var(-1)  # never read: a live equation has live operands
    for equation, is_live in zip(program.equations, live, strict=True):
        kept = is_live and rewriting.emit(equation.op, rewriting.operands(equation), equation.origin)
        rewriting.image.append(kept or absent)
    return rewriting.finish()
