"""From a robot to kernels: every function equals `derive.reference`, whatever the robot, the backend, the number of states."""

import os
import subprocess
import sys
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from oracles.kernel_laws import LAWS, check_law, rounded, situation
from oracles.small_robots import FOLLOWING, MASSLESS, ONE_JOINT, urdf

from codegen.errors import FunctionError
from codegen.functions import FUNCTIONS, chosen_functions, obstacle
from codegen.interpret import interpret
from codegen.kernel import Kernels
from codegen.pipeline import WITH_TIP_FORCE, compile_kernels, generate, kernel_programs
from codegen.programs import robot_facts
from codegen.render import render
from codegen.trust.cases import random_cases
from codegen.trust.check import hold_to_laws
from codegen.trust.runners import kernel_runners
from derive import bundled_robots, load_model, random_chain, random_tree
from derive.loaders.assemble import assemble
from derive.loaders.selection import Selection
from derive.random_models import ALL_KINDS
from derive.run import GRAVITY

BACKENDS = ("c", "numpy")
EXACT = 1e-12
ROWS = 3
# What takes the C compiler too long for a test as straight-line code is rolled; NumPy has it straight-line.
ROLLED_IN_C = {"g1": ("mass_matrix_inverse", "innovations_factors", "forward_dynamics")}
DERIVATIVES = (
    "coriolis_matrix",
    "coriolis_transpose_times_velocity",
    "christoffel",
    "mass_matrix_sensitivity",
    "inverse_dynamics_derivatives",
    "forward_dynamics_derivatives",
    "jacobian_derivative",
    "log_det_gradient",
)
# Derivatives make large programs: kernels of them are made for these robots, and their recursions run on all of them.
DIFFERENTIATED = ("planar_2r", "stanford", "panda")
CASES = [
    (function, with_force)
    for function, row in FUNCTIONS.items()
    for with_force in (False, True)[: 1 + bool(row.optional)]
]
BASIC_CASES = [(function, with_force) for function, with_force in CASES if function not in DERIVATIVES]


def cases_of(robots):
    """Every function of every robot; derivatives of those whose kernels of them are made."""
    found = [(r, f, w) for r in robots for f, w in CASES if f not in DERIVATIVES or r in DIFFERENTIATED]
    names = ("robot", "function", "with_force")
    return pytest.mark.parametrize(names, found, ids=[f"{r}-{f}{WITH_TIP_FORCE * w}" for r, f, w in found])


@cache
def model_of(robot):
    return load_model(robot)


def basic_functions(model):
    """The functions that fit the model, without derivatives."""
    return [f.name for f in FUNCTIONS.values() if f.name not in DERIVATIVES and obstacle(f, model) is None]


@cache
def programs_of(robot):
    """Worked out once for all backends."""
    return kernel_programs(model_of(robot), None if robot in DIFFERENTIATED else basic_functions(model_of(robot)))


@cache
def kernels_of(robot, backend, real="double"):
    rolled = ROLLED_IN_C.get(robot, ()) if backend == "c" else ()
    programs = [p for p in programs_of(robot) if p.name.removesuffix(WITH_TIP_FORCE) not in rolled]
    return Kernels(render(robot_facts(model_of(robot)), programs, backend, real))


def stacked(arguments):
    """Several calls' arguments as one batch."""
    return {name: np.stack([a[name] for a in arguments]) for name in arguments[0]}


def as_tuple(outputs):
    return outputs if isinstance(outputs, tuple) else (outputs,)


def test_there_is_a_law_for_every_function():
    assert set(LAWS) == set(FUNCTIONS)


@pytest.mark.parametrize("backend", BACKENDS)
@cases_of(bundled_robots())
def test_every_function_of_every_bundled_robot_equals_the_reference(robot, backend, function, with_force):
    """One state and a batch."""
    kernels = kernels_of(robot, backend)
    if function not in kernels:
        kernels = compile_kernels(model_of(robot), [function], unroll="never")
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


