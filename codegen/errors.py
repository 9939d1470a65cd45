"""The errors of `codegen`: one root, one subclass per stage. The message says what, where and, for a user, what to do next."""

from __future__ import annotations


class CodegenError(Exception):
    """Root of everything `codegen` raises on purpose."""


class ProgramError(CodegenError):
    """A `ScalarProgram` that breaks its own grammar. This is a bug of the compiler, never of its user."""


class ArgumentError(CodegenError):
    """Arrays that do not fit the program or kernel they are given to: missing, unknown, of the wrong shape or type."""


class RenderError(CodegenError):
    """A program that a backend cannot print, such as a constant beyond the range of float."""


class BuildError(CodegenError):
    """No compiler, or one that fails: the message is one line and says what to install or which backend needs none."""


class BuildWarning(UserWarning):
    """Kernels were built, but not as they should be: a cache that cannot be written."""


class WriteError(CodegenError):
    """Generated files that cannot be written or read: says which and why, in one line."""


class FunctionError(CodegenError):
    """A function or algorithm that does not exist, or that this robot does not have: says why and what to do."""
