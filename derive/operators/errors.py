"""The errors of the operator algebra: one root, one subclass per way a statement can be wrong."""

from __future__ import annotations

from derive.errors import DeriveError


class OperatorError(DeriveError):
    """Root of everything the operator algebra raises on purpose; its message is one line fit for a user."""


class SpaceError(OperatorError):
    """A product, sum, inverse or equation whose operands live in different spaces; the message names both.

    Where it comes from text, `column` (from 1) and `caret` say where; otherwise they are None.
    """

    def __init__(self, what: str, text: str | None = None, column: int | None = None) -> None:
        self.text, self.column = text, column
        self.caret = f"{text}\n{' ' * (column - 1)}^" if text is not None and column is not None else None
        super().__init__(what if column is None else f"column {column}: {what}")


class ParseError(OperatorError):
    """Text that is not an operator expression. `column` counts from 1; `caret` is the text with a caret under it."""

    def __init__(self, what: str, text: str, column: int) -> None:
        self.text, self.column = text, column
        self.caret = f"{text}\n{' ' * (column - 1)}^"
        super().__init__(f"column {column}: {what}")


class EvaluationError(OperatorError):
    """An expression that has no value on the given system: a serial-only letter on a tree, a singular inverse."""
