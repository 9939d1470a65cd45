"""Conventional biases: other a and b, the same joint forces and accelerations, and nothing read that is not there."""

import numpy as np
import pytest

from derive import load_model, random_chain, random_tree, reference
from derive.conventional import conventional, fused_letters
from derive.newton_euler import gyroscopic
from derive.plan import Op, plan
from derive.random_models import ALL_KINDS
from derive.recursion import Action
from derive.recursion_printing import to_latex, to_text
from derive.results import FORWARD_DYNAMICS, find_result
from derive.rigid import RigidInertia
from derive.run import run
from derive.states import random_state
from derive.sweeps import to_recursion

INVERSE = "H phi (M phi' (H' qdd + a) + b + B f_0)"
ROBOTS = {
    **{f"tree {seed}": random_tree(6, seed, ALL_KINDS) for seed in range(3)},
    **{f"floating tree {seed}": random_tree(4, seed, ALL_KINDS, floating=True) for seed in range(2)},
    **{kind: random_chain(3, 7, (kind,)) for kind in ALL_KINDS},
    "go2": load_model("go2"),
}
WITH_BIASES = ("inverse_dynamics", "bias_forces", *FORWARD_DYNAMICS)


def inputs_of(model, recursion, seed=0):
    rng = np.random.default_rng(seed)
    q, qd, qdd = random_state(model, rng)
    points = sum(tip.body >= 0 for tip in model.tips)
    sizes = {"T": model.nv, "f_0": 6 * points, "a": 6 * model.n, "b": 6 * model.n}
    given = {"q": q, "qd": qd, "qdd": qdd, **{name: rng.normal(size=size) for name, size in sizes.items()}}
    read = {field.name for field in recursion.inputs} | {"q", "qd"}
    return {name: value for name, value in given.items() if name in read}


def recursion_of(result, **options):
    """What the result says about joints."""
    return find_result(result).recursion(only={"tau", "qdd"}, **options)


def assert_same(recursion, model):
    """The conventional recursion gives what the given one gives."""
    changed = conventional(recursion)
    changed.check()
    inputs = inputs_of(model, recursion)
    expected, got = run(recursion, model, inputs), run(changed, model, inputs)
    assert set(expected) == set(got)
    for name, value in expected.items():
        np.testing.assert_allclose(got[name], value, rtol=0, atol=1e-10 * np.max(np.abs(value), initial=1.0))


@pytest.mark.parametrize("result", WITH_BIASES)
@pytest.mark.parametrize("robot", ROBOTS)
def test_joint_forces_and_accelerations_stay(robot, result):
    recursion = recursion_of(result, armature=robot == "go2")
    assert conventional(recursion) != recursion
    assert_same(recursion, ROBOTS[robot])


@pytest.mark.parametrize("robot", [name for name in ROBOTS if "tree" in name])
def test_conventional_inverse_dynamics_equals_the_reference(robot):
    model = ROBOTS[robot]
    recursion = conventional(to_recursion({"tau": "H phi (M phi' (H' qdd + a) + b)"}))
    inputs = inputs_of(model, recursion)
    expected = reference.inverse_dynamics(model, inputs["q"], inputs["qd"], inputs["qdd"])
    tau = run(recursion, model, inputs)["tau"]
    np.testing.assert_allclose(tau, expected, rtol=0, atol=1e-12 * np.max(np.abs(expected)))


def test_what_has_no_biases_is_returned_as_it_is():
    for expression in ("Mass", "H phi M phi' H' qdd", "J", "H phi b", "- H phi B f_0"):
        recursion = to_recursion(expression)
        assert conventional(recursion) is recursion


@pytest.mark.parametrize("given", [("a",), ("b",), ("a", "b")])
def test_a_bias_that_is_given_decides_for_both(given):
    """It belongs to one derivative of V or the other, and the other bias must be of the same."""
    recursion = to_recursion(INVERSE, given=given)
    assert conventional(recursion) is recursion


@pytest.mark.parametrize("chain", [False, True])
def test_chained_sweeps_stay_in_order(chain):
    for name in ("inverse_dynamics", "fd1"):
        assert_same(recursion_of(name, chain=chain), ROBOTS["tree 0"])


def test_accelerations_of_bodies_are_of_the_other_kind():
    """Which is why only joint quantities may be asked for: α differs by ω × v."""
    model = ROBOTS["revolute"]
    recursion = to_recursion({"alpha": "phi' (H' qdd + a)", "V": "phi' H' qd"})
    inputs = inputs_of(model, recursion)
    before, after = run(recursion, model, inputs), run(conventional(recursion), model, inputs)
    V, difference = before["V"], after["alpha"] - before["alpha"]
    np.testing.assert_allclose(difference[:, :3], 0, atol=1e-12)
    np.testing.assert_allclose(difference[:, 3:], np.cross(V[:, :3], V[:, 3:]), atol=1e-12)
    assert np.max(np.abs(difference)) > 1e-2


