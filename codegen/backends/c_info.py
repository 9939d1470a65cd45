"""What a C file says of itself: JSON as string literals. Macros of the skeleton hold what the JSON of every function has."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from codegen.backends.c_text import COLUMNS, LITERAL_LIMIT, character_array, escaped, filled

WIDTH = COLUMNS - len('    return "') - len('";')  # columns of a literal
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
    """The items of the robot, then of each function, from their JSON."""
    macro = identifier.upper()
    given = [argument for function in functions for argument in (*function["inputs"], *function["outputs"])]
    named = {argument["name"]: argument for argument in reversed(given)}
    items = [(_quoted(_compact(robot)), robot), *((_call(macro, function, named), function) for function in functions)]
    return InfoText(
        tuple(_defined(macro, named[name]) for name in dict.fromkeys(argument["name"] for argument in given)),
        tuple(_item(pieces, _compact(item)) for pieces, item in items),
    )


def _defined(macro: str, argument: Json) -> str:
    """The macro of an argument, going on in the next line where its documentation is long."""
    start, *literals = _argument(macro, argument)
    return " \\\n".join(filled([f"#define {macro}_{argument['name']} {start}", *literals], "  "))


def _argument(macro: str, argument: Json) -> list[str]:
    """Pieces of text that call the macro of arguments."""
    shape = ",".join(map(str, argument["shape"]))
    *literals, last = _quoted(_inner(argument["doc"]))
    return [f'{macro}_ARGUMENT("{argument["name"]}", "{shape}",', *literals, f"{last})"]


def _item(pieces: Sequence[str], text: str) -> ItemText:
    if len(text) > LITERAL_LIMIT:
        return ItemText(tuple(character_array(text)), False)
    return ItemText(tuple(filled([*pieces[:-1], f"{pieces[-1]};"], "", indent=12)), True)


def _call(macro: str, function: Json, named: Mapping[str, Json]) -> list[str]:
    """Pieces of text, no longer than a line, that call the macro of functions."""
    counts = f"{macro}_COUNTS({', '.join(map(str, function['operations'].values()))})"
    work = [f'",\\"work\\":{function["work"]}"'] if "work" in function else []
    arguments = [
        _quoted(_inner(function["function"])),
        _quoted(_inner(function["description"])),
        _listed(macro, function["inputs"], named),
        _listed(macro, function["outputs"], named),
        _quoted(_inner(function["sweeps"])),
        [counts, *work],
        _quoted(function["program"]),
    ]
    pieces = [piece for argument in arguments for piece in (*argument[:-1], f"{argument[-1]},")]
    return [f"{macro}_FUNCTION({pieces[0]}", *pieces[1:-1], f"{pieces[-1].removesuffix(',')})"]


def _listed(macro: str, arguments: Sequence[Json], named: Mapping[str, Json]) -> list[str]:
    """Arguments by their macros, or written out where another of the name has it, with the commas of JSON between them."""
    pieces: list[str] = []
    for argument in arguments:
        known = named[argument["name"]] == argument
        pieces += ['","'] * bool(pieces) + ([f"{macro}_{argument['name']}"] if known else _argument(macro, argument))
    return pieces or ['""']


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
