"""The C that joins kernels to Python: one function per kernel that reads NumPy arrays directly. Not for users' disks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from codegen.backends.c_text import declared
from codegen.ir import ArraySpec
from codegen.skeletons import fill
from codegen.source import FunctionFacts, Real, Source

TYPE_NUMBERS: dict[Real, str] = {"double": "NPY_DOUBLE", "float": "NPY_FLOAT"}

BLOCK_OPERATIONS = 100_000  # of a block of rows, some microseconds: less than waking a thread takes


@dataclass(frozen=True)
class FunctionGlue:
    """One kernel: its calls for one state and for many, and its table of arguments."""

    name: str
    one: str
    many: str
    block: int
    table: str


@dataclass(frozen=True)
class ModuleContext:
    """The C source of the extension module."""

    template: ClassVar[str] = "c/python_module.c.jinja"
    headers: tuple[str, ...]
    real: Real
    type_number: str
    max_arguments: int
    max_axes: int
    functions: tuple[FunctionGlue, ...]


def python_module(source: Source) -> str:
    """C for cffi's preamble: includes the kernels' headers and exports `uintptr_t soagen_method(void)`."""
    shapes = [spec.shape for function in source.functions for spec in function.arguments]
    return fill(
        ModuleContext(
            headers=tuple(path for path in source if path.endswith(".h")),
            real=source.real,
            type_number=TYPE_NUMBERS[source.real],
            max_arguments=max(len(function.arguments) for function in source.functions),
            max_axes=max(1, *map(len, shapes)),
            functions=tuple(_glue(source, function) for function in source.functions),
        )
    )


def declarations(source: Source) -> str:
    """What cffi is told of the module: the kernels, `soagen_method` and `soagen_threads`."""
    kernels = [
        declared(_c_name(source, f), f.inputs, (*f.outputs, *_work(f)), source.real, "") + ";" for f in source.functions
    ]
    return "\n".join([*kernels, "uintptr_t soagen_method(void);", "void soagen_threads(int threads);"])


def _c_name(source: Source, function: FunctionFacts) -> str:
    return f"{source.robot.identifier}_{function.name}"


def _glue(source: Source, function: FunctionFacts) -> FunctionGlue:
    name = _c_name(source, function)
    batch = f"{source.robot.identifier}_batch.c" in source
    tables = [
        f"{{{spec.size}, {len(spec.shape)}, {{{', '.join(map(str, spec.shape)) or '0'}}}}}"
        for spec in function.arguments
    ]

    def pointers(row: str) -> str:
        return ", ".join(
            f"({'const ' if i < len(function.inputs) else ''}{source.real} *)data[{i}] + {spec.size} * {row}"
            for i, spec in enumerate(function.arguments)
        )

    def each(guard: str, last: str) -> str:
        return f"for (npy_intp i = first; {guard}i < first + rows; i++) {name}({pointers('i')}{last})"

    one, many = f"{name}({pointers('0')})", each("", "")
    if function.work:
        memory = f"{source.real} *work = memory({function.work})"
        one = f"{memory}; if (work != NULL) {name}({pointers('0')}, work); PyMem_RawFree(work)"
        many = f"{memory}; {each('work != NULL && ', ', work')}; PyMem_RawFree(work)"
    elif batch:
        span = ("(size_t)first", "(size_t)(first + rows)", "(size_t)all")
        many = f"{name}_batch_rows({', '.join((*span, *filter(None, [pointers('0')])))})"
    return FunctionGlue(
        name=function.name,
        one=one,
        many=many,
        block=BLOCK_OPERATIONS // (function.operations.total + 16) // 16 * 16 + 16,
        table=f"{len(function.inputs)}, {len(function.outputs)}, {{{', '.join(tables)}}}, {int(function.work > 0)}",
    )


def _work(function: FunctionFacts) -> tuple[ArraySpec, ...]:
    return (ArraySpec("work", (function.work,)),) if function.work else ()
