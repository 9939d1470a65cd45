import dataclasses
import json
from xml.etree import ElementTree

import pytest

from codegen.cli import main
from codegen.commands import bench
from derive import random_tree

TINY = ["--repeats", "2", "--batch", "8", "--states", "8"]


def test_a_robot_is_timed_and_results_are_written(capsys, tmp_path):
    arguments = ["bench", "planar_2r", "--functions", "mass_matrix,forward_dynamics", "--out", str(tmp_path / "new")]
    assert main([*arguments, *TINY]) == 0
    out = capsys.readouterr().out
    assert "mass_matrix: " in out
    assert "how many times as long others take" in out
    assert "per cycle" in out
    data = json.loads((tmp_path / "new" / "planar_2r.bench.json").read_text())
    assert [race["function"] for race in data["functions"]] == ["mass_matrix", "forward_dynamics"]
    assert data["machine"]["compiler"]["flags"]
    ElementTree.parse(tmp_path / "new" / "planar_2r.bench.svg")


def test_json_is_all_that_is_printed(capsys):
    assert main(["bench", "planar_2r", "--functions", "gravity_forces", "--json", *TINY]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["robot"] == "planar_2r"
    assert data["peers"] == []


def test_functions_that_do_not_fit_are_left_out():
    without_tip = dataclasses.replace(random_tree(2, 0), tips=())
    assert "jacobian" not in bench._functions(without_tip, None)
    assert "mass_matrix" in bench._functions(without_tip, None)


def test_chains_are_timed(capsys, tmp_path):
    arguments = ["bench", "--scaling", "--sizes", "1,2", "--functions", "gravity_forces", "--repeats", "2"]
    assert main([*arguments, "--out", str(tmp_path)]) == 0
    assert capsys.readouterr().out.count("straight-line") == 2
    assert len(json.loads((tmp_path / "scaling.bench.json").read_text())["points"]) == 2
    ElementTree.parse(tmp_path / "scaling.bench.svg")


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ([], "bench takes a ROBOT (see 'soagen robots'), or --scaling without one"),
        (["panda", "--scaling"], "or --scaling without one"),
        (["panda", "--functions", "nonsense"], "there is no function 'nonsense'"),
        (["--scaling", "--functions", "nonsense"], "there is no function 'nonsense'"),
        (["panda", "--batch", "0"], "'0' is not a whole number above 0"),
        (["panda", "--repeats", "many"], "'many' is not a whole number above 0"),
        (["--scaling", "--sizes", "1,,2"], "'' is not a whole number above 0"),
        (["panda", "--real", "float"], "bench times doubles"),
        (["nosuchrobot"], "nosuchrobot"),
    ],
)
def test_mistakes_are_one_line(arguments, complaint, capsys):
    assert main(["bench", *arguments]) == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1
