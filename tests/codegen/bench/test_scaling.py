import json
import os
from xml.etree import ElementTree

from codegen.bench.scaling import Point, _expected_seconds, scaling, scaling_chart, scaling_json, scaling_table


def point(links, seconds):
    return Point("straight-line", "mass_matrix", links, 10, 10, seconds, 0.0, 1.0, (1.0, 1.0), 0.0)


def test_points_are_measured_and_right():
    before = os.environ.get("SOAGEN_CACHE")
    heard = []
    result = scaling((2, 1), ["inverse_dynamics"], limit=60, repeats=2, listener=heard.append)
    one, two = result.points
    assert (one.links, two.links) == (1, 2)
    assert two.operations > one.operations > 0
    assert max(one.differs, two.differs) < 1e-12
    assert min(one.generate_seconds, one.compile_seconds, one.median_ns) > 0
    assert result.ended == ()
    assert heard == ["straight-line inverse_dynamics, 1 links", "straight-line inverse_dynamics, 2 links"]
    assert os.environ.get("SOAGEN_CACHE") == before

    table = scaling_table(result)
    assert "inverse_dynamics" in table
    assert len(table.splitlines()) == 3
    assert json.loads(json.dumps(scaling_json(result, {})))["points"][1]["links"] == 2
    lines = list(ElementTree.fromstring(scaling_chart(result)).iter("{http://www.w3.org/2000/svg}polyline"))
    assert len(lines) == 2


def test_a_curve_ends_before_it_takes_too_long():
    assert _expected_seconds([], 5) == 0.0
    assert _expected_seconds([point(1, 0.5)], 2000) == 0.5
    assert _expected_seconds([point(1, 0.5), point(10, 2.5)], 40) == 0.5 + 2.0 * 8


def test_what_ends_a_curve_is_said():
    result = scaling((1, 2, 2000), ["gravity_forces"], limit=1e-9, repeats=1)
    assert [p.links for p in result.points] == [1]
    assert result.ended[0].startswith("straight-line gravity_forces: 2 links would take about")