@pytest.mark.parametrize("trig", ["polynomial", "libm"])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_function_alone_in_a_file_equals_the_reference(function, trig):
    """What several functions share is written otherwise where one of them is alone."""
    model = model_of("planar_3r")
    s = situation(model)
    source = render(robot_facts(model), kernel_programs(model, [function]), "c", trig=trig)
    check_law(function, s, getattr(Kernels(source), function)(**s.arguments(function)), EXACT)


@pytest.mark.parametrize("backend", BACKENDS)
@cases_of(["planar_2r", "stanford", "ur5"])
def test_in_float_every_function_equals_the_reference_to_single_precision(robot, backend, function, with_force):
    kernel = getattr(kernels_of(robot, backend, "float"), function)
    situations = [rounded(situation(model_of(robot), seed)) for seed in range(ROWS)]
    arguments = [s.arguments(function, with_force) for s in situations]
    batch = as_tuple(kernel(**stacked(arguments)))
    assert all(array.dtype == np.float32 for array in batch)
    for row, s in enumerate(situations):
        check_law(function, s, kernel(**arguments[row]), 1e-5, with_force)
        check_law(function, s, tuple(array[row] for array in batch), 1e-5, with_force)


# -- any robot --------------------------------------------------------------------------------------------------------------


def check_programs(model, tolerance, seed=0, gravity=GRAVITY, **options):
    """The functions that fit the model obey their laws, judged by the interpreter, which defines what a program means."""
    s = situation(model, seed, gravity)
    checked = []
    for p in kernel_programs(model, gravity=gravity, **options):
        function, with_force = p.extends or p.name, bool(p.extends)
        outputs = interpret(p.program, s.arguments(function, with_force))
        check_law(function, s, tuple(outputs.values()), tolerance, with_force)
        checked.append(p.name)
    return checked


ALL_NAMES = {function + WITH_TIP_FORCE * with_force for function, with_force in CASES}
BASIC_NAMES = {function + WITH_TIP_FORCE * with_force for function, with_force in BASIC_CASES}


@pytest.mark.parametrize("function", ["christoffel", "mass_matrix_sensitivity"])
def test_what_has_a_cube_of_entries_is_made_of_a_large_robot_when_asked_for(function):
    model = model_of("go2")
    assert function not in {f.name for f in chosen_functions(model, None)}
    (program,) = kernel_programs(model, [function])
    s = situation(model)
    outputs = interpret(program.program, s.arguments(function))
    check_law(function, s, tuple(outputs.values()), EXACT)


@pytest.mark.parametrize("backend", BACKENDS)
def test_derivatives_of_a_random_floating_tree_equal_the_reference_and_obey_their_laws(backend):
    model = random_tree(3, 1, ("revolute", "prismatic", "universal", "spherical"), floating=True)
    others = ["mass_matrix", "mass_matrix_inverse", "bias_forces", "gravity_forces"]
    programs = kernel_programs(model, [*DERIVATIVES, *others])
    kernels = Kernels(render(robot_facts(model), programs, backend, "double"))
    s = situation(model)
    for function in DERIVATIVES:
        check_law(function, s, getattr(kernels, function)(**s.arguments(function)), 1e-11)
    runner = kernel_runners(kernels)[0]
    verdicts = hold_to_laws(model, programs, runner, random_cases(model, 3, np.random.default_rng(0)))
    assert {name for v in verdicts for name in v.functions} >= set(DERIVATIVES) - {"jacobian_derivative"}
    assert [v.law for v in verdicts if not v.passes] == []


