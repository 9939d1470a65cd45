"""Names of entries for people: which value of a program is V.x, R.Ixx, alpha.wz of a body, whatever the passes did to it.

While a program is built, the entries of what each statement gives are noted. Passes may reorder, merge and flip signs, so that
no note would survive them truthfully. Instead the finished program and the one noted are both evaluated at random states:
a value that agrees there with a noted one of the same sweep, body and symbol is that entry (or its opposite).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from codegen.interpret import evaluate
from codegen.ir import Equation, Label, Origin, ScalarProgram
from derive.rigid import RigidInertia

AXES = ("x", "y", "z")
SPATIAL = ("wx", "wy", "wz", "x", "y", "z")  # of a 6-vector [angular; linear]
SYMMETRIC = ("xx", "xy", "xz", "yy", "yz", "zz")
STATES = 3
AGREEMENT = 1e-9
Values: TypeAlias = NDArray[np.float64]


def entries(value: Any) -> Iterator[tuple[str, Any]]:
    """The scalars of what a statement gave, each with the name of its entry: a rigid body, a matrix, or columns by block."""
    if isinstance(value, RigidInertia):
        yield "m", value.mass
        yield from zip((f"h{axis}" for axis in AXES), value.moment, strict=True)
        yield from zip((f"I{pair}" for pair in SYMMETRIC), value.inertia, strict=True)
    elif isinstance(value, dict):
        several = len(value) > 1 or any(len(columns) > 1 for columns in value.values())
        for block, columns in value.items():
            for number, column in enumerate(columns, start=1):
                at = [f"{block + 1}"] * several + [f"{number}"] * (len(columns) > 1)
                for row, entry in zip(_rows(len(column)), column, strict=True):
                    yield "_".join([*at, row] if row.isdigit() else at) + row * row.isalpha(), entry
    elif value is not None:
        names = AXES if len(value) == 3 else tuple(f"{i}" for i in range(1, 7))
        for i, row in enumerate(value):
            for j, entry in enumerate(row):
                yield f"{names[i]}{names[j]}" if len(value) * len(row) > 1 else "", entry


def _rows(size: int) -> Sequence[str]:
    if size == 6:
        return SPATIAL
    return [""] if size == 1 else [str(i) for i in range(1, size + 1)]


def with_entry_names(program: ScalarProgram, noted: ScalarProgram, labels: Sequence[Label]) -> ScalarProgram:
    """The program with entries in the symbols of its origins, where it computes a value that was noted in `noted`."""
    states = _random_states(noted)
    known, found = _values(noted, states), _values(program, states)
    groups: dict[Origin, list[Label]] = defaultdict(list)
    for label in labels:
        groups[label.origin].append(label)
    candidates = {origin: (group, known[[label.variable.index for label in group]]) for origin, group in groups.items()}
    equations = tuple(
        _named(equation, *candidates[equation.origin], value) if equation.origin in candidates else equation
        for equation, value in zip(program.equations, found, strict=True)
    )
    return replace(program, equations=equations)


def _named(equation: Equation, labels: Sequence[Label], noted: Values, value: Values) -> Equation:
    """The equation with the first label whose value, or its opposite, is that of the equation."""
    allowed = AGREEMENT * np.abs(value)
    same, opposite = (np.all(np.abs(value - sign * noted) <= allowed, axis=1) for sign in (1, -1))
    fits = np.flatnonzero(same | opposite)
    if not len(fits):
        return equation
    first = fits[0]
    origin, entry, _, negated = labels[first]
    if bool(same[first]) == negated:
        entry = re.sub(r"(\d+|[A-Za-z]*)$", r"n\1", entry, count=1)
    return equation._replace(origin=origin._replace(symbol=f"{origin.symbol}.{entry}"))


def _random_states(program: ScalarProgram) -> dict[str, list[Values]]:
    random = np.random.default_rng(0)
    return {spec.name: list(random.normal(size=(spec.size, STATES))) for spec in program.inputs}


def _values(program: ScalarProgram, states: dict[str, list[Values]]) -> Values:
    """The value of every equation in every state."""
    found = np.empty((len(program.equations), STATES))

    def remember(position: int, value: Any) -> Any:
        found[position] = value
        return value

    with np.errstate(all="ignore"):
        evaluate(program, states, bind=remember)
    return found
