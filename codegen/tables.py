"""Plain text tables: left-aligned words, right-aligned numbers, two blanks between columns."""

from __future__ import annotations

from collections.abc import Sequence


def text_table(headings: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """The rows under their headings, a line each, without trailing blanks."""
    cells = [list(headings), *([str(cell) for cell in row] for row in rows)]
    widths = [max(len(row[c]) for row in cells) for c in range(len(headings))]
    numeric = [bool(rows) and all(isinstance(row[c], (int, float)) for row in rows) for c in range(len(headings))]
    return "\n".join(
        "  ".join(
            cell.rjust(w) if right else cell.ljust(w) for cell, w, right in zip(row, widths, numeric, strict=True)
        ).rstrip()
        for row in cells
    )
