"""Real URDF files, straight-line: a function of each robot, chosen so that every function occurs, on both backends."""

from contextlib import suppress
from functools import cache

import numpy as np
import pytest
from oracles.corpus import CORPUS, needs_corpus
from oracles.kernel_laws import check_law, situation

from codegen.functions import FUNCTIONS, obstacle
from codegen.kernel import Kernels
from codegen.pipeline import kernel_programs
from codegen.programs import robot_facts
from codegen.render import render
from derive import load_model
from derive.errors import ModelError

LARGEST = 44
pytestmark = pytest.mark.filterwarnings("ignore::derive.errors.ModelWarning")
# Cheapest first: large robots are tried on what compiles in a moment, small ones on what does not.
BY_COST = (
    "potential_energy",
    "forward_kinematics",
    "gravity_forces",
    "jacobian",
    "kinetic_energy",
    "bias_forces",
    "inverse_dynamics",
    "mass_matrix",
    "tip_force_acceleration",
    "operational_space_inertia",
    "forward_dynamics",
    "innovations_factors",
    "mass_matrix_inverse",
)


def _loaded(path):
    """The robot; None for a file that is none. One has mimics of joints that it does not have."""
    for mimic in ("reduce", "independent"):
        with suppress(ModelError):
            return load_model(path, mimic=mimic)
    return None


@cache
def chosen():
    """(function, model) for each distinct robot: down the list of functions, over and over, as the robots get smaller."""
    models = {model.digest: model for model in map(_loaded, CORPUS) if model is not None and 0 < model.nv <= LARGEST}
    by_size = sorted(models.values(), key=lambda model: (-model.nv, model.digest))
    picked = []
    for place, model in enumerate(by_size):
        wanted = place * len(BY_COST) // len(by_size)
        fitting = [name for name in BY_COST if obstacle(FUNCTIONS[name], model) is None]
        picked.append((min(fitting, key=lambda name: abs(BY_COST.index(name) - wanted)), model))
    return picked


@cache
def program_of(name, model):
    return kernel_programs(model, [name], unroll="always")[0]


def sample(backend):
    """Every third robot in NumPy; in C, whose compiler takes its time, the smallest of them for each function."""
    some = chosen()[::3]
    return list({name: (name, model) for name, model in some}.values()) if backend == "c" else some


@needs_corpus
@pytest.mark.parametrize("backend", ["c", "numpy"])
def test_every_function_is_tried_on_some_robot(backend):
    assert {name for name, _ in sample(backend)} == {n for n, row in FUNCTIONS.items() if not row.differentiates}
    assert len(chosen()) > 40


@needs_corpus
@pytest.mark.parametrize("backend", ["c", "numpy"])
def test_a_function_of_every_robot_equals_the_reference(backend):
    for name, model in sample(backend):
        program = program_of(name, model)
        kernel = getattr(Kernels(render(robot_facts(model), [program], backend)), name)
        situations = [situation(model, seed) for seed in range(2)]
        arguments = [s.arguments(name) for s in situations]
        batch = kernel(**{argument: np.stack([a[argument] for a in arguments]) for argument in arguments[0]})
        rows = batch if isinstance(batch, tuple) else (batch,)
        for row, s in enumerate(situations):
            check_law(name, s, kernel(**arguments[row]), 1e-12)
            check_law(name, s, tuple(output[row] for output in rows), 1e-12)
