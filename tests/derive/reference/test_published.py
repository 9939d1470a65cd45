"""The reference against published numbers and textbook closed forms."""

import numpy as np
import pytest

from derive import load_model, reference

# Robotics Toolbox's check vector for the Puma 560 of Corke and Armstrong (g = 9.81, no motors).
PUMA = {
    "q": (
        0.7504516826728697,
        0.8395156106908136,
        0.16851233582594916,
        0.3849629637427072,
        0.5252993946810777,
        0.6701207256444748,
    ),
    "qd": (
        0.24721855939629367,
        0.9805915670454258,
        0.9895299755642817,
        0.7861135739668947,
        0.273842245476577,
        0.17182358900767503,
    ),
    "qdd": (
        0.707405815485141,
        0.25295715193420953,
        0.9763909835998361,
        0.8412822676113918,
        0.4867768296473465,
        0.11480270540937143,
    ),
}
PUMA_TAU = (
    0.986185688341252,
    16.1055550633721,
    -6.54839494827661,
    0.00626452648190803,
    -0.0208972707132494,
    5.59805923645945e-5,
)


def test_puma_560_check_vector():
    np.testing.assert_allclose(reference.inverse_dynamics(load_model("puma560_corke"), **PUMA), PUMA_TAU, rtol=2e-14)


@pytest.mark.parametrize("seed", range(5))
def test_planar_2r_mass_matrix_and_gravity_are_the_textbook_ones(seed):
    rng = np.random.default_rng(seed)
    model = load_model("planar_2r")
    p = {name: rng.uniform(0.5, 2.0) for name, _ in model.parameters}
    q = rng.uniform(-3, 3, 2)
    c2, g = np.cos(q[1]), 9.81
    M12 = p["I2"] + p["m2"] * (p["lc2"] ** 2 + p["l1"] * p["lc2"] * c2)
    M22 = p["I2"] + p["m2"] * p["lc2"] ** 2
    M11 = (
        p["I1"]
        + p["I2"]
        + p["m1"] * p["lc1"] ** 2
        + p["m2"] * (p["l1"] ** 2 + p["lc2"] ** 2 + 2 * p["l1"] * p["lc2"] * c2)
    )
    np.testing.assert_allclose(reference.mass_matrix(model.numeric(p), q), [[M11, M12], [M12, M22]], rtol=1e-14)
    g2 = p["m2"] * p["lc2"] * g * np.cos(q.sum())
    g1 = (p["m1"] * p["lc1"] + p["m2"] * p["l1"]) * g * np.cos(q[0]) + g2
    np.testing.assert_allclose(reference.gravity_forces(model.numeric(p), q), [g1, g2], rtol=1e-13, atol=1e-13)


@pytest.mark.parametrize("seed", range(5))
def test_planar_3r_mass_matrix_is_the_textbook_one(seed):
    rng = np.random.default_rng(seed)
    model = load_model("planar_3r")
    p = {name: rng.uniform(0.5, 2.0) for name, _ in model.parameters}
    q = rng.uniform(-3, 3, 3)
    m2, m3, l1, l2 = p["m2"], p["m3"], p["l1"], p["l2"]
    a1 = p["I1"] + p["m1"] * p["lc1"] ** 2 + (m2 + m3) * l1**2
    a2 = p["I2"] + m2 * p["lc2"] ** 2 + m3 * l2**2
    a3 = p["I3"] + m3 * p["lc3"] ** 2
    b12, b13, b23 = l1 * (m2 * p["lc2"] + m3 * l2), m3 * l1 * p["lc3"], m3 * l2 * p["lc3"]
    c2, c3, c23 = np.cos(q[1]), np.cos(q[2]), np.cos(q[1] + q[2])
    M12 = a2 + a3 + b12 * c2 + b13 * c23 + 2 * b23 * c3
    M13, M23 = a3 + b13 * c23 + b23 * c3, a3 + b23 * c3
    M11, M22 = a1 + a2 + a3 + 2 * (b12 * c2 + b13 * c23 + b23 * c3), a2 + a3 + 2 * b23 * c3
    expected = [[M11, M12, M13], [M12, M22, M23], [M13, M23, a3]]
    np.testing.assert_allclose(reference.mass_matrix(model.numeric(p), q), expected, rtol=1e-13)


@pytest.mark.parametrize("seed", range(5))
def test_puma_560_mass_matrix_has_the_published_entries(seed):
    """Armstrong, Khatib, Burdick 1986; the inertial constants are printed to six digits, hence the tolerance."""
    I6, I14, I15, I17, I20, I21, I22, I23 = (
        0.333747,
        1.64e-3,
        1.24733e-3,
        6.4216e-4,
        -2.0216e-4,
        -1e-4,
        -5.8464e-5,
        4e-5,
    )
    q = np.random.default_rng(seed).uniform(-3, 3, 6)
    M = reference.mass_matrix(load_model("puma560"), q)
    S4, C4, S5, C5 = np.sin(q[3]), np.cos(q[3]), np.sin(q[4]), np.cos(q[4])
    S23, C23 = np.sin(q[1] + q[2]), np.cos(q[1] + q[2])
    published = {
        (4, 4): I14 - I20 * S5**2,
        (4, 6): I23 * C5,
        (5, 5): I17,
        (6, 6): I23,
        (1, 6): I23 * (C23 * C5 - S23 * C4 * S5),
        (3, 4): -I15 * S4 * S5 + I20 * S4 * S5 * C5,
        (3, 5): I15 * C4 * C5 + I17 * C4 + I22 * S5,
        (3, 3): I6 + I20 * S4**2 * S5**2 + I21 * S4**2 + 2 * (I15 * C5 + I22 * C4 * S5),
    }
    for (i, j), expected in published.items():
        tolerance = 1e-6 if (i, j) == (3, 3) else 1e-8  # half a unit of the last printed digit of I6; of I15
        assert M[i - 1, j - 1] == pytest.approx(expected, abs=tolerance)
