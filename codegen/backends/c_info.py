"""What a C file says of itself: JSON as string literals. Macros of the skeleton hold what the JSON of every function has."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from codegen.backends.c_text import COLUMNS, LITERAL_LIMIT, character_array, escaped, filled

WIDTH = COLUMNS - 12  # columns of a literal
Json: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class ItemText:
    """One item: lines of a constant expression, or of the initialiser of an array where no literal may be as long."""

    lines: tuple[str, ...]
    is_literal: bool


@dataclass(frozen=True)
class InfoText:
    """The items of `<identifier>_info`, and lines that define macros for the arguments of functions."""

    arguments: tuple[str, ...]
    texts: tuple[ItemText, ...]


def info_text(identifier: str, robot: Json, functions: Sequence[Json]) -> InfoText:
    """The items of the robot, then of each function, from their JSON; the same arguments everywhere have the same names."""
    macro = identifier.upper()
    arguments = {argument["name"]: argument for function in functions for argument in _arguments(function)}
    defined = [_defined(macro, argument) for argument in arguments.values()]
    items = [(_quoted(_compact(robot)), robot), *((_call(macro, function), function) for function in functions)]
    return InfoText(tuple(defined), tuple(_item(pieces, _compact(item)) for pieces, item in items))


def _arguments(function: Json) -> list[Json]:
    return [*function["inputs"], *function["outputs"]]


def _defined(macro: str, argument: Json) -> str:
    """The macro of an argument, going on in the next line where its documentation is long."""
    shape = ",".join(map(str, argument["shape"]))
    start = f'#define {macro}_{argument["name"]} {macro}_ARGUMENT("{argument["name"]}", "{shape}",'
    pieces = [*_quoted(_inner(argument["doc"]))]
    pieces[-1] += ")"
    return " \\\n".join(filled([start, *pieces], "  ", indent=2))


def _item(pieces: Sequence[str], text: str) -> ItemText:
    if len(text) > LITERAL_LIMIT:
        return ItemText(tuple(character_array(text)), False)
    return ItemText(tuple(filled([*pieces[:-1], f"{pieces[-1]};"], "", indent=6)), True)


def _call(macro: str, function: Json) -> list[str]:
    """Pieces of text, no longer than a line, that call the macro of functions."""
    counts = f"{macro}_COUNTS({', '.join(map(str, function['operations'].values()))})"
    work = [f'",\\"work\\":{function["work"]}"'] if "work" in function else []
    arguments = [
        _quoted(_inner(function["function"])),
        _quoted(_inner(function["description"])),
        [_names(macro, function["inputs"])],
        [_names(macro, function["outputs"])],
        _quoted(_inner(function["sweeps"])),
        [counts, *work],
        _quoted(function["program"]),
    ]
    pieces = [piece for argument in arguments for piece in (*argument[:-1], f"{argument[-1]},")]
    return [f"{macro}_FUNCTION({pieces[0]}", *pieces[1:-1], f"{pieces[-1].removesuffix(',')})"]


def _names(macro: str, arguments: Sequence[Json]) -> str:
    """Macros of arguments with the commas of JSON between them."""
    return ' "," '.join(f"{macro}_{argument['name']}" for argument in arguments) or '""'


def _compact(item: Json) -> str:
    return json.dumps(item, separators=(",", ":"))


def _inner(text: str) -> str:
    """What stands between the quotes of a JSON string."""
    return json.dumps(text)[1:-1]


def _quoted(text: str) -> list[str]:
    """The literals that together are this ASCII text."""
    rows = [""]
    for character in map(escaped, text):
        if len(rows[-1]) + len(character) > WIDTH:
            rows.append("")
        rows[-1] += character
    return [f'"{row}"' for row in rows]
