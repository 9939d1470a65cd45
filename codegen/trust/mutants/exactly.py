"""The statements of an emitted function carried out with 50 digits, as they stand or mutated: what a mutant really changes."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from functools import lru_cache
from types import CodeType, SimpleNamespace
from typing import Any

from codegen.source import FunctionFacts
from codegen.trust.mutants.sites import Mutant
from codegen.trust.mutants.statements import FunctionBody
from codegen.trust.oracles.mpmath50 import CONTEXT, exactly
from derive.states import Array


class _Exact(ast.NodeTransformer):
    """Constants as numbers of 50 digits; entries of inputs and outputs stay as they are."""

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if not isinstance(node.value, float):
            return node
        call = ast.Call(ast.Name("mpf", ast.Load()), [node], [])
        return ast.copy_location(call, node)


@lru_cache(maxsize=100_000)
def _compiled(text: str) -> CodeType:
    return compile(ast.fix_missing_locations(_Exact().visit(ast.parse(text))), "<mutant>", "exec")


def exact_outputs(
    bodies: Mapping[str, FunctionBody], facts: FunctionFacts, inputs: Mapping[str, Array], mutant: Mutant | None
) -> list[Any]:
    """All entries of all outputs at one state."""
    arrays: dict[str, Any] = {spec.name: list(exactly(inputs[spec.name])) for spec in facts.inputs}
    arrays |= {spec.name: [CONTEXT.nan] * spec.size for spec in facts.outputs}
    _carry_out(bodies, facts.name, arrays, mutant)
    return [x for spec in facts.outputs for x in arrays[spec.name]]


def _carry_out(
    bodies: Mapping[str, FunctionBody], name: str, arrays: Mapping[str, list[Any]], mutant: Mutant | None
) -> None:
    """The statements of a function, which fill its outputs among the arrays."""
    functions = {"sin": CONTEXT.sin, "cos": CONTEXT.cos, "sqrt": CONTEXT.sqrt}
    names: dict[str, Any] = {**functions, "np": SimpleNamespace(**functions), "mpf": CONTEXT.mpf, "NULL": None}
    names |= {constant: CONTEXT.mpf(value) for constant, value in bodies[name].constants.items()}
    names |= arrays
    for position, statement in enumerate(bodies[name].statements):
        if called := bodies[name].called_part(statement):
            part, arguments = called
            given = (names[argument] for argument in arguments)
            _carry_out(bodies, part, dict(zip(bodies[part].parameters, given, strict=True)), mutant)
        elif ends := re.match(r"if \((\w+) == NULL\) return$", statement.text):
            if names[ends[1]] is None:
                return
        elif not statement.is_arithmetic:
            _rooms_and_sines(statement.text, names)
        else:
            here = mutant is not None and (mutant.function, mutant.position) == (name, position)
            value = mutant.value if here and mutant is not None else statement.value
            exec(_compiled("".join(f"{target} = " for target in statement.targets) + value), names)


def _rooms_and_sines(text: str, names: dict[str, Any]) -> None:
    """Statements of C that are not arithmetic: room for arrays, and calls that fill some of those of sines and cosines."""
    if re.match(r"double \w+\[\d+\](, \w+\[\d+\])*$", text):
        names |= {array: [CONTEXT.nan] * int(size) for array, size in re.findall(r"(\w+)\[(\d+)\]", text)}
    elif found := re.match(r"\w+_sincos\((.*), sine(?: \+ (\d+))?, cosine(?: \+ \d+)?\)$", text):
        angles = eval(compile(_exact_tuple(found[1]), "<angles>", "eval"), names)
        for i, angle in enumerate(angles, start=int(found[2] or 0)):
            names["sine"][i], names["cosine"][i] = CONTEXT.sin(angle), CONTEXT.cos(angle)


def _exact_tuple(text: str) -> ast.Expression:
    tree = _Exact().visit(ast.parse(f"({text},)", mode="eval"))
    assert isinstance(tree, ast.Expression)
    return ast.fix_missing_locations(tree)
