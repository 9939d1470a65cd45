"""Things that go wrong between a robot and its kernels: each is caught, and the message names the function."""

import dataclasses
import re

import pytest
from jinja2 import ChoiceLoader, DictLoader

from codegen import build as building
from codegen import skeletons
from codegen.cli import main
from codegen.errors import BuildWarning
from codegen.kernel import Kernels
from codegen.pipeline import compile_kernels, kernel_programs
from codegen.programs import robot_facts
from codegen.render import render
from codegen.trust.cases import draw_cases
from codegen.trust.check import examine, subject
from codegen.trust.report import faults
from codegen.trust.runners import kernel_runners
from codegen.validate import validate
from derive import load_model
from derive.inertia import Inertia

CHECK = ["check", "planar_2r", "--samples", "3", "--functions"]


def heavier(model, k):
    """One entry of one inertia 1 % larger."""
    body = model.bodies[k]
    *rest, zz = body.inertia.inertia
    wrong = dataclasses.replace(body, inertia=Inertia(body.inertia.mass, body.inertia.moment, (*rest, 1.01 * zz)))
    return dataclasses.replace(model, bodies=(*model.bodies[:k], wrong, *model.bodies[k + 1 :]))


def test_a_corrupted_model(ur5):
    """Kernels of a model with one inertia entry off by 1 %, before the oracles of the right one."""
    programs = subject(heavier(ur5.model, 2), [p.name for p in ur5.programs if not p.extends], ("numpy",))
    what = dataclasses.replace(ur5, sources=programs.sources, runners=programs.runners)
    lines = faults(examine(what, draw_cases(ur5.model, 3, 0)))
    named = {line.split()[1] for line in lines if line.startswith("MISMATCH")}
    assert named == {"mass_matrix", "inverse_dynamics", "inverse_dynamics_with_tip_force"}  # gravity sees no inertia


@pytest.fixture
def corrupted_template(monkeypatch):
    """The C skeleton writes cosines for sines."""
    root = skeletons.template_root()
    text = (root / "c/body.c.jinja").read_text()
    wrong = text.replace("  {{ line }}\n", "  {{ line | replace('= sine[', '= cosine[') }}\n")
    assert wrong != text
    environment = skeletons.environment().overlay(
        loader=ChoiceLoader([DictLoader({"c/body.c.jinja": wrong}), skeletons.environment().loader])
    )
    monkeypatch.setattr(skeletons, "environment", lambda: environment)


def test_a_corrupted_template(corrupted_template, capsys):
    assert main([*CHECK, "jacobian,mass_matrix"]) == 1
    out = capsys.readouterr().out
    assert "MISMATCH: jacobian (C) is off by" in out
    assert "MISMATCH: jacobian (NumPy)" not in out


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SOAGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(building, "_loaded", {})
    return tmp_path / "cache"


def test_a_cached_library_with_a_flipped_bit(cache, monkeypatch):
    model = load_model("planar_2r")
    kernels = compile_kernels(model, ["mass_matrix"])
    (library,) = cache.glob("*.so")
    data = bytearray(library.read_bytes())
    data[len(data) // 2] ^= 1
    library.unlink()
    library.write_bytes(data)
    monkeypatch.setattr(building, "_loaded", {})
    with pytest.warns(BuildWarning, match=r"is damaged.*planar_2r \(mass_matrix\) is made anew"):
        again = Kernels(kernels.source)
    assert again.mass_matrix([0.1, 0.2]).tolist() == kernels.mass_matrix([0.1, 0.2]).tolist()


def test_a_cached_library_of_other_code(cache, monkeypatch, capsys):
    """Whole, under the right name, and wrong: compiled from text in which a constant was changed."""
    compile_ = building._compile

    def wrong(source, preamble, compiler, key, target):
        head, name, rest = source["planar_2r.c"].partition("planar_2r_mass_matrix(")
        text = head + name + re.sub(r"\d\.\d{6,}", lambda n: repr(1.000001 * float(n[0])), rest, count=1)
        files = tuple((path, text if path == "planar_2r.c" else kept) for path, kept in source.files)
        compile_(dataclasses.replace(source, files=files), preamble, compiler, key, target)

    model = load_model("planar_2r")
    source = render(robot_facts(model), kernel_programs(model, ["mass_matrix", "gravity_forces"]), batch=True)
    monkeypatch.setattr(building, "_compile", wrong)
    Kernels(source)
    monkeypatch.setattr(building, "_compile", None)  # from now on only the cache
    monkeypatch.setattr(building, "_loaded", {})
    assert main([*CHECK, "mass_matrix,gravity_forces", "--backend", "c"]) == 1
    out = capsys.readouterr().out
    assert "MISMATCH: mass_matrix (C)" in out
    assert "MISMATCH: gravity_forces" not in out


def test_validate_names_the_function(planar):
    """A kernel that is not the function it is called."""
    kernels = Kernels(next(s for s in planar.sources if s.backend == "numpy"))
    kernels.__dict__["gravity_forces"] = lambda q: kernels.bias_forces(q, [1.0, 1.0])
    assert kernel_runners(kernels)
    failing = {v.function for v in validate(kernels, planar.model, samples=2) if not v.passes}
    assert failing == {"gravity_forces"}
