import itertools
import math
from xml.etree import ElementTree

import pytest

from codegen.bench.chart import OTHERS, OURS, Bar, Line, Panel, bar_chart, line_chart

SVG = "{http://www.w3.org/2000/svg}"


def test_bars_are_as_long_as_their_values_and_ours_stand_out():
    text = bar_chart("a < b", [Panel("one", (Bar("us & co", 10.0, "10 ns", True), Bar("them", 40.0, "40 ns", False)))])
    document = ElementTree.fromstring(text)
    ours, theirs = [r for r in document.iter(f"{SVG}rect") if r.get("fill") in (OURS, OTHERS)]
    assert (ours.get("fill"), theirs.get("fill")) == (OURS, OTHERS)
    assert float(theirs.get("width")) == pytest.approx(4 * float(ours.get("width")))
    assert {"a < b", "us & co", "10 ns"} <= {t.text for t in document.iter(f"{SVG}text")}


def test_a_power_law_is_a_straight_line():
    text = line_chart("t", "links", [("ns", [Line("cubic", tuple((n, n**3.0) for n in (1, 10, 100)))])])
    (line,) = ElementTree.fromstring(text).iter(f"{SVG}polyline")
    (x0, y0), (x1, y1), (x2, y2) = (tuple(map(float, p.split(","))) for p in line.get("points").split())
    assert x1 - x0 == pytest.approx(x2 - x1, abs=0.2)
    assert y1 - y0 == pytest.approx(y2 - y1, abs=0.2)
    assert y2 < y0


def test_everything_stays_on_the_page():
    points = tuple((n, 1e-3 * n**2.0) for n in (1, 7, 2000))
    lines = [Line(f"line {i}", points) for i in range(4)]
    document = ElementTree.fromstring(line_chart("t", "links", [("a", lines), ("b", lines)]))
    width, height = float(document.get("width")), float(document.get("height"))
    places = [(float(e.get("cx")), float(e.get("cy"))) for e in document.iter(f"{SVG}circle")]
    places += [(float(e.get("x")), float(e.get("y"))) for e in document.iter(f"{SVG}text")]
    assert all(0 <= x <= width and 0 <= y <= height and math.isfinite(x + y) for x, y in places)
    labels = sorted(float(e.get("y")) for e in document.iter(f"{SVG}text") if (e.text or "").startswith("line"))
    assert all(b - a >= 15 for a, b in itertools.pairwise(labels))