@pytest.mark.parametrize("floating", [False, True], ids=["fixed", "floating"])
@pytest.mark.parametrize("make", [random_chain, random_tree], ids=["chain", "tree"])
@pytest.mark.parametrize("seed", range(2))
def test_random_robots_of_every_joint_kind_equal_the_reference(make, floating, seed):
    model = make(3, seed, ALL_KINDS, floating=floating)
    assert set(check_programs(model, 1e-11, seed, functions=basic_functions(model))) == BASIC_NAMES


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_a_robot_of_one_joint_of_each_kind_equals_the_reference(kind):
    assert set(check_programs(random_chain(1, 5, (kind,)), 1e-11)) == ALL_NAMES


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_each_joint_kind_in_the_middle_of_a_chain_equals_the_reference(kind):
    """The NumPy backend, several states at once."""
    model = random_chain(2, 1, (kind,))
    kernels = compile_kernels(model, basic_functions(model), backend="numpy")
    situations = [situation(model, seed) for seed in range(ROWS)]
    for function, with_force in BASIC_CASES:
        arguments = [s.arguments(function, with_force) for s in situations]
        batch = as_tuple(getattr(kernels, function)(**stacked(arguments)))
        for row, s in enumerate(situations):
            check_law(function, s, tuple(array[row] for array in batch), 1e-11, with_force)


# -- degenerate robots ------------------------------------------------------------------------------------------------------

NEEDS_TIP = {
    "forward_kinematics",
    "jacobian",
    "operational_space_inertia",
    "tip_force_acceleration",
    "jacobian_derivative",
}
INVERTS = {
    "mass_matrix_inverse",
    "forward_dynamics",
    "innovations_factors",
    "operational_space_inertia",
    "tip_force_acceleration",
    "forward_dynamics_derivatives",
    "log_det_gradient",
}


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_robot_without_joints_has_empty_forces_and_constant_energy(backend):
    model = assemble(urdf(["A"], []))
    kernels = compile_kernels(model, backend=backend)
    none = np.zeros(0)
    assert set(kernels) == set(FUNCTIONS) - NEEDS_TIP
    for name in kernels:
        check_law(name, situation(model), getattr(kernels, name)(*[none] * len(FUNCTIONS[name].inputs)), EXACT)


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_robot_of_one_joint_equals_the_reference(backend):
    model = assemble(ONE_JOINT)
    kernels = compile_kernels(model, backend=backend)
    assert set(kernels) == ALL_NAMES
    s = situation(model)
    for function, with_force in CASES:
        check_law(function, s, getattr(kernels, function)(**s.arguments(function, with_force)), EXACT, with_force)


def test_a_massless_leaf_is_refused_by_name_where_it_matters():
    model = assemble(MASSLESS)
    for function in INVERTS:
        with pytest.raises(FunctionError, match=f"{function}.*'dangle'.*mass"):
            generate(model, [function])
    names = {name.removesuffix(WITH_TIP_FORCE) for name in check_programs(model, EXACT)}
    assert names == set(FUNCTIONS) - INVERTS


def test_joints_that_follow_others_have_all_but_the_innovations_factors():
    """Articulated bodies do not know the loops such joints close, but the mass matrix does, and it is factored."""
    model = assemble(FOLLOWING)
    assert model.nv == 2
    with pytest.raises(FunctionError, match=r"innovations_factors.*follow"):
        generate(model, ["innovations_factors"])
    names = {name.removesuffix(WITH_TIP_FORCE) for name in check_programs(model, EXACT)}
    assert names == set(FUNCTIONS) - {"innovations_factors"}
    free = assemble(FOLLOWING, Selection(mimic="independent"))
    assert set(check_programs(free, EXACT)) == ALL_NAMES


def test_a_robot_whose_tip_is_on_the_ground_has_only_what_needs_no_tip():
    model = assemble(urdf(["A"], []))
    for function in NEEDS_TIP:
        with pytest.raises(FunctionError, match=f"{function}.*tip="):
            generate(model, [function])


