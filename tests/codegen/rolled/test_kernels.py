"""Rolled kernels equal the reference: one state and several, both backends, small robots and those they are for."""

from functools import cache

import numpy as np
import pytest
from oracles.corpus import CORPUS, needs_corpus
from oracles.kernel_laws import check_law, rounded, situation

from codegen.errors import FunctionError
from codegen.functions import FUNCTIONS
from codegen.kernel import Kernels
from codegen.pipeline import WITH_TIP_FORCE, compile_kernels, kernel_programs
from codegen.programs import robot_facts
from codegen.render import render
from derive import load_model, random_chain, random_tree
from derive.errors import ModelWarning
from derive.loaders.assemble import assemble
from derive.loaders.urdf import parse_urdf
from derive.random_models import ALL_KINDS

BACKENDS = ("c", "numpy")
EXACT = 1e-12
ROWS = 2


@cache
def programs_of(model):
    """Worked out once for all backends."""
    return kernel_programs(model, unroll="never")


def kernels_of(model, backend, real="double"):
    return Kernels(render(robot_facts(model), programs_of(model), backend, real))


def as_tuple(outputs):
    return outputs if isinstance(outputs, tuple) else (outputs,)


def check_kernels(model, kernels, situations, tolerance=EXACT):
    """Every kernel obeys its law, in each situation alone and in all of them at once."""
    for name in kernels:
        function, with_force = name.removesuffix(WITH_TIP_FORCE), name.endswith(WITH_TIP_FORCE)
        arguments = [s.arguments(function, with_force) for s in situations]
        singles = [getattr(kernels, name)(**a) for a in arguments]
        for s, outputs in zip(situations, singles, strict=True):
            check_law(function, s, outputs, tolerance, with_force)
        stacked = {argument: np.stack([a[argument] for a in arguments]) for argument in arguments[0]}
        batch = as_tuple(getattr(kernels, name)(**stacked))
        for row, outputs in enumerate(singles):
            for one, many in zip(as_tuple(outputs), batch, strict=True):
                assert np.shape(many) == (len(situations), *np.shape(one))
                largest = np.max(np.abs(one), initial=0.0)
                np.testing.assert_allclose(many[row], one, rtol=0, atol=0.1 * tolerance * largest)


# -- small robots -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("robot", ["planar_2r", "panda", "go2", "talos_torso"])
def test_rolled_kernels_of_bundled_robots_equal_the_reference(robot):
    """Every function; of the trees, two in C, where each kind of body is code of its own and takes its time."""
    model = load_model(robot)
    situations = [situation(model, seed) for seed in range(ROWS)]
    check_kernels(model, kernels_of(model, "numpy"), situations)
    in_c = programs_of(model)
    if not model.is_serial:
        in_c = [p for p in in_c if p.name in ("inverse_dynamics", "mass_matrix_inverse")]
    check_kernels(model, Kernels(render(robot_facts(model), in_c, "c")), situations)


def test_rolled_kernels_of_a_tree_of_all_joint_kinds_equal_the_reference():
    """Functions that between them use all there is: every kind is code of its own, which takes its time."""
    model = random_tree(11, 17, ALL_KINDS)
    assert {joint.kind.name for joint in model.joints} == set(ALL_KINDS)
    assert len(model.roots) > 1
    situations = [situation(model, seed) for seed in range(ROWS)]
    for backend, function in zip(BACKENDS, ("inverse_dynamics", "mass_matrix_inverse"), strict=True):
        kernels = compile_kernels(model, [function], backend=backend, unroll="never")
        check_kernels(model, kernels, situations, 1e-11)


@pytest.mark.parametrize("backend", BACKENDS)
def test_in_float_rolled_kernels_equal_the_reference_to_single_precision(backend):
    model = load_model("planar_2r")
    kernels = kernels_of(model, backend, "float")
    assert kernels.mass_matrix(np.zeros(2)).dtype == np.float32
    check_kernels(model, kernels, [rounded(situation(model, seed)) for seed in range(ROWS)], 1e-5)


