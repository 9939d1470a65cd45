"""Compiling Pinocchio takes minutes, so only what surrounds it is tested; its results are checked whenever it is timed."""

import numpy as np
import pytest

from codegen.bench.peers import pinocchio_cpp
from codegen.bench.peers.peer import PeerError
from codegen.bench.peers.pinocchio_algorithms import ALGORITHMS
from codegen.bench.peers.pinocchio_cpp_text import timing_text, tracing_text
from codegen.bench.peers.pinocchio_model import ROW_SIZE, pinocchio_robot
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
