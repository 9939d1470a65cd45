import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from oracles import planar_functions as planar

import codegen
from codegen import threads
from codegen.errors import BuildError
from codegen.kernel import Kernels
from codegen.render import render

ROWS = 50_000  # several blocks, the last one not whole


@pytest.fixture(scope="module")
def kernels():
    return Kernels(render(planar.ROBOT, planar.functions(), batch=True))


@pytest.fixture(autouse=True)
def default_threads(monkeypatch):
    monkeypatch.delenv("SOAGEN_THREADS", raising=False)
    yield
    codegen.set_threads(None)


def states(seed=0, rows=ROWS):
    return np.random.default_rng(seed).uniform(-2, 2, (3, rows, 2))


def test_any_number_of_threads_gives_the_same_bits(kernels):
    inputs = states()
    codegen.set_threads(1)
    expected = kernels.inverse_dynamics(*inputs)
    for count in (2, 3, 8, 2):
        codegen.set_threads(count)
        for rows in (ROWS, ROWS - 1, 3, 0):
            found = np.full((rows + 1, 2), 7.0)
            kernels.inverse_dynamics(*inputs[:, :rows], out=found[:rows])
            np.testing.assert_array_equal(found[:rows], expected[:rows])
            assert (found[rows] == 7.0).all()


def test_python_threads_may_call_at_once(kernels):
    codegen.set_threads(4)
    batches = [states(seed) for seed in range(6)]
    expected = [kernels.inverse_dynamics(*batch) for batch in batches]
    agree = [[] for _ in batches]

    def work(i):
        for _ in range(10):
            agree[i].append(np.array_equal(kernels.inverse_dynamics(*batches[i]), expected[i]))

    workers = [threading.Thread(target=work, args=(i,)) for i in range(len(batches))]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert all(results == [True] * 10 for results in agree)


SCRIPT = """
import os, sys
sys.path.insert(0, "tests")
import numpy as np
import codegen
from oracles import planar_functions as planar
from codegen.kernel import Kernels
from codegen.render import render

def tasks():
    return len(os.listdir("/proc/self/task"))

kernels = Kernels(render(planar.ROBOT, planar.functions(), batch=True))
q = np.random.default_rng(0).uniform(-2, 2, (50_000, 2))
before = tasks()
first = kernels.inverse_dynamics(q, q, q)
started = tasks() - before
child = os.fork()
if child == 0:
    alone = tasks()
    same = np.array_equal(kernels.inverse_dynamics(q, q, q), first)
    os._exit(0 if same and tasks() - alone == started else 1)
_, status = os.waitpid(child, 0)
assert status == 0, status
assert np.array_equal(kernels.inverse_dynamics(q, q, q), first)
print(started)
"""


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="counts threads in /proc")
@pytest.mark.parametrize("count", [1, 3])
def test_a_forked_child_starts_its_own_helpers_and_none_keeps_a_process_alive(count):
    environment = {**os.environ, "SOAGEN_THREADS": str(count)}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT], env=environment, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == [str(count - 1)]


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="finds threads in /proc")
def test_helpers_that_move_to_another_core_may_still_run_on_any(kernels):
    """Woken after a pause, they are put beside the caller, and leave its core."""
    codegen.set_threads(3)
    for _ in range(10):
        time.sleep(0.02)
        kernels.inverse_dynamics(*states())
    allowed = [os.sched_getaffinity(int(task)) for task in os.listdir("/proc/self/task")]
    assert len(allowed) > 2
    assert all(found == os.sched_getaffinity(0) for found in allowed)


def test_how_many_threads(monkeypatch):
    assert threads.threads() == len(os.sched_getaffinity(0))
    monkeypatch.setenv("SOAGEN_THREADS", "5")
    assert threads.threads() == 5
    codegen.set_threads(2)
    assert threads.threads() == 2
    codegen.set_threads(None)
    assert threads.threads() == 5
    for text in ("0", "many", "-1"):
        monkeypatch.setenv("SOAGEN_THREADS", text)
        with pytest.raises(BuildError, match=f"SOAGEN_THREADS is '{text}'; give a number"):
            threads.threads()
    monkeypatch.delenv("SOAGEN_THREADS")
    for count in (0, -1, 2.0, True, "2"):
        with pytest.raises(BuildError, match="give a number, 1 or more, or None"):
            codegen.set_threads(count)
