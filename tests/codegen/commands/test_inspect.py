"""``soagen inspect`` from outside: exit codes, formats, files."""

import json
import os
import subprocess
import sys

import pytest

from codegen.cli import main


def inspected(capsys, *arguments):
    code = main(["inspect", *arguments])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


@pytest.mark.parametrize(
    "arguments",
    [
        ["planar_2r", "M"],
        ["planar_2r", "M[1,2]", "--format", "latex"],
        ["planar_2r", "M[joint1,joint2]", "--format", "mathml"],
        ["planar_2r", "C[2]", "--format", "python"],
        ["planar_2r", "g", "--format", "c", "--numbers", "exact"],
        ["planar_2r", "J", "--format", "markdown", "--form", "nested"],
        ["planar_2r", "dM[2][1,2]", "--form", "expanded"],
        ["planar_2r", "christoffel[1,2,2]", "--form", "angles"],
        ["planar_3r", "P[2]"],
        ["planar_3r", "D[2]"],
        ["planar_3r", "G[2]"],
        ["planar_3r", "psi[3,2]"],
        ["planar_2r", "M", "--zoom", "operator"],
        ["planar_2r", "D[1]", "--zoom", "recursion", "--digits", "4"],
        ["puma560", "M[3,3]", "--symbols", "all"],
        ["planar_2r"],
    ],
)
def test_entries_are_shown(capsys, arguments):
    code, out, err = inspected(capsys, *arguments)
    assert (code, err) == (0, "")
    assert len(out) > 20


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["planar_2r", "Q[1]"], "the entries are M[i,j]"),
        (["panda", "M[9,9]"], "not among 1 … 7"),
        (["nothing", "M"], "nothing"),
        (["planar_2r", "M", "--zoom", "operator", "--format", "c"], "--zoom operator is text"),
        (["planar_2r", "--all", "--out", "model.pdf"], "end the file's name with .html, .tex, .md"),
        (["planar_2r", "--all", "--out", "/proc/nowhere/model.md"], "cannot write"),
        (["planar_2r", ""], "there is no entry ''; the entries are M[i,j]"),
        (["planar_2r", "M", "--budget", "-1"], "give 1 or more"),
        (["planar_2r", "M", "--budget", "0"], "give 1 or more"),
        (["planar_2r", "K[1]"], "its gain is G[1]"),
        (["planar_2r", "M", "--form", "best"], "invalid choice"),
        (["planar_2r", "M", "--digits", "0"], "give 1 to 17"),
        (["planar_2r", "--all", "--out", ""], "--out needs the name of a file"),
        (["planar_2r", "M", "--out", "model.md"], "--out, the whole robot, does not go with 'M'"),
        (["planar_2r", "--all", "--form", "nested", "--numbers", "exact"], "does not go with --form and --numbers"),
        (["planar_2r", "M", "--prove"], "--prove does not go with 'M'"),
        (["planar_2r", "--prove", "--all"], "--prove does not go with --all"),
        (["planar_2r", "--prove", "--format", "c"], "--prove does not go with --format"),
        (["planar_2r", "M", "--digits", "5", "--numbers", "exact"], "--numbers exact does not go with --digits"),
        (["planar_2r", "M", "--json", "--format", "c"], "--json does not go with --format"),
        (["planar_2r", "M", "--zoom", "recursion", "--form", "nested"], "--zoom recursion does not go with --form"),
        (["planar_2r", "M", "g"], "unrecognized arguments: g; see 'soagen inspect --help'"),
    ],
)
def test_mistakes_are_one_line_and_exit_2(capsys, arguments, message):
    code, out, err = inspected(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.strip().splitlines()) == 1


@pytest.mark.parametrize("before", range(4))
def test_options_may_stand_anywhere(capsys, before):
    places = ["planar_2r", "M[2,2]", "-q"]
    places[before:before] = ["--format", "latex"]
    assert inspected(capsys, *places)[:2] == (0, "M_{2,2} = I_{2} + m_{2} l_{c2}^{2}\n")


def test_a_smaller_budget_names_more_in_a_document(capsys):
    _, usual, _ = inspected(capsys, "planar_3r", "--all")
    _, short, _ = inspected(capsys, "planar_3r", "--all", "--budget", "2")
    assert "when expanded" not in usual.replace("Terms of each entry of M when expanded", "")
    assert "terms when expanded" in short


def test_proofs_of_a_robot_at_odd_angles_say_of_which_numbers_they_are(capsys, tmp_path):
    inertia = '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>'
    links = "".join(f'<link name="{n}"><inertial><mass value="1"/>{inertia}</inertial></link>' for n in "ab")
    between = '<parent link="a"/><child link="b"/><origin rpy="0.3 0.2 0.1"/>'
    joint = f'<joint name="j" type="revolute">{between}<axis xyz="0 0 1"/></joint>'
    (tmp_path / "odd.urdf").write_text(f'<robot name="odd">{links}{joint}</robot>')
    code, out, _ = inspected(capsys, str(tmp_path / "odd.urdf"), "--prove", "-q")
    assert code == 0
    assert "rationals within 1e-15 of the file's numbers: j." in out


def test_a_robot_without_freedoms_has_no_entries(capsys, tmp_path):
    (tmp_path / "still.urdf").write_text('<robot name="still"><link name="a"/></robot>')
    code, _, err = inspected(capsys, str(tmp_path / "still.urdf"), "M")
    assert code == 2
    assert "no degrees of freedom" in err


def test_constants_of_bodies_that_were_locked_are_left_out(capsys):
    code, out, _ = inspected(capsys, "puma560", "M[4,4]", "--lock", "joint6=0.3")
    assert code == 0
    assert "M[4,4] = " in out


def test_what_is_printed_does_not_depend_on_the_seed_of_hashes():
    command = [sys.executable, "-m", "codegen", "inspect", "ur5", "M"]
    printed = {
        subprocess.run(command, env=os.environ | {"PYTHONHASHSEED": seed}, capture_output=True, check=True).stdout
        for seed in "12"
    }
    assert len(printed) == 1


def test_json_is_json(capsys):
    code, out, _ = inspected(capsys, "planar_2r", "M", "--json")
    content = json.loads(out)
    assert code == 0
    assert [f["label"] for f in content["formulas"]] == ["M[1,1]", "M[1,2]", "M[2,2]"]


def test_proofs_are_listed_and_a_failure_is_exit_1(capsys, monkeypatch):
    code, out, _ = inspected(capsys, "planar_2r", "--prove")
    assert code == 0
    assert out.count("proved") == 12 + 1
    assert "\nproved: both sides have the same canonical form" in out
    assert "sampled" not in out
    code, out, _ = inspected(capsys, "planar_2r", "--prove", "--json")
    assert all(proof["holds"] for proof in json.loads(out))
    from derive.closed_form import robot

    wrong = property(lambda self: tuple(-e for e in self.outputs("gravity_forces")["tau"]))
    monkeypatch.setattr(robot.ClosedForms, "gravity_forces", wrong)
    code, out, _ = inspected(capsys, "planar_2r", "--prove")
    assert code == 1
    assert "FAILS" in out


def test_documents_are_written_whole(capsys, tmp_path):
    path = tmp_path / "deep" / "model.html"
    code, out, _ = inspected(capsys, "planar_2r", "--all", "--out", str(path))
    assert code == 0
    assert out.startswith(f"wrote {path}")
    assert path.read_text().rstrip().endswith("</html>")
    assert [p.name for p in path.parent.iterdir()] == ["model.html"]
    code, out, _ = inspected(capsys, "planar_2r", "--all")
    assert code == 0
    assert out.startswith("# planar_2r: closed forms")
