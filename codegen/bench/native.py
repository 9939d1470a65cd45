"""Compiled code to be timed: C or C++ text to a loaded library, kept in the cache, and loops that call it without Python."""

from __future__ import annotations

import ctypes
import shutil
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from codegen.cache import cached
from codegen.compiler import LOCAL_FLAGS, Compiler, find_compiler, probe
from codegen.provenance import digest
from codegen.skeletons import fill
from derive.states import Array

MAX_ARGUMENTS = 8
C_COMPILERS, CPP_COMPILERS = ("gcc", "clang"), ("g++", "clang++")
Library = ctypes.CDLL


@dataclass(frozen=True)
class LoopContext:
    """Loops in C over rows of arrays, for functions of each arity."""

    template: ClassVar[str] = "bench/loop.c.jinja"
    arities: tuple[int, ...] = tuple(range(1, MAX_ARGUMENTS + 1))


def compilers(names: Sequence[str], flags: Sequence[str] = LOCAL_FLAGS) -> list[Compiler]:
    """Those of the compilers that are installed, with these flags and no others."""
    return [replace(probe(name), flags=tuple(flags)) for name in names if shutil.which(name)]


def library(
    text: str,
    compiler: Compiler,
    suffix: str = ".c",
    include: Sequence[str] = (),
    define: Sequence[str] = (),
    version: str = "",
) -> Library:
    """The compiled text, loaded; `version` is that of the headers, wherever they are."""
    key = digest(text, *compiler.command, *compiler.flags, compiler.macros, *define, version)[:32]

    def make(target: Path) -> None:
        source = target.with_suffix(suffix)
        source.write_text(text, encoding="utf-8")
        compiler.shared_library([source], target, include, define)

    return ctypes.CDLL(str(cached(key, make)))


@cache
def loops() -> Library:
    """The compiled loops of `templates/bench/loop.c.jinja`."""
    return library(fill(LoopContext()), find_compiler())


def address(array: Array) -> int:
    """Where the numbers of a contiguous float array are."""
    if array.dtype != np.float64 or not array.flags.c_contiguous:
        raise TypeError("compiled code takes contiguous arrays of float64")
    return int(array.ctypes.data)


def pointers(arrays: Sequence[Array]) -> Any:
    """A C array of their addresses; the arrays must outlive its use."""
    return (ctypes.c_void_p * max(1, len(arrays)))(*map(address, arrays))


def strides(arrays: Sequence[Array]) -> Any:
    """Numbers per row of each array, whose first axis counts rows."""
    return (ctypes.c_long * max(1, len(arrays)))(*(int(np.prod(array.shape[1:])) for array in arrays))


def kernel_loop(function: int, inputs: Sequence[Array], outputs: Sequence[Array]) -> Callable[[int], None]:
    """Runs the kernel at address `function` over all rows of the inputs; outputs have as many rows, or one for all."""
    rows = len(inputs[0])
    arrays = [*inputs, *outputs]
    where, steps = pointers(arrays), strides(arrays)
    for i, array in enumerate(arrays):
        if len(array) == 1:
            steps[i] = 0
    loop = loops().loop_kernel

    def run(rounds: int, keep: object = arrays) -> None:
        loop(ctypes.c_void_p(function), len(arrays), where, steps, ctypes.c_long(rows), ctypes.c_long(rounds))

    return run
