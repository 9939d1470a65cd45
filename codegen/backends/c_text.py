"""Pieces of C text: comments, declarations and string literals that compile without a warning whatever names robots have."""

from __future__ import annotations

from collections.abc import Sequence

from codegen.ir import ArraySpec
from codegen.source import Real
from derive.errors import one_line

COLUMNS = 120
LITERAL_LIMIT = 4095  # characters of a string literal that C99 compilers must take


def comment(text: str) -> str:
    """`text` for a // comment: one line, no trigraph, and no backslash that would continue it."""
    return one_line(text, limit=1000).replace("\\", "/").replace("??", "? ?")


def declared(name: str, inputs: Sequence[ArraySpec], outputs: Sequence[ArraySpec], real: Real, qualifier: str) -> str:
    """The function's declaration without semicolon; `qualifier` follows each star (the header has none: C++ reads it too)."""
    arguments = [f"const {real} *{qualifier}{spec.name}" for spec in inputs]
    arguments += [f"{real} *{qualifier}{spec.name}" for spec in outputs]
    line = f"void {name}({', '.join(arguments)})"
    if len(line) < COLUMNS:
        return line
    indent = " " * len(f"void {name}(")
    return f"void {name}({f',{chr(10)}{indent}'.join(arguments)})"


def string_literal(text: str) -> str:
    """ASCII `text` as the initialiser of a char array: a literal, or single characters where C99's limit is passed."""
    if len(text) > LITERAL_LIMIT:
        characters = [f"'{_escaped(c)}'" for c in text]
        rows = [", ".join(characters[i : i + 20]) for i in range(0, len(characters), 20)]
        return "{\n            " + ",\n            ".join([*rows, "'\\0'"]) + "}"
    rows = [text[i : i + 80] for i in range(0, len(text), 80)] or [""]
    return "\n            ".join(["", *(f'"{"".join(map(_escaped, row))}"' for row in rows)])


def _escaped(character: str) -> str:
    return f"\\{character}" if character in "\\\"'?" else character
