"""The text of each function in generated files, so that a difference between two files can name the functions it is in."""

from __future__ import annotations

import re
from collections.abc import Iterable

from codegen.provenance import digest

ELSEWHERE = "outside of functions"


def function_texts(path: str, text: str, identifier: str, functions: Iterable[str]) -> dict[str, str]:
    """Function to its text, for those that are there; the rest of the file is under ELSEWHERE."""
    found: dict[str, str] = {}
    rest = text
    in_c = path.endswith(".c")
    parts = re.findall(rf"^static void {identifier}_(\w+_part)\(", text, re.MULTILINE) if in_c else []
    for name in (*functions, *parts):
        pattern = (
            rf"^(?:static )?void {identifier}_{name}\(.*?^\}}\n" if in_c else rf"^def {name}\(.*?^    return .*?\n"
        )
        match = re.search(pattern, text, re.DOTALL | re.MULTILINE)
        if match is not None:
            found[name] = match[0]
            rest = rest.replace(match[0], "", 1)
    return {**found, ELSEWHERE: rest}


def text_digests(path: str, text: str, identifier: str, functions: Iterable[str]) -> dict[str, str]:
    """Function to the digest of its text."""
    return {name: digest(part) for name, part in function_texts(path, text, identifier, functions).items()}
