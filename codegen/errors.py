"""The errors of `codegen`: one root, one subclass per stage. The message says what, where and, for a user, what to do next."""

from __future__ import annotations


class CodegenError(Exception):
    """Root of everything `codegen` raises on purpose."""


class ProgramError(CodegenError):
    """A `ScalarProgram` that breaks its own grammar. This is a bug of the compiler, never of its user."""


class ArgumentError(CodegenError):
    """Arrays that do not fit the program they are given to: missing, unknown or of the wrong shape."""
