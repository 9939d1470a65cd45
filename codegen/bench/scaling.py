"""How cost grows with the robot: time per call, and time to generate and compile, of random chains of more and more links."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

from codegen.bench.chart import Line, line_chart
from codegen.bench.measure import race
from codegen.bench.ours import c_call, reference_contender
from codegen.bench.problem import Problem, disagreement, draw_states
from codegen.build import build
from codegen.kernel import Kernels
from codegen.pipeline import generate
from codegen.tables import text_table
from derive.random_models import random_chain

SIZES = (1, 2, 3, 5, 7, 10, 15, 20, 30, 40, 60, 100, 200, 500, 1000, 2000)
FUNCTIONS = ("inverse_dynamics", "forward_dynamics")
FORMS: Mapping[str, Mapping[str, Any]] = {
    "straight-line": {}
}  # kinds of code, by the options `generate` takes for them
STATES, SEED, GROWTH = 16, 1, 1.5
Listener = Callable[[str], Any]


@dataclass(frozen=True)
class Point:
    """One function of one chain in one form of code."""

    form: str
    function: str
    links: int
    operations: int
    source_bytes: int
    generate_seconds: float
    compile_seconds: float
    median_ns: float
    quartiles_ns: tuple[float, float]
    differs: float  # from the generic reference, relative

    @property
    def seconds(self) -> float:
        """What it takes until it can be called."""
        return self.generate_seconds + self.compile_seconds


@dataclass(frozen=True)
class Scaling:
    """The points there are, and a line for each curve that ends early, with the reason."""

    points: tuple[Point, ...]
    ended: tuple[str, ...]


def scaling(
    sizes: Sequence[int] = SIZES,
    functions: Sequence[str] = FUNCTIONS,
    *,
    limit: float = 60.0,
    repeats: int = 11,
    listener: Listener = lambda what: None,
) -> Scaling:
    """Points for each form, function and size; a curve ends where the next size would take more than `limit` seconds."""
    points: list[Point] = []
    ended: list[str] = []
    with _empty_cache():
        for form in FORMS:
            for function in functions:
                curve: list[Point] = []
                for links in sorted(set(sizes)):
                    expected = _expected_seconds(curve, links)
                    if expected > limit:
                        ended.append(
                            f"{form} {function}: {links} links would take about {expected:.0f} s to generate and compile, "
                            f"more than the limit of {limit:g} s"
                        )
                        break
                    listener(f"{form} {function}, {links} links")
                    curve.append(measured(form, function, links, repeats))
                points += curve
    return Scaling(tuple(points), tuple(ended))


def measured(form: str, function: str, links: int, repeats: int) -> Point:
    """One point: generated, compiled, compared with the reference, timed."""
    model = random_chain(links, SEED)
    start = time.perf_counter()
    source = generate(model, [function], **FORMS[form])
    generated = time.perf_counter()
    build(source)
    compiled = time.perf_counter()
    problem = Problem(model, Kernels(source), draw_states(model, STATES))
    contender = c_call(problem, function)
    differs = disagreement(reference_contender(problem, function), problem.expected(function))
    (timing,) = race([contender], repeats)
    return Point(
        form=form,
        function=function,
        links=links,
        operations=source.functions[0].operations.total,
        source_bytes=sum(len(text.encode()) for text in source.values()),
        generate_seconds=generated - start,
        compile_seconds=compiled - generated,
        median_ns=timing.median,
        quartiles_ns=timing.quartiles,
        differs=differs,
    )


def _expected_seconds(curve: Sequence[Point], links: int) -> float:
    """What the next size may take: what all sizes take, and the rest growing faster than the size does."""
    if not curve:
        return 0.0
    fixed = min(point.seconds for point in curve)
    growth: float = (links / curve[-1].links) ** GROWTH
    return fixed + (curve[-1].seconds - fixed) * growth


def scaling_table(result: Scaling) -> str:
    """A line per point, then why curves end."""
    rows = [
        (
            p.form,
            p.function,
            p.links,
            p.operations,
            round(p.source_bytes / 1000, 1),
            round(p.generate_seconds, 2),
            round(p.compile_seconds, 2),
            round(p.median_ns, 1),
            round(p.median_ns / p.links, 1),
            f"{p.differs:.0e}",
        )
        for p in result.points
    ]
    headings = (
        "form",
        "function",
        "links",
        "operations",
        "kB of C",
        "generate, s",
        "compile, s",
        "ns",
        "ns per link",
        "differs by",
    )
    return "\n".join([text_table(headings, rows), *(f"ends: {line}" for line in result.ended)])


def scaling_json(result: Scaling, machine: dict[str, Any]) -> dict[str, Any]:
    """Everything measured, as plain values."""
    points = [{**asdict(point), "quartiles_ns": list(point.quartiles_ns)} for point in result.points]
    return {"machine": machine, "points": points, "ended": list(result.ended)}


def scaling_chart(result: Scaling) -> str:
    """SVG: time per call above, time to generate and compile below, against links."""
    curves = list(dict.fromkeys((p.form, p.function) for p in result.points))

    def lines(value: Callable[[Point], float]) -> list[Line]:
        return [
            Line(
                f"{function}, {form}",
                tuple((p.links, value(p)) for p in result.points if (p.form, p.function) == (form, function)),
            )
            for form, function in curves
        ]

    panels = [
        ("nanoseconds per call", lines(lambda p: p.median_ns)),
        ("seconds to generate and compile", lines(lambda p: p.seconds)),
    ]
    return line_chart("Random chains of revolute joints", "links", panels)


@contextmanager
def _empty_cache() -> Iterator[None]:
    """A cache in which nothing is found, so that times are those of the work."""
    before = os.environ.get("SOAGEN_CACHE")
    with tempfile.TemporaryDirectory(prefix="soagen-") as folder:
        os.environ["SOAGEN_CACHE"] = folder
        try:
            yield
        finally:
            if before is None:
                del os.environ["SOAGEN_CACHE"]
            else:
                os.environ["SOAGEN_CACHE"] = before
