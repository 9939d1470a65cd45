"""From programs to `Source`: the backends by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from codegen.backends.c import c_source
from codegen.backends.numpy import numpy_source
from codegen.errors import RenderError
from codegen.programs import KernelProgram, RobotFacts
from codegen.source import Real, Source

BACKENDS: Mapping[str, Callable[[RobotFacts, Sequence[KernelProgram], Real], Source]] = {
    "c": c_source,
    "numpy": numpy_source,
}


def render(robot: RobotFacts, functions: Sequence[KernelProgram], backend: str = "c", real: Real = "double") -> Source:
    """The files of one backend. Same input, same bytes."""
    if backend not in BACKENDS:
        raise RenderError(f"unknown backend {backend!r}; there are {', '.join(BACKENDS)}")
    if real not in ("double", "float"):
        raise RenderError(f"unknown real {real!r}; there are double and float")
    return BACKENDS[backend](robot, functions, real)
