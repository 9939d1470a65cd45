"""Small clean charts as SVG text: bars in panels, and lines on logarithmic axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

WIDTH = 760
LABELS = 230  # room for names left of bars
VALUES = 130  # room for numbers right of them
ROW, GAP, TOP = 20, 34, 44
OURS, OTHERS = "#1b6ca8", "#b8bec6"
COLOURS = ("#1b6ca8", "#e07b39", "#3a9d5d", "#8e5ea2", "#7a7a7a", "#c0392b")
INK, FAINT = "#222", "#d9dde2"


@dataclass(frozen=True)
class Bar:
    """One bar: its name, length, what is written at its end, and whether it is ours."""

    name: str
    value: float
    text: str
    ours: bool


@dataclass(frozen=True)
class Panel:
    """Bars on one scale, the longest across the whole width."""

    title: str
    bars: tuple[Bar, ...]


def bar_chart(title: str, panels: Sequence[Panel]) -> str:
    """An SVG document."""
    parts, y = [], TOP
    room = WIDTH - LABELS - VALUES
    for panel in panels:
        y += GAP
        parts.append(text_at(12, y - 10, panel.title, weight="bold"))
        longest = max((bar.value for bar in panel.bars), default=1.0)
        for bar in panel.bars:
            length = max(1.0, room * bar.value / longest)
            colour = OURS if bar.ours else OTHERS
            parts.append(text_at(LABELS - 8, y + 14, bar.name, anchor="end"))
            parts.append(
                f'<rect x="{LABELS}" y="{y + 3}" width="{length:.1f}" height="{ROW - 5}" fill="{colour}" rx="2"/>'
            )
            parts.append(text_at(LABELS + length + 6, y + 14, bar.text))
            y += ROW
    return document(title, y + 16, parts)


@dataclass(frozen=True)
class Line:
    """A named curve of points with positive coordinates."""

    name: str
    points: tuple[tuple[float, float], ...]


def line_chart(title: str, x_label: str, panels: Sequence[tuple[str, Sequence[Line]]]) -> str:
    """An SVG document: panels one above the other, both axes logarithmic, each panel with its y label."""
    parts, y = [], TOP
    for label, lines in panels:
        parts += _log_panel(label, x_label, lines, y + GAP)
        y += PANEL_HEIGHT + 2 * GAP
    return document(title, y + 16, parts)


PANEL_HEIGHT = 260
LEFT, RIGHT = 70, 190


def _log_panel(label: str, x_label: str, lines: Sequence[Line], top: float) -> list[str]:
    points = [point for line in lines for point in line.points]
    if not points:
        return []
    (x_low, x_high), (y_low, y_high) = (_decades([p[i] for p in points]) for i in range(2))
    width = WIDTH - LEFT - RIGHT

    def at(x: float, y: float) -> tuple[float, float]:
        across = (math.log10(x) - x_low) / (x_high - x_low)
        up = (math.log10(y) - y_low) / (y_high - y_low)
        return LEFT + across * width, top + (1 - up) * PANEL_HEIGHT

    parts = [text_at(LEFT, top - 10, label, weight="bold")]
    for decade in range(x_low, x_high + 1):
        x, _ = at(10.0**decade, 10.0**y_low)
        parts.append(stroke(x, top, x, top + PANEL_HEIGHT))
        parts.append(text_at(x, top + PANEL_HEIGHT + 16, f"{10**decade:g}", anchor="middle"))
    for decade in range(y_low, y_high + 1):
        _, y = at(10.0**x_low, 10.0**decade)
        parts.append(stroke(LEFT, y, LEFT + width, y))
        parts.append(text_at(LEFT - 8, y + 4, f"{10.0**decade:g}", anchor="end"))
    parts.append(text_at(LEFT + width / 2, top + PANEL_HEIGHT + 32, x_label, anchor="middle"))
    taken: list[float] = []
    for i, line in enumerate(lines):
        colour = COLOURS[i % len(COLOURS)]
        places = [at(*point) for point in line.points]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="2.5" fill="{colour}"/>' for x, y in places]
        y = _free(places[-1][1], taken)
        parts.append(text_at(LEFT + width + 10, y + 4, line.name, colour=colour))
    return parts


def _decades(values: Sequence[float]) -> tuple[int, int]:
    """The powers of ten around all values."""
    low, high = math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))
    return low, max(high, low + 1)


def _free(y: float, taken: list[float]) -> float:
    """The place nearest below `y` where a label hits none of those taken, which it joins."""
    while any(abs(y - other) < 15 for other in taken):
        y += 5
    taken.append(y)
    return y


def document(title: str, height: float, parts: Sequence[str]) -> str:
    """An SVG document of this height."""
    body = "\n".join([text_at(12, 28, title, weight="bold", size=16), *parts])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height:.0f}" '
        f'viewBox="0 0 {WIDTH} {height:.0f}" font-family="Helvetica, Arial, sans-serif" font-size="12">\n'
        f'<rect width="100%" height="100%" fill="white"/>\n{body}\n</svg>\n'
    )


def stroke(x1: float, y1: float, x2: float, y2: float) -> str:
    """A faint line."""
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" stroke="{FAINT}"/>'


def text_at(
    x: float, y: float, text: str, anchor: str = "start", weight: str = "normal", colour: str = INK, size: int = 12
) -> str:
    """Words."""
    return (
        f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-weight="{weight}" font-size="{size}" '
        f'fill="{colour}">{escape(text)}</text>'
    )
