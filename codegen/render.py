"""From programs to `Source`: the backends by name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import get_args

from codegen.backends.c import c_source
from codegen.backends.numpy import numpy_source
from codegen.errors import RenderError
from codegen.programs import KernelProgram, RobotFacts
from codegen.rolled.c import rolled_c_source
from codegen.rolled.ir import RolledProgram
from codegen.rolled.numpy import rolled_numpy_source
from codegen.source import Real, Source, Trig

BACKENDS = ("c", "numpy")


def render(
    robot: RobotFacts,
    functions: Sequence[KernelProgram],
    backend: str = "c",
    real: Real = "double",
    trig: Trig = "polynomial",
    batch: bool = False,
) -> Source:
    """The files of one backend. Same input, same bytes.

    `trig` and `batch`, which adds the functions over many states, are for straight-line C: NumPy has its own sine and its own
    batches, and rolled code calls libm, once a state.
    """
    if backend not in BACKENDS:
        raise RenderError(f"unknown backend {backend!r}; there are {', '.join(BACKENDS)}")
    for name, value, known in (("real", real, get_args(Real)), ("trig", trig, get_args(Trig))):
        if value not in known:
            raise RenderError(f"unknown {name} {value!r}; there are {' and '.join(known)}")
    if any(isinstance(function.program, RolledProgram) for function in functions):
        return (rolled_numpy_source if backend == "numpy" else rolled_c_source)(robot, functions, real)
    if backend == "numpy":
        return numpy_source(robot, functions, real)
    return c_source(robot, functions, real, trig, batch)
