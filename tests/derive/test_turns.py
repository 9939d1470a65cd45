"""Rotations by parts against plain matrices, what they cost, and how a constant rotation falls into parts."""

import itertools
import math

import numpy as np
import pytest
from oracles.dense_spatial import counted, random_rotation, rows, symmetric_matrix, turn

from derive.frames import IDENTITY, rotation_from_rpy
from derive.transition import Transition
from derive.turns import Full, Turn, constant_parts, without_last_turn

rng = np.random.default_rng(1)
AXES = range(3)


def turn_of(axis, angle):
    return Turn(axis, math.cos(angle), math.sin(angle))


PARTS = [turn_of(axis, angle) for axis in AXES for angle in (0.3, -2.0)] + [
    Full(rows(random_rotation(rng))),
    Full(rows(turn(0, 0.7) @ turn(1, 0.4))),  # has a zero, also in the last row when transposed
    Full(rows((turn(0, 0.7) @ turn(1, 0.4)).T)),
    Full(((0.0, 0.0, 1.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))),
]
part = pytest.mark.parametrize("part", PARTS, ids=lambda p: f"{type(p).__name__}{getattr(p, 'axis', '')}")


@pytest.mark.parametrize("axis", AXES)
def test_a_turn_is_a_rotation_about_its_axis(axis):
    np.testing.assert_allclose(turn_of(axis, 0.7).matrix, turn(axis, 0.7), atol=1e-16)


@part
def test_a_part_acts_as_its_matrix_does(part):
    R = np.array(part.matrix)
    v, B = rng.normal(size=3), rng.normal(size=(3, 3))
    s = tuple(rng.normal(size=6))
    np.testing.assert_allclose(part.forward(tuple(v)), R @ v, atol=1e-15)
    np.testing.assert_allclose(part.back(tuple(v)), R.T @ v, atol=1e-15)
    np.testing.assert_allclose(part.inverse.matrix, R.T, atol=0)
    np.testing.assert_allclose(part.of_matrix(rows(B)), R @ B @ R.T, atol=3e-15)
    np.testing.assert_allclose(symmetric_matrix(part.of_symmetric(s)), R @ symmetric_matrix(s) @ R.T, atol=3e-15)


# -- what parts cost --------------------------------------------------------------------------------------------------------


def cost_of(act):
    """Multiplications and additions of a turn; the doubling of c, which is shared by all who turn so, is an addition less."""

    def compute(variables):
        c, s = variables(2)
        act(Turn(2, c, s), variables)

    return counted(compute)


def test_a_turn_of_a_vector_takes_four_multiplications_and_two_additions():
    assert cost_of(lambda part, x: part.forward(x(3))) == (4, 2)
    assert cost_of(lambda part, x: part.back(x(3))) == (4, 2)


def test_a_turn_of_a_symmetric_matrix_takes_eight_multiplications_and_seven_additions():
    multiplications, additions = cost_of(lambda part, x: part.of_symmetric(x(6)))
    assert (multiplications, additions - 1) == (8, 7)


def test_a_turn_of_a_matrix_takes_twelve_multiplications_and_eleven_additions():
    assert cost_of(lambda part, x: part.of_matrix((x(3), x(3), x(3)))) == (12, 11)


def test_the_last_entry_of_a_full_rotation_comes_from_the_trace():
    full = counted(lambda x: Full((x(3), x(3), x(3))).of_symmetric(x(6)))
    assert full == (27 + 15, 18 + 10 + 4)


def test_zeros_of_a_matrix_cost_nothing_and_stay():
    zero = 0.0

    def sphere_on_the_axis(part, x):
        (i,) = x(1)
        turned = part.of_symmetric((i, zero, zero, i, zero, i))
        assert turned[2] == turned[4] == 0.0

    assert cost_of(sphere_on_the_axis)[0] <= 3
    assert cost_of(lambda part, x: part.forward((zero, zero, x(1)[0]))) == (0, 0)