def test_a_robot_without_a_tip_has_only_what_needs_no_tip():
    model = replace(load_model("planar_2r"), tips=())
    for function in NEEDS_TIP:
        with pytest.raises(FunctionError, match=f"{function}.*tip="):
            generate(model, [function])
    assert set(check_programs(model, EXACT)) == set(FUNCTIONS) - NEEDS_TIP


# -- choices ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("robot", ["planar_2r", "stanford", "ur5"])
def test_all_algorithms_of_forward_dynamics_are_equal(robot):
    model, s = model_of(robot), situation(model_of(robot))
    sweeps = set()
    for algorithm in ("fd1", "fd2", "fd3", "fd4"):
        plain, forced = kernel_programs(model, ["forward_dynamics"], algorithm=algorithm)
        for p, with_force in ((plain, False), (forced, True)):
            outputs = interpret(p.program, s.arguments("forward_dynamics", with_force))
            check_law("forward_dynamics", s, tuple(outputs.values()), EXACT, with_force)
        sweeps.add(plain.sweeps)
    assert len(sweeps) > 1, "the choice makes no difference"


def test_an_algorithm_is_of_forward_dynamics_alone():
    model = model_of("planar_2r")
    assert kernel_programs(model, ["mass_matrix"], algorithm="fd1") == kernel_programs(model, ["mass_matrix"])


def test_an_unknown_algorithm_is_refused_naming_the_known_ones():
    with pytest.raises(FunctionError, match=r"'fd5'.*fd1, fd2, fd3, fd4"):
        generate(model_of("planar_2r"), ["forward_dynamics"], algorithm="fd5")


def test_an_unknown_function_is_refused_naming_the_known_ones():
    with pytest.raises(FunctionError, match=f"'inverse'.*{', '.join(FUNCTIONS)}"):
        compile_kernels(model_of("planar_2r"), ["mass_matrix", "inverse"])


def test_functions_come_once_in_the_order_asked_for():
    source = generate(model_of("planar_2r"), ["mass_matrix", "jacobian", "mass_matrix"])
    assert [f.name for f in source.functions] == ["mass_matrix", "jacobian"]


@pytest.mark.parametrize("gravity", [(0.0, 0.0, 0.0), (0.0, 0.0, -1.62), (1, -2, 3)])
def test_gravity_is_as_asked_for(gravity):
    check_programs(model_of("stanford"), EXACT, gravity=gravity)
    kernels = compile_kernels(model_of("planar_2r"), ["gravity_forces"], backend="numpy", gravity=gravity)
    assert kernels.gravity_forces.info["gravity"] == list(gravity)


def test_without_gravity_nothing_is_held():
    (program,) = kernel_programs(model_of("panda"), ["gravity_forces"], gravity=(0.0, 0.0, 0.0))
    assert program.operations.total == 0


def test_the_listener_hears_each_function_once_before_it_is_worked_on():
    heard = []
    generate(model_of("planar_2r"), ["mass_matrix", "inverse_dynamics"], listener=heard.append)
    assert heard == ["mass_matrix", "inverse_dynamics"]


# -- the same every time ----------------------------------------------------------------------------------------------------

PRINT_DIGEST = """
import hashlib, sys
from codegen import generate
from derive import load_model
for robot in sys.argv[1:]:
    for backend in ("c", "numpy"):
        for path, text in generate(load_model(robot), backend=backend).items():
            print(robot, path, hashlib.sha256(text.encode()).hexdigest())
"""


def test_the_text_is_the_same_whatever_the_order_of_sets():
    """Three processes with different hash seeds, at once."""
    command = [sys.executable, "-c", PRINT_DIGEST, "planar_2r", "ur5"]
    processes = [
        subprocess.Popen(command, env={**os.environ, "PYTHONHASHSEED": seed}, stdout=subprocess.PIPE, text=True)
        for seed in "012"
    ]
    texts = [process.communicate()[0] for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0]
    assert texts[0].count("ur5.") >= 3  # a .c, a .h and a .py
    assert texts[0] == texts[1] == texts[2]
