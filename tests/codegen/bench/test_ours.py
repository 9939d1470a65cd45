import numpy as np
import pytest

from codegen import compile_kernels
from codegen.bench.native import kernel_loop
from codegen.bench.ours import BATCH, C_CALL, NUMPY, batch_contenders, c_call, call_contenders, reference_contender
from codegen.bench.problem import AGREEMENT, disagreement


@pytest.mark.parametrize("function", ["forward_kinematics", "inverse_dynamics", "kinetic_energy"])
def test_every_contender_of_ours_computes_the_function(planar, function):
    numpy_kernels = compile_kernels(planar.model, [function], backend="numpy")
    contenders = [
        *call_contenders(planar, function),
        *batch_contenders(planar, numpy_kernels, function),
        reference_contender(planar, function),
    ]
    assert {C_CALL, BATCH, NUMPY} <= {contender.name for contender in contenders}
    for contender in contenders:
        contender.run(2)
        assert disagreement(contender, planar.expected(function)) <= AGREEMENT, contender.name


def test_the_c_loop_calls_the_kernel_on_every_state(planar):
    (found,) = c_call(planar, "forward_dynamics").results()
    q, qd, tau = (planar.states[name] for name in ("q", "qd", "tau"))
    np.testing.assert_array_equal(
        found, [planar.kernels.forward_dynamics(*row) for row in zip(q, qd, tau, strict=True)]
    )


def test_the_reference_serves_functions_it_has_no_name_for(planar):
    contender = reference_contender(planar, "mass_matrix")
    assert contender.states == len(contender.results()[0])


def test_numbers_of_another_type_never_reach_compiled_code(planar):
    with pytest.raises(TypeError, match="float64"):
        kernel_loop(0, [planar.states["q"].astype(np.float32)], [])
