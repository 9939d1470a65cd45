"""A benchmark as text, as JSON and as a chart."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from codegen.bench.bounds import Bound
from codegen.bench.chart import Bar, Panel, bar_chart
from codegen.bench.clock import Limits
from codegen.bench.ours import BATCH, BOUND, C_CALL, NUMPY, REFERENCE, THREADED, WITH_OUT
from codegen.bench.run import Benchmark, FunctionRace, Row
from codegen.tables import text_table

OURS = (C_CALL, BOUND, WITH_OUT, BATCH, THREADED, NUMPY)
CHARTED = (BATCH, THREADED, C_CALL, BOUND)  # and peers; what takes thousands of times as long would hide all else


def text_report(result: Benchmark, limits: Limits, bounds: Mapping[str, Bound]) -> str:
    """A block per function, ratios at a glance, what the batches make of the core, and who is missing."""
    blocks = [_block(race) for race in result.races]
    return "\n\n".join(
        part for part in (*blocks, _summary(result), _issue(result, limits, bounds), _absent(result)) if part
    )


def _block(race: FunctionRace) -> str:
    rows = [
        (
            _who(row),
            _number(row.timing.median),
            "{} – {}".format(*map(_number, row.timing.quartiles)),
            _times(row.times_call),
            _times(row.times_batch),
            "" if row.name in (C_CALL, BATCH) else f"{row.differs:.0e}",
        )
        for row in race.rows
    ]
    headings = ("ns per state", "median", "quartiles", "÷ C call", "÷ batch", "differs by")
    return f"{race.function}: {race.operations}\n{text_table(headings, rows)}"


def _who(row: Row) -> str:
    """Name, variant, and the operations of generated code."""
    count = "" if row.operations is None else f"{row.operations.total} operations"
    details = ", ".join(part for part in (row.variant, count) if part)
    return f"{row.name} ({details})" if details else row.name


def _summary(result: Benchmark) -> str:
    """How many times as long others take as our C call, and as our batch per state."""
    names = list(dict.fromkeys(row.name for race in result.races for row in race.rows if row.name not in OURS))
    rows = []
    for race in result.races:
        found = [race.row(name) for name in names]
        cells = [f"{_times(row.times_call)} / {_times(row.times_batch)}" if row else "–" for row in found]
        rows.append((race.function, _median(race, C_CALL), _median(race, BATCH), *cells))
    title = "how many times as long others take as our C call / as our batch"
    return f"{title}\n{text_table(('function', 'C call, ns', 'batch, ns', *names), rows)}"


def _issue(result: Benchmark, limits: Limits, bounds: Mapping[str, Bound]) -> str:
    """Operations per cycle of the batches beside what the core can do, and how many times faster it could be than peers."""
    peers = list(dict.fromkeys(row.name for race in result.races for row in race.rows if _batched_peer(row)))
    rows = []
    for race in result.races:
        batch, threaded = race.row(BATCH), race.row(THREADED)
        if batch is not None:
            scaling = _times(batch.timing.median / threaded.timing.median) if threaded else "–"
            least = bounds[race.function]
            rows.append(
                (
                    race.function,
                    f"{operations_per_cycle(race, batch, limits):.2f}",
                    _number(batch.timing.median),
                    _number(least.issue),
                    _number(least.stores),
                    f"{least.least / batch.timing.median:.0%}",
                    scaling,
                    *(_times(row.timing.median / least.least) if row else "–" for row in map(race.row, peers)),
                )
            )
    headings = ("mult and add per cycle", "ns", "issue, ns", "stores, ns", "of the bound", "gain on all cores")
    table = text_table(("batch", *headings, *(f"at most × {name}" for name in peers)), rows)
    return (
        f"{table}\nissue, stores: the least that multiplications and results take here, per state\n"
        f"the core at {limits.gigahertz:.2f} GHz, {limits.lanes} doubles per vector, does at most "
        f"{limits.unfused:.1f} per cycle, {limits.fused:.1f} with fused ones, {limits.multiplications:.1f} multiplications"
    )


def _batched_peer(row: Row) -> bool:
    return row.batched and row.name not in OURS


def operations_per_cycle(race: FunctionRace, row: Row, limits: Limits) -> float:
    """Multiplications and additions of our program per cycle."""
    return limits.achieved(race.operations.multiplications + race.operations.additions, row.timing.median)


def _absent(result: Benchmark) -> str:
    return "\n".join(f"not timed: {line}" for line in result.absent)


def json_report(
    result: Benchmark, limits: Limits, bounds: Mapping[str, Bound], machine: dict[str, Any]
) -> dict[str, Any]:
    """Everything measured, as plain values."""
    return {
        "robot": result.robot,
        "model": result.model,
        "soagen": result.version,
        "states": result.states,
        "batch": result.batch,
        "repeats": result.repeats,
        "machine": {**machine, "limits": asdict(limits)},
        "peers": list(result.peers),
        "absent": list(result.absent),
        "functions": [
            {
                "function": race.function,
                "operations": asdict(race.operations),
                "contenders": [_contender_json(race, row, limits, bounds) for row in race.rows],
            }
            for race in result.races
        ],
    }


def _contender_json(race: FunctionRace, row: Row, limits: Limits, bounds: Mapping[str, Bound]) -> dict[str, Any]:
    low, high = row.timing.quartiles
    about: dict[str, Any] = {
        "name": row.name,
        "variant": row.variant,
        "median_ns": row.timing.median,
        "quartiles_ns": [low, high],
        "minimum_ns": min(row.timing.taken),
        "samples": len(row.timing.taken),
        "times_call": row.times_call,
        "times_batch": row.times_batch,
        "differs": row.differs,
    }
    if row.operations is not None:
        about["operations"] = asdict(row.operations)
    if row.name == BATCH:
        about["operations_per_cycle"] = operations_per_cycle(race, row, limits)
        about["bound_ns"] = asdict(bounds[race.function])
    return about


def chart(result: Benchmark) -> str:
    """SVG: a panel per function, a bar per contender, ours coloured."""
    panels = []
    for race in result.races:
        rows = [row for row in race.rows if row.name in CHARTED or row.name not in (*OURS, REFERENCE)]
        bars = [
            Bar(
                row.name,
                row.timing.median,
                f"{_number(row.timing.median)} ns · {_times(row.times_call)}",
                row.name in OURS,
            )
            for row in sorted(rows, key=lambda row: row.timing.median)
        ]
        panels.append(Panel(race.function.replace("_", " "), tuple(bars)))
    return bar_chart(f"{result.robot}: time per state, and how many times our C call", panels)


def _median(race: FunctionRace, name: str) -> str:
    row = race.row(name)
    return _number(row.timing.median) if row else "–"


def _number(value: float) -> str:
    """Three digits that count, or all before the point."""
    return f"{value:.1f}" if value < 100 else f"{value:,.0f}"


def _times(value: float) -> str:
    return f"{value:.2f}×" if value < 10 else f"{value:,.1f}×" if value < 100 else f"{value:,.0f}×"
