"""Errors as pictures: for each function, the error at every state, and how often errors of each size occur."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np

from codegen.bench.chart import COLOURS, INK, LEFT, PANEL_HEIGHT, RIGHT, TOP, WIDTH, document, stroke, text_at
from codegen.trust.matrix import Errors, Matrix
from derive.states import Array

EXACT = -20  # decades: where an error of zero is drawn


def plots(matrix: Matrix) -> dict[str, str]:
    """File name to SVG, one per function."""
    functions = dict.fromkeys(e.function for e in matrix.errors)
    return {
        f"{name}.errors.svg": _plot(name, [e for e in matrix.errors if e.function == name], matrix)
        for name in functions
    }


def _plot(function: str, errors: Sequence[Errors], matrix: Matrix) -> str:
    """Errors relative to the largest entry, the worst over oracles, by backend."""
    backends = list(dict.fromkeys(e.backend for e in errors))
    series = {name: _worst([e for e in errors if e.backend == name], len(matrix.cases)) for name in backends}
    decades = [int(x) for s in series.values() for x in (np.floor(np.nanmin(s[0])), np.ceil(np.nanmax(s[0])))]
    low, high = min(decades, default=-17), max(decades, default=-15)
    high = max(high, low + 1)
    width = WIDTH - LEFT - RIGHT
    parts = [text_at(LEFT, TOP + 6, "error, relative to the largest entry, at each state", weight="bold")]
    top = TOP + 20

    def y_at(decade: float) -> float:
        return top + PANEL_HEIGHT * (high - decade) / (high - low)

    for decade in range(low, high + 1):
        parts.append(stroke(LEFT, y_at(decade), LEFT + width, y_at(decade)))
        parts.append(text_at(LEFT - 8, y_at(decade) + 4, "0" if decade <= EXACT else f"1e{decade}", anchor="end"))
    for label, start in _groups([case.name for case in matrix.cases]):
        x = LEFT + width * start / len(matrix.cases)
        parts.append(stroke(x, top, x, top + PANEL_HEIGHT + 16))
        parts.append(text_at(x + 3, top + PANEL_HEIGHT + 14, label))
    for i, (name, (values, _)) in enumerate(series.items()):
        colour = COLOURS[i % len(COLOURS)]
        for number, value in enumerate(values):
            if not math.isnan(value):
                x = LEFT + width * (number + (i + 0.5) / len(series)) / len(values)
                parts.append(
                    f'<circle cx="{x:.1f}" cy="{y_at(value):.1f}" r="2.2" fill="{colour}" fill-opacity="0.6"/>'
                )
        share = 100 * float(np.nanmax(values_or_zero(series[name][1])))
        parts.append(text_at(LEFT + width + 10, top + 16 + 18 * i, f"{name}: {share:.2g} % of allowed", colour=colour))
    parts += _histogram({name: values for name, (values, _) in series.items()}, low, high, top + PANEL_HEIGHT + 60)
    return document(f"{function}: errors against all oracles", top + 2 * PANEL_HEIGHT + 110, parts)


def _groups(names: Sequence[str]) -> list[tuple[str, int]]:
    """Where hard, random and rounded states begin."""
    kinds = [
        "rounded to float32" if n.endswith("float32") else "random" if n.startswith("random") else "hard" for n in names
    ]
    return [(kind, i) for i, kind in enumerate(kinds) if i == 0 or kinds[i - 1] != kind]


def values_or_zero(values: Array) -> Array:
    """NaN, where there was nothing to judge, as 0."""
    return np.nan_to_num(values, nan=0.0, posinf=0.0)


def _worst(errors: Sequence[Errors], cases: int) -> tuple[Array, Array]:
    """Per case, log10 of the largest relative error and the largest share of what is allowed; NaN where nothing was judged."""
    decades, share = np.full(cases, np.nan), np.full(cases, np.nan)
    with np.errstate(all="ignore"):
        for e in errors:
            judged = np.isfinite(e.allowed)
            own = np.maximum(np.log10(np.maximum(e.relative, 10.0**EXACT)), EXACT)
            decades[e.at[judged]] = np.fmax(decades[e.at[judged]], own[judged])
            share[e.at[judged]] = np.fmax(share[e.at[judged]], e.worst[judged])
    return decades, share


def _histogram(series: Mapping[str, Array], low: int, high: int, top: float) -> list[str]:
    """Bars side by side in each half decade."""
    width = WIDTH - LEFT - RIGHT
    edges = np.arange(low, high + 0.25, 0.5)
    counts = {name: np.histogram(values[~np.isnan(values)], bins=edges)[0] for name, values in series.items()}
    most = max((int(c.max(initial=0)) for c in counts.values()), default=0) or 1
    parts = [text_at(LEFT, top - 12, "how many states have an error of this size", weight="bold")]
    slot = width / max(1, len(edges) - 1)
    bar = 0.9 * slot / max(1, len(series))
    for i, (_, count) in enumerate(counts.items()):
        for k, number in enumerate(count):
            height = PANEL_HEIGHT * number / most
            x, y = LEFT + k * slot + i * bar, top + PANEL_HEIGHT - height
            fill = COLOURS[i % len(COLOURS)]
            parts.append(f'<rect x="{x:.1f}" y="{y:.1f}" width="{bar:.1f}" height="{height:.1f}" fill="{fill}"/>')
    bottom = top + PANEL_HEIGHT
    parts.append(f'<line x1="{LEFT}" y1="{bottom}" x2="{LEFT + width}" y2="{bottom}" stroke="{INK}"/>')
    for decade in range(low, high + 1):
        x = LEFT + width * (decade - low) / (high - low)
        parts.append(text_at(x, bottom + 16, "0" if decade <= EXACT else f"1e{decade}", anchor="middle"))
    parts.append(text_at(LEFT - 8, top + 8, str(most), anchor="end"))
    return parts
