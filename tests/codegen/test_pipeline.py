"""From a robot to kernels: every function equals `derive.reference`, whatever the robot, the backend or the number of states."""

import os
import subprocess
import sys
from functools import cache

import numpy as np
import pytest
from oracles.kernel_laws import LAWS, Situation, check_law, rounded, situation

from codegen.errors import FunctionError
from codegen.functions import FUNCTIONS
from codegen.interpret import interpret
from codegen.kernel import Kernels
from codegen.pipeline import WITH_TIP_FORCE, compile_kernels, generate, kernel_programs
from codegen.programs import robot_facts
from codegen.render import render
from derive import bundled_robots, load_model, random_chain, random_tree
from derive.loaders.assemble import assemble
from derive.loaders.selection import Selection
from derive.loaders.urdf import parse_urdf
from derive.random_models import ALL_KINDS
from derive.run import GRAVITY

BACKENDS = ("c", "numpy")
EXACT = 1e-12
ROWS = 3
# Compiling every function of these takes the C compiler too long for a test; NumPy has them all.
LARGE = {
    "g1": ("forward_kinematics", "jacobian", "gravity_forces", "kinetic_energy", "potential_energy"),
}
CASES = [(function, with_force) for function, row in FUNCTIONS.items() for with_force in (False, True)[: 1 + bool(row.optional)]]
case = pytest.mark.parametrize(("function", "with_force"), CASES, ids=[f + WITH_TIP_FORCE * w for f, w in CASES])


@cache
def model_of(robot):
    return load_model(robot)


@cache
def programs_of(robot):
    """Worked out once for all backends."""
    return kernel_programs(model_of(robot))


@cache
def kernels_of(robot, backend, real="double"):
    programs = programs_of(robot)
    if backend == "c" and robot in LARGE:
        programs = [p for p in programs if p.name.removesuffix(WITH_TIP_FORCE) in LARGE[robot]]
    return Kernels(render(robot_facts(model_of(robot)), programs, backend, real))


@pytest.fixture(scope="module", params=bundled_robots())
def robot(request):
    return request.param


@pytest.fixture(scope="module", params=BACKENDS)
def kernels(request, robot):
    return kernels_of(robot, request.param)


def stacked(arguments):
    """Several calls' arguments as one batch."""
    return {name: np.stack([a[name] for a in arguments]) for name in arguments[0]}


def as_tuple(outputs):
    return outputs if isinstance(outputs, tuple) else (outputs,)


def test_there_is_a_law_for_every_function():
    assert set(LAWS) == set(FUNCTIONS)


@case
def test_every_function_of_every_bundled_robot_equals_the_reference(robot, kernels, function, with_force):
    """One state and a batch. g1 (35 freedoms) is compiled for a few functions only: gcc takes minutes over all."""
    if function not in kernels and robot in LARGE and kernels.source.backend == "c":
        pytest.skip("too large to compile in a test; NumPy runs it")
    kernel = getattr(kernels, function)
    situations = [situation(model_of(robot), seed) for seed in range(ROWS)]
    arguments = [s.arguments(function, with_force) for s in situations]
    singles = [kernel(**a) for a in arguments]
    for s, outputs in zip(situations, singles, strict=True):
        check_law(function, s, outputs, EXACT, with_force)
    batch = as_tuple(kernel(**stacked(arguments)))
    for row, outputs in enumerate(singles):
        for one, many in zip(as_tuple(outputs), batch, strict=True):
            assert np.shape(many) == (ROWS, *np.shape(one))
            np.testing.assert_allclose(many[row], one, rtol=0, atol=1e-13 * np.max(np.abs(one)))
