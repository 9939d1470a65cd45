"""What closed forms refuse, and why."""

from derive.errors import DeriveError


class ClosedFormError(DeriveError):
    """A closed form that is not offered: says what and why, and what is."""


class TooLargeError(ClosedFormError):
    """An expression outgrew the limit that was set for it."""
