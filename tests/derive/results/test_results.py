"""Every result: proved, replayed, true in numbers, and its compiled recursion equal to the reference on every bundled robot."""

import numpy as np
import pytest

from derive import bundled_robots, load_model, random_chain, reference
from derive.operation_counts import count_operations
from derive.operators import cost
from derive.operators.counterexample import TOLERANCE
from derive.results import UnknownResultError, catalogue, find_result
from derive.run import run
from derive.states import random_state

QUANTITIES = [
    pytest.param(quantity, id=f"{name}: {quantity.output}")
    for name, result in catalogue().items()
    for quantity in result.quantities
]


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_each_form_is_proved_replayed_and_true_in_numbers(quantity):
    derivation = quantity.derive()
    derivation.replay()
    assert derivation.numeric_difference() < TOLERANCE


@pytest.mark.parametrize("quantity", QUANTITIES)
def test_each_form_is_one_to_compute_with(quantity):
    """No inverse but that of D is left: what remains are sweeps and block-diagonal factors."""
    assert cost(quantity.expression()).dense_inverses == 0


@pytest.mark.parametrize("name", catalogue())
def test_each_result_cites_its_source(name):
    result = catalogue()[name]
    assert result.name == name
    assert result.prose
    assert all(soa.startswith("SOA-") for soa in result.soa)
    assert any(seed in result.source for seed in ("000", "001", "002", "003", "004"))


@pytest.mark.parametrize(("name", "sweeps", "chained"), [("fd1", 4, 3), ("fd2", 4, 3), ("fd3", 3, 3), ("fd4", 3, 3)])
def test_forward_dynamics_takes_the_published_number_of_sweeps(name, sweeps, chained):
    assert len(find_result(name).recursion().sweeps) == sweeps
    assert len(find_result(name).recursion(chain=True).sweeps) == chained


@pytest.mark.parametrize("name", catalogue())
def test_what_has_a_linear_algorithm_is_linear(name):
    orders = {
        "O(N d)": {"mass_matrix", "newton_euler_factorization", "coriolis_matrix", "inverse_dynamics_derivatives"},
        "O(N²)": {"innovations_factorization", "mass_matrix_inverse", "forward_dynamics_derivatives"},
        "O(N d²)": {"christoffel", "mass_matrix_sensitivity"},
    }
    expected = next((order for order, names in orders.items() if name in names), "O(N)")
    assert catalogue()[name].recursion().complexity == expected


def test_forward_dynamics_without_a_number_is_the_cheapest():
    counts = {
        a: count_operations(find_result(a).recursion(), random_chain(7, 0)).total for a in ("fd1", "fd2", "fd3", "fd4")
    }
    assert find_result("forward_dynamics") is find_result(min(counts, key=counts.__getitem__))


def test_an_unknown_name_is_told_the_close_ones():
    with pytest.raises(UnknownResultError, match="close: mass_matrix"):
        find_result("mass_matrx")


# -- the recursions against the reference -----------------------------------------------------------------------------------


class Robot:
    """A bundled robot in a random state with forces, and the reference's answers."""

    def __init__(self, name: str) -> None:
        self.model = load_model(name)
        rng = np.random.default_rng(7)
        self.q, self.qd, self.qdd = random_state(self.model, rng)
        self.T = rng.normal(size=self.model.nv)
        self.f = rng.normal(size=(len(self.model.tips), 6))
        self.M = reference.mass_matrix(self.model, self.q)
        self.J = np.vstack([reference.jacobian(self.model, self.q, tip.name) for tip in self.model.tips])
        self.armature = any(a != 0.0 for joint in self.model.joints for a in joint.armature)

    def run(self, result: str, **options):
        inputs = {"q": self.q, "qd": self.qd, "qdd": self.qdd, "T": self.T, "f_0": self.f}
        recursion = find_result(result).recursion(armature=self.armature)
        wanted = {"q", "qd", *(field.name for field in recursion.inputs)}
        return run(recursion, self.model, {k: v for k, v in inputs.items() if k in wanted}, axes="world", **options)


@pytest.fixture(scope="module", params=bundled_robots())
def robot(request):
    return Robot(request.param)


def close(actual, expected):
    expected = np.asarray(expected, dtype=float)
    actual = np.asarray(actual, dtype=float).reshape(expected.shape)
    np.testing.assert_allclose(actual, expected, rtol=0, atol=1e-10 * max(1.0, np.abs(expected).max(initial=0.0)))


def test_forces_equal_the_reference(robot):
    m, q, qd, qdd = robot.model, robot.q, robot.qd, robot.qdd
    close(robot.run("inverse_dynamics")["tau"], reference.inverse_dynamics(m, q, qd, qdd, robot.f))
    close(robot.run("bias_forces")["tau"], reference.bias_forces(m, q, qd))
    close(robot.run("gravity_forces")["tau"], reference.gravity_forces(m, q))
    sideways = (1.0, -2.0, 3.0)
    close(robot.run("gravity_forces", gravity=sideways)["tau"], reference.gravity_forces(m, q, gravity=sideways))


