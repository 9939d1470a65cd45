import numpy as np
import pytest

from derive import load_model
from derive.closed_form.element import Element
from derive.closed_form.errors import ClosedFormError
from derive.closed_form.exact import exact_direction, exact_model, exact_rotation, is_rounded
from derive.closed_form.ring import Ring
from derive.frames import normalised, rotation_from_rpy
from derive.random_models import random_chain


@pytest.mark.parametrize("seed", range(20))
def test_rotations_and_axes_are_exact_and_near_the_floats(seed):
    rng = np.random.default_rng(seed)
    R = rotation_from_rpy(*(rng.uniform(-4, 4, 3) * rng.integers(0, 2, 3)))
    exact = exact_rotation(R)
    for i in range(3):
        for j in range(3):
            assert sum(exact[i][k] * exact[j][k] for k in range(3)) == (i == j)
    np.testing.assert_allclose(np.array(exact, dtype=float), R, rtol=0, atol=1e-15)
    axis = normalised(tuple(rng.normal(size=3)))
    direction = exact_direction(axis)
    assert sum(x * x for x in direction) == 1
    np.testing.assert_allclose(np.array(direction, dtype=float), axis, rtol=0, atol=1e-15)


def test_exact_decimals_are_kept():
    assert [float(x) for x in exact_direction((0.6, 0.0, 0.8))] == [0.6, 0.0, 0.8]
    assert is_rounded(load_model("panda")) == ()
    assert is_rounded(random_chain(2, 0)) == ("joint1", "joint2")


def test_zeros_and_ones_stay_facts():
    model = exact_model(load_model("panda"), Ring())
    rotation = model.joints[3].placement.rotation
    assert all(isinstance(x, float) for row in rotation for x in row)
    assert isinstance(model.bodies[0].inertia.mass, Element)


def test_planar_joints_with_oblique_axes_are_refused():
    with pytest.raises(ClosedFormError, match="oblique axis"):
        exact_model(random_chain(1, 0, ("planar",)), Ring())
