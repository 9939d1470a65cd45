"""What every pass needs: a new program grown equation by equation from an old one, and who uses what."""

from __future__ import annotations

from dataclasses import replace

from codegen.ir import Atom, Equation, Origin, ScalarProgram, Var, variable


class Rewriting:
    """A program in the making. `image[i]` is the new atom for equation i of the old one, set in order by the pass."""

    def __init__(self, program: ScalarProgram) -> None:
        self.program = program
        self.equations: list[Equation] = []
        self.image: list[Atom] = []

    def new(self, atom: Atom) -> Atom:
        """The new program's atom for an atom of the old one."""
        return self.image[atom.index] if type(atom) is Var else atom

    def operands(self, equation: Equation) -> tuple[Atom, ...]:
        """The operands of an old equation, as atoms of the new program."""
        image = self.image
        return tuple([image[atom.index] if type(atom) is Var else atom for atom in equation.operands])

    def emit(self, op: str, operands: tuple[Atom, ...], origin: Origin) -> Var:
        """Append an equation of the new program; the variable that names it."""
        self.equations.append(Equation(op, operands, origin))
        return variable(len(self.equations) - 1)

    def finish(self) -> ScalarProgram:
        """The new program, with the old one's name and arrays."""
        return with_equations(self.program, self.equations, self.image)


def with_equations(program: ScalarProgram, equations: list[Equation], image: list[Atom]) -> ScalarProgram:
    """`program` with these equations, its outputs renamed: `image[i]` is the new atom for old equation i."""
    outputs = tuple(
        replace(output, entries=tuple(image[a.index] if type(a) is Var else a for a in output.entries))
        for output in program.outputs
    )
    return replace(program, equations=tuple(equations), outputs=outputs)


def use_counts(program: ScalarProgram) -> list[int]:
    """How often each equation occurs as an operand or as an output's entry."""
    uses = [0] * len(program.equations)
    for equation in program.equations:
        for atom in equation.operands:
            if type(atom) is Var:
                uses[atom.index] += 1
    for output in program.outputs:
        for atom in output.entries:
            if type(atom) is Var:
                uses[atom.index] += 1
    return uses
