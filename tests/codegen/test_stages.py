"""Functions in stages: the stages do what the whole does, and C writes what functions have in common once."""

import re

import numpy as np
import pytest

from codegen.backends.c import c_source
from codegen.choices import Choices, operations
from codegen.functions import FUNCTIONS
from codegen.interpret import interpret
from codegen.passes import run_passes
from codegen.pipeline import kernel_programs
from codegen.programs import robot_facts
from codegen.trust.mutants.statements import function_bodies
from derive import load_model
from derive.states import random_state

GRAVITY = (0.0, 0.0, -9.81)
FACTORED = ["mass_matrix", "mass_matrix_inverse", "forward_dynamics", "operational_space_inertia", "jacobian"]


@pytest.fixture(scope="module", params=["panda", "ur5", "stanford"])
def arm(request):
    model = load_model(request.param)
    return model, {p.name: p for p in kernel_programs(model, FACTORED)}


def test_stages_take_hardly_an_operation_more(arm):
    model, programs = arm
    choices = Choices(model.numeric(), GRAVITY)
    for name, program in programs.items():
        if program.stages and name in FUNCTIONS:
            function = FUNCTIONS[name]
            whole = run_passes(choices.instantiated(function, choices.route(function)[0], function.inputs).program)
            assert operations(program.program) <= 1.01 * operations(whole)


def test_stages_one_after_the_other_give_what_the_program_gives(arm):
    model, programs = arm
    arrays = {"q": random_state(model, np.random.default_rng(1)).q}
    program = programs["mass_matrix_inverse"]
    assert len(program.stages) == 3
    for stage in program.stages:
        arrays |= interpret(stage, {spec.name: arrays[spec.name] for spec in stage.inputs})
    expected = interpret(program.program, {"q": arrays["q"]})["mass_inverse"]
    np.testing.assert_array_equal(arrays["mass_inverse"], expected)


def test_c_has_the_mass_matrix_and_its_factors_once(arm):
    model, programs = arm
    source = c_source(robot_facts(model), tuple(programs.values()))
    name, text = model.name, source[f"{model.name}.c"]
    calls = {f: body.calls for f, body in function_bodies(source).items()}
    assert calls["mass_matrix"] == ("mass_matrix_part",)
    assert calls["mass_matrix_inverse"] == ("mass_matrix_part", "factors_part")
    assert {"mass_matrix_part", "jacobian_part", "factors_part"} <= set(calls["operational_space_inertia"])
    assert len(re.findall(r"Di\[0\] = ", text)) == 1
    assert len(re.findall(rf"^static (?:inline )?void {name}_mass_matrix_part\(", text, re.MULTILINE)) == 1
    assert f"{name}_sincos(" in text.partition(f"void {name}_mass_matrix_inverse(")[2].partition("}")[0]


def test_a_function_alone_is_written_in_one_piece():
    model = load_model("ur5")
    source = c_source(robot_facts(model), kernel_programs(model, ["mass_matrix_inverse"]))
    assert "_part(" not in source["ur5.c"]
