import json
import math

import numpy as np
import pytest

from codegen import compile_kernels
from codegen.bench.bounds import Bound
from codegen.bench.clock import Limits
from codegen.bench.measure import Contender
from codegen.bench.ours import BATCH, C_CALL, REFERENCE
from codegen.bench.peers.peer import PeerError
from codegen.bench.report import chart, json_report, text_report
from codegen.bench.run import benchmark

LIMITS = Limits(3.0, 4, 8.0, 16.0, 4.0)
BOUNDS = {"mass_matrix": Bound(2.0, 1.0), "inverse_dynamics": Bound(1.0, 3.0)}


class FakePeer:
    """Gives our own results, each variant off by a factor, or refuses."""

    batched = False

    def __init__(self, name, factors=(), missing="", refusal=""):
        self.name, self.factors, self.missing, self.refusal = name, factors, missing, refusal

    def version(self):
        if self.missing:
            raise PeerError(self.missing)
        return f"{self.name} 1.0"

    def contenders(self, problem, function):
        if self.refusal:
            raise PeerError(self.refusal)
        ours = problem.expected(function)
        return [
            Contender(self.name, math.factorial, 1, lambda f=f: tuple(f * a for a in ours), f"off by {f}")
            for f in self.factors
        ]


@pytest.fixture(scope="module")
def result(planar):
    functions = ["mass_matrix", "inverse_dynamics"]
    numpy_kernels = compile_kernels(planar.model, functions, backend="numpy")
    peers = [
        FakePeer("right", factors=(1.0, 1.0 + 1e-6)),
        FakePeer("wrong", factors=(1.01,)),
        FakePeer("absent", missing="it is not installed; pip install it"),
        FakePeer("unable", refusal="the robot is too small"),
    ]
    return benchmark(planar.model, planar.kernels, numpy_kernels, functions, peers, batch=8, repeats=3, states=8)


def test_every_function_is_raced_by_all_who_can(result):
    assert [race.function for race in result.races] == ["mass_matrix", "inverse_dynamics"]
    for race in result.races:
        names = [row.name for row in race.rows]
        assert {C_CALL, BATCH, REFERENCE, "right"} <= set(names)
        assert not {"wrong", "absent", "unable"} & set(names)


def test_only_what_agrees_is_timed(result):
    assert all(race.row("right").variant == "off by 1.0" for race in result.races)
    lines = "\n".join(result.absent)
    assert "right off by 1.000001: mass_matrix differs from ours by" in lines
    assert "wrong off by 1.01: inverse_dynamics differs from ours by 1.0e-02" in lines
    assert "absent: it is not installed; pip install it" in result.absent
    assert result.absent.count("unable: the robot is too small") == 1


def test_ratios_are_those_of_the_samples(result):
    for race in result.races:
        assert race.row(C_CALL).times_call == 1.0
        assert race.row(BATCH).times_batch == 1.0
        ours, slow = race.row(C_CALL).timing, race.row(REFERENCE)
        ratios = np.array(slow.timing.samples) / np.array(ours.samples)
        assert slow.times_call == pytest.approx(np.median(ratios))
        assert slow.times_call > 10  # Python, textbook algorithms, beside a few dozen operations in C
        low, high = ours.quartiles
        assert 0 < low <= ours.median <= high


def test_the_report_says_what_was_measured(result):
    text = text_report(result, LIMITS, BOUNDS)
    assert "right (off by 1.0)" in text
    assert "not timed: absent: it is not installed" in text
    assert (
        "at 3.00 GHz, 4 doubles per vector, does at most 8.0 per cycle, 16.0 with fused ones, 4.0 multiplications"
        in text
    )
    assert "mass matrix" in chart(result)


def test_json_holds_all_of_it_as_plain_values(result):
    data = json.loads(json.dumps(json_report(result, LIMITS, BOUNDS, {"processor": "x"})))
    assert data["robot"] == "planar_2r"
    assert (data["states"], data["batch"], data["repeats"]) == (8, 8, 3)
    assert data["peers"] == ["right: right 1.0", "wrong: wrong 1.0", "unable: unable 1.0"]
    assert data["machine"]["limits"]["fused"] == 16.0
    (mass, _) = data["functions"]
    assert mass["operations"]["multiplications"] > 0
    for contender in mass["contenders"]:
        low, high = contender["quartiles_ns"]
        assert contender["minimum_ns"] <= low <= contender["median_ns"] <= high
        assert contender["samples"] == 3
    batch = next(c for c in mass["contenders"] if c["name"] == BATCH)
    counted = mass["operations"]["multiplications"] + mass["operations"]["additions"]
    assert batch["bound_ns"] == {"issue": 2.0, "stores": 1.0}
    assert batch["operations_per_cycle"] == pytest.approx(counted / (batch["median_ns"] * 3.0))
