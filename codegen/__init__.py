"""soagen's compiler and command line: from recursions to specialised C and NumPy kernels."""

from typing import Any

__all__ = ["compile_kernels", "generate"]


def __getattr__(name: str) -> Any:
    """`compile_kernels` and `generate`, imported when first asked for: the command line starts without NumPy and SymPy."""
    if name in __all__:
        from codegen import pipeline

        return getattr(pipeline, name)
    raise AttributeError(f"module 'codegen' has no attribute {name!r}")
