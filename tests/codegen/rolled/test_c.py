"""The C of rolled programs as its users meet it: it compiles without a warning, and the documented main runs."""

import re

import numpy as np
import pytest
from oracles.compilers import STRICT, compile_c, compilers, run

from codegen.pipeline import kernel_programs
from codegen.programs import robot_facts
from codegen.render import render
from codegen.rolled.interpret import interpret_rolled
from derive import load_model, random_tree


def write(model, programs, real, directory):
    source = render(robot_facts(model), programs, "c", real)
    for path, text in source.items():
        (directory / path).write_text(text)
    return source


@pytest.fixture(scope="module")
def tree():
    model = random_tree(3, 0, ("revolute", "planar"))
    return model, kernel_programs(model, unroll="never")


@compilers
@pytest.mark.parametrize("real", ["double", "float"])
def test_compiles_without_warnings(compiler, real, tree, tmp_path):
    model, programs = tree
    write(model, programs, real, tmp_path)
    compile_c(compiler, *STRICT, "-c", tmp_path / f"{model.name}.c", "-o", tmp_path / "a.o")


@compilers
@pytest.mark.parametrize("function", ["mass_matrix_inverse", "forward_kinematics"])
def test_the_documented_main_runs_under_sanitizers(compiler, function, tmp_path):
    model = load_model("planar_2r")
    programs = kernel_programs(model, [function], unroll="never")
    header = write(model, programs, "double", tmp_path)["planar_2r.h"]
    comment = re.search(r"// A complete program.*?\n//\n(.*?)//\n// Compile it", header, re.DOTALL)[1]
    (tmp_path / "main.c").write_text(re.sub(r"^//(     )?", "", comment, flags=re.MULTILINE))
    flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g"]
    compile_c(compiler, *STRICT, *flags, "main.c", "planar_2r.c", "-o", "main", "-lm", cwd=tmp_path)
    printed = [float(line.split("=")[1]) for line in run(tmp_path / "main").splitlines()]
    expected = interpret_rolled(programs[0].program, {"q": [0.1, 0.2]})
    np.testing.assert_allclose(printed, np.concatenate([x.ravel() for x in expected.values()]), rtol=1e-13, atol=1e-15)


def test_work_memory_is_declared_and_known(tmp_path):
    model = load_model("planar_2r")
    (program,) = kernel_programs(model, ["mass_matrix"], unroll="never")
    source = write(model, [program], "double", tmp_path)
    (facts,) = source.functions
    assert facts.work == program.program.work_size > 0
    assert source.info(facts)["work"] == facts.work
    assert f"enum {{ planar_2r_mass_matrix_work = {facts.work} }};" in source["planar_2r.h"]
    assert f'",\\"work\\":{facts.work}"' in source["planar_2r.c"]
