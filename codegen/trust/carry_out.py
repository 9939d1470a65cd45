"""A program of either form, straight-line or rolled, carried out on scalars of any kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from codegen.interpret import Namespace, evaluate
from codegen.ir import ScalarProgram
from codegen.rolled.interpret import evaluate_rolled
from codegen.rolled.ir import RolledProgram

Program: TypeAlias = ScalarProgram | RolledProgram


def carried_out(program: Program, inputs: Mapping[str, Sequence[Any]], namespace: Namespace) -> dict[str, list[Any]]:
    """Each output's entries, row-major, from each input's entries, row-major."""
    if isinstance(program, RolledProgram):
        return evaluate_rolled(program, inputs, namespace)
    return evaluate(program, inputs, namespace)
