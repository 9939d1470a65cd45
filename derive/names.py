"""Names of robot files as C identifiers: ``link_11.0``, ``left-hip-roll``, ``épaule`` and their clashes."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Sequence

C_KEYWORDS = (
    "asm auto bool case catch char const default delete do double enum explicit export extern false float friend goto inline "
    "int long mutable namespace new operator private protected public register restrict short signed sizeof static struct "
    "switch template this throw true typedef typename union unsigned using virtual void volatile"
)
RESERVED = frozenset(keyword.kwlist).union(C_KEYWORDS.split())


def identifier(name: str) -> str:
    """`name` as an identifier: ASCII letters, digits and single inner underscores, not a keyword, never empty."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    words = re.sub(r"[^A-Za-z0-9]+", "_", plain).strip("_")
    if not words:
        words = "_".join(f"u{ord(c):x}" for c in name) or "unnamed"
    if words[0].isdigit():
        words = f"n{words}"
    return f"{words}_" if words in RESERVED else words


def identifiers(names: Sequence[str]) -> tuple[str, ...]:
    """One distinct identifier per name, in order; the first to claim one keeps it, later ones get _2, _3, …."""
    taken: set[str] = set()
    result = []
    for name in names:
        base = candidate = identifier(name)
        count = 1
        while candidate in taken:
            count += 1
            candidate = f"{base}_{count}"
        taken.add(candidate)
        result.append(candidate)
    return tuple(result)
