import numpy as np

from codegen.trust.cases import random_cases
from codegen.trust.nonfinite import judge_nonfinite, reach
from codegen.trust.runners import Runner


def test_what_depends_on_what(planar):
    (program,) = [p.program for p in planar.programs if p.name == "mass_matrix"]
    places, (depends,) = reach(program)
    assert places == [("q", 0), ("q", 1)]
    assert depends.tolist() == [[False] * 4, [True, True, True, False]]


def test_a_kernel_that_swallows_a_nan_is_caught(planar):
    (case,) = random_cases(planar.model, 1, np.random.default_rng(0))
    c = planar.runners[0]

    def run(name, states):
        return tuple(np.nan_to_num(x) if name == "jacobian" else x for x in c.run(name, states))

    assert all(v.passes for v in judge_nonfinite(planar.programs, [c], case))
    bad = [v for v in judge_nonfinite(planar.programs, [Runner("C", "double", run)], case) if not v.passes]
    assert [(v.function, v.fault) for v in bad] == [("jacobian", "NaN in q[0] does not come out of entry 6")]
