"""Slips in link frames are noticed, and the body-derivative form is limited to the joints it is stated for."""

import pytest

from derive.operators.identities import link_frames
from derive.operators.identities.check import CLEARLY
from derive.operators.identities.link_frames import body_derivative_biases, constant_joint_maps, conventional_biases
from derive.operators.identities.motion import random_motions


def test_no_slip_goes_unnoticed(unnoticed_slips):
    assert unnoticed_slips(link_frames) == []


@pytest.mark.parametrize("kind", ["universal", "planar"])
def test_joint_maps_that_are_not_constant_need_the_conventional_biases(kind):
    for motion in random_motions((kind,), seed=0):
        assert constant_joint_maps(motion) > CLEARLY
        assert body_derivative_biases(motion) > CLEARLY
        assert conventional_biases(motion) < 1e-12
