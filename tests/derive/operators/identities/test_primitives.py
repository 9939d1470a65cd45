"""What the notes of section 1 say beside the identities."""

import numpy as np

from derive.operators.identities.vectorwise import companion_Q, spatial_cross


def test_the_spatial_cross_product_is_not_a_skew_matrix_but_its_companion_is():
    z = np.arange(1.0, 7.0)
    assert np.abs(spatial_cross(z) + spatial_cross(z).T).max() > 1
    assert np.abs(companion_Q(z) + companion_Q(z).T).max() == 0