@pytest.mark.parametrize("algorithm", ["fd1", "fd2", "fd3", "fd4"])
def test_accelerations_equal_the_reference(robot, algorithm):
    found = robot.run(algorithm)
    expected = reference.forward_dynamics(robot.model, robot.q, robot.qd, robot.T, robot.f)
    close(robot.M @ np.asarray(found["qdd"], dtype=float), robot.M @ expected)
    if algorithm == "fd2":
        bias = np.asarray(robot.run("tip_bias_acceleration")["alpha_0"], dtype=float).ravel()
        close(np.asarray(found["alpha_0"], dtype=float).ravel(), robot.J @ expected + bias)
        assert np.shape(found["alpha"]) == (robot.model.n, 6)


def test_matrices_equal_the_reference(robot):
    close(robot.run("mass_matrix")["mass"], robot.M)
    close(robot.run("newton_euler_factorization")["mass"], robot.M)
    close(np.asarray(robot.run("mass_matrix_inverse")["mass_inverse"], dtype=float) @ robot.M, np.eye(robot.model.nv))
    close(robot.run("jacobian")["J"], robot.J)
    close(robot.run("operational_space_inertia")["Omega"], robot.J @ np.linalg.solve(robot.M, robot.J.T))
    close(robot.M @ np.asarray(robot.run("tip_force_acceleration")["qdd"], dtype=float), -robot.J.T @ robot.f.ravel())


def test_the_innovations_factors_multiply_to_the_mass_matrix(robot):
    found = {name: np.asarray(value, dtype=float) for name, value in robot.run("innovations_factorization").items()}
    close(found["mass"], robot.M)
    close(found["L"] @ found["D"] @ found["L"].T, robot.M)
    close(found["L"] @ found["L_inverse"], np.eye(robot.model.nv))


def test_filter_and_smoother_solve_the_equations_of_motion(robot):
    eps = np.asarray(robot.run("innovations_filter")["eps"], dtype=float)
    robot_after = Robot(robot.model.name)
    robot_after.T = eps
    close(robot.M @ np.asarray(robot_after.run("innovations_smoother")["qdd"], dtype=float), robot.T)


def test_energy_and_its_diagonal_form(robot):
    energy = reference.kinetic_energy(robot.model, robot.q, robot.qd)
    close(robot.run("kinetic_energy")["energy"], energy)
    if all(joint.kind.nv == 1 for joint in robot.model.joints):  # D^½ is offered for joints of one freedom
        nu = np.asarray(robot.run("diagonalised_velocities")["nu"], dtype=float)
        eps = np.asarray(robot.run("diagonalised_forces")["eps"], dtype=float)
        close(0.5 * nu @ nu, energy)
        close(eps @ nu, robot.T @ robot.qd)


@pytest.mark.parametrize("name", ["panda", "ur5", "puma560"])
def test_tip_bias_acceleration_is_the_derivative_of_the_tip_velocity(name):
    """Body-derivative form: d/dt of the components of the tip's velocity in tip axes, at constant rates, without gravity."""
    robot = Robot(name)

    def velocity(t):
        q = robot.q + t * robot.qd
        R, _ = reference.forward_kinematics(robot.model, q)
        return np.kron(np.eye(2), R.T) @ reference.jacobian(robot.model, q) @ robot.qd

    recursion = find_result("tip_bias_acceleration").recursion()
    found = run(recursion, robot.model, {"q": robot.q, "qd": robot.qd}, gravity=(0.0, 0.0, 0.0))["alpha_0"]
    close(np.asarray(found, dtype=float).ravel(), velocity(1e-30j).imag / 1e-30)


def test_recursions_agree_with_pinocchio(robot):
    """Directly, not through our reference: its own algorithms, on our model rebuilt in it."""
    pytest.importorskip("pinocchio", reason="pin is not installed: pip install -e '.[test]'")
    from oracles.pinocchio_model import rebuilt

    robot = Robot(robot.model.name)
    robot.f = np.zeros_like(robot.f)
    judge = rebuilt(robot.model)
    close(robot.run("inverse_dynamics")["tau"], judge.inverse_dynamics(robot.q, robot.qd, robot.qdd))
    close(robot.run("mass_matrix")["mass"], judge.mass_matrix(robot.q))
    for algorithm in ("fd1", "fd3", "fd4"):
        found = np.asarray(robot.run(algorithm)["qdd"], dtype=float)
        close(robot.M @ found, robot.M @ judge.forward_dynamics(robot.q, robot.qd, robot.T))
