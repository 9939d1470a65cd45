import dataclasses
import json

import numpy as np

from codegen.cli import main
from codegen.pipeline import compile_kernels
from codegen.validate import validate
from derive import load_model
from derive.inertia import Inertia


def test_every_function_of_both_backends_passes(capsys):
    assert main(["check", "planar_2r", "--samples", "5"]) == 0
    assert "30 of 30 pass" in capsys.readouterr().out


def test_json_rows(capsys):
    assert (
        main(["check", "planar_2r", "--samples", "2", "--functions", "mass_matrix", "--backend", "numpy", "--json"])
        == 0
    )
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["function"], row["passes"]) == ("mass_matrix", True)


def test_a_model_with_one_inertia_changed_by_a_percent_is_caught():
    model = load_model("ur5")
    body = model.bodies[2]
    xx, *rest = body.inertia.inertia
    wrong = dataclasses.replace(body, inertia=Inertia(body.inertia.mass, body.inertia.moment, (1.01 * xx, *rest)))
    corrupted = dataclasses.replace(model, bodies=(*model.bodies[:2], wrong, *model.bodies[3:]))
    kernels = compile_kernels(corrupted, ["mass_matrix", "inverse_dynamics", "gravity_forces"], backend="numpy")
    verdicts = {v.function: v.passes for v in validate(kernels, model, samples=3)}
    assert verdicts["mass_matrix"] is False
    assert verdicts["inverse_dynamics"] is False
    assert verdicts["gravity_forces"] is True  # gravity does not see inertia


def test_nan_does_not_pass():
    model = load_model("planar_2r")
    kernels = compile_kernels(model, ["mass_matrix"], backend="numpy")
    broken = lambda q: np.full((2, 2), np.nan)  # noqa: E731
    kernels.__dict__["mass_matrix"] = type(
        "Broken", (), {"info": kernels.mass_matrix.info, "__call__": lambda self, q: broken(q)}
    )()
    assert [v.passes for v in validate(kernels, model, samples=2)] == [False]
