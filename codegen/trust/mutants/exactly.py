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
    body: FunctionBody, facts: FunctionFacts, inputs: Mapping[str, Array], mutant: Mutant | None
) -> list[Any]:
    """All entries of all outputs at one state."""
    functions = {"sin": CONTEXT.sin, "cos": CONTEXT.cos, "sqrt": CONTEXT.sqrt}
    names: dict[str, Any] = {**functions, "np": SimpleNamespace(**functions), "mpf": CONTEXT.mpf}
    names |= {spec.name: list(exactly(inputs[spec.name])) for spec in facts.inputs}
    names |= {spec.name: [CONTEXT.nan] * spec.size for spec in facts.outputs}
    for position, statement in enumerate(body.statements):
        if not statement.is_arithmetic:
            _sines_and_cosines(statement.text, names)
            continue
        here = mutant is not None and mutant.position == position
        value = mutant.value if here and mutant is not None else statement.value
        text = "".join(f"{target} = " for target in statement.targets) + value
        exec(_compiled(text), names)
    return [x for spec in facts.outputs for x in names[spec.name]]


def _sines_and_cosines(text: str, names: dict[str, Any]) -> None:
    """Statements of C that are not arithmetic: room for sines and cosines, and calls that fill some of it."""
    if found := re.match(r"double sine\[(\d+)\], cosine\[\d+\]$", text):
        names["sine"], names["cosine"] = [CONTEXT.nan] * int(found[1]), [CONTEXT.nan] * int(found[1])
    elif found := re.match(r"\w+_sincos\((.*), sine(?: \+ (\d+))?, cosine(?: \+ \d+)?\)$", text):
        angles = eval(compile(_exact_tuple(found[1]), "<angles>", "eval"), names)
        for i, angle in enumerate(angles, start=int(found[2] or 0)):
            names["sine"][i], names["cosine"][i] = CONTEXT.sin(angle), CONTEXT.cos(angle)


def _exact_tuple(text: str) -> ast.Expression:
    tree = _Exact().visit(ast.parse(f"({text},)", mode="eval"))
    assert isinstance(tree, ast.Expression)
    return ast.fix_missing_locations(tree)
