import pytest

from codegen import compile_kernels
from codegen.bench.problem import Problem, draw_states
from derive import load_model

FUNCTIONS = ("forward_kinematics", "jacobian", "inverse_dynamics", "mass_matrix", "forward_dynamics", "kinetic_energy")


@pytest.fixture(scope="session")
def planar():
    """A small robot with kernels of one and two outputs, and 16 states."""
    model = load_model("planar_2r")
    return Problem(model, compile_kernels(model, FUNCTIONS), draw_states(model, 16))
