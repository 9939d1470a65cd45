"""One benchmark: a robot's functions, each computed by us, the reference and peers, checked first, then timed in one race."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from codegen.bench.measure import HEAT_REPEATS, Contender, Timing, fastest, race, ratio
from codegen.bench.ours import BATCH, C_CALL, batch_contenders, call_contenders, reference_contender
from codegen.bench.peers.peer import Peer, PeerError
from codegen.bench.problem import AGREEMENT, STATES, Problem, disagreement, draw_states
from codegen.cost import OperationCount
from codegen.errors import CodegenError
from codegen.kernel import Kernels
from derive.model import Model

Listener = Callable[[str], Any]


@dataclass(frozen=True)
class Row:
    """One contender in the race for one function; times are nanoseconds per state."""

    name: str
    variant: str
    timing: Timing
    times_call: float  # how many times as long as our C call
    times_batch: float  # how many times as long as our batch on one core
    differs: float  # from our results, relative
    operations: OperationCount | None
    batched: bool  # many states per call


@dataclass(frozen=True)
class FunctionRace:
    """All contenders for one function, ours first."""

    function: str
    operations: OperationCount
    results: int  # numbers per state
    rows: tuple[Row, ...]

    def row(self, name: str) -> Row | None:
        """The contender of this name."""
        return next((row for row in self.rows if row.name == name), None)


@dataclass(frozen=True)
class Benchmark:
    """The races of one robot, and who could not take part and why."""

    robot: str
    model: str  # its digest
    version: str  # of soagen
    peers: tuple[str, ...]  # with versions
    states: int
    batch: int
    repeats: int
    races: tuple[FunctionRace, ...]
    absent: tuple[str, ...]


def benchmark(
    model: Model,
    kernels: Kernels,
    numpy_kernels: Kernels,
    functions: Sequence[str],
    peers: Sequence[Peer] = (),
    *,
    batch: int = 10_000,
    repeats: int = 31,
    states: int = STATES,
    listener: Listener = lambda what: None,
) -> Benchmark:
    """Race every function; `listener` hears what is worked on."""
    single = Problem(model, kernels, draw_states(model, states))
    many = Problem(model, kernels, draw_states(model, batch))
    there, versions, absent = _present(peers)
    races = []
    for function in functions:
        contenders = [*call_contenders(single, function), *batch_contenders(many, numpy_kernels, function)]
        contenders.append(reference_contender(single, function))
        for peer in there:
            listener(f"{function}: {peer.name}")
            try:
                contenders += peer.contenders(many if peer.batched else single, function)
            except PeerError as error:
                absent.append(f"{peer.name}: {error}")
        listener(f"{function}: checking and timing")
        differs = _differences(contenders, single, many, function)
        absent += [_refused(c, function, off) for c, off in differs.items() if not off <= AGREEMENT]
        chosen = fastest([c for c, off in differs.items() if off <= AGREEMENT], min(HEAT_REPEATS, repeats))
        rows = _rows(chosen, race(chosen, repeats), differs)
        info = single.kernel(function).info
        results = sum(math.prod(spec["shape"]) for spec in info["outputs"])
        races.append(FunctionRace(function, OperationCount(**info["operations"]), results, rows))
    return Benchmark(
        robot=model.name,
        model=model.digest,
        version=kernels.source.robot.soagen_version,
        peers=tuple(versions),
        states=states,
        batch=batch,
        repeats=repeats,
        races=tuple(races),
        absent=tuple(dict.fromkeys(absent)),
    )


def _differences(
    contenders: Sequence[Contender], single: Problem, many: Problem, function: str
) -> dict[Contender, float]:
    """How far each is from our results on its states."""
    one, all_of_them = single.expected(function), many.expected(function)
    return {c: disagreement(c, all_of_them if c.batched else one) for c in contenders}


def _refused(contender: Contender, function: str, off: float) -> str:
    """Why it is not timed; if it is ours, nothing can be."""
    who = f"{contender.name} {contender.variant}".strip()
    if contender.name in (C_CALL, BATCH):
        raise CodegenError(
            f"{who}: {function} differs by {off:.1e} between ways to call it; this is a bug, please report it"
        )
    return f"{who}: {function} differs from ours by {off:.1e}"


def _rows(
    contenders: Sequence[Contender], timings: Sequence[Timing], differs: Mapping[Contender, float]
) -> tuple[Row, ...]:
    by_name = {contender.name: timing for contender, timing in zip(contenders, timings, strict=True)}
    return tuple(
        Row(
            c.name,
            c.variant,
            timing,
            ratio(timing, by_name[C_CALL]),
            ratio(timing, by_name[BATCH]),
            differs[c],
            c.operations,
            c.batched,
        )
        for c, timing in zip(contenders, timings, strict=True)
    )


def _present(peers: Sequence[Peer]) -> tuple[list[Peer], list[str], list[str]]:
    """Those that are installed, their versions, and a line for each that is not."""
    there, versions, absent = [], [], []
    for peer in peers:
        try:
            versions.append(f"{peer.name}: {peer.version()}")
            there.append(peer)
        except PeerError as error:
            absent.append(f"{peer.name}: {error}")
    return there, versions, absent
