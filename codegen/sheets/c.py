"""A sheet as a C99 function of q (and qd), parameters as arguments, the result row by row in `out`."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from codegen.sheets.functions import SheetFunction, about, broken, sheet_function
from derive.closed_form.printing.infix import Notation
from derive.closed_form.printing.numbers import Style
from derive.closed_form.sheet import Sheet
from derive.closed_form.variables import Variable

INDENT = "    "
WHOLE = 2**53  # up to here every integer is a double
HEADER = "#include <math.h>\n\n"


def notation(symbol: Callable[[Variable], str], number: Style) -> Notation:
    """How C writes formulas: numbers always as doubles, small powers as products."""

    def double(n: Fraction) -> str:
        text = number(n)
        if text == str(n) and max(n.numerator, n.denominator) > WHOLE:
            return repr(float(n))  # a quotient of rounded integers would be further off, or of infinities
        if "/" in text:
            top, _, bottom = text.partition("/")
            return f"{top}.0/{bottom}.0"
        return text if any(c in text for c in ".en") else f"{text}.0"

    def power(base: str, n: int) -> str:
        return "*".join([base] * n) if n <= 3 and base.isidentifier() else f"pow({base}, {n})"

    return Notation(symbol=symbol, number=double, product="*", power=power)


def to_c(sheet: Sheet, number: Style) -> str:
    """The text of one function: it returns the number, or fills `out`."""
    function = sheet_function(sheet, number, notation)
    arguments = ["const double *q", *(["const double *qd"] if function.reads_rates else [])]
    arguments += [f"double {name}" for name, _ in function.parameters]
    if function.shape:
        arguments.append("double *out")
    defaults = ", ".join(f"{name} = {value!r}" for name, value in function.parameters)
    words = about(sheet) + (f"; {defaults}" if defaults else "")
    lines = [f"/* {words} */", f"{'void' if function.shape else 'double'} {function.name}({', '.join(arguments)})", "{"]
    lines += [] if function.reads_coordinates else [f"{INDENT}(void)q;"]
    lines += [f"{INDENT}const double {name} = {broken(text, INDENT * 2)};" for name, text in function.locals]
    lines += _result(function, sheet.symmetric)
    return HEADER + "\n".join([*lines, "}"])


def _result(function: SheetFunction, symmetric: bool) -> list[str]:
    if not function.shape:
        return [f"{INDENT}return {broken(function.results[0], INDENT * 2)};"]
    lines = []
    for place, text in zip(function.places, function.results, strict=True):
        at = f"out[{_offset(place, function.shape)}]"
        mirror = (*place[:-2], place[-1], place[-2]) if symmetric and place[-1] != place[-2] else None
        lines.append(f"{INDENT}{at} = {broken(text, INDENT * 2)};")
        if mirror is not None:
            lines.append(f"{INDENT}out[{_offset(mirror, function.shape)}] = {at};")
    return lines


def _offset(place: tuple[int, ...], shape: tuple[int, ...]) -> int:
    total = 0
    for index, size in zip(place, shape, strict=True):
        total = total * size + index
    return total
