"""The C that joins kernels to Python: one function per kernel that reads NumPy arrays directly. Not for users' disks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from codegen.backends.c_text import declared
from codegen.skeletons import fill
from codegen.source import FunctionFacts, Real, Source

TYPE_NUMBERS: dict[Real, str] = {"double": "NPY_DOUBLE", "float": "NPY_FLOAT"}


@dataclass(frozen=True)
class FunctionGlue:
    """One kernel: its call for row i of a batch, and its table of arguments."""

    name: str
    call: str
    table: str


@dataclass(frozen=True)
class ModuleContext:
    """The C source of the extension module."""

    template: ClassVar[str] = "c/python_module.c.jinja"
    identifier: str
    real: Real
    type_number: str
    max_arguments: int
    max_axes: int
    functions: tuple[FunctionGlue, ...]


def python_module(source: Source) -> str:
    """C for cffi's preamble: includes the kernels' .c file and exports `uintptr_t soagen_method(void)`."""
    shapes = [spec.shape for function in source.functions for spec in function.arguments]
    return fill(
        ModuleContext(
            identifier=source.robot.identifier,
            real=source.real,
            type_number=TYPE_NUMBERS[source.real],
            max_arguments=max(len(function.arguments) for function in source.functions),
            max_axes=max(1, *map(len, shapes)),
            functions=tuple(_glue(source, function) for function in source.functions),
        )
    )


def declarations(source: Source) -> str:
    """What cffi is told of the module: the kernels and `soagen_method`."""
    kernels = [
        declared(_c_name(source, function), function.inputs, function.outputs, source.real, "") + ";"
        for function in source.functions
    ]
    return "\n".join([*kernels, "uintptr_t soagen_method(void);"])


def _c_name(source: Source, function: FunctionFacts) -> str:
    return f"{source.robot.identifier}_{function.name}"


def _glue(source: Source, function: FunctionFacts) -> FunctionGlue:
    pointers = [
        f"({'const ' if i < len(function.inputs) else ''}{source.real} *)data[{i}] + {spec.size} * i"
        for i, spec in enumerate(function.arguments)
    ]
    tables = [
        f"{{{spec.size}, {len(spec.shape)}, {{{', '.join(map(str, spec.shape)) or '0'}}}}}"
        for spec in function.arguments
    ]
    return FunctionGlue(
        name=function.name,
        call=f"{_c_name(source, function)}({', '.join(pointers)})",
        table=f"{len(function.inputs)}, {len(function.outputs)}, {{{', '.join(tables)}}}",
    )
