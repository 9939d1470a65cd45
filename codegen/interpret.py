"""What a `ScalarProgram` means: its equations carried out one after the other on scalars of any kind.

`interpret` takes arrays: float64, complex, or objects such as mpmath numbers, with or without leading batch axes.
`evaluate` is the same on flat sequences of any scalar with + − · / and a `Namespace` for the rest: SymPy expressions, program
scalars, pairs of a value and its error bound. It is the definition, not a way to run fast: that is what the backends are for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from codegen.errors import ArgumentError
from codegen.ir import OPERATIONS, Const, Input, ScalarProgram, Var


@dataclass(frozen=True)
class Namespace:
    """The functions of one kind of scalar, and how it writes a float constant."""

    sin: Callable[[Any], Any]
    cos: Callable[[Any], Any]
    sqrt: Callable[[Any], Any]
    constant: Callable[[float], Any]


NUMPY = Namespace(np.sin, np.cos, np.sqrt, np.float64)


def mpmath_namespace(context: Any) -> Namespace:
    """The functions of an mpmath context such as `mpmath.mp`; constants are the float64 exactly."""
    return Namespace(context.sin, context.cos, context.sqrt, context.mpf)


def evaluate(
    program: ScalarProgram,
    inputs: Mapping[str, Sequence[Any]],
    namespace: Namespace = NUMPY,
    bind: Callable[[int, Any], Any] = lambda position, value: value,
) -> dict[str, list[Any]]:
    """Each output's entries, row-major, from each input's entries, row-major.

    `bind` is given each equation's position and value, and gives what later equations see in its place.
    """
    meaning = {name: row.meaning or getattr(namespace, name) for name, row in OPERATIONS.items()}
    values: list[Any] = []

    def value(atom: object) -> Any:
        match atom:
            case Var(index):
                return values[index]
            case Input(array, index):
                return inputs[array][index]
            case Const(constant):
                return namespace.constant(constant)

    for position, (op, operands, _) in enumerate(program.equations):
        values.append(bind(position, meaning[op](*map(value, operands))))
    return {output.name: [value(atom) for atom in output.entries] for output in program.outputs}


def interpret(
    program: ScalarProgram, inputs: Mapping[str, ArrayLike], namespace: Namespace | None = None
) -> dict[str, NDArray[Any]]:
    """Each output as an array: batch axes, then its shape.

    Inputs have their shape, or batch axes before it (broadcast against each other). The scalar is decided by the inputs:
    float64, complex128, or for object arrays the context of the mpmath numbers in them; `namespace` overrides it.
    """
    names = [spec.name for spec in program.inputs]
    if unfit := sorted(set(names) ^ set(inputs)):
        raise ArgumentError(f"program {program.name} takes {', '.join(names) or 'no input'}; see {', '.join(unfit)}")
    arrays = {name: _as_array(inputs[name]) for name in names}
    batches = []
    for spec in program.inputs:
        shape, rank = arrays[spec.name].shape, len(spec.shape)
        if len(shape) < rank or shape[len(shape) - rank :] != spec.shape:
            raise ArgumentError(f"program {program.name}: {spec.name} has shape {shape}, not (…, *{spec.shape})")
        batches.append(shape[: len(shape) - rank])
    batch = np.broadcast_shapes(*batches)
    entries = {
        spec.name: list(np.moveaxis(arrays[spec.name].reshape((*leading, spec.size)), -1, 0))
        for spec, leading in zip(program.inputs, batches, strict=True)
    }
    flat = evaluate(program, entries, namespace or _namespace_of(arrays))
    dtype = np.result_type(np.float64, *arrays.values())
    outputs = {}
    for spec in program.outputs:
        array = np.empty((*batch, spec.size), dtype=dtype)
        for i, entry in enumerate(flat[spec.name]):
            array[..., i] = entry
        outputs[spec.name] = array.reshape((*batch, *spec.shape))
    return outputs


def _as_array(x: ArrayLike) -> NDArray[Any]:
    array = np.asarray(x)
    return array if array.dtype.kind in "cO" else array.astype(np.float64)


def _namespace_of(arrays: Mapping[str, NDArray[Any]]) -> Namespace:
    """The namespace of the scalars in these arrays."""
    for array in arrays.values():
        if array.dtype.kind == "O":
            for x in array.flat:
                if (context := getattr(x, "context", None)) is not None:
                    return mpmath_namespace(context)
    return NUMPY
