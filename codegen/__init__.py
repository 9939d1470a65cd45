"""soagen's compiler and command line: from recursions to specialised C and NumPy kernels."""

from typing import Any

__all__ = ["compile_kernels", "generate", "set_threads"]


def __getattr__(name: str) -> Any:
    """What is asked for, imported then: the command line starts without NumPy and SymPy."""
    if name in __all__:
        from codegen import pipeline, threads

        return getattr(threads if name == "set_threads" else pipeline, name)
    raise AttributeError(f"module 'codegen' has no attribute {name!r}")
