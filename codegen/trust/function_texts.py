"""The text that makes each function of a generated file, so that a difference of two files can name the functions it is in.

Functions call parts and name constants and tables: a function's text is its own and that of all it reaches.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from codegen.provenance import digest

ELSEWHERE = "outside of functions"
_C_FUNCTION = re.compile(r"^(?:(?:static|inline|const) )*\w+ \*?(\w+)\([^;{}]*\)\n\{.*?^\}\n", re.DOTALL | re.MULTILINE)
_C_CONSTANTS = re.compile(
    r"^static const \w+ (\w+)(?:\[\d+\])+ = .*?;\n|^static const \w+ \w+ = .*?;\n", re.DOTALL | re.MULTILINE
)
_C_CONSTANT = re.compile(r"(\w+) = [^,;]*[,;]")
_PYTHON_FUNCTION = re.compile(r"^def (\w+)\(.*?(?=^\S|\Z)", re.DOTALL | re.MULTILINE)
_WORD = re.compile(r"[A-Za-z_]\w*")


def function_texts(path: str, text: str, identifier: str, functions: Iterable[str]) -> dict[str, str]:
    """Function to the text it is made of, for those that are there; what is in no definition is under ELSEWHERE."""
    in_c = path.endswith(".c")
    pieces: dict[str, str] = {}
    rest, end = [], 0
    for name, start, stop in sorted(_c_pieces(text) if in_c else _python_pieces(text), key=lambda piece: piece[1:]):
        pieces[name] = text[start:stop]
        rest.append(text[end:start])
        end = stop
    rest.append(text[end:])
    entries = {name: f"{identifier}_{name}" if in_c else name for name in functions}
    found = {name: "".join(_reached(entry, pieces)) for name, entry in entries.items() if entry in pieces}
    return {**found, ELSEWHERE: "".join(rest)}


def text_digests(path: str, text: str, identifier: str, functions: Iterable[str]) -> dict[str, str]:
    """Function to the digest of its text."""
    return {name: digest(part) for name, part in function_texts(path, text, identifier, functions).items()}


def _c_pieces(text: str) -> Iterator[tuple[str, int, int]]:
    """Name, start and end of functions, of tables, and of constants one by one."""
    for function in _C_FUNCTION.finditer(text):
        yield function[1], function.start(), function.end()
    for declared in _C_CONSTANTS.finditer(text):
        if declared[1]:
            yield declared[1], declared.start(), declared.end()
            continue
        for constant in _C_CONSTANT.finditer(text, declared.start(), declared.end()):
            yield constant[1], constant.start(), constant.end()


def _python_pieces(text: str) -> Iterator[tuple[str, int, int]]:
    for function in _PYTHON_FUNCTION.finditer(text):
        yield function[1], function.start(), function.end()


def _reached(entry: str, pieces: Mapping[str, str]) -> list[str]:
    """The pieces that this one names, and those that they name, itself first."""
    names = [entry]
    for name in names:
        names += [word for word in dict.fromkeys(_WORD.findall(pieces[name])) if word in pieces and word not in names]
    return [pieces[name] for name in names]
