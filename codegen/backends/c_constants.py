"""Constants with many digits that formulas of a C file have several times: they get names, and stand once, at its beginning."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping

from codegen.backends.c_body import constant
from codegen.backends.c_text import filled
from codegen.backends.formulas import ParagraphText
from codegen.ir import Const, ScalarProgram
from codegen.source import Real

LONG = 12  # characters from which a name is shorter
OFTEN = 3


def repeated_constants(programs: Iterable[ScalarProgram]) -> dict[float, str]:
    """The names of the constants without their signs, in order of first use."""
    values = Counter(
        abs(atom.value)
        for program in programs
        for equation in program.equations
        for atom in equation.operands
        if type(atom) is Const and len(repr(abs(atom.value))) >= LONG
    )
    often = [value for value, count in values.items() if count >= OFTEN]
    return {value: f"k{number}" for number, value in enumerate(often, start=1)}


def constant_table(names: Mapping[float, str], printed: Iterable[ParagraphText], real: Real) -> tuple[str, ...]:
    """The definitions of the constants that paragraphs mention."""
    used = {word for paragraph in printed for line in paragraph.lines for word in re.findall(r"\bk\d+\b", line)}
    texts = [f"{name} = {constant(value, real)}" for value, name in names.items() if name in used]
    if not texts:
        return ()
    return tuple(filled([f"static const {real}", *(f"{text}," for text in texts[:-1]), f"{texts[-1]};"], "  "))
