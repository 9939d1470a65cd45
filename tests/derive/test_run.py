"""run(recursion, robot) against the textbook reference on real robots, on every scalar, and what it refuses."""

import mpmath
import numpy as np
import pytest
import sympy

from derive import StateError, load_model, random_chain, random_tree, reference
from derive.recursion import LoweringError
from derive.run import run
from derive.scalars import SYMPY
from derive.states import random_state
from derive.sweeps import to_recursion

FORWARD = {
    "fd1": "(I - H psi K)' inv(D) (I - H psi K) (T - H phi (M phi' a + b + B f_0))",
    "fd3": "(I - H psi K)' inv(D) (T - H psi (K T + M phi' a + b + B f_0))",
    "fd4": "(I - H psi K)' inv(D) ((I - H psi K) T - H psi_tilde P a - H psi (b + B f_0)) - K' psi' tau_bar' a - G' a",
}
INVERSE = "H phi (M phi' (H' qdd + a) + b + B f_0) + J_a qdd"
MIXED = ("revolute", "prismatic", "helical", "cylindrical", "universal", "planar", "spherical")
ROBOTS = ("panda", "go2", "talos_torso", "stanford", "g1", "ur5", "puma560", "planar_3r")


# -- against the textbook -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=[*ROBOTS, "random"])
def robot(request):
    if request.param == "random":
        return random_tree(7, 2, MIXED, floating=True)
    return load_model(request.param)


def state(model, seed=0):
    rng = np.random.default_rng(seed)
    s = random_state(model, rng)
    return s.q, s.qd, s.qdd, rng.normal(size=(len(model.tips), 6))


def close(got, expected):
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-10 * max(1.0, np.abs(expected).max()))


def test_inverse_dynamics_is_newton_euler(robot):
    q, qd, qdd, f = state(robot)
    got = run(to_recursion({"T": INVERSE}), robot, {"q": q, "qd": qd, "qdd": qdd, "f_0": f}, axes="world")
    close(got["T"], reference.inverse_dynamics(robot, q, qd, qdd, f))


def test_bias_and_gravity_forces(robot):
    q, qd, _, _ = state(robot, 1)
    close(
        run(to_recursion("H phi (M phi' a + b)"), robot, {"q": q, "qd": qd})["result"],
        reference.bias_forces(robot, q, qd),
    )
    gravity = (1.0, -2.0, 3.0)
    close(
        run(to_recursion("H phi M phi' g"), robot, {"q": q}, gravity=gravity)["result"],
        reference.gravity_forces(robot, q, gravity=gravity),
    )


@pytest.mark.parametrize("name", sorted(FORWARD))
@pytest.mark.parametrize("chain", [False, True])
def test_forward_dynamics_is_the_articulated_body_algorithm(robot, name, chain):
    q, qd, qdd, f = state(robot, 2)
    recursion = to_recursion({"qdd": FORWARD[name]}, armature=True, chain=chain)
    tau = reference.inverse_dynamics(robot, q, qd, qdd, f)
    got = run(recursion, robot, {"q": q, "qd": qd, "T": tau, "f_0": f}, axes="world")["qdd"]
    expected = reference.forward_dynamics(robot, q, qd, tau, f)
    close(got, expected)


def test_link_accelerations_of_the_second_algorithm(robot):
    q, qd, qdd, _ = state(robot, 3)
    outputs = {
        "qdd": "(I - H psi K)' inv(D) (I - H psi K) (T - H phi (M phi' a + b))",
        "alpha": "psi' H' inv(D) (I - H psi K) (T - H phi (M phi' a + b)) + phi' a",
        "tip": "B' psi' H' inv(D) (I - H psi K) (T - H phi (M phi' a + b)) + B' phi' a",
    }
    tau = reference.inverse_dynamics(robot, q, qd, qdd)
    got = run(to_recursion(outputs, armature=True), robot, {"q": q, "qd": qd, "T": tau})
    direct = {"alpha": "phi' (H' qdd + a)", "tip": "B' phi' (H' qdd + a)"}
    expected = run(to_recursion(direct), robot, {"q": q, "qd": qd, "qdd": qdd})
    for name, value in expected.items():
        assert got[name].shape == value.shape
        close(got[name], value)


