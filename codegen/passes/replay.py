"""Carrying a program out on a builder's scalars: the start of a pass that wants the local rules of `builder.py` applied."""

from __future__ import annotations

from typing import Any

import numpy as np

from codegen.builder import ProgramBuilder
from codegen.ir import OPERATIONS, Atom, Const, Equation, Input, ScalarProgram, Var


class Replay:
    """A builder that has the program's inputs; `values` are those of its equations so far, by number."""

    def __init__(self, program: ScalarProgram) -> None:
        self.program, self.builder = program, ProgramBuilder()
        self.values: dict[int, Any] = {}
        self._inputs = {spec.name: np.ravel(self.builder.input(spec.name, spec.shape)) for spec in program.inputs}
        self._meaning = {name: row.meaning or getattr(self.builder, name) for name, row in OPERATIONS.items()}

    def value(self, atom: Atom) -> Any:
        """What an atom of the program has become."""
        if type(atom) is Var:
            return self.values[atom.index]
        if type(atom) is Input:
            return self._inputs[atom.array][atom.index]
        assert type(atom) is Const
        return atom.value

    def applied(self, equation: Equation) -> Any:
        """The equation's operation on what its operands have become."""
        with self.builder.origin(*equation.origin):
            return self._meaning[equation.op](*map(self.value, equation.operands))

    def finish(self) -> ScalarProgram:
        """The program whose outputs are what the old outputs have become."""
        outputs = {}
        for output in self.program.outputs:
            entries = np.empty(output.size, dtype=object)
            entries[:] = [self.value(atom) for atom in output.entries]
            outputs[output.name] = entries.reshape(output.shape)
        return self.builder.program(self.program.name, outputs)
