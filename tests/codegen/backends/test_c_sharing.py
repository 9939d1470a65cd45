"""What functions of a C file share, beside parts: beginnings, loops, and constants with names."""

import ctypes
import re

import numpy as np
import pytest
from oracles.compilers import STRICT, compile_c, compilers

from codegen.backends.c import c_source
from codegen.builder import ProgramBuilder
from codegen.interpret import interpret
from codegen.pipeline import kernel_programs
from codegen.programs import KernelProgram, robot_facts
from codegen.trust.mutants.statements import function_bodies
from derive import load_model
from derive.states import random_state

FUNCTIONS = [
    "coriolis_matrix",
    "christoffel",
    "mass_matrix_sensitivity",
    "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
    "jacobian_derivative",
    "log_det_gradient",
    "mass_matrix_inverse",
    "inverse_dynamics",
    "forward_dynamics",
]


@pytest.fixture(scope="module")
def panda():
    model = load_model("panda")
    programs = kernel_programs(model, FUNCTIONS)
    return model, programs, c_source(robot_facts(model), programs)


@compilers
def test_calls_loops_and_beginnings_do_what_the_programs_do(compiler, panda, tmp_path):
    model, programs, source = panda
    for path, text in source.items():
        (tmp_path / path).write_text(text)
    library = str(tmp_path / "lib.so")
    files = [str(tmp_path / "panda.c"), "-o", library, "-lm"]
    compile_c(compiler, *STRICT, "-O1", "-ffp-contract=off", "-shared", "-fPIC", *files)
    state = random_state(model, np.random.default_rng(2))
    given = {"q": state.q, "qd": state.qd, "qdd": state.qd - 0.3, "tau": 2.0 * state.qd, "f_tip": np.arange(6.0)}
    for program in programs:
        inputs = [np.ascontiguousarray(given[spec.name]) for spec in program.program.inputs]
        outputs = [np.full(spec.shape, np.nan) for spec in program.program.outputs]
        pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in (*inputs, *outputs)]
        getattr(ctypes.CDLL(library), f"panda_{program.name}")(*pointers)
        exact = interpret(program.program, {spec.name: given[spec.name] for spec in program.program.inputs})
        for spec, found in zip(program.program.outputs, outputs, strict=True):
            scale = np.max(np.abs(exact[spec.name]))
            np.testing.assert_allclose(found, exact[spec.name], rtol=0, atol=1e-12 * scale, err_msg=program.name)


def test_functions_of_derivatives_are_calls_and_loops(panda):
    _, _, source = panda
    bodies = function_bodies(source)
    rates = "coriolis_and_dtau_dq_and_mass_part"
    assert bodies["coriolis_matrix"].calls == bodies["inverse_dynamics_derivatives"].calls == (rates,)
    assert {rates, "forward_dynamics_part"} <= set(bodies["forward_dynamics_derivatives"].calls)
    assert bodies["mass_matrix_sensitivity"].calls == bodies["christoffel"].calls == ("christoffel_part",)
    assert bodies["inverse_dynamics_with_tip_force"].calls == ("inverse_dynamics", "pushed_part")
    assert "qd, NULL, coriolis, NULL, NULL);" in source["panda.c"]


def test_the_part_ends_early_before_anything_of_what_follows_is_stored(panda):
    _, _, source = panda
    text = function_bodies(source)["coriolis_and_dtau_dq_and_mass_part"].text
    before, end, after = text.partition("if (dtau_dq == NULL)")
    assert end
    assert set(re.findall(r"(\w+)\[\d+\] = ", before)) == {"coriolis"}
    assert set(re.findall(r"(\w+)\[\d+\] = ", after)) == {"dtau_dq", "mass"}


def test_the_code_of_panda_is_small(panda):
    model, _, _ = panda
    text = c_source(robot_facts(model), kernel_programs(model))["panda.c"]
    assert len(text.encode()) < 200_000


@compilers
def test_long_constants_that_come_often_stand_once(compiler, tmp_path):
    b = ProgramBuilder()
    x = b.input("x", (3,))
    often, seldom = 0.12345678901234567, 0.9876543210987654
    outputs = [often * x[0] + x[1], x[1] - often * x[2], often * (x[0] + x[2]), seldom * x[0]]
    program = b.program("f", {"y": outputs})
    robot = robot_facts(load_model("planar_2r"))
    text = c_source(robot, [KernelProgram("f", program, "f")])["planar_2r.c"]
    assert text.count(repr(often)) == text.count(repr(seldom)) == 1
    assert f"static const double k1 = {often!r};" in text
    assert len(re.findall(r"\bk1\b", text)) == 4
