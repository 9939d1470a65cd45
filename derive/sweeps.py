"""`to_recursion`: any operator expression, vector or matrix, becomes sweeps over the bodies.

`to_recursion("H phi (M phi' (H' qdd + a) + b + B f_0)")` is Newton–Euler, two sweeps;
`to_recursion({"qdd": "(I - H psi K)' inv(D) (T - H psi (K T + M phi' a + b + B f_0))"})` is FD3, three sweeps.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

from derive.lowering.builder import Builder
from derive.lowering.combination import prepared
from derive.lowering.matrices import lower_output
from derive.lowering.schedule import scheduled
from derive.lowering.vectors import Lowering
from derive.lowering.wanted import with_wanted_columns
from derive.operators.evaluate import has_armature
from derive.operators.expr import OpExpr
from derive.operators.parse import parse_expression
from derive.operators.printing import to_text
from derive.recursion import Assembly, Output, Recursion

RESULT = "result"


def to_recursion(
    expressions: str | OpExpr | Mapping[str, str | OpExpr],
    *,
    given: Collection[str] = (),
    gravity: bool = True,
    armature: bool | None = None,
    chain: bool = False,
    where: Mapping[str, str | OpExpr] | None = None,
    assemblies: Mapping[str, Assembly] | None = None,
) -> Recursion:
    """The recursion that computes an expression (its output is called "result"), or several by name.

    T, qd, qdd and f_0 are inputs; a and b are computed from q and qd unless `given`. With `gravity` the ground's acceleration
    is part of a. `armature` says whether D has it: by default, if J_a or Mass_a occurs. `chain` lets sweeps of one direction
    share a pass though one depends on the other. `where` says how vector letters are computed that would be inputs,
    `assemblies` how outputs with three indices are read. Raises `LoweringError` with the sub-expression that stands in the
    way.
    """
    wanted = expressions if isinstance(expressions, Mapping) else {RESULT: expressions}
    parsed = {name: _parsed(e) for name, e in wanted.items()}
    rotors = any(map(has_armature, parsed.values())) if armature is None else armature
    builder = Builder(given=given, gravity=gravity, armature=rotors)
    lowering = Lowering(builder)
    for letter, text in (where or {}).items():
        lowering.define(letter, prepared(_parsed(text), armature=rotors))
    lowered = [lower_output(lowering, name, prepared(e, armature=rotors)) for name, e in parsed.items()]
    outputs = [
        replace(output, assembly=(assemblies or {}).get(output.name, Assembly.MATRIX))
        for output in _named(builder, lowered)
    ]
    statements = with_wanted_columns(builder.statements, outputs)
    sweeps = scheduled(statements, frozenset(builder.inputs), chain=chain)
    texts = tuple((name, to_text(expr)) for name, expr in parsed.items())
    recursion = Recursion(sweeps, tuple(outputs), tuple(builder.inputs.values()), rotors, texts)
    recursion.check()
    return recursion


def _parsed(expression: str | OpExpr) -> OpExpr:
    return parse_expression(expression) if isinstance(expression, str) else expression


def _named(builder: Builder, outputs: list[Output]) -> list[Output]:
    """The outputs, each field called as its output where that name is free."""
    for output in outputs:
        current = next(o.field for o in outputs if o.name == output.name)
        if all(current.name != o.name for o in outputs):
            renamed = builder.rename(current, output.name)
            outputs = [o.renamed(current, renamed) for o in outputs]
    return outputs
