"""A sheet as a Python function of q (and qd), with parameters as keyword arguments."""

from __future__ import annotations

from collections.abc import Callable

from codegen.sheets.functions import SheetFunction, about, broken, sheet_function
from derive.closed_form.printing.infix import Notation
from derive.closed_form.printing.numbers import Style
from derive.closed_form.sheet import Sheet
from derive.closed_form.variables import Variable

INDENT = "    "


def notation(symbol: Callable[[Variable], str], number: Style) -> Notation:
    """How Python writes formulas."""
    return Notation(symbol=symbol, number=number, product="*", power=lambda base, n: f"{base}**{n}")


def to_python(sheet: Sheet, number: Style) -> str:
    """The text of a module with one function: a number, a list, or nested lists."""
    function = sheet_function(sheet, number, notation)
    arguments = ["q", *(["qd"] if function.reads_rates else []), *(f"{n}={v!r}" for n, v in function.parameters)]
    lines = [f"def {function.name}({', '.join(arguments)}):", f'{INDENT}"""{about(sheet)}."""']
    lines += [
        f"{INDENT}{name} = ({broken(text, INDENT * 2)})" if len(text) > 90 else f"{INDENT}{name} = {text}"
        for name, text in function.locals
    ]
    lines += _result(function, sheet.symmetric)
    used = [f for f in ("cos", "sin") if any(text.startswith(f"{f}(") for _, text in function.locals)]
    header = [f"from math import {', '.join(used)}", "", ""] if used else []
    return "\n".join([*header, *lines])


def _result(function: SheetFunction, symmetric: bool) -> list[str]:
    if not function.shape:
        return [f"{INDENT}return ({broken(function.results[0], INDENT * 2)})"]
    names = {place: "r" + "_".join(str(i + 1) for i in place) for place in function.places}
    lines = [
        f"{INDENT}{names[place]} = ({broken(text, INDENT * 2)})"
        for place, text in zip(function.places, function.results, strict=True)
    ]
    if symmetric:
        names |= {(*place[:-2], place[-1], place[-2]): name for place, name in names.items()}
    return [*lines, f"{INDENT}return {_listed(function.shape, (), names)}"]


def _listed(shape: tuple[int, ...], at: tuple[int, ...], names: dict[tuple[int, ...], str]) -> str:
    if len(at) == len(shape):
        return names[at]
    return "[" + ", ".join(_listed(shape, (*at, i), names) for i in range(shape[len(at)])) + "]"
