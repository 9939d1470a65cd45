"""Compiling Pinocchio with optimisation takes minutes: what is timed is checked whenever it is; here some of it without."""

import numpy as np
import pytest

from codegen import compile_kernels
from codegen.bench.native import CPP_COMPILERS, compilers
from codegen.bench.peers import pinocchio_cpp
from codegen.bench.peers.peer import PeerError
from codegen.bench.peers.pinocchio_algorithms import ALGORITHMS
from codegen.bench.peers.pinocchio_cpp_text import timing_text, tracing_text
from codegen.bench.peers.pinocchio_model import ROW_SIZE, pinocchio_robot
from codegen.bench.peers.pinocchio_states import pinocchio_states
from codegen.bench.problem import AGREEMENT, Problem, disagreement, draw_states
from codegen.functions import FUNCTIONS
from derive import load_model, random_chain


def test_every_algorithm_is_timed_and_traced():
    timed, traced = timing_text(), tracing_text()
    assert len({algorithm.symbol for algorithm in ALGORITHMS}) == len(ALGORITHMS)
    for algorithm in ALGORITHMS:
        assert algorithm.function in FUNCTIONS
        assert timed.count(f"void {algorithm.symbol}(Robot") == 1
        assert traced.count(f'strcmp(symbol, "{algorithm.symbol}")') == 1


def test_rows_hold_what_the_cpp_reads():
    robot = pinocchio_robot(load_model("go2"))
    assert robot.table.shape == (len(robot.rows), ROW_SIZE)
    assert robot.table[:, 18].sum() == pytest.approx(sum(body.inertia.mass for body in robot.ours.bodies))
    assert all(row.parent <= i for i, row in enumerate(robot.rows))


def test_axes_along_x_y_z_get_the_faster_joints():
    kinds = [row.kind for row in pinocchio_robot(load_model("ur5")).rows]
    assert set(kinds) <= {"RX", "RY", "RZ"}
    assert [row.kind for row in pinocchio_robot(random_chain(2, 1)).rows] == ["RevoluteUnaligned"] * 2


def test_the_tip_is_the_first_one_on_its_joint():
    model = load_model("panda")
    on, placement = pinocchio_robot(model).tip
    assert on == 7
    np.testing.assert_array_equal(placement[9:], model.tips[0].placement.translation)


def test_missing_headers_are_named(monkeypatch, tmp_path):
    import pinocchio

    monkeypatch.setattr(
        pinocchio, "__file__", str(tmp_path / "lib" / "python3" / "site-packages" / "pinocchio" / "x.py")
    )
    with pytest.raises(PeerError, match="no headers of Pinocchio"):
        pinocchio_cpp.include_folders()
    (tmp_path / "include" / "pinocchio" / "algorithm").mkdir(parents=True)
    (tmp_path / "include" / "pinocchio" / "algorithm" / "rnea.hpp").touch()
    monkeypatch.setattr(pinocchio_cpp, "SYSTEM_EIGEN", ())
    with pytest.raises(PeerError, match="pip install cmeel-eigen"):
        pinocchio_cpp.include_folders()


# Stored by Pinocchio in rows and in columns, whole or one half, not square, several matrices.
KINDS = ("mass_matrix", "mass_matrix_inverse", "jacobian", "coriolis_matrix", "inverse_dynamics_derivatives")


@pytest.fixture(scope="module")
def matrices():
    """A robot with kernels that give matrices, and Pinocchio's algorithms for them, compiled in the quickest way."""
    model = load_model("stanford")
    problem = Problem(model, compile_kernels(model, KINDS), draw_states(model, 3))
    algorithms = {algorithm.function: algorithm for algorithm in ALGORITHMS if algorithm.function in KINDS}
    found = compilers(CPP_COMPILERS[::-1], (pinocchio_cpp.DIALECT, "-O0"))
    if not found:
        pytest.skip("no C++ compiler")
    try:
        loaded = pinocchio_cpp.compiled(timing_text(tuple(algorithms.values())), found[0])
    except PeerError as missing:  # headers
        pytest.skip(str(missing))
    return problem, algorithms, loaded


@pytest.mark.parametrize("function", KINDS)
def test_matrices_that_pinocchio_stores_are_ours(matrices, function):
    problem, algorithms, loaded = matrices
    peer = pinocchio_cpp.PinocchioCpp("batch", batched=True)
    contender = peer.contender(problem, *pinocchio_states(problem, function), algorithms[function], loaded, "")
    assert disagreement(contender, problem.expected(function)) < AGREEMENT


@pytest.mark.parametrize("function", KINDS)
def test_every_round_stores_to_the_same_rows(matrices, function):
    problem, algorithms, loaded = matrices
    robot, arrays = pinocchio_states(problem, function)
    run = pinocchio_cpp.PinocchioCpp().contender(problem, robot, arrays, algorithms[function], loaded, "").run
    size = np.prod(algorithms[function].outcome.shape_for(robot))
    once, often = np.full((2, 3 * problem.rows, size), np.nan)
    run(1, once)
    run(3, often)
    np.testing.assert_array_equal(often, once)
    assert np.isnan(once).all(axis=1).sum() == 2 * problem.rows
