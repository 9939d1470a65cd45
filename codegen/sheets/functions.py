"""What a sheet is as a function, in any language: its name, arguments, the lines before the result, and the result's places."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from derive.closed_form.printing.infix import Notation
from derive.closed_form.printing.names import angle_text
from derive.closed_form.printing.numbers import Style
from derive.closed_form.sheet import Label, Sheet
from derive.closed_form.variables import Kind, Variable
from derive.errors import one_line
from derive.names import identifier, identifiers

RESERVED = ("q", "qd", "out", "cos", "sin", "pow")
COLUMNS = 100


@dataclass(frozen=True)
class SheetFunction:
    """`locals` are names and right sides in order; `results` the text of each entry, in the order of `places`."""

    name: str
    reads_coordinates: bool
    reads_rates: bool
    parameters: tuple[tuple[str, float], ...]
    locals: tuple[tuple[str, str], ...]
    results: tuple[str, ...]
    places: tuple[tuple[int, ...], ...]  # 0-based indices of each result
    shape: tuple[int, ...]  # () for a single number


def sheet_function(
    sheet: Sheet, number: Style, notation: Callable[[Callable[[Variable], str], Style], Notation]
) -> SheetFunction:
    """The function of a sheet."""
    defined = [d.variable for d in sheet.definitions]
    free = sheet.variables()
    parameters = sorted((v for v in free if v.kind is Kind.PARAMETER), key=lambda v: v.name)
    angles = sorted(
        (v for v in free if v.angle is not None), key=lambda v: (v.index, len(v.angle[0]) if v.angle else 0, v.name)
    )
    named = [*parameters, *angles, *defined]
    chosen = identifiers([*RESERVED, *(v.name for v in named)])[len(RESERVED) :]
    names = dict(zip(named, chosen, strict=True))

    def spelled(variable: Variable) -> str:
        if variable.kind is Kind.COORDINATE:
            return f"q[{variable.index}]"
        return f"qd[{variable.index}]" if variable.kind is Kind.RATE else names[variable]

    write = notation(spelled, number).write
    values = dict(sheet.parameters)
    lines = [(names[v], f"{v.kind.value}({_angle(v)})") for v in angles]
    lines += [(names[d.variable], write(d.expression)) for d in sheet.definitions]
    return SheetFunction(
        name=_name(sheet),
        reads_coordinates=any(v.kind is Kind.COORDINATE or v.angle is not None for v in free),
        reads_rates=any(v.kind is Kind.RATE for v in free),
        parameters=tuple((names[v], values[v.name]) for v in parameters),
        locals=tuple(lines),
        results=tuple(write(f.expression) for f in sheet.formulas),
        places=tuple(_places(sheet)),
        shape=sheet.shape,
    )


def about(sheet: Sheet) -> str:
    """What the function is, in words that are safe in a comment or docstring of any language."""
    words = one_line(f"{sheet.title} of {sheet.robot}")
    return words.replace("\\", "/").replace('"', "'").replace("*/", "* /").replace("/*", "/ *")


def broken(text: str, indent: str) -> str:
    """A long expression over several lines, broken before + and − outside brackets or inside."""
    if len(text) + len(indent) <= COLUMNS:
        return text
    words, lines = text.split(" "), [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) + len(indent) > COLUMNS and word in "+-":
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return f"\n{indent}".join(lines)


def _places(sheet: Sheet) -> list[tuple[int, ...]]:
    """Where each entry stands in what is shown: its last indices, that of a derivative first."""
    fixed = len(_indices(sheet.formulas[0].label)) - len(sheet.shape)
    return [tuple(i - 1 for i in _indices(f.label)[fixed:]) for f in sheet.formulas]


def _name(sheet: Sheet) -> str:
    """M, M_1_2, dM_3, dM_3_1_2, P_2: the letter and the indices that all entries share."""
    label = sheet.formulas[0].label
    shared = _indices(label)[: len(_indices(label)) - len(sheet.shape)]
    return identifier("_".join([label.letter, *map(str, shared)]))


def _indices(label: Label) -> tuple[int, ...]:
    return (label.along, *label.indices) if label.along else label.indices


def _angle(variable: Variable) -> str:
    assert variable.angle is not None
    shifted = tuple((i - 1, m) for i, m in variable.angle[0])  # q[0] is q1
    return angle_text((shifted, variable.angle[1]), q="q[{}]")
