"""What runs a kernel: compiled C or the NumPy module, behind one small interface."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from codegen.errors import CodegenError
from codegen.source import FunctionFacts, Source

Array = NDArray[Any]


class Engine(Protocol):
    """Runs one function on arrays that fit it."""

    def fill(self, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        """Compute the outputs from the inputs; all are prepared, of one state or of the same number of rows."""

    def fast(self, careful: Callable[..., Any]) -> Callable[..., Any] | None:
        """A function (*inputs, out=) that takes arrays that fit at once and leaves all else to `careful`; None if none."""

    def bound(self, arrays: Sequence[Array], result: object) -> Callable[[], Any] | None:
        """A function of nothing that runs on these arrays, which fit, and returns `result`; None if there is none."""


class CEngine:
    """Function number `index` of a compiled source."""

    def __init__(self, source: Source, index: int) -> None:
        from codegen.build import build  # needs a compiler, so not before it is asked for

        self._method, self._index = build(source).method, index
        self._raw = self._method(2 * index, None)
        self._several = len(source.functions[index].outputs) > 1

    def fill(self, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        """Compute the outputs from the inputs."""
        if self._raw(*inputs, out=tuple(outputs) if self._several else outputs[0]) is NotImplemented:
            raise CodegenError("prepared arrays do not fit the kernel; this is a bug of soagen, please report it")

    def fast(self, careful: Callable[..., Any]) -> Callable[..., Any]:
        """The compiled function, which calls `careful` for arrays that do not fit."""
        return self._method(2 * self._index, careful)

    def bound(self, arrays: Sequence[Array], result: object) -> Callable[[], Any]:
        """The compiled function with these arrays."""
        return self._method(2 * self._index + 1, (*arrays, result))


class NumPyEngine:
    """A function of the generated NumPy module."""

    def __init__(self, source: Source, index: int) -> None:
        self._function = _namespace(source)[source.functions[index].name]
        self._several = len(source.functions[index].outputs) > 1

    def fill(self, inputs: Sequence[Array], outputs: Sequence[Array]) -> None:
        """Compute the outputs from the inputs."""
        results = self._function(*inputs)
        for output, result in zip(outputs, results if self._several else (results,), strict=True):
            output[...] = result

    def fast(self, careful: Callable[..., Any]) -> None:
        """There is none."""

    def bound(self, arrays: Sequence[Array], result: object) -> None:
        """There is none."""


ENGINES: dict[str, type[CEngine] | type[NumPyEngine]] = {"c": CEngine, "numpy": NumPyEngine}
DTYPES: dict[str, np.dtype[Any]] = {"double": np.dtype(np.float64), "float": np.dtype(np.float32)}


def engine(source: Source, function: FunctionFacts) -> Engine:
    """What runs this function of the source."""
    return ENGINES[source.backend](source, source.functions.index(function))


@lru_cache(maxsize=64)
def _namespace(source: Source) -> dict[str, Any]:
    """The names of the generated module, which is run and not written; tracebacks show its lines."""
    (path,) = source
    name = f"<soagen {source.provenance.source[:16]}/{path}>"
    linecache.cache[name] = (len(source[path]), None, source[path].splitlines(keepends=True), name)
    namespace: dict[str, Any] = {"__name__": path.removesuffix(".py")}
    exec(compile(source[path], name, "exec"), namespace)
    return namespace
