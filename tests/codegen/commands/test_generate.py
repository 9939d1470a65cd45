import json
import re

import pytest

from codegen.cli import main


def generate(folder, *arguments):
    return main(["generate", "planar_2r", "--out", str(folder), *arguments])


def test_files_are_written_with_a_table(tmp_path, capsys):
    assert generate(tmp_path) == 0
    out = capsys.readouterr().out
    assert re.search(r"mass_matrix +1 sweep: tip to base", out)
    assert {p.name for p in tmp_path.iterdir()} == {
        "planar_2r.c",
        "planar_2r.h",
        "planar_2r.py",
        "planar_2r.manifest.json",
        "planar_2r_selftest.c",
        "planar_2r_selftest.py",
    }


def test_check_is_quiet_when_current_and_shows_the_diff_when_stale(tmp_path, capsys):
    generate(tmp_path)
    assert generate(tmp_path, "--check") == 0
    capsys.readouterr()
    file = tmp_path / "planar_2r.c"
    current = file.read_text()
    assert " c2 = " in current
    file.write_text(current.replace(" c2 = ", " c9 = ", 1))
    assert generate(tmp_path, "--check") == 1
    assert "+++ current/planar_2r.c" in capsys.readouterr().out


def test_one_backend_and_a_few_functions(tmp_path, capsys):
    assert (
        generate(tmp_path, "--backend", "c", "--functions", "mass_matrix,gravity_forces", "--real", "float", "--json")
        == 0
    )
    assert [row["function"] for row in json.loads(capsys.readouterr().out)] == ["mass_matrix", "gravity_forces"]
    assert "float *restrict mass" in (tmp_path / "planar_2r.c").read_text()
    assert not (tmp_path / "planar_2r.py").exists()


def test_functions_over_many_states_and_libm_on_request(tmp_path):
    options = ("--functions", "mass_matrix", "--backend", "c", "--batch", "--trig", "libm")
    assert generate(tmp_path, *options) == 0
    assert "planar_2r_mass_matrix_batch(size_t count" in (tmp_path / "planar_2r_batch.h").read_text()
    assert " cos(" in (tmp_path / "planar_2r.c").read_text()
    assert generate(tmp_path, *options, "--check") == 0
    assert generate(tmp_path, *options[:-2], "--check") == 1
    assert set(json.loads((tmp_path / "planar_2r.manifest.json").read_text())["backends"]["c"]["files"]) == {
        "planar_2r.c",
        "planar_2r.h",
        "planar_2r_batch.c",
        "planar_2r_batch.h",
        "planar_2r_selftest.c",
    }


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--functions", "nope"], "there is no function 'nope'; there are"),
        (["--backend", "fortran"], "unknown backend 'fortran'"),
        (["--algorithm", "fd9"], "invalid choice"),
        (["--gravity", "1,2"], "is not three numbers"),
        (["--out", "/dev/null/x"], "cannot write"),
    ],
)
def test_bad_input_is_one_line_and_exit_2(arguments, words, capsys):
    assert main(["generate", "planar_2r", *arguments]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert words in err
    assert err.count("\n") == 1


def test_any_expression_compiles(tmp_path, capsys):
    arguments = ["compile", "B' psi' H' D^-1 H psi B", "planar_2r", "--name", "omega", "--out", str(tmp_path)]
    assert main(arguments) == 0
    assert "omega" in capsys.readouterr().out
    assert "planar_2r_omega" in (tmp_path / "planar_2r.h").read_text()
    assert main(["compile", "H H", "planar_2r"]) == 2
    assert "cannot multiply" in capsys.readouterr().err


def test_counts_are_those_of_the_program(capsys):
    assert main(["count", "planar_2r", "--functions", "mass_matrix", "--json"]) == 0
    row = json.loads(capsys.readouterr().out)["mass_matrix"]
    assert (row["multiplications"], row["additions"], row["trigonometric"]) <= (3, 5, 2)


@pytest.mark.parametrize(
    "options", [["--functions", ""], ["--functions", ","], ["--gravity", "nan,0,0"], ["--gravity", "0,inf,0"]]
)
def test_nothing_asked_for_and_gravity_that_is_no_number_are_refused(options, tmp_path, capsys):
    assert main(["generate", "planar_2r", "--out", str(tmp_path / "out"), *options]) == 2
    assert not (tmp_path / "out").exists()
    assert "Traceback" not in capsys.readouterr().err
