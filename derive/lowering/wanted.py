"""Which columns of each field are wanted: all, the half that a symmetric output mirrors, or those up to common ancestors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from derive.operators.spaces import POINTS, Structure
from derive.recursion import Action, Kind, Output, Place, Statement, Wanted


def with_wanted_columns(statements: Sequence[Statement], outputs: Sequence[Output]) -> list[Statement]:
    """The statements, each told which columns its readers and the outputs want."""
    wants: dict[str, set[Wanted]] = {s.target.name: set() for s in statements}
    for output in outputs:
        half = output.symmetric and output.field.columns is not POINTS
        for field in output.fields:
            wants.setdefault(field.name, set()).add(Wanted.HALF if half else Wanted.ALL)
    fields = {s.target.name: s.target for s in statements}
    told: list[Statement] = []
    for statement in reversed(statements):
        own = _settled(wants[statement.target.name]) if statement.target.kind is Kind.COLUMNS else Wanted.ALL
        for name, place in statement.reads:
            if name == statement.target.name and own is Wanted.HALF:
                own = _asked(statement, own, place, statement.target.structure)
        told.append(replace(statement, wanted=own))
        for name, place in statement.reads:
            if name in fields and name != statement.target.name and fields[name].kind is Kind.COLUMNS:
                wants[name].add(_asked(statement, own, place, fields[name].structure))
    return told[::-1]


def _settled(wants: set[Wanted]) -> Wanted:
    return wants.pop() if len(wants) == 1 else Wanted.ALL


def _asked(reader: Statement, own: Wanted, place: Place, structure: Structure) -> Wanted:
    """What a reader wanted in part asks of a field: at a child, half would be too little unless the rest is zero."""
    if reader.action is Action.PAIRS:
        return Wanted.COMMON
    causal = structure.value <= Structure.CAUSAL.value
    return Wanted.HALF if own is Wanted.HALF and (place is not Place.CHILD or causal) else Wanted.ALL