def test_mass_matrix_its_inverse_and_factors(robot):
    q, *_ = state(robot, 4)
    M = reference.mass_matrix(robot, q)
    close(run(to_recursion("Mass_a"), robot, {"q": q})["result"], M)
    inverse = run(to_recursion("inv(Mass_a)"), robot, {"q": q})["result"]
    close(inverse @ M, np.eye(robot.nv))
    factors = {"L": "I + H phi K", "W": "I - H psi K", "D": "D"}
    got = run(to_recursion(factors, armature=True), robot, {"q": q})
    close(got["L"] @ got["D"] @ got["L"].T, M)
    close(got["L"] @ got["W"], np.eye(robot.nv))


def test_jacobian_tip_accelerations_and_operational_inertia(robot):
    q, _, _, f = state(robot, 5)
    names = [tip.name for tip in robot.tips]
    J = np.vstack([reference.jacobian(robot, q, name) for name in names])
    close(run(to_recursion("J"), robot, {"q": q}, axes="world")["result"], J)
    first = run(to_recursion("J"), robot, {"q": q}, axes="world", tips=names[:1])["result"]
    close(first, J[:6])
    inverse = np.linalg.inv(reference.mass_matrix(robot, q))
    for text in ("Omega_0", "J inv(Mass_a) J'"):
        close(run(to_recursion(text, armature=True), robot, {"q": q}, axes="world")["result"], J @ inverse @ J.T)
    correction = run(
        to_recursion("-(I - H psi K)' inv(D) H psi B f_0", armature=True), robot, {"q": q, "f_0": f}, axes="world"
    )
    close(correction["result"], -inverse @ J.T @ f.reshape(-1))


def test_tip_bias_acceleration_is_the_derivative_of_the_tip_velocity(robot):
    """B*φ*a without gravity: d/dt of the tip frame's velocity in its own axes at q̈ = 0, by complex step along q̇."""
    from derive.states import integrate

    q, qd, _, _ = state(robot, 6)
    bias = run(to_recursion("B' phi' a", gravity=False), robot, {"q": q, "qd": qd})["result"]
    step = 1e-30j
    moved = integrate(robot, q.astype(complex), step * qd)
    velocity = run(to_recursion("J qd"), robot, {"q": moved, "qd": qd})["result"]
    close(bias, np.asarray(velocity).imag / 1e-30)


def test_energies_and_diagonal_coordinates():
    """½θ̇*𝓜θ̇, and ν = D^½(I+HφK)*θ̇, ε = D^{−½}(I−HψK)T with ½ν*ν the energy and ε*ν the power [SOA-115, SOA-116]."""
    for name in ("panda", "stanford", "ur5"):
        model = load_model(name)
        q, qd, tau, _ = state(model, 7)
        energy = run(to_recursion("1/2 qd' Mass_a qd"), model, {"q": q, "qd": qd})["result"]
        assert energy == pytest.approx(reference.kinetic_energy(model, q, qd), rel=1e-12)
        outputs = {"nu": "D_sqrt (I + H phi K)' qd", "eps": "D_isqrt (I - H psi K) T"}
        got = run(to_recursion(outputs, armature=True), model, {"q": q, "qd": qd, "T": tau})
        assert 0.5 * got["nu"] @ got["nu"] == pytest.approx(energy, rel=1e-10)
        assert got["eps"] @ got["nu"] == pytest.approx(tau @ qd, rel=1e-10)


# -- scalars ------------------------------------------------------------------------------------------------------------


def test_complex_step_differentiates_inverse_dynamics():
    model = load_model("panda")
    q, qd, qdd, _ = state(model)
    recursion = to_recursion({"T": "H phi (M phi' (H' qdd + a) + b)"})
    moved = q.astype(complex)
    moved[1] += 1e-30j
    got = run(recursion, model, {"q": moved, "qd": qd, "qdd": qdd})["T"].imag / 1e-30
    h = 1e-6
    ahead, behind = (reference.inverse_dynamics(model, q + s * np.eye(7)[1], qd, qdd) for s in (h, -h))
    np.testing.assert_allclose(got, (ahead - behind) / (2 * h), atol=1e-6)


