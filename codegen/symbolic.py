"""A program as SymPy expressions, to be looked at: `evaluate` on symbols, nested or with one symbol per equation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy

from codegen.interpret import Namespace, evaluate
from codegen.ir import ArraySpec, ScalarProgram, indices


@dataclass(frozen=True)
class SymbolicForm:
    """`outputs` by name: an expression, or an immutable array of them, in symbols that `bindings` define in order.

    The input entry q[0] is the symbol q_0, A[1, 2] is A_1_2, and a scalar input is its name.
    """

    bindings: tuple[tuple[sympy.Symbol, sympy.Expr], ...]
    outputs: dict[str, Any]


def _constant(x: float) -> sympy.Expr:
    return sympy.Integer(int(x)) if x.is_integer() else sympy.Float(x)


SYMPY = Namespace(sympy.sin, sympy.cos, sympy.sqrt, _constant)


def to_sympy(program: ScalarProgram, let: bool = False) -> SymbolicForm:
    """The outputs as nested expressions without bindings; with `let`, every equation is a binding of its own."""
    symbols = {spec.name: _symbols(spec) for spec in program.inputs}
    bindings: list[tuple[sympy.Symbol, sympy.Expr]] = []

    def bind(position: int, value: sympy.Expr) -> sympy.Expr:
        if not let:
            return value
        bindings.append((sympy.Symbol(f"v{position}"), value))
        return bindings[-1][0]

    flat = evaluate(program, symbols, SYMPY, bind)
    outputs = {
        spec.name: sympy.ImmutableDenseNDimArray(flat[spec.name], spec.shape) if spec.shape else flat[spec.name][0]
        for spec in program.outputs
    }
    return SymbolicForm(tuple(bindings), outputs)


def _symbols(spec: ArraySpec) -> list[sympy.Symbol]:
    return [sympy.Symbol("_".join((spec.name, *map(str, indices(i, spec.shape))))) for i in range(spec.size)]
