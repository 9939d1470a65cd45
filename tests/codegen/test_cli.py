import json
import os
import subprocess
import sys

import pytest

from codegen.cli import main
from derive import bundled_robots, load_model


def run(*arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "codegen", *arguments], capture_output=True, text=True, check=False, **options
    )


def test_robots_lists_every_bundled_robot(capsys):
    assert main(["robots"]) == 0
    out = capsys.readouterr().out
    assert all(name in out for name in bundled_robots())
    assert main(["robots", "--json"]) == 0
    assert [row["name"] for row in json.loads(capsys.readouterr().out)] == list(bundled_robots())


INFO_PLANAR_2R = """\
ground
│  joint1 (revolute) → link1, m1 kg
│  joint2 (revolute) → link2, m2 kg

index  papers' k  joint   kind      axis  coordinate  limits  identifier
    0          2  joint1  revolute  z     q[0]        -       joint1
    1          1  joint2  revolute  z     q[1]        -       joint2

tips: tool on link2
"""


def test_info_shows_tree_and_both_numberings(capsys):
    assert main(["info", "planar_2r"]) == 0
    assert INFO_PLANAR_2R in capsys.readouterr().out


def test_info_draws_branches(capsys):
    assert main(["info", "go2", "--lock", "FL_hip_joint=0.1"]) == 0
    out = capsys.readouterr().out
    assert "├─ FL_thigh_joint (revolute) → FL_thigh" in out
    assert "└─ RR_hip_joint" in out
    assert "q[0:7]" in out


def test_info_json_is_the_model(capsys):
    assert main(["info", "panda", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["digest"] == load_model("panda").digest
    assert content["paper_numbers"] == [7, 6, 5, 4, 3, 2, 1]
    assert content["model"]["bodies"][0]["name"] == "panda_link1"


def test_info_says_what_was_snapped_unless_quiet(capsys):
    main(["info", "g1"])
    assert "snapped: left_shoulder_pitch_joint" in capsys.readouterr().out
    main(["info", "g1", "-q"])
    assert "snapped" not in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nope"],
        ["info"],
        ["info", "no_such_robot"],
        ["info", "panda", "--nope"],
        ["info", "panda", "--lock", "panda_joint1"],
        ["info", "panda", "--lock", "panda_joint1=x"],
        ["info", "panda", "--snap-tol", "x"],
        ["info", "panda", "--tip", "nope"],
        ["info", "/"],
    ],
)
def test_bad_arguments_are_one_line_and_exit_2(arguments, capsys):
    assert main(arguments) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("soagen: error: ")


def test_help_exits_0():
    done = run("--help")
    assert (done.returncode, done.stderr) == (0, "")
    assert "robots" in done.stdout


def test_a_closed_pipe_is_no_error():
    done = subprocess.run(
        f"{sys.executable} -m codegen info g1 | head -1", shell=True, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith("g1: ")
    assert done.stderr == ""


def test_a_terminal_without_unicode_gets_question_marks():
    done = run("info", "panda", env={**os.environ, "PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, "")


def test_an_internal_error_is_one_line_too(monkeypatch, capsys):
    monkeypatch.setattr("codegen.commands.info.as_text", lambda *_a, **_k: 1 / 0)
    assert main(["info", "panda"]) == 70
    assert "internal error: ZeroDivisionError" in capsys.readouterr().err


def test_warnings_of_a_file_are_one_line_each(tmp_path, capsys):
    inertia = '<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="9"/>'
    file = tmp_path / "odd.urdf"
    file.write_text(f'<robot name="r"><link name="a"><inertial><mass value="1"/>{inertia}</inertial></link></robot>')
    assert main(["info", str(file)]) == 0
    assert capsys.readouterr().err == (
        f"soagen: warning: {file}: a: principal moments 1, 1, 9 break the triangle inequality; kept as the file says\n"
    )


@pytest.mark.parametrize("arguments", [["--help"], ["info", "panda"], ["robots"]])
def test_commands_that_need_neither_sympy_nor_numpy_do_not_import_them(arguments):
    heavy = "{'sympy', 'numpy'} & {*sys.modules}"
    script = f"import sys; from codegen.cli import main; main({arguments!r}); sys.exit(bool({heavy}))"
    assert subprocess.run([sys.executable, "-c", script], capture_output=True, check=False).returncode == 0
