"""How fast this core can be at all: its clock, the multiplications and additions it completes per cycle, the bytes it stores.

Measured, not looked up: a chain of integer additions takes a cycle each, and loops of independent vector operations show
how many of them end per cycle. Both under the load of the moment, so they are timed in one race.
"""

from __future__ import annotations

import ctypes
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import ClassVar

import numpy as np

from codegen.bench.measure import Contender, race
from codegen.bench.native import Library, library
from codegen.compiler import Compiler, find_compiler
from codegen.skeletons import fill

CHAIN = 64  # dependent additions per round
MANY_REGISTERS, FEW_REGISTERS = (
    24,
    12,
)  # operations at once that leave room for constants in 32 and in 16 vector registers
ROUNDS = 1000
LINE = 64  # bytes of a cache line
WIDTHS = (("__AVX512F__", 64), ("__AVX__", 32))


@dataclass(frozen=True)
class Peak:
    """A loop of independent vector operations, so many per lane and round."""

    symbol: str
    comment: str
    statements: tuple[str, ...]
    operations: int


@dataclass(frozen=True)
class ClockContext:
    """The loops."""

    template: ClassVar[str] = "bench/clock.c.jinja"
    vector_bytes: int
    chain: int
    peaks: tuple[Peak, ...]


@dataclass(frozen=True)
class Limits:
    """Clock in GHz, doubles per vector, and multiplications and additions per cycle at best, without and with fused ones."""

    gigahertz: float
    lanes: int
    unfused: float
    fused: float  # a multiplication and an addition in one instruction count as two
    multiplications: float  # alone, or each fused with an addition

    def achieved(self, operations: int, nanoseconds: float) -> float:
        """Operations per cycle of code that takes `nanoseconds` for so many."""
        return operations / (nanoseconds * self.gigahertz)


def core_limits(repeats: int = 15) -> Limits:
    """Measured now."""
    compiler = find_compiler()
    lanes = vector_bytes(compiler) // 8
    peaks = _peaks(compiler)
    loaded = _loops()
    contenders = [
        Contender("chain", lambda rounds: loaded.chain(ctypes.c_long(rounds * ROUNDS), ctypes.c_long(1)), 1, tuple)
    ]
    contenders += [Contender(peak.symbol, _runner(getattr(loaded, peak.symbol)), 1, tuple) for peak in peaks]
    chain, *times = (min(timing.taken) / ROUNDS for timing in race(contenders, repeats))
    gigahertz = CHAIN / chain
    unfused, multiplied, *fused = (
        lanes * peak.operations / (t * gigahertz) for peak, t in zip(peaks, times, strict=True)
    )
    return Limits(gigahertz, lanes, unfused, max(unfused, *fused), multiplied)


def bytes_per_ns(size: int, repeats: int = 15) -> float:
    """How fast whole cache lines are stored to an array of `size` bytes, through the caches or past them; measured now."""
    loaded = _loops()
    vector = vector_bytes(find_compiler())
    room = np.empty(size // 8 + LINE)  # touched by the first trial
    start = ctypes.c_void_p(-(-room.ctypes.data // LINE) * LINE)

    def run(past: int) -> Callable[[int], object]:
        def rounds(n: int, keep: object = room) -> None:
            for _ in range(n):
                loaded.stores(start, ctypes.c_long(max(1, size // vector)), ctypes.c_int(past))

        return rounds

    contenders = [Contender("stores", run(past), 1, tuple, str(past)) for past in (0, 1)]
    return size / min(min(timing.taken) for timing in race(contenders, repeats))


@cache
def _loops() -> Library:
    compiler = find_compiler()
    loaded = library(fill(ClockContext(vector_bytes(compiler), CHAIN, _peaks(compiler))), compiler)
    loaded.chain.restype = ctypes.c_long
    return loaded


def vector_bytes(compiler: Compiler) -> int:
    """The width of the vectors the compiler uses here."""
    return next((size for macro, size in WIDTHS if re.search(rf"\b{macro}\b", compiler.macros)), 16)


def _peaks(compiler: Compiler) -> tuple[Peak, ...]:
    n = MANY_REGISTERS if re.search(r"\b(__AVX512F__|__aarch64__)\b", compiler.macros) else FEW_REGISTERS
    unfused = tuple(f"x{i} = x{i} {'*+'[i % 2]} {'ab'[i % 2]};" for i in range(n))
    multiplied = tuple(f"x{i} = x{i} * a;" for i in range(n))
    fused = tuple(f"x{i} = x{i} * a + b;" for i in range(n))
    mixed = tuple(f"x{i} = x{i} * a + b;" if i % 2 else f"x{i} = x{i} + b;" for i in range(n))
    return (
        Peak("unfused", "multiplications and additions, half each", unfused, n),
        Peak("multiplied", "multiplications", multiplied, n),
        Peak("fused", "a multiplication and an addition in one instruction, where there is one", fused, 2 * n),
        Peak("mixed", "fused ones beside additions", mixed, 3 * n // 2),
    )


def _runner(function: Callable[..., object]) -> Callable[[int], object]:
    def run(rounds: int) -> object:
        return function(ctypes.c_long(rounds * ROUNDS), ctypes.c_double(1.0), ctypes.c_double(0.0))

    return run