def test_fifty_digits_agree_with_sixteen():
    model = random_tree(4, 1, MIXED)
    q, qd, _, _ = state(model)
    tau = reference.bias_forces(model, q, qd)
    with mpmath.workdps(50):
        precise = {name: [mpmath.mpf(float(x)) for x in v] for name, v in (("q", q), ("qd", qd), ("T", tau))}
        got = run(to_recursion({"qdd": FORWARD["fd4"].replace("+ B f_0", "")}), model, precise)["qdd"]
    assert isinstance(got[0], mpmath.mpf)
    close(got.astype(float), np.zeros(model.nv))


def test_symbols_give_closed_forms_of_a_symbolic_robot():
    model = load_model("planar_2r")
    q = sympy.symbols("q1 q2")
    parameters = {name: sympy.Symbol(name) for name, _ in model.parameters}
    M = run(to_recursion("Mass"), model, {"q": q}, parameters=parameters)["result"]
    inverse = run(to_recursion("inv(Mass)"), model, {"q": q}, parameters=parameters)["result"]
    assert isinstance(M[0, 1], sympy.Expr)
    point = {q[0]: 0.3, q[1]: -0.7} | {sympy.Symbol(name): value for name, value in model.parameters}
    numeric = np.array([[float(sympy.sympify(x).subs(point)) for x in row] for row in M])
    close(numeric, reference.mass_matrix(model, [0.3, -0.7]))
    other = np.array([[float(sympy.sympify(x).subs(point)) for x in row] for row in inverse])
    close(numeric @ other, np.eye(2))


def test_exact_rationals_stay_exact():
    model = load_model("planar_2r")
    q, qd = sympy.symbols("q1 q2"), sympy.symbols("v1 v2")
    energy = run(to_recursion("1/2 qd' Mass qd"), model, {"q": q, "qd": qd}, scalars=SYMPY)["result"]
    assert sympy.Rational(1, 2) in energy.atoms(sympy.Rational) or energy.has(sympy.Rational(1, 2))


# -- refusals -----------------------------------------------------------------------------------------------------------


def test_joints_that_follow_others_have_no_articulated_inertia():
    from dataclasses import replace

    from derive.model import Mimic

    base = random_chain(4, 3)
    joints = (*base.joints[:3], replace(base.joints[3], mimic=Mimic(1, 0.5, 0.1)))
    model = replace(base, joints=joints)
    q, qd, qdd = (np.random.default_rng(i).normal(size=3) for i in range(3))
    with pytest.raises(LoweringError, match="'joint4'"):
        run(to_recursion("inv(Mass) T"), model, {"q": q, "T": qd})
    got = run(to_recursion({"T": "H phi (M phi' (H' qdd + a) + b)"}), model, {"q": q, "qd": qd, "qdd": qdd})["T"]
    close(got, reference.inverse_dynamics(model, q, qd, qdd))
    close(run(to_recursion("Mass"), model, {"q": q})["result"], reference.mass_matrix(model, q))
    close(run(to_recursion("J"), model, {"q": q}, axes="world")["result"], reference.jacobian(model, q))


@pytest.mark.parametrize(
    ("inputs", "what"),
    [
        ({"q": [0.0] * 7}, "reads T"),
        ({"q": [0.0] * 6, "T": [0.0] * 7}, "q has 6"),
        ({"q": [0.0] * 7, "T": [0.0] * 8}, "T has 8"),
    ],
)
def test_wrong_inputs_are_named(inputs, what):
    with pytest.raises(StateError, match=what):
        run(to_recursion("inv(Mass) T"), load_model("panda"), inputs)


def test_a_joint_that_moves_nothing_is_named():
    from dataclasses import replace

    from derive import SingularModelError
    from derive.inertia import Inertia

    base = random_chain(3, 1)
    model = replace(base, bodies=(*base.bodies[:2], replace(base.bodies[2], inertia=Inertia())))
    with pytest.raises(SingularModelError, match="'joint3'"):
        run(to_recursion("inv(Mass) T"), model, {"q": np.zeros(3), "T": np.ones(3)})


def test_points_that_cannot_move_everywhere_have_no_operational_inertia():
    with pytest.raises(StateError, match="cannot move in all directions"):
        run(to_recursion("Lambda"), load_model("planar_3r"), {"q": np.ones(3)})


def test_square_roots_of_blocks_are_refused():
    model = random_chain(2, 1, ("spherical",))
    with pytest.raises(LoweringError, match="one degree of freedom"):
        run(to_recursion("D_sqrt T"), model, {"q": state(model)[0], "T": np.ones(6)})
