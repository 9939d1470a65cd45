"""Python's cycle collector while programs are built."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager

OBJECTS = 20_000  # made between two collections; with Python's 700 they take a fifth of the time


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Inside, cycles are looked for seldom: building a program makes very many objects, and almost all of them stay."""
    before = gc.get_threshold()
    gc.set_threshold(OBJECTS, *before[1:])
    try:
        yield
    finally:
        gc.set_threshold(*before)
