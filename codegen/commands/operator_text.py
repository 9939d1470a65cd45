"""Operator expressions from the command line: a mistake in them is told with what to do next."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from derive.errors import DeriveError
from derive.operators import ParseError, SpaceError


@contextmanager
def operator_text(text: str) -> Iterator[None]:
    """Add where to look to whatever the parser or the type checker has against `text`."""
    try:
        yield
    except (ParseError, SpaceError) as error:
        raise DeriveError(f"in {text!r}, {error}; 'soagen letters' lists the letters and their spaces") from None
