"""How many threads a large batch may use: $SOAGEN_THREADS, else as many as this process may run on; or what is set."""

from __future__ import annotations

import os

from codegen.errors import BuildError

_chosen: int | None = None


def threads() -> int:
    """The number of threads, the caller's included."""
    if _chosen is not None:
        return _chosen
    text = os.environ.get("SOAGEN_THREADS", "").strip()
    if not text:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if not text.isdecimal() or int(text) < 1:
        raise BuildError(f"SOAGEN_THREADS is {text!r}; give a number of threads, 1 or more")
    return int(text)


def set_threads(count: int | None) -> None:
    """Let large batches of all compiled kernels use `count` threads, the caller's included; None is the default again."""
    from codegen.build import loaded  # needs cffi

    global _chosen
    if count is not None and (type(count) is not int or count < 1):
        raise BuildError(f"cannot use {count!r} threads; give a number, 1 or more, or None for the default")
    _chosen = count
    for extension in loaded():
        extension.lib.soagen_threads(threads())
