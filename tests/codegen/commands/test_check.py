import dataclasses
import json
import re

import numpy as np
import pytest

from codegen.cli import main
from codegen.pipeline import compile_kernels
from codegen.validate import validate
from derive import load_model
from derive.inertia import Inertia


def test_every_function_of_every_backend_passes(capsys):
    assert main(["check", "planar_2r", "--samples", "5"]) == 0
    out = capsys.readouterr().out
    assert re.search(r"(\d+) of \1 comparisons with oracles, (\d+) of \2 laws, (\d+) of \3 NaN checks pass", out)
    assert all(name in out for name in ("C float batch", "NumPy", "interpreter", "50 digits", "energy rate = power"))


def test_json_rows(capsys):
    arguments = ["check", "planar_2r", "--samples", "2", "--functions", "mass_matrix", "--backend", "numpy", "--json"]
    assert main(arguments) == 0
    report = json.loads(capsys.readouterr().out)
    assert {row["function"] for row in report["verdicts"]} == {"mass_matrix"}
    assert {"reference", "dense operators", "50 digits"} <= {row["oracle"] for row in report["verdicts"]}
    assert report["passes"] is True


def test_one_state_by_name_or_from_a_file(capsys, tmp_path):
    arguments = ["check", "planar_2r", "--functions", "mass_matrix", "--backend", "interpreter", "--json", "--state"]
    assert main([*arguments, "random 3"]) == 0
    rows = json.loads(capsys.readouterr().out)["verdicts"]
    assert {row["state"] for row in rows} <= {"random 3", "random 3, float32"}
    (tmp_path / "s.json").write_text('{"name": "mine", "q": [0.1, 0.2]}')
    assert main([*arguments, str(tmp_path / "s.json")]) == 0
    assert {row["state"] for row in json.loads(capsys.readouterr().out)["verdicts"]} == {"mine"}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1, 2]", "holds a JSON array; write an object such as"),
        ("q", "is not JSON"),
        ("{}", "has no q; give 2 numbers: joint1, joint2"),
        ('{"q": [0.1]}', "q has 1 numbers; give 2 finite numbers"),
        ('{"q": 0.1}', "q is no list of numbers; give 2 finite numbers"),
        ('{"q": [0.1, "a"]}', "q is no list of numbers; give 2 finite numbers"),
        ('{"q": [0.1, NaN]}', "q has NaN or infinity; give 2 finite numbers"),
        ('{"q": [0.1, 0.2], "qdot": [0, 0]}', "has 'qdot'; it may have q, qd, qdd, tau, f_tip"),
    ],
)
def test_a_state_that_is_none_is_one_line(capsys, tmp_path, text, message):
    (tmp_path / "s.json").write_text(text)
    assert main(["check", "planar_2r", "--functions", "mass_matrix", "--state", str(tmp_path / "s.json")]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert main(["check", "planar_2r", "--functions", "mass_matrix", "--state", str(tmp_path / "nowhere")]) == 2
    assert "no state of the table (q = 0, q = pi," in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--seed", "--samples", "--mutants"])
def test_counts_below_nothing_are_one_line(capsys, option):
    assert main(["check", "planar_2r", option, "-1"]) == 2
    assert f"{option} -1: give a whole number" in capsys.readouterr().err


STILL = """
name = "still"
source = "a rod on a wall"
tips = ["rod"]
[[link]]
name = "rod"
mass = 1.0
com = [0.1, 0, 0]
[[joint]]
name = "bolt"
type = "fixed"
parent = "world"
child = "rod"
"""


def test_a_robot_without_joints_passes(capsys, tmp_path):
    """Its energies are all there is to judge."""
    (tmp_path / "still.toml").write_text(STILL)
    assert main(["generate", str(tmp_path / "still.toml"), "--out", str(tmp_path), "-q"]) == 0
    assert main(["check", str(tmp_path / "still.toml"), "--samples", "2", "--certificate", str(tmp_path)]) == 0
    assert re.search(r"([1-9]\d*) of \1 comparisons with oracles", capsys.readouterr().out)
    assert main(["check", "--verify", str(tmp_path)]) == 0


def test_a_model_with_one_inertia_changed_by_a_percent_is_caught():
    model = load_model("ur5")
    body = model.bodies[2]
    xx, *rest = body.inertia.inertia
    wrong = dataclasses.replace(body, inertia=Inertia(body.inertia.mass, body.inertia.moment, (1.01 * xx, *rest)))
    corrupted = dataclasses.replace(model, bodies=(*model.bodies[:2], wrong, *model.bodies[3:]))
    kernels = compile_kernels(corrupted, ["mass_matrix", "inverse_dynamics", "gravity_forces"], backend="numpy")
    failing = {v.function for v in validate(kernels, model, samples=3) if not v.passes}
    assert failing == {"mass_matrix", "inverse_dynamics", "inverse_dynamics_with_tip_force"}  # gravity sees no inertia


def test_nan_does_not_pass():
    model = load_model("planar_2r")
    kernels = compile_kernels(model, ["mass_matrix"], backend="numpy")
    broken = lambda q: np.full((2, 2), np.nan)  # noqa: E731
    kernels.__dict__["mass_matrix"] = type(
        "Broken", (), {"info": kernels.mass_matrix.info, "__call__": lambda self, q: broken(q)}
    )()
    assert not any(v.passes for v in validate(kernels, model, samples=2))


def test_loops_are_judged_by_their_own_rounding(capsys):
    arguments = [
        "check",
        "planar_2r",
        "--samples",
        "3",
        "--unroll",
        "never",
        "--functions",
        "forward_dynamics,jacobian",
    ]
    assert main(arguments) == 0
    assert main([*arguments, "--mutants", "30"]) == 0
    assert "kill rate of the rest 100 %" in capsys.readouterr().out
