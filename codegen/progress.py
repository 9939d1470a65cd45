"""A progress line for long work: only on a terminal, only after a second, gone when done."""

from __future__ import annotations

import sys
import time
from types import TracebackType

PATIENCE = 1.0  # seconds before anything is shown
WIDTH = 79


class Progress:
    """``with Progress("checking", 61) as p: p.at("SOA-51")`` shows ``checking 12/61 SOA-51`` on standard error."""

    def __init__(self, what: str, total: int, *, quiet: bool = False) -> None:
        self.what, self.total, self.done = what, total, 0
        self.start = time.monotonic()
        self.shown = False
        self.visible = not quiet and sys.stderr.isatty()

    def at(self, item: str) -> None:
        """Say that work on the next item begins."""
        self.done += 1
        if self.visible and time.monotonic() - self.start > PATIENCE:
            line = f"{self.what} {self.done}/{self.total} {item}"
            print(f"\r{line[:WIDTH]:<{WIDTH}}", end="", file=sys.stderr, flush=True)
            self.shown = True

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.shown:
            print(f"\r{'':<{WIDTH}}\r", end="", file=sys.stderr, flush=True)
