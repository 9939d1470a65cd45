"""Determinants in the ring, by expansion along rows: exact, without division, every minor once."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from derive.closed_form.element import Element, elements_sum
from derive.closed_form.ring import Ring


def determinant(ring: Ring, rows: Sequence[Sequence[Element]]) -> Element:
    """det of a square matrix; 1 of the empty one."""

    @cache
    def below(row: int, columns: tuple[int, ...]) -> Element:
        if not columns:
            return ring.constant(1)
        parts = (
            rows[row][c] * below(row + 1, columns[:i] + columns[i + 1 :]) * (-1) ** i
            for i, c in enumerate(columns)
            if rows[row][c]
        )
        return elements_sum(ring, parts)

    return below(0, tuple(range(len(rows)))).reduced()
