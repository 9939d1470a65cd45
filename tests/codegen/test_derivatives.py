"""Kernels of derivatives, both backends: equal to complex steps, to Pinocchio's analytic derivatives, and to closed forms."""

from functools import cache

import numpy as np
import pytest
from oracles.kernel_laws import check_law, situation

from codegen.functions import FUNCTIONS, MANY_RATES, chosen_functions
from codegen.kernel import Kernels
from codegen.pipeline import compile_kernels, kernel_programs
from codegen.programs import robot_facts
from codegen.render import render
from codegen.trust.oracles.closed_forms import CLOSED_FORMS
from codegen.trust.quantities import expected
from derive import load_model, random_chain, random_tree
from derive.random_models import ALL_KINDS

BACKENDS = ("c", "numpy")
DERIVATIVES = [name for name, row in FUNCTIONS.items() if row.differentiates]
MODELS = {
    "serial": random_chain(4, 1),
    "tree": random_tree(6, 2),
    "every kind of joint": random_tree(4, 7, ALL_KINDS),
    "floating": random_tree(3, 3, ("revolute", "spherical"), floating=True),
}
ARMS = (
    "planar_2r",
    "planar_3r",
    "stanford",
    "puma560",
    "puma560_corke",
    "general_6r",
    "kinova",
    "ur5",
    "iiwa14",
    "panda",
)


@cache
def programs_of(name):
    model = MODELS.get(name) or load_model(name)
    return model, kernel_programs(model, DERIVATIVES)


@cache
def kernels_of(name, backend):
    model, programs = programs_of(name)
    return model, Kernels(render(robot_facts(model), programs, backend))


def called(kernels, function, s):
    """The outputs, as a tuple."""
    found = getattr(kernels, function)(**s.arguments(function, False))
    return found if isinstance(found, tuple) else (found,)


def close(actual, exact, tolerance):
    for one, other in zip(actual, exact, strict=True):
        scale = max(1.0, float(np.max(np.abs(other), initial=0.0)))
        np.testing.assert_allclose(one, other, rtol=0, atol=tolerance * scale)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", MODELS)
def test_kernels_equal_complex_steps(name, backend):
    model, kernels = kernels_of(name, backend)
    for seed in range(2):
        s = situation(model, seed)
        for function in DERIVATIVES:
            check_law(function, s, called(kernels, function, s), 1e-11)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", MODELS)
def test_kernels_equal_what_pinocchio_derives(name, backend):
    """∂θ̈ multiplied by M, so that a mass matrix near a singular one does not enlarge what rounding did."""
    pytest.importorskip("pinocchio", reason="pin is not installed: pip install -e '.[test]'")
    from oracles.pinocchio_model import rebuilt

    model, kernels = kernels_of(name, backend)
    peer, s = rebuilt(model), situation(model, 5)
    peer.model.gravity.linear = np.array(kernels.source.robot.gravity)
    q, qd, qdd, tau = (s.inputs[key] for key in ("q", "qd", "qdd", "tau"))
    close(called(kernels, "coriolis_matrix", s), (peer.coriolis_matrix(q, qd),), 1e-10)
    close(called(kernels, "jacobian_derivative", s), (peer.jacobian_derivative(q, qd),), 1e-10)
    close(called(kernels, "inverse_dynamics_derivatives", s), peer.inverse_dynamics_derivatives(q, qd, qdd), 1e-10)
    M = peer.mass_matrix(q)
    found = called(kernels, "forward_dynamics_derivatives", s)
    close([M @ x for x in found], [M @ x for x in peer.forward_dynamics_derivatives(q, qd, tau)], 1e-10)


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("name", ARMS)
def test_kernels_equal_the_exact_closed_forms(name, backend):
    model, kernels = kernels_of(name, backend)
    for seed in range(2):
        s = situation(model, seed)
        known = CLOSED_FORMS.known(model, s.inputs, s.gravity)
        for function in DERIVATIVES:
            close(called(kernels, function, s), expected(function, known), 1e-11)


def test_tensors_of_a_robot_with_many_rates_are_made_when_named():
    model = load_model("go2")
    tensors = [name for name, row in FUNCTIONS.items() if row.cubic]
    assert model.nv >= MANY_RATES
    assert not {f.name for f in chosen_functions(model, None)} & set(tensors)
    kernels, s = compile_kernels(model, tensors, backend="numpy"), situation(model)
    for function in tensors:
        (found,) = called(kernels, function, s)
        assert found.shape == (model.nv,) * 3
        check_law(function, s, (found,), 1e-11)
