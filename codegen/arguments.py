"""The careful way into a kernel: anything NumPy can read becomes arrays that fit, or one line says which argument does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from codegen.errors import ArgumentError
from codegen.ir import ArraySpec
from codegen.source import FunctionFacts

Array = NDArray[Any]
ONE_STATE = None  # instead of a number of rows


def collect(function: FunctionFacts, positional: Sequence[Any], named: Mapping[str, Any]) -> list[Any]:
    """One value per input, in order, from positional and named arguments."""
    names = [spec.name for spec in function.inputs]
    takes = f"{function.name} takes {', '.join(names) or 'no arguments'}"
    if len(positional) > len(names):
        raise ArgumentError(f"{takes}; {len(positional)} positional arguments were given")
    given = dict(zip(names, positional, strict=False))
    for name, value in named.items():
        if name not in names:
            raise ArgumentError(f"{takes}; it has no argument {name}")
        if name in given:
            raise ArgumentError(f"{takes}; {name} was given twice")
        given[name] = value
    if missing := [name for name in names if name not in given]:
        raise ArgumentError(f"{takes}; {', '.join(missing)} is missing")
    return [given[name] for name in names]


def require_arrays(function: FunctionFacts, values: Sequence[Any]) -> None:
    """ArgumentError unless all are NumPy arrays, which can be read anew at every call without being converted."""
    for spec, value in zip(function.inputs, values, strict=True):
        if not isinstance(value, np.ndarray):
            raise ArgumentError(
                f"{function.name}: {spec.name} is a {type(value).__name__}; bind takes NumPy arrays, which every call "
                f"reads: keep {spec.name} = np.array(…) of shape {_shapes_text(spec)} and bind that"
            )


def prepare_inputs(
    function: FunctionFacts, values: Sequence[Any], dtype: np.dtype[Any]
) -> tuple[list[Array], int | None]:
    """C-contiguous, aligned arrays of this type, and their rows; a single state beside a batch is repeated for each row.

    Arrays that are so already are not copied.
    """
    arrays = [_as_input(function, spec, value, dtype) for spec, value in zip(function.inputs, values, strict=True)]
    pairs = list(zip(function.inputs, arrays, strict=True))
    batched = [(spec, array.shape[0]) for spec, array in pairs if array.ndim > len(spec.shape)]
    if not batched:
        return arrays, ONE_STATE
    first, rows = batched[0]
    for spec, count in batched[1:]:
        if count != rows:
            raise ArgumentError(
                f"{function.name}: {spec.name} has {count} rows and {first.name} has {rows}; expected the same number"
            )
    return [array if array.ndim > len(spec.shape) else np.repeat(array[None], rows, 0) for spec, array in pairs], rows


def new_outputs(function: FunctionFacts, rows: int | None, dtype: np.dtype[Any]) -> tuple[Array, ...]:
    """Room for every output."""
    return tuple(np.empty(_full_shape(spec, rows), dtype=dtype) for spec in function.outputs)


def check_outputs(function: FunctionFacts, out: Any, rows: int | None, dtype: np.dtype[Any]) -> tuple[Array, ...]:
    """The arrays of `out=`, which is one array, or a tuple (or list) where there are several outputs."""
    names = ", ".join(spec.name for spec in function.outputs)
    if len(function.outputs) == 1:
        out = (out,)
    elif not isinstance(out, (tuple, list)) or len(out) != len(function.outputs):
        raise ArgumentError(f"{function.name}: out must be a tuple of {len(function.outputs)} arrays: {names}")
    for spec, array in zip(function.outputs, out, strict=True):
        where = f"{function.name}: out for {spec.name}"
        expected = _full_shape(spec, rows)
        if not isinstance(array, np.ndarray):
            raise ArgumentError(f"{where} is a {type(array).__name__}; expected an array of shape {expected}")
        if array.shape != expected:
            raise ArgumentError(f"{where} has shape {array.shape}; expected {expected}")
        if array.dtype != dtype:
            raise ArgumentError(f"{where} has dtype {array.dtype}; expected {dtype}")
        if not array.flags.writeable:
            raise ArgumentError(f"{where} is read-only; expected an array that can be written")
    for (one, a), (two, b) in combinations(zip(function.outputs, out, strict=True), 2):
        if np.shares_memory(a, b):
            raise ArgumentError(f"{function.name}: out for {one.name} and {two.name} share memory")
    return tuple(out)


def fit(arrays: Sequence[Array], inputs: Sequence[Array], outputs: Sequence[Array]) -> bool:
    """Whether these arrays can go to a kernel as they are: exact and contiguous, outputs apart from everything else."""
    plain = all(type(a) is np.ndarray and a.flags.c_contiguous and a.flags.aligned for a in arrays)
    crossing = any(np.may_share_memory(o, i) for o in outputs for i in inputs)
    return plain and not crossing and not any(np.may_share_memory(a, b) for a, b in combinations(outputs, 2))


def _as_input(function: FunctionFacts, spec: ArraySpec, value: Any, dtype: np.dtype[Any]) -> Array:
    try:
        array = np.asarray(value)
    except (ValueError, TypeError) as error:
        fault = f"is not an array of numbers; expected shape {_shapes_text(spec)}"
        raise ArgumentError(f"{function.name}: {spec.name} {fault}") from error
    if array.dtype.kind not in "biuf":
        fault = f"has dtype {array.dtype}; expected real numbers ({dtype})"
        raise ArgumentError(f"{function.name}: {spec.name} {fault}")
    lead = array.ndim - len(spec.shape)
    if lead not in (0, 1) or array.shape[lead:] != spec.shape:
        fault = f"has shape {array.shape}; expected {_shapes_text(spec)}"
        raise ArgumentError(f"{function.name}: {spec.name} {fault}")
    as_is = array.dtype == dtype and array.flags.c_contiguous and array.flags.aligned
    return array if as_is else np.array(array, dtype, order="C")


def _shapes_text(spec: ArraySpec) -> str:
    return f"{spec.shape} or ({', '.join(['B', *map(str, spec.shape)])}{',' if not spec.shape else ''})"


def _full_shape(spec: ArraySpec, rows: int | None) -> tuple[int, ...]:
    return spec.shape if rows is None else (rows, *spec.shape)
