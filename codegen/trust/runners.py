"""The ways a function is run: compiled C one state at a time and in batches, in double and float; NumPy; the interpreter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from codegen.interpret import NUMPY
from codegen.kernel import Kernels
from codegen.programs import KernelProgram
from codegen.source import Real
from codegen.trust.carry_out import carried_out
from derive.states import Array

Outputs = tuple[Array, ...]
LABELS = {"c": "C", "numpy": "NumPy"}


@dataclass(frozen=True)
class Runner:
    """`run(function, inputs)` gives the outputs at all states, (B, …), from inputs (B, …)."""

    name: str
    real: Real
    run: Callable[[str, Mapping[str, Array]], Outputs]


def kernel_runners(kernels: Kernels) -> list[Runner]:
    """One state per call, and all in one call."""
    label = LABELS[kernels.source.backend] + (" float" if kernels.source.real == "float" else "")
    inputs = {facts.name: [spec.name for spec in facts.inputs] for facts in kernels.source.functions}

    def batch(function: str, states: Mapping[str, Array]) -> Outputs:
        return as_outputs(getattr(kernels, function)(*(states[name] for name in inputs[function])))

    def single(function: str, states: Mapping[str, Array]) -> Outputs:
        kernel, arrays = getattr(kernels, function), [states[name] for name in inputs[function]]
        rows = [as_outputs(kernel(*row)) for row in zip(*arrays, strict=True)]
        return tuple(np.array(column) for column in zip(*rows, strict=True))

    return [Runner(label, kernels.source.real, single), Runner(f"{label} batch", kernels.source.real, batch)]


def interpreter_runner(programs: Sequence[KernelProgram]) -> Runner:
    """The programs carried out as `codegen.interpret` defines them, in float64."""
    by_name = {p.name: p.program for p in programs}

    def run(function: str, states: Mapping[str, Array]) -> Outputs:
        program, rows = by_name[function], len(states["q"])
        entries = {spec.name: list(states[spec.name].reshape(rows, -1).T) for spec in program.inputs}
        with np.errstate(all="ignore"):
            found = carried_out(program, entries, NUMPY)
        columns = ([np.broadcast_to(x, rows) for x in found[spec.name]] for spec in program.outputs)
        shapes = [(rows, *spec.shape) for spec in program.outputs]
        return tuple(
            np.stack(c, axis=-1).reshape(shape) if c else np.empty(shape)
            for c, shape in zip(columns, shapes, strict=True)
        )

    return Runner("interpreter", "double", run)


def as_outputs(found: object) -> Outputs:
    """A kernel's result as a tuple of arrays."""
    return tuple(np.asarray(x, dtype=float) for x in (found if isinstance(found, tuple) else (found,)))
