import numpy as np
import pytest

from derive import StateError, random_chain
from derive.random_models import ALL_KINDS
from derive.reference import forward_kinematics, tip_velocity
from derive.states import configuration, integrate, neutral, random_state, rates

MODEL = random_chain(3, 0, floating=True)


@pytest.mark.parametrize(
    ("q", "words"),
    [
        (np.zeros(5), "shape"),
        (np.zeros((2, 9)), "shape"),
        ([0.0] * 8 + [float("nan")], "joint3"),
        ([0.0] * 6 + [2.0, 0.0, 0.0], "quaternion"),
        ("abc", "not an array of numbers"),
        ([0.0] * 6 + [1.0, float("inf"), 0.0], "joint2"),
    ],
)
def test_a_wrong_configuration_is_refused_with_the_reason(q, words):
    with pytest.raises(StateError, match=words):
        configuration(MODEL, q)


def test_wrong_rates_are_refused_by_name():
    with pytest.raises(StateError, match=r"tau has shape \(3,\).*\(8,\)"):
        rates(MODEL, np.zeros(3), "tau")


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_neutral_and_random_states_are_valid(kind):
    model = random_chain(2, 1, (kind,))
    configuration(model, neutral(model))
    configuration(model, random_state(model, np.random.default_rng(0)).q)


@pytest.mark.parametrize("kind", ALL_KINDS)
def test_integrating_along_a_rate_moves_the_tip_at_its_velocity(kind):
    model = random_chain(2, 5, (kind,))
    q, v, _ = random_state(model, np.random.default_rng(2))
    step = 1e-6
    (R1, p1), (R0, p0) = (forward_kinematics(model, integrate(model, q, s * step * v)) for s in (1, -1))
    R, _ = forward_kinematics(model, q)
    spin = (R1 - R0) @ R.T / (2 * step)
    expected = np.concatenate([[spin[2, 1], spin[0, 2], spin[1, 0]], (p1 - p0) / (2 * step)])
    np.testing.assert_allclose(tip_velocity(model, q, v), expected, atol=1e-7)


def test_a_full_turn_comes_back():
    model = random_chain(1, 0, ("spherical",))
    q = random_state(model, np.random.default_rng(1)).q
    turned = integrate(model, q, np.array([0.0, 2 * np.pi, 0.0]))
    np.testing.assert_allclose(turned, -q, atol=1e-14)  # the other quaternion of the same attitude
