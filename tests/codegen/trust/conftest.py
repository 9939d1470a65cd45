import pytest

from codegen.trust.check import subject
from derive import load_model


@pytest.fixture(scope="session")
def planar():
    """Programs and kernels of the smallest arm, all backends."""
    return subject(load_model("planar_2r"))


@pytest.fixture(scope="session")
def ur5():
    """Programs and NumPy kernels of a real arm."""
    return subject(load_model("ur5"), ["mass_matrix", "inverse_dynamics", "gravity_forces"], ("numpy",))