ROUND = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
LINKS = "".join(
    f'<link name="{name}"><inertial><mass value="2"/><origin xyz="0.1 0.2 0.3"/>{ROUND}</inertial></link>'
    for name in "abcd"
)
JOINTS = "".join(
    f'<joint name="{name}" type="continuous"><parent link="{parent}"/><child link="{child}"/>'
    f'<origin xyz="0.3 0.1 0.2" rpy="0.1 0.2 0.3"/><axis xyz="{axis}"/>{more}</joint>'
    for name, parent, child, axis, more in (
        ("lead", "a", "b", "0 0 1", ""),
        ("follow", "b", "c", "0 1 0", '<mimic joint="lead" multiplier="-1.5" offset="0.2"/>'),
        ("free", "c", "d", "1 0 0", ""),
    )
)


@pytest.mark.parametrize("backend", BACKENDS)
def test_joints_that_follow_others_are_weighed(backend):
    model = assemble(parse_urdf(f'<robot name="r">{LINKS}{JOINTS}</robot>'.encode(), "r"))
    assert (model.n, model.nv) == (3, 2)
    with pytest.raises(FunctionError, match="--unroll always"):
        compile_kernels(model, ["forward_dynamics"], unroll="never")
    check_kernels(model, kernels_of(model, backend), [situation(model, seed) for seed in range(ROWS)])


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_robot_without_joints_has_empty_forces_and_no_energy(backend):
    model = assemble(parse_urdf(b'<robot name="r"><link name="a"/></robot>', "r"))
    check_kernels(model, kernels_of(model, backend), [situation(model, seed) for seed in range(ROWS)])


def test_a_kernel_that_needs_memory_can_be_bound_and_given_an_output():
    model = load_model("planar_2r")
    mass_matrix = compile_kernels(model, ["mass_matrix"], unroll="never").mass_matrix
    q, out = np.array([0.3, -0.2]), np.full((2, 2), np.nan)
    expected = mass_matrix(q)
    assert mass_matrix(q, out=out) is out
    np.testing.assert_array_equal(out, expected)
    call = mass_matrix.bind(q, out=out)
    q[:] = 0.1, 0.7
    np.testing.assert_array_equal(call(), mass_matrix(q))


# -- large robots -----------------------------------------------------------------------------------------------------------


def test_a_chain_of_a_thousand_bodies_equals_the_reference():
    """Every function in C but derivatives, whose reference would take hours; in NumPy those of the order of N."""
    model = random_chain(1000, 1)
    s = situation(model)
    programs = kernel_programs(model, [name for name, row in FUNCTIONS.items() if not row.differentiates])
    for backend in BACKENDS:
        some = ("inverse_dynamics", "forward_dynamics")
        chosen = [p for p in programs if not p.extends and (backend == "c" or p.name in some)]
        kernels = Kernels(render(robot_facts(model), chosen, backend, "double"))
        for name in kernels:
            check_law(name, s, getattr(kernels, name)(**s.arguments(name)), EXACT)


@pytest.mark.parametrize("backend", BACKENDS)
def test_derivatives_of_a_chain_too_long_to_be_unrolled_equal_the_reference(backend):
    model = random_chain(101, 1)
    names = [name for name, row in FUNCTIONS.items() if row.differentiates and not row.cubic]
    assert set(names) <= {p.name for p in kernel_programs(model)}
    kernels, s = compile_kernels(model, names, backend=backend), situation(model)
    for name in names:
        check_law(name, s, getattr(kernels, name)(**s.arguments(name)), 1e-10)


@needs_corpus
@pytest.mark.parametrize("floating", [False, True], ids=["fixed", "floating"])
def test_tiago_dual_equals_the_reference(floating):
    path = next(p for p in CORPUS if p.name == "tiago_dual.urdf")
    with pytest.warns(ModelWarning):
        model = load_model(path, floating=floating)
    assert model.nv > 100
    situations = [situation(model, seed) for seed in range(ROWS)]
    if floating:
        names = ["mass_matrix", "forward_dynamics"]
        check_kernels(model, compile_kernels(model, names), situations)
        return
    names = {p.name.removesuffix(WITH_TIP_FORCE) for p in programs_of(model)}
    assert names == {name for name, row in FUNCTIONS.items() if not row.cubic}
    plain = [p for p in programs_of(model) if not FUNCTIONS[p.name.removesuffix(WITH_TIP_FORCE)].differentiates]
    check_kernels(model, Kernels(render(robot_facts(model), plain, "c")), situations)
    some = [p for p in programs_of(model) if p.name in ("mass_matrix", "forward_dynamics")]
    check_kernels(model, Kernels(render(robot_facts(model), some, "numpy")), situations)