def test_a_permutation_costs_nothing():
    permutation = Full(((0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (1.0, 0.0, 0.0)))
    assert counted(lambda x: permutation.of_symmetric(x(6))) == (0, 0)
    assert counted(lambda x: permutation.of_matrix((x(3), x(3), x(3)))) == (0, 0)
    assert counted(lambda x: permutation.back(x(3))) == (0, 0)


# -- constant rotations -----------------------------------------------------------------------------------------------------

PERMUTATIONS = [
    rows(P)
    for columns in itertools.permutations(range(3))
    for signs in itertools.product((1.0, -1.0), repeat=3)
    if np.linalg.det(P := (np.eye(3)[:, list(columns)] * np.array(signs) + 0.0)) > 0
]


def exact_turn(axis, angle):
    return turn_of(axis, angle).matrix


def product_of(parts):
    return np.linalg.multi_dot([np.eye(3), np.eye(3), *(p.matrix for p in parts)])


def test_the_identity_has_no_parts():
    assert constant_parts(IDENTITY) == ()
    assert without_last_turn(IDENTITY, 2) == ((), 0.0)


def test_there_are_24_permutations():
    assert len(set(PERMUTATIONS)) == 24


@pytest.mark.parametrize("P", PERMUTATIONS)
def test_permutations_stay_whole_and_are_not_taken_for_angles(P):
    parts = constant_parts(P)
    assert all(isinstance(p, Full) for p in parts)
    np.testing.assert_array_equal(product_of(parts), P)
    for axis in AXES:
        kept, angle = without_last_turn(P, axis)
        assert angle == 0.0
        np.testing.assert_array_equal(product_of(kept), P)


@pytest.mark.parametrize("P", PERMUTATIONS)
@pytest.mark.parametrize("axis", AXES)
def test_a_turned_permutation_is_a_permutation_and_a_turn(P, axis):
    R = rows(np.array(P) @ np.array(exact_turn(axis, 0.4)))
    *before, last = constant_parts(R)
    assert isinstance(last, Turn)
    assert len(before) <= 1
    assert all(abs(x) in (0.0, 1.0) for p in before for row in p.matrix for x in row)
    np.testing.assert_allclose(product_of((*before, last)), R, rtol=0, atol=0)


NEAR = [1e-17, 1e-12, 5e-9, 1e-8, 2e-8, 1e-6, 1e-3]
GENERAL = {
    "general": random_rotation(rng),
    **{f"about {axis}": np.array(exact_turn(axis, -2.5)) for axis in AXES},
    **{f"about {a} then {b}": turn(a, 0.8) @ turn(b, 2.0) for a, b in itertools.permutations(AXES, 2)},
    **{f"tilted {t:g} from {axis}": turn((axis + 1) % 3, t) @ turn(axis, 0.3) for t in NEAR for axis in AXES},
    **{f"tilted {t:g} from half": turn(0, math.pi - t) @ turn(2, 0.3) for t in NEAR},
    **{f"tilted {t:g} from nothing": turn(0, t) @ turn(1, -t) for t in NEAR},
}


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("name", GENERAL)
def test_parts_multiply_back_to_the_rotation(name, axis):
    """Rounding of the entries, as products of rotations leave it, must not be taken for a direction."""
    for noise in (0.0, 1e-16):
        R = rows(GENERAL[name] + noise * rng.normal(size=(3, 3)))
        np.testing.assert_allclose(product_of(constant_parts(R)), R, rtol=0, atol=1e-15)
        parts, angle = without_last_turn(R, axis)
        np.testing.assert_allclose(product_of((*parts, turn_of(axis, angle))), R, rtol=0, atol=3e-15)


@pytest.mark.parametrize("axis", AXES)
def test_a_turn_about_the_axis_of_the_joint_joins_it_whole(axis):
    parts, angle = without_last_turn(exact_turn(axis, 0.4), axis)
    assert parts == ()
    assert angle == pytest.approx(0.4, abs=1e-16)


def test_a_general_rotation_before_a_joint_is_two_turns():
    parts, angle = without_last_turn(rows(GENERAL["general"]), 2)
    assert [p.axis for p in parts] == [2, 0]
    assert angle != 0.0


NEARLY = [
    rotation_from_rpy(1.49e-8, 7.45e-9, 0.0),  # the cosines are 1, the angles are not 0
    rotation_from_rpy(0.0, 1e-9, 1.0),
    ((1.7948965149208059e-09, -1.0, 0.0), (1.0, 1.7948965149208059e-09, 0.0), (0.0, 0.0, 1.0)),  # of a real robot
]


@pytest.mark.parametrize("rotation", NEARLY, ids=range(len(NEARLY)))
def test_small_angles_whose_cosine_is_one_are_kept(rotation):
    parts = constant_parts(rotation)
    np.testing.assert_allclose(Transition(parts, (0.0, 0.0, 0.0)).rotation, rotation, rtol=0, atol=1e-15)
    for axis in range(3):
        parts, angle = without_last_turn(rotation, axis)
        last = Turn(axis, math.cos(angle), math.sin(angle))
        np.testing.assert_allclose(Transition((*parts, last), (0.0, 0.0, 0.0)).rotation, rotation, rtol=0, atol=1e-15)
