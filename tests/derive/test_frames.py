import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.frames import (
    IDENTITY,
    Placement,
    in_plane_axes,
    normalised,
    rotation_about,
    rotation_from_rpy,
    snap_direction,
    snap_rotation,
)

angles = st.one_of(
    st.floats(-4, 4), st.sampled_from([0.0, math.pi / 2, -math.pi / 2, math.pi, 1.57079632679, 3.14159265, 1e-10, 3e-5])
)


def test_rpy_is_fixed_axis_roll_then_pitch_then_yaw():
    r, p, y = 0.3, -0.5, 1.1
    Rx = np.array([[1, 0, 0], [0, math.cos(r), -math.sin(r)], [0, math.sin(r), math.cos(r)]])
    Ry = np.array([[math.cos(p), 0, math.sin(p)], [0, 1, 0], [-math.sin(p), 0, math.cos(p)]])
    Rz = np.array([[math.cos(y), -math.sin(y), 0], [math.sin(y), math.cos(y), 0], [0, 0, 1]])
    np.testing.assert_allclose(rotation_from_rpy(r, p, y), Rz @ Ry @ Rx, atol=1e-15)


@pytest.mark.parametrize("written", [1.57079632679, 1.5707963268, math.pi / 2])
def test_a_right_angle_written_with_ten_digits_snaps_to_exact_entries(written):
    R, change = snap_rotation(rotation_from_rpy(written, 0, 0), 1e-9)
    assert R == ((1.0, 0.0, 0.0), (0.0, 0.0, -1.0), (0.0, 1.0, 0.0))
    assert change == pytest.approx(abs(math.cos(written)), abs=1e-15)


@pytest.mark.parametrize("written", [1.5708, 1.57, 3.14])
def test_a_coarser_right_angle_is_left_alone(written):
    R = rotation_from_rpy(written, 0, 0)
    assert snap_rotation(R, 1e-9)[0][1] == pytest.approx(R[1], abs=1e-15)
    assert snap_rotation(R, 1e-2)[0] != R


@given(angles, angles, angles)
def test_snapping_keeps_a_rotation_a_rotation(r, p, y):
    R = rotation_from_rpy(r, p, y)
    S, change = snap_rotation(R, 1e-9)
    assert np.abs(np.array(S) @ np.array(S).T - np.eye(3)).max() < 2e-15
    assert change <= 3e-9
    assert change == np.abs(np.array(S) - np.array(R)).max()


@given(st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda v: math.hypot(*v) > 1e-6))
def test_in_plane_axes_complete_a_right_handed_frame(v):
    n = normalised(v)
    u, w = in_plane_axes(n)
    np.testing.assert_allclose(np.linalg.det([u, w, n]), 1.0, atol=1e-12)
    np.testing.assert_allclose(np.array([u, w, n]) @ np.array([u, w, n]).T, np.eye(3), atol=1e-12)


def test_the_plane_normal_to_z_has_axes_x_and_y():
    assert in_plane_axes((0.0, 0.0, 1.0)) == ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0))


def test_directions_snap_and_stay_unit():
    v, change = snap_direction(normalised((1.0, 1e-11, -1e-12)), 1e-9)
    assert v == (1.0, 0.0, 0.0)
    assert change == pytest.approx(1e-11)


def test_axes_of_extreme_length_normalise():
    assert normalised((0.0, 0.0, 1e-300)) == (0.0, 0.0, 1.0)
    assert normalised((1e300, 0.0, 0.0)) == (1.0, 0.0, 0.0)


def test_placements_compose_like_homogeneous_matrices():
    def matrix(p):
        return np.block([[np.array(p.rotation), np.array(p.translation)[:, None]], [np.zeros((1, 3)), np.ones((1, 1))]])

    a = Placement(rotation_about((0.0, 0.6, 0.8), 0.7), (1.0, 2.0, 3.0))
    b = Placement(rotation_from_rpy(0.1, 0.2, 0.3), (-1.0, 0.5, 0.0))
    np.testing.assert_allclose(matrix(a.then(b)), matrix(a) @ matrix(b), atol=1e-15)
    assert Placement().then(a) == a
    assert Placement().rotation == IDENTITY


@pytest.mark.parametrize("quarters", range(-4, 5))
def test_quarter_turns_are_exact(quarters):
    R = rotation_about((0.0, 0.0, 1.0), quarters * math.pi / 2)
    assert {abs(x) for row in R for x in row} == {0.0, 1.0}
    assert rotation_about((1.0, 0.0, 0.0), 1e-14)[1][2] == -1e-14, "small angles stay"
