"""What functions of a C file share, beside parts: beginnings, loops, and constants with names."""

import ctypes
import re

import numpy as np
import pytest
from oracles.compilers import STRICT, compile_c, compilers

from codegen.backends.c import c_source
from codegen.backends.c_parts import Call, shared_parts, split, with_letters
from codegen.builder import ProgramBuilder
from codegen.interpret import interpret
from codegen.pipeline import kernel_programs
from codegen.programs import KernelProgram, robot_facts
from codegen.stages import joined
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
    assert {rates, "solve_part"} <= set(bodies["forward_dynamics_derivatives"].calls)
    assert bodies["mass_matrix_sensitivity"].calls == bodies["christoffel"].calls == ("christoffel_part",)
    assert bodies["inverse_dynamics_with_tip_force"].calls == ("inverse_dynamics", "pushed_part")
    assert "qd, NULL, coriolis, NULL, NULL);" in source["panda.c"]


def test_what_is_solved_by_the_mass_matrix_is_solved_in_one_place(panda):
    model, _, _ = panda
    names = ["forward_dynamics", "tip_force_acceleration", "mass_matrix", "kinetic_energy"]
    bodies = function_bodies(c_source(robot_facts(model), kernel_programs(model, names)))
    for name in ("forward_dynamics", "forward_dynamics_with_tip_force", "tip_force_acceleration"):
        assert bodies[name].calls[-1] == "solve_part"
        assert "const double" not in bodies[name].text.partition("sincos")[2]
    assert bodies["kinetic_energy"].calls == bodies["mass_matrix"].calls == ("mass_matrix_part",)
    assert "right[i] = tau[i] - bias[i] + pushed[i];" in bodies["forward_dynamics_with_tip_force"].text


def test_what_a_function_computes_itself_is_there_when_a_part_needs_it():
    """Own work, a part of it, and own work with values of the same name."""
    b = ProgramBuilder()
    x = b.input("x", (2,))
    first = b.program("f", {"a": [(x[0] + x[1]) * (x[0] + x[1])]})
    b = ProgramBuilder()
    a = b.input("a", (1,))
    shared = b.program("shared", {"b": [a[0] * a[0] + 1.0]})
    b = ProgramBuilder()
    x, given = b.input("x", (2,)), b.input("b", (1,))
    last = b.program("f", {"y": [(x[0] - given[0]) * (x[0] - given[0])]})
    b = ProgramBuilder()
    x = b.input("x", (2,))
    other = b.program("g", {"a": [x[0] * x[1]]})
    functions = [
        KernelProgram("f", joined("f", first.inputs, (first, shared, last), ["y"]), "f", stages=(first, shared, last)),
        KernelProgram("g", joined("g", other.inputs, (other, shared), ["b"]), "g", stages=(other, shared)),
    ]
    calls = [[type(piece) is Call for piece in split(f, shared_parts(functions))] for f in functions]
    assert calls == [[False, True, False], [False, True]]
    text = c_source(robot_facts(load_model("planar_2r")), functions)["planar_2r.c"]
    body = text[text.index("void planar_2r_f(") : text.index("void planar_2r_g(")]
    declared = re.findall(r"(\w+) = ", body)
    assert len(declared) == len(set(declared))


def test_parts_call_arrays_by_letters_that_no_other_has():
    b = ProgramBuilder()
    mass, C, coriolis = b.input("mass", (1,)), b.input("C", (1,)), b.input("coriolis", (1,))
    program = with_letters(b.program("f", {"jacobian": [mass[0] * C[0] + coriolis[0]], "y": [mass[0]]}))
    assert [spec.name for spec in (*program.inputs, *program.outputs)] == ["M", "C", "coriolis", "J", "y"]
    inputs = {"M": [2.0], "C": [3.0], "coriolis": [4.0]}
    assert interpret(program, inputs)["J"] == [10.0]


def test_the_part_ends_early_before_anything_of_what_follows_is_stored(panda):
    _, _, source = panda
    text = function_bodies(source)["coriolis_and_dtau_dq_and_mass_part"].text
    before, end, after = text.partition("if (dtau_dq == NULL)")
    assert end
    assert set(re.findall(r"(\w+)\[\d+\] = ", before)) == {"C"}
    assert set(re.findall(r"(\w+)\[\d+\] = ", after)) == {"dtau_dq", "M"}


def test_the_code_of_panda_is_small(panda):
    model, _, _ = panda
    text = c_source(robot_facts(model), kernel_programs(model))["panda.c"]
    assert len(text.encode()) < 150_000


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