def test_several_outputs_at_once():
    forms = {"tau": INVERSE, "bias": "H phi (M phi' a + b)", "qdd": find_result("fd3").statement()}
    assert_same(to_recursion(forms), ROBOTS["tree 1"])


# -- fusing -----------------------------------------------------------------------------------------------------------------


def planned(recursion):
    """The plans of the sweeps, as `run` makes them."""
    fused = fused_letters(recursion)
    return [plan((s for s in sweep.statements if s.action is Action.SUM), fused) for sweep in recursion.sweeps]


def ops_of(recursion):
    return {node.op for sweep in planned(recursion) for node in sweep.nodes}


def test_inverse_dynamics_fuses_both_biases():
    recursion = conventional(find_result("inverse_dynamics").recursion())
    assert fused_letters(recursion) == {"c", "b"}
    assert ops_of(recursion) >= {Op.CARRIED, Op.WRENCH}
    assert frozenset().union(*(sweep.fused for sweep in planned(recursion))) == {"c", "b"}


def test_nothing_is_fused_in_a_recursion_that_is_not_conventional():
    recursion = find_result("inverse_dynamics").recursion()
    assert fused_letters(recursion) == frozenset()
    assert not ops_of(recursion) & {Op.CARRIED, Op.WRENCH}


@pytest.mark.parametrize(
    "expressions",
    [
        {"tau": INVERSE, "b": "b"},
        {"tau": INVERSE, "felt": "H b"},
        {"tau": INVERSE, "again": "H phi (M phi' a + b)"},
        {"result": "H phi (M phi' a + P M b + b)"},
        {"result": "H phi (M phi' a + tau_bar b)"},
        {"result": "H psi (M phi' a + b) + G' (M phi' a + b)"},
        {"result": "H phi (M phi' a + 2 b)"},
    ],
    ids=str,
)
def test_a_bias_that_is_read_elsewhere_too_is_computed(expressions):
    """With Ω = 0 the two conventions agree on b, so that even b alone may be compared: no spin, only slides."""
    model = random_tree(4, 2, ("prismatic",))
    recursion = to_recursion(expressions)
    assert_same(recursion, model)
    spinning = ROBOTS["tree 2"]
    run(conventional(recursion), spinning, inputs_of(spinning, recursion))  # nothing is missing


def test_a_bias_that_is_asked_for_is_given():
    model = ROBOTS["tree 2"]
    recursion = conventional(to_recursion({"tau": INVERSE, "b": "b", "V": "phi' H' qd"}))
    found = run(recursion, model, inputs_of(model, recursion))
    assert np.max(np.abs(found["b"])) > 1e-3
    for body, V, b in zip(model.bodies, found["V"], found["b"], strict=True):
        np.testing.assert_allclose(b, gyroscopic(RigidInertia.of(body.inertia), tuple(V[:3])), atol=1e-12)


def test_linear_velocities_are_not_needed():
    """What makes it cheap: only ω enters. V's linear part may be anything."""
    recursion = conventional(find_result("inverse_dynamics").recursion())
    readers = [s for s in recursion.statements if any(f.name == "V" for f in s.factors) and s.target.name != "V"]
    assert {s.action for s in readers} == {
        Action.COUPLING,
        Action.CENTRIFUGAL,
        Action.GYROSCOPIC,
        Action.RATE_MATRIX,
    }


# -- printing ---------------------------------------------------------------------------------------------------------------


def test_the_loops_of_inverse_dynamics():
    text = to_text(conventional(find_result("inverse_dynamics").recursion()))
    assert (
        """\
    V(k) = φ*(k+1,k) V(k+1) + H*(k) θ̇(k)
    r(k) = [ω'×ω_r; (ω + ω')×v_r]
    c(k) = [0; ω'×(ω'×ℓ(k+1,k))]
    b(k) = [ω×𝓘ω; m ω×(ω×p)]
    α(k) = φ*(k+1,k) [α(k+1) + g(k+1)] + H*(k) θ̈(k) + r(k) + c(k) + Ḣ*(k) θ̇(k)
    U(k) = ω̇̃ + ω̃ω̃
"""
        in text
    )
    assert "[ω_r; v_r] = H*(k) θ̇(k)" in text


@pytest.mark.parametrize("result", WITH_BIASES)
def test_every_statement_is_one_line_in_text_and_latex(result):
    recursion = conventional(find_result(result).recursion())
    statements = len(list(recursion.statements))
    assert sum(line.startswith("    ") for line in to_text(recursion).splitlines()) == statements
    assert sum(" = " in line for line in to_latex(recursion).splitlines()) == statements + len(recursion.sweeps)
