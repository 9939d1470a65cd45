"""What a call costs around the kernel: run as a script, prints nanoseconds. Not a test: machines and their load differ."""

import sys
import timeit
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))
from oracles import planar_functions as planar

from codegen.kernel import Kernels
from codegen.programs import KernelProgram
from codegen.render import render

REPEATS, ROUNDS, ROWS = 5, 200_000, 10_000


def nanoseconds(statement, names, rounds=ROUNDS):
    """The best of several rounds, less the loop's own cost."""
    timer, empty = timeit.Timer(statement, globals=names), timeit.Timer("pass")
    best = min(timer.repeat(REPEATS, rounds)) - min(empty.repeat(REPEATS, rounds))
    return best / rounds * 1e9


def copying():
    """A kernel that does next to nothing with arrays of a 7-joint arm."""
    from codegen.builder import ProgramBuilder

    b = ProgramBuilder()
    q, qd, qdd = (b.input(name, (7,)) for name in ("q", "qd", "qdd"))
    return KernelProgram("copying", b.program("copying", {"tau": q + qd + qdd}), "Next to nothing")


def main():
    """Print a line per way to call."""
    kernels = Kernels(render(planar.ROBOT, [copying(), planar.inverse_dynamics()]))
    for name, n in (("copying", 7), ("inverse_dynamics", 2)):
        kernel = getattr(kernels, name)
        q, out = np.full(n, 0.5), np.empty(n)
        Q, OUT = np.full((ROWS, n), 0.5), np.empty((ROWS, n))
        names = {
            "k": kernel,
            "q": q,
            "out": out,
            "call": kernel.bind(q, q, q, out=out),
            "s": q[::-1][::-1],
            "l": [0.5] * n,
        }
        print(name)
        print(f"  out=        {nanoseconds('k(q, q, q, out=out)', names):8.0f} ns")
        print(f"  new output  {nanoseconds('k(q, q, q)', names):8.0f} ns")
        print(f"  bound       {nanoseconds('call()', names):8.0f} ns")
        print(f"  lists       {nanoseconds('k(l, l, l)', names, ROUNDS // 10):8.0f} ns")
        batch = {"k": kernel, "Q": Q, "OUT": OUT}
        print(f"  batch, row  {nanoseconds('k(Q, Q, Q, out=OUT)', batch, 200) / ROWS:8.1f} ns")


if __name__ == "__main__":
    main()
