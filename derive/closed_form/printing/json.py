"""JSON: every formula as a tree that a program can evaluate, and as text.

A tree is {"number": "3/4"}, {"symbol": "c2"}, or [operator, operand, …] with the operators +, *, ^ and /. `symbols` says what
each symbol is: the cosine or sine of a sum of coordinates, a parameter with its value, a coordinate or a rate.
"""

from __future__ import annotations

import json
from typing import Any

from derive.closed_form.expression import Expression, Number, Power, Product, Quotient, Sum, Symbol
from derive.closed_form.printing.numbers import Style
from derive.closed_form.printing.text import notation
from derive.closed_form.sheet import Sheet
from derive.closed_form.variables import Kind, Variable


def to_json(sheet: Sheet, number: Style) -> str:
    """The sheet as JSON text."""
    write = notation(number).write
    values = dict(sheet.parameters)
    content: dict[str, Any] = {
        "robot": sheet.robot,
        "title": sheet.title,
        "shape": list(sheet.shape),
        "symmetric": sheet.symmetric,
        "formulas": [
            {
                "label": str(f.label),
                "letter": f.label.letter,
                "indices": list(f.label.indices),
                "terms": f.terms,
                **({"along": f.label.along} if f.label.along else {}),
                **({"note": f.note} if f.note else {}),
                "text": write(f.expression),
                "tree": tree(f.expression, number),
            }
            for f in sheet.formulas
        ],
        "definitions": [
            {"symbol": d.variable.name, "text": write(d.expression), "tree": tree(d.expression, number)}
            for d in sheet.definitions
        ],
        "symbols": {v.name: _meaning(v, values) for v in sheet.variables()},
        "notes": list(sheet.notes),
    }
    return json.dumps(content, indent=2, ensure_ascii=False)


def tree(expression: Expression, number: Style) -> Any:
    """The expression as nested lists."""
    match expression:
        case Number(value):
            return {"number": number(value)}
        case Symbol(variable):
            return {"symbol": variable.name}
        case Sum(terms):
            return ["+", *(tree(t, number) for t in terms)]
        case Product(factors):
            return ["*", *(tree(f, number) for f in factors)]
        case Power(base, exponent):
            return ["^", tree(base, number), exponent]
        case Quotient(numerator, denominator):
            return ["/", tree(numerator, number), tree(denominator, number)]


def _meaning(variable: Variable, values: dict[str, float]) -> dict[str, Any]:
    if variable.angle is not None:
        parts, offset = variable.angle
        of = [{"q": i + 1, "times": str(m)} for i, m in parts]
        return {"is": variable.kind.value, "of": of, "offset": str(offset)}
    if variable.kind in (Kind.COORDINATE, Kind.RATE):
        return {"is": variable.kind.value, "index": variable.index + 1}
    return {"is": variable.kind.value, **({"value": values[variable.name]} if variable.name in values else {})}
