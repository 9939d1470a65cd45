import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from derive.frames import Placement, rotation_from_rpy
from derive.inertia import Inertia, com, implausible, inertia_about_com, principal_moments
from derive.parameters import parameter

small = st.floats(-2, 2)


def about_origin(points, masses):
    """Inertia, first moment and mass of point masses, summed from the definition."""
    I = sum(m * ((p @ p) * np.eye(3) - np.outer(p, p)) for p, m in zip(points, masses, strict=True))
    return sum(masses), sum(m * p for p, m in zip(points, masses, strict=True)), I


def as_inertia(mass, moment, I):
    return Inertia(
        float(mass),
        tuple(map(float, moment)),
        tuple(float(I[i, j]) for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2))),
    )


@given(st.integers(0, 2**32 - 1))
def test_placing_a_body_equals_placing_its_point_masses(seed):
    rng = np.random.default_rng(seed)
    points, masses = rng.normal(size=(5, 3)), rng.uniform(0.1, 2, 5)
    R, p = np.array(rotation_from_rpy(*rng.normal(size=3))), rng.normal(size=3)
    moved = as_inertia(*about_origin(points, masses)).placed(Placement(tuple(map(tuple, R)), tuple(p)))
    expected = as_inertia(*about_origin(points @ R.T + p, masses))
    np.testing.assert_allclose(np.array(moved.scalars), np.array(expected.scalars), atol=1e-12)


def test_lumping_adds_point_masses():
    rng = np.random.default_rng(1)
    a, b = (about_origin(rng.normal(size=(4, 3)), rng.uniform(0.1, 1, 4)) for _ in range(2))
    total = as_inertia(*a) + as_inertia(*b)
    np.testing.assert_allclose(np.array(total.inertia)[[0, 3, 5]], np.diag(a[2] + b[2]), atol=1e-14)
    assert total.mass == pytest.approx(a[0] + b[0])


def test_about_com_and_back():
    body = Inertia.about_com(3.0, (0.1, -0.2, 0.3), (0.5, 0.01, -0.02, 0.6, 0.03, 0.7))
    np.testing.assert_allclose(com(body), (0.1, -0.2, 0.3))
    np.testing.assert_allclose(inertia_about_com(body), (0.5, 0.01, -0.02, 0.6, 0.03, 0.7))


def test_parallel_axes_with_symbols():
    body = Inertia.about_com(parameter("m"), (parameter("lc"), 0.0, 0.0), (0.0, 0.0, 0.0, 0.0, 0.0, parameter("I")))
    assert str(body.inertia[5]) == "I + lc^2*m"
    assert body.inertia[0] == 0.0


@given(st.tuples(*[small] * 6))
def test_principal_moments_are_eigenvalues(entries):
    xx, xy, xz, yy, yz, zz = entries
    expected = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    np.testing.assert_allclose(principal_moments(entries), expected, atol=1e-14)


@pytest.mark.parametrize(
    ("entries", "complaint"),
    [
        ((0.0, 0.0, 0.0, 0.0, 0.0, 0.0), None),
        ((1.0, 0.0, 0.0, 1.0, 0.0, 1.0), None),
        ((1.0, 0.0, 0.0, 1.0, 0.0, 2.0), None),  # a flat plate: on the boundary
        ((1.0, 0.0, 0.0, 1.0, 0.0, 2.1), "triangle"),
        ((0.0, 0.0, 0.0, 0.0, 0.0, 0.35), "triangle"),
        ((1.0, 2.0, 0.0, 1.0, 0.0, 1.0), "positive definite"),
        ((-1e-9, 0.0, 0.0, 1.0, 0.0, 1.0), None),  # rounding
        ((-0.1, 0.0, 0.0, 1.0, 0.0, 1.0), "positive definite"),
    ],
)
def test_implausible_inertias_are_named(entries, complaint):
    found = implausible(entries)
    assert found is None if complaint is None else complaint in found
