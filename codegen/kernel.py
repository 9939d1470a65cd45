"""`Kernel`: a function of one robot, called with NumPy arrays. `Kernels`: all functions of one `Source`, by name."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from codegen.arguments import check_outputs, collect, fit, new_outputs, prepare_inputs, require_arrays
from codegen.engines import DTYPES, Engine, engine
from codegen.ir import ArraySpec
from codegen.source import FunctionFacts, Source


class Kernel:
    """A function of one robot: `k(q, qd)`, `k(q=q, qd=qd)`, `k(q, qd, out=array)`.

    Inputs have the shape the function names, (n,), for one state, or a leading batch axis, (B, n), for many; a single state
    beside a batch counts for every row. Anything NumPy can read as real numbers is taken: arrays of the kernel's own type
    that are C-contiguous go straight in, others are converted first. One output comes back as an array, several as a tuple;
    a scalar of one state as a float, of a batch as (B,).

    `out=` is an array (a tuple of arrays for several outputs) of the exact shape and type; it is filled and returned. It may
    be strided, and may share memory with inputs. A NaN that is given comes out of everything that depends on it; nothing is
    raised. Kernels keep no state: any number of threads may call one, and batches run without the GIL. They can be pickled:
    the text travels and is compiled, or found in the cache, where it arrives.
    """

    __slots__ = ("__weakref__", "_dtype", "_engine", "_facts", "_source", "_variants")

    def __init__(self, source: Source, facts: FunctionFacts, engine: Engine, variants: tuple[Kernel, ...] = ()) -> None:
        self._source, self._facts, self._engine, self._variants = source, facts, engine, variants
        self._dtype = DTYPES[source.real]

    @property
    def name(self) -> str:
        """The function's name."""
        return self._facts.name

    @property
    def source(self) -> Source:
        """The generated text this kernel runs: relative path to text."""
        return self._source

    @property
    def info(self) -> dict[str, Any]:
        """Names, shapes, operation counts, sweeps, digests; a fresh dict of plain values."""
        return self._source.info(self._facts)

    def __call__(self, *arrays: Any, out: Any = None, **named: Any) -> Any:
        """The outputs, see the class."""
        return self._carefully(*arrays, out=out, **named)

    def bind(self, *arrays: Any, out: Any = None, **named: Any) -> Callable[[], Any]:
        """A function without arguments: each call reads what is in the NumPy arrays then, fills `out` and returns it.

        Without `out`, new outputs are made once and filled by every call (a scalar is an array of shape ()). Contiguous
        arrays of the kernel's own type cost least; other arrays are converted at every call.
        """
        if variant := self._variant(len(arrays) + len(named)):
            return variant.bind(*arrays, out=out, **named)
        given = collect(self._facts, arrays, named)
        require_arrays(self._facts, given)
        inputs, rows = prepare_inputs(self._facts, given, self._dtype)
        if out is None:
            outputs = new_outputs(self._facts, rows, self._dtype)
            out = outputs if len(outputs) > 1 else outputs[0]
        else:
            outputs = check_outputs(self._facts, out, rows, self._dtype)
        ready = all(a is b for a, b in zip(given, inputs, strict=True)) and fit([*inputs, *outputs], inputs, outputs)
        fast = self._engine.bound([*inputs, *outputs], out) if ready else None
        return fast or partial(self._carefully, *given, out=out)

    def _carefully(self, *arrays: Any, out: Any = None, **named: Any) -> Any:
        """The call with every check and conversion."""
        if variant := self._variant(len(arrays) + len(named)):
            return variant(*arrays, out=out, **named)
        inputs, rows = prepare_inputs(self._facts, collect(self._facts, arrays, named), self._dtype)
        if out is None:
            results = new_outputs(self._facts, rows, self._dtype)
            self._engine.fill(inputs, results)
            returned = tuple(array.item() if array.ndim == 0 else array for array in results)
            return returned if len(returned) > 1 else returned[0]
        outputs = check_outputs(self._facts, out, rows, self._dtype)
        if fit(outputs, inputs, outputs):
            self._engine.fill(inputs, outputs)
        else:
            results = new_outputs(self._facts, rows, self._dtype)
            self._engine.fill(inputs, results)
            for output, result in zip(outputs, results, strict=True):
                output[...] = result
        return out

    def _variant(self, arguments: int) -> Kernel | None:
        """The kernel that takes this many inputs in place of this one."""
        if arguments <= len(self._facts.inputs):
            return None
        return next((v for v in self._variants if len(v._facts.inputs) == arguments), None)

    def __repr__(self) -> str:
        inputs = ", ".join(map(_spec_text, self._facts.inputs))
        outputs = ", ".join(map(_spec_text, self._facts.outputs))
        robot, backend, real = self._source.robot.identifier, self._source.backend, self._source.real
        return f"<Kernel {robot}.{self.name}({inputs}) -> {outputs}, {backend}, {real}>"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return _reopened, (self._source, self.name)


class Kernels:
    """The kernels of one robot as attributes: `k.inverse_dynamics(q, qd, qdd)`. Iterates over their names."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._kernels: dict[str, Kernel] = {}
        for facts in sorted(source.functions, key=lambda f: not f.extends):  # variants before what they stand in for
            variants = tuple(k for k in self._kernels.values() if k._facts.extends == facts.name)
            self._kernels[facts.name] = _opened(source, facts, variants)
        self._kernels = {facts.name: self._kernels[facts.name] for facts in source.functions}
        self.__dict__.update(self._kernels)  # found at once, where __getattr__ would cost more than the call

    def __getattr__(self, name: str) -> Kernel:
        if name.startswith("_"):
            raise AttributeError(name)
        close = difflib.get_close_matches(name, self._kernels, n=1)
        hint = f"did you mean {close[0]}? " if close else ""
        raise AttributeError(f"there is no kernel {name!r}; {hint}there are {', '.join(self._kernels) or 'none'}")

    def __iter__(self) -> Iterator[str]:
        return iter(self._kernels)

    def __len__(self) -> int:
        return len(self._kernels)

    def __repr__(self) -> str:
        return f"<Kernels of {self.source.robot.name}: {', '.join(self._kernels) or 'none'}; {self.source.backend}>"

    def __reduce__(self) -> tuple[type[Kernels], tuple[Source]]:
        return Kernels, (self.source,)


def _opened(source: Source, facts: FunctionFacts, variants: tuple[Kernel, ...]) -> Kernel:
    """The kernel; where there is compiled code, `__call__` is that code itself, half the cost of a method that calls it."""
    runner = engine(source, facts)
    own = type("Kernel", (Kernel,), {"__slots__": (), "__doc__": Kernel.__doc__, "__module__": Kernel.__module__})
    kernel = own(source, facts, runner, variants)
    fast = runner.fast(kernel._carefully)
    if fast is not None:
        own.__call__ = fast  # type: ignore[method-assign]
    assert isinstance(kernel, Kernel)
    return kernel


def _reopened(source: Source, name: str) -> Kernel:
    kernel: Kernel = getattr(Kernels(source), name)
    return kernel


def _spec_text(spec: ArraySpec) -> str:
    return f"{spec.name}[{', '.join(map(str, spec.shape))}]" if spec.shape else spec.name
