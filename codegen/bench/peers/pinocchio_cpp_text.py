"""The C++ of Pinocchio's peers: its algorithms on numbers, to be timed, and on CasADi's symbols, to be traced."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from codegen.bench.peers.pinocchio_algorithms import ALGORITHMS, Algorithm
from codegen.bench.peers.pinocchio_model import JOINT_KINDS, ROW_SIZE
from codegen.skeletons import fill


@dataclass(frozen=True)
class TimingContext:
    """The algorithms on numbers, in loops over rows."""

    template: ClassVar[str] = "bench/pinocchio_timing.cpp.jinja"
    algorithms: tuple[Algorithm, ...]
    joint_kinds: tuple[tuple[str, tuple[str, ...]], ...] = tuple(JOINT_KINDS.items())
    row_size: int = ROW_SIZE
    traced: bool = False


@dataclass(frozen=True)
class TracingContext:
    """The algorithms on CasADi's symbols."""

    template: ClassVar[str] = "bench/pinocchio_tracing.cpp.jinja"
    algorithms: tuple[Algorithm, ...]
    joint_kinds: tuple[tuple[str, tuple[str, ...]], ...] = tuple(JOINT_KINDS.items())
    row_size: int = ROW_SIZE
    traced: bool = True


def timing_text(algorithms: tuple[Algorithm, ...] = ALGORITHMS) -> str:
    """C++ that times algorithms of the table."""
    return fill(TimingContext(algorithms))


def tracing_text() -> str:
    """C++ that lets CasADi write C for any algorithm of the table."""
    return fill(TracingContext(ALGORITHMS))
