"""Rolled programs, judged by their interpreter, obey the laws of their functions and equal straight-line code."""

from dataclasses import replace

import numpy as np
import pytest
from oracles.kernel_laws import check_law, situation

from codegen.errors import FunctionError
from codegen.functions import FUNCTIONS
from codegen.interpret import interpret
from codegen.pipeline import WITH_TIP_FORCE, expression_program, is_rolled, kernel_programs
from codegen.rolled.interpret import interpret_rolled
from derive import load_model, random_chain, random_tree
from derive.random_models import ALL_KINDS


def check_programs(model, tolerance=1e-11, **options):
    """Every function that fits the model obeys its law."""
    s = situation(model)
    for p in kernel_programs(model, unroll="never", **options):
        function, with_force = p.name.removesuffix(WITH_TIP_FORCE), bool(p.extends)
        outputs = interpret_rolled(p.program, s.arguments(function, with_force))
        check_law(function, s, tuple(outputs.values()), tolerance, with_force)


ROLLED = [name for name, row in FUNCTIONS.items() if not row.cubic]  # nv³ numbers have no rolled form


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_each_joint_kind_in_a_chain_equals_the_reference(kind):
    """Some functions of each kind; `test_kernels` has a tree of all kinds and all functions."""
    number = ALL_KINDS.index(kind)
    tried = [ROLLED[(number + shift) % len(ROLLED)] for shift in (0, 6, 12)]
    check_programs(random_chain(2, 1, (kind,)), functions=tried)


def test_every_function_is_tried_on_a_joint_kind():
    assert len(ALL_KINDS) >= 6
    assert len(ALL_KINDS) + 12 > len(ROLLED)


DERIVATIVES = [name for name in ROLLED if FUNCTIONS[name].differentiates]
TREES = (
    random_chain(3, 0),
    random_tree(9, 5),
    random_tree(7, 2, ALL_KINDS),
    random_tree(5, 3, ("revolute", "spherical", "planar"), floating=True),
)


@pytest.mark.parametrize("name", DERIVATIVES)
@pytest.mark.parametrize("model", TREES, ids=["chain", "tree", "every kind of joint", "floating tree"])
def test_derivatives_equal_the_reference(model, name):
    check_programs(model, functions=[name])


def test_derivatives_know_rotors():
    model = random_tree(4, 0, ("revolute", "cylindrical"))
    joints = (replace(j, armature=tuple(0.1 + 0.2 * i for i in range(j.kind.nv))) for j in model.joints)
    check_programs(replace(model, joints=tuple(joints)), functions=DERIVATIVES)


@pytest.mark.parametrize("name", ["christoffel", "mass_matrix_sensitivity"])
def test_tensors_are_refused_in_one_line_that_says_what_to_use(name):
    with pytest.raises(FunctionError, match=r"use coriolis_matrix.*--unroll always") as caught:
        kernel_programs(random_chain(2, 0), [name], unroll="never")
    assert "\n" not in str(caught.value)


def test_rotor_inertia_counts():
    model = random_tree(4, 0, ("revolute", "cylindrical"))
    joints = (replace(j, armature=tuple(0.1 + 0.2 * i for i in range(j.kind.nv))) for j in model.joints)
    check_programs(replace(model, joints=tuple(joints)), functions=["mass_matrix", "forward_dynamics"])


@pytest.mark.parametrize("algorithm", ["fd1", "fd3"])
def test_every_recursive_algorithm_of_forward_dynamics_can_be_rolled(algorithm):
    check_programs(random_tree(3, 1), functions=["forward_dynamics"], algorithm=algorithm)


def test_a_dense_algorithm_is_refused():
    with pytest.raises(FunctionError, match=r"'ldl'.*--unroll always"):
        kernel_programs(random_chain(2, 0), ["forward_dynamics"], algorithm="ldl", unroll="never")


EXPRESSIONS = (
    "J inv(Mass)",
    "(I - H psi K)' (I - H psi K)",
    "K' phi' H'",
    "H phi K D",
    "K",
    "phi' H' qd",
    "J qd",
    "T - Mass qdd",
    "qd' Mass qd",
    "Mass Mass",
)


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_an_operator_expression_equals_its_straight_line_code(expression):
    model = random_tree(4, 2, ("revolute", "prismatic", "universal"))
    s = situation(model)
    straight = expression_program(model, expression, unroll="always").program
    rolled = expression_program(model, expression, unroll="never").program
    inputs = {spec.name: s.inputs[spec.name] for spec in straight.inputs}
    expected, found = interpret(straight, inputs)["result"], interpret_rolled(rolled, inputs)["result"]
    assert found.shape == expected.shape
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * np.max(np.abs(expected)))


@pytest.mark.parametrize("expression", ["phi", "inv(J inv(Mass) J')", "T", "J' J"])
def test_what_cannot_be_rolled_is_refused_in_one_line_that_says_what_to_do(expression):
    with pytest.raises(FunctionError, match="--unroll always") as caught:
        expression_program(random_chain(2, 0), expression, unroll="never")
    assert "\n" not in str(caught.value)


def test_robots_are_rolled_by_their_size():
    assert not is_rolled(random_chain(100, 0), "auto")
    assert is_rolled(random_chain(101, 0), "auto")
    assert is_rolled(load_model("planar_2r"), "never")
    assert not is_rolled(random_chain(101, 0), "always")
    with pytest.raises(FunctionError, match="auto, always, never"):
        is_rolled(load_model("planar_2r"), "sometimes")


def test_operations_are_those_of_every_body():
    """Operations of a long chain grow by the same for each body; those of a matrix with the square of the length."""
    counts = {
        name: [
            next(iter(kernel_programs(random_chain(n, 0), [name], unroll="never"))).operations.total
            for n in (10, 20, 40)
        ]
        for name in ("inverse_dynamics", "mass_matrix", "forward_dynamics_derivatives")
    }
    linear = counts.pop("inverse_dynamics")
    assert linear[2] - linear[1] == 2 * (linear[1] - linear[0]) > 0
    for quadratic in counts.values():
        assert 2 < (quadratic[2] - quadratic[1]) / (quadratic[1] - quadratic[0]) <= 4


def test_the_text_of_the_same_robot_is_the_same():
    (a,) = kernel_programs(random_chain(4, 0), ["jacobian"], unroll="never")
    (b,) = kernel_programs(random_chain(4, 0), ["jacobian"], unroll="never")
    assert str(a.program) == str(b.program)
