"""Derivative results: their recursions equal complex steps of the reference and Pinocchio's, whatever the robot."""

import numpy as np
import pytest

from derive import bundled_robots, load_model, random_chain, random_tree, reference
from derive.operation_counts import count_operations
from derive.random_models import ALL_KINDS
from derive.results import find_result
from derive.run import run
from derive.states import random_state

RANDOM = [
    *(random_chain(3, 3, (kind,)) for kind in ALL_KINDS),
    random_tree(6, 2, ALL_KINDS),
    random_tree(5, 3, ("revolute", "spherical", "planar"), floating=True),
    random_chain(1, 0),
]
BUNDLED = [name for name in bundled_robots() if name != "g1"]  # whose complex steps take minutes


class Robot:
    """A robot in a random state, and its recursions run there."""

    def __init__(self, model):
        rng = np.random.default_rng(5)
        self.model = model.numeric()
        self.q, self.qd, self.qdd = random_state(self.model, rng)
        self.tau = rng.normal(size=model.nv)
        self.armature = any(a != 0.0 for joint in self.model.joints for a in joint.armature)
        self.tips = [self.model.tips[0].name] if self.model.tips else []

    def run(self, result):
        recursion = find_result(result).recursion(armature=self.armature)
        given = {"qd": self.qd, "qdd": self.qdd, "T": self.tau, "f_0": np.zeros((len(self.tips), 6))}
        wanted = {field.name for field in recursion.inputs}
        inputs = {"q": self.q, **{name: value for name, value in given.items() if name in wanted}}
        return run(recursion, self.model, inputs, tips=self.tips, axes="world")


def close(actual, expected, tolerance=1e-11):
    scale = max(1.0, float(np.max(np.abs(expected), initial=0.0)))
    np.testing.assert_allclose(np.asarray(actual, dtype=float), expected, rtol=0, atol=tolerance * scale)


def robots():
    yield from (pytest.param(Robot(load_model(name)), id=name) for name in BUNDLED)
    yield from (pytest.param(Robot(model), id=f"{model.name} {model.joints[-1].kind.name}") for model in RANDOM)


@pytest.fixture(scope="module", params=list(robots()))
def robot(request):
    return request.param


def test_mass_matrix_derivatives_equal_complex_steps(robot):
    m, q, qd = robot.model, robot.q, robot.qd
    dM = reference.mass_matrix_sensitivity(m, q)
    symbols = reference.christoffel(m, q, dM)
    close(robot.run("mass_matrix_sensitivity")["sensitivity"], dM)
    close(robot.run("christoffel")["christoffel"], symbols)
    close(robot.run("coriolis_matrix")["C"], symbols @ qd)
    close(robot.run("coriolis_transpose_times_velocity")["tau"], (symbols @ qd).T @ qd)


def test_symbols_are_symmetric_where_rates_are_derivatives_of_coordinates(robot):
    found = robot.run("christoffel")["christoffel"]
    if all(joint.kind.is_vector_space for joint in robot.model.joints):
        close(found, np.transpose(found, (0, 2, 1)))


def test_derivatives_of_dynamics_equal_complex_steps(robot):
    m, q, qd = robot.model, robot.q, robot.qd
    found = robot.run("inverse_dynamics_derivatives")
    for name, expected in zip(
        ("dtau_dq", "dtau_dqd", "mass"), reference.inverse_dynamics_derivatives(m, q, qd, robot.qdd), strict=True
    ):
        close(found[name], expected)
    if m.has_mimics:
        return
    found = robot.run("forward_dynamics_derivatives")
    M = reference.mass_matrix(m, q)
    for name, expected in zip(
        ("dqdd_dq", "dqdd_dqd", "mass_inverse"),
        reference.forward_dynamics_derivatives(m, q, qd, robot.tau),
        strict=True,
    ):
        close(M @ np.asarray(found[name], dtype=float), M @ expected)


def test_the_jacobian_and_the_determinant_change_as_complex_steps_say(robot):
    m, q = robot.model, robot.q
    close(robot.run("jacobian_derivative")["J_rate"], reference.jacobian_derivative(m, q, robot.qd))
    if not m.has_mimics:
        close(robot.run("log_det_gradient")["gradient"], reference.log_det_gradient(m, q), 1e-9)


def test_derivatives_agree_with_pinocchio(robot):
    """Directly, not through our reference: its own algorithms, on our model rebuilt in it."""
    pytest.importorskip("pinocchio", reason="pin is not installed: pip install -e '.[test]'")
    from oracles.pinocchio_model import rebuilt

    peer, q, qd = rebuilt(robot.model), robot.q, robot.qd
    close(robot.run("coriolis_matrix")["C"], peer.coriolis_matrix(q, qd), 1e-10)
    close(robot.run("jacobian_derivative")["J_rate"], peer.jacobian_derivative(q, qd), 1e-10)
    found = robot.run("inverse_dynamics_derivatives")
    for name, expected in zip(
        ("dtau_dq", "dtau_dqd", "mass"), peer.inverse_dynamics_derivatives(q, qd, robot.qdd), strict=True
    ):
        close(found[name], expected, 1e-10)
    found = robot.run("forward_dynamics_derivatives")
    M = reference.mass_matrix(robot.model, q)
    for name, expected in zip(
        ("dqdd_dq", "dqdd_dqd", "mass_inverse"), peer.forward_dynamics_derivatives(q, qd, robot.tau), strict=True
    ):
        close(M @ np.asarray(found[name], dtype=float), M @ expected, 1e-10)


@pytest.mark.parametrize(
    "result", ["coriolis_matrix", "inverse_dynamics_derivatives", "forward_dynamics_derivatives", "mass_matrix_inverse"]
)
def test_the_work_of_a_matrix_grows_as_the_square_of_the_links(result):
    """a N² + b N + c through the counts of 5, 10 and 20 links is exactly the count of 40."""
    recursion = find_result(result).recursion()
    links = (5, 10, 20, 40)
    counts = [count_operations(recursion, random_chain(n, 0)).total for n in links]
    quadratic = np.polynomial.Polynomial.fit(links[:3], counts[:3], 2)
    assert counts[3] == pytest.approx(quadratic(40), rel=1e-9)
    assert counts[3] / counts[2] < 4.3


def test_the_work_of_the_tensors_grows_as_the_cube_of_the_links():
    recursion = find_result("christoffel").recursion()
    links = (4, 8, 16, 24, 32)
    counts = [count_operations(recursion, random_chain(n, 0)).total for n in links]
    cubic = np.polynomial.Polynomial.fit(links[:4], counts[:4], 3)
    assert counts[4] == pytest.approx(cubic(32), rel=1e-9)
