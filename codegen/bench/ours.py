"""Our own contenders: the C function itself, the kernel as Python calls it, batches, NumPy, and the generic reference."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import repeat

import numpy as np

from codegen.bench.machine import cores
from codegen.bench.measure import Contender
from codegen.bench.native import kernel_loop
from codegen.bench.problem import Problem
from codegen.build import build
from codegen.kernel import Kernel, Kernels
from codegen.threads import set_threads
from codegen.trust.oracles.reference import ReferenceQuantities
from codegen.trust.quantities import expected
from derive.states import Array

C_CALL, BOUND, WITH_OUT = "soagen, C call", "soagen, bound call from Python", "soagen, call from Python with out="
BATCH, THREADED, NUMPY = "soagen, batch", "soagen, batch on all cores", "soagen, NumPy batch"
REFERENCE = "generic reference in Python"
REFERENCE_STATES = 4


def call_contenders(problem: Problem, function: str) -> list[Contender]:
    """One state per call: the C function from C, and the kernel from Python with everything fixed, and with out=."""
    kernel, inputs = problem.kernel(function), problem.inputs(function)
    one = [array[0].copy() for array in inputs]
    outputs = tuple(np.empty(shape) for shape in _output_shapes(kernel))
    out = outputs if len(outputs) > 1 else outputs[0]
    bound, with_out = kernel.bind(*one, out=out), partial(kernel, *one, out=out)
    return [
        c_call(problem, function),
        Contender(BOUND, _looped(bound), 1, _after(bound, outputs)),
        Contender(WITH_OUT, _looped(with_out), 1, _after(with_out, outputs)),
    ]


def c_call(problem: Problem, function: str) -> Contender:
    """The compiled function itself, called from a loop in C; its results go where a control loop's would, one place."""
    source = problem.kernels.source
    extension = build(source)
    pointer = extension.ffi.addressof(extension.lib, f"{source.robot.identifier}_{function}")
    where = int(extension.ffi.cast("uintptr_t", pointer))
    inputs = problem.inputs(function)
    shapes = _output_shapes(problem.kernel(function))

    def results() -> tuple[Array, ...]:
        outputs = tuple(np.full((problem.rows, *shape), np.nan) for shape in shapes)
        kernel_loop(where, inputs, outputs)(1)
        return outputs

    run = kernel_loop(where, inputs, [np.empty((1, *shape)) for shape in shapes])
    return Contender(C_CALL, run, problem.rows, results)


def batch_contenders(problem: Problem, numpy_kernels: Kernels, function: str) -> list[Contender]:
    """Many states per call: compiled on one core and on all, and NumPy."""
    kernel, inputs = problem.kernel(function), problem.inputs(function)
    compiled = _batch(BATCH, kernel, inputs, 1)
    threaded = [_batch(THREADED, kernel, inputs, cores())] if cores() > 1 else []
    return [compiled, *threaded, _batch(NUMPY, getattr(numpy_kernels, function), inputs, 1)]


def reference_contender(problem: Problem, function: str) -> Contender:
    """The judge, on a few states."""
    states = problem.rows_of(function)[:REFERENCE_STATES]

    def judged() -> list[tuple[Array, ...]]:
        return [_reference(problem, function, state) for state in states]

    def results() -> tuple[Array, ...]:
        return tuple(np.array(column) for column in zip(*judged(), strict=True))

    return Contender(REFERENCE, _looped(judged), len(states), results)


def _reference(problem: Problem, function: str, state: Mapping[str, Array]) -> tuple[Array, ...]:
    """The reference's own function, or, where it has none, what follows from its mass matrix and jacobian."""
    return tuple(map(np.asarray, expected(function, ReferenceQuantities(problem.model, state, problem.gravity))))


def _batch(name: str, kernel: Kernel, inputs: Sequence[Array], threads: int) -> Contender:
    """All rows in one call, which may use this many threads."""
    outputs = tuple(np.empty((len(inputs[0]), *shape)) for shape in _output_shapes(kernel))
    whole = partial(kernel, *inputs, out=outputs if len(outputs) > 1 else outputs[0])

    def run(rounds: int) -> None:
        set_threads(threads)
        _looped(whole)(rounds)
        set_threads(None)

    after = _after(whole, outputs, batched=True)
    return Contender(name, run, len(inputs[0]), after, parallel=threads > 1, batched=True)


def _looped(call: Callable[[], object]) -> Callable[[int], None]:
    def run(rounds: int) -> None:
        for _ in repeat(None, rounds):
            call()

    return run


def _after(
    call: Callable[[], object], outputs: tuple[Array, ...], batched: bool = False
) -> Callable[[], tuple[Array, ...]]:
    """What the call puts into the outputs, with an axis of states."""

    def results() -> tuple[Array, ...]:
        for output in outputs:
            output[...] = np.nan
        call()
        return tuple(output.copy() if batched else output[None].copy() for output in outputs)

    return results


def _output_shapes(kernel: Kernel) -> list[tuple[int, ...]]:
    return [tuple(spec["shape"]) for spec in kernel.info["outputs"]]
