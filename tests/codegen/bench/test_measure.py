import math

import pytest

from codegen.bench import measure
from codegen.bench.measure import Contender, Timing, fastest, race, ratio


class Clock:
    """A clock that only contenders advance."""

    def __init__(self):
        self.now = 0.0

    def contender(self, name, nanoseconds, states=10, variant="", parallel=False):
        def run(rounds):
            self.now += rounds * states * nanoseconds() * 1e-9

        return Contender(name, run, states, tuple, variant, parallel)


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    for name in ("perf_counter", "thread_time"):
        monkeypatch.setattr(measure.time, name, lambda: clock.now)
    return clock


def test_medians_are_nanoseconds_per_state(clock):
    quick, slow = race([clock.contender("a", lambda: 50.0), clock.contender("b", lambda: 350.0, states=3)], 5)
    assert quick.median == pytest.approx(50.0)
    assert slow.median == pytest.approx(350.0)
    assert slow.quartiles == pytest.approx((350.0, 350.0))


def test_ratios_do_not_feel_a_load_that_all_contenders_share(clock):
    """The machine slows down from second to second; the medians drift, the ratio does not."""
    contenders = [
        clock.contender(name, lambda c=cost: c * (1 + clock.now)) for name, cost in (("a", 100.0), ("b", 300.0))
    ]
    ours, theirs = race(contenders, 200)
    assert ours.quartiles[1] > 1.1 * ours.quartiles[0]
    assert ratio(theirs, ours) == pytest.approx(3.0, rel=0.02)


def test_a_slow_contender_sits_out_after_enough_samples(clock):
    quick, slow = race([clock.contender("a", lambda: 10.0), clock.contender("b", lambda: 1e9, states=1)], 9)
    assert len(quick.taken) == 9
    assert len(slow.taken) == measure.ENOUGH
    assert math.isnan(slow.samples[-1])
    assert ratio(slow, quick) == pytest.approx(1e8)


def test_a_large_batch_finds_the_caches_as_it_left_them(clock):
    """Its first runs after another contender take three times as long; its time does not depend on who else is there."""
    last = []

    def cost(name):
        warm = last[-measure.WARMING :] == [name] * measure.WARMING
        last.append(name)
        return 1000.0 if warm else 3000.0

    batches = [clock.contender(name, lambda n=name: cost(n), states=3000) for name in ("a", "b")]
    alone, among = race(batches[:1], 5)[0], race(batches, 5)[0]
    assert alone.taken == pytest.approx([1000.0] * 5)
    assert among.taken == pytest.approx(alone.taken)


def test_cores_that_slept_are_awake_before_they_are_timed(clock):
    """While another contender runs, the others sleep; for 10 ms after that a parallel one takes twice as long."""
    slow = []

    def alone():
        slow.append(clock.now + 0.01)
        return 100.0

    def together():
        return 200.0 if slow and clock.now < slow[-1] else 100.0

    _, timing = race([clock.contender("a", alone), clock.contender("b", together, parallel=True)], 5)
    assert timing.taken == pytest.approx([100.0] * 5)


def test_the_fastest_of_namesakes_is_chosen(clock):
    contenders = [
        clock.contender("peer", lambda c=c: c, variant=v) for v, c in (("gcc", 9.0), ("clang", 7.0), ("icc", 8.0))
    ]
    chosen = fastest([clock.contender("ours", lambda: 20.0), *contenders], 3)
    assert [(c.name, c.variant) for c in chosen] == [("ours", ""), ("peer", "clang")]


def test_quartiles_of_one_sample_are_that_sample():
    assert Timing((4.0,)).quartiles == (4.0, 4.0)
    assert Timing((1.0, 2.0, 3.0, 4.0, math.nan, 5.0)).quartiles == (2.0, 4.0)
