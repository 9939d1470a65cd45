"""The generated self-tests run on their own, pass everywhere, and fail when a constant of a kernel changes."""

import re
import subprocess
import sys

import pytest
from oracles.compilers import STRICT, compile_c

from codegen.pipeline import kernel_programs
from codegen.programs import robot_facts
from codegen.render import render
from codegen.trust.mutants.campaign import Trial, argument_sizes
from codegen.trust.mutants.schemata import replaced_text
from codegen.trust.mutants.sites import CONSTANT, all_mutants
from codegen.trust.mutants.statements import emitted_files
from codegen.trust.selftest import with_selftests
from derive import load_model, random_chain

SANITIZED = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-O1"]


def written(model, folder, backend, real="double", programs=None):
    programs = programs or kernel_programs(model)
    (source,) = with_selftests([render(robot_facts(model), programs, backend, real)], model, programs)
    for path, text in source.items():
        (folder / path).write_text(text)
    return source


def compiled(folder, name, cc="gcc", flags=("-O1",)):
    compile_c(cc, *STRICT, *flags, f"{name}_selftest.c", f"{name}.c", "-lm", "-o", "selftest", cwd=folder)
    return folder / "selftest"


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize(
    ("cc", "flags"), [("gcc", ["-O0"]), ("gcc", ["-O3"]), ("clang", ["-O3"]), ("gcc", SANITIZED), ("clang", SANITIZED)]
)
def test_it_compiles_without_a_warning_and_passes(planar, tmp_path, cc, flags, real):
    written(planar.model, tmp_path, "c", real, planar.programs)
    done = run(str(compiled(tmp_path, "planar_2r", cc, flags)))
    assert done.returncode == 0, done.stdout
    lines = done.stdout.splitlines()
    assert lines[-1] == f"planar_2r: {len(lines) - 1} of {len(lines) - 1} pass"
    assert any(line.startswith("pass  energy rate = power") for line in lines)
    assert any(line.startswith("pass  mass_matrix: mass") for line in lines)


@pytest.mark.parametrize("real", ["double", "float"])
def test_the_python_one_passes_and_fails_when_the_module_is_wrong(planar, tmp_path, real):
    written(planar.model, tmp_path, "numpy", real, planar.programs)
    assert run(sys.executable, "planar_2r_selftest.py", cwd=tmp_path).returncode == 0
    module = tmp_path / "planar_2r.py"
    body = module.read_text()
    start = body.index("def gravity_forces")
    module.write_text(body[:start] + body[start:].replace("np.cos", "np.sin", 1))
    done = run(sys.executable, "planar_2r_selftest.py", cwd=tmp_path)
    assert done.returncode == 1
    assert re.search(r"FAIL  gravity_forces: tau", done.stdout)


def test_functions_without_a_law_have_values(tmp_path):
    """Of these alone there is no law; what is left of the self-test compiles and passes all the same."""
    model = load_model("planar_2r")
    programs = kernel_programs(model, ["forward_dynamics_derivatives"])
    for backend in ("c", "numpy"):
        written(model, tmp_path, backend, programs=programs)
    for cc in ("gcc", "clang"):
        assert "3 of 3 pass" in run(str(compiled(tmp_path, "planar_2r", cc))).stdout
    assert run(sys.executable, "planar_2r_selftest.py", cwd=tmp_path).returncode == 0


def test_quaternions_and_slides(tmp_path):
    model = random_chain(2, 4, ("prismatic", "cylindrical"), floating=True)
    source = written(model, tmp_path, "c")
    done = run(str(compiled(tmp_path, source.robot.identifier, "gcc", SANITIZED)))
    assert done.returncode == 0, done.stdout
    assert "pass  J turns the tip" in done.stdout


SOME = ["forward_kinematics", "jacobian", "inverse_dynamics", "bias_forces", "gravity_forces", "mass_matrix"]


@pytest.mark.parametrize(
    ("robot", "functions"), [("planar_2r", None), ("ur5", SOME), ("ur5", ["forward_dynamics_derivatives"])]
)
def test_every_constant_matters(robot, functions, tmp_path):
    """Each constant of each kernel in turn off by 1e-6: the self-test fails, unless no output depends on it beyond rounding."""
    model = load_model(robot)
    programs = kernel_programs(model, functions)
    source = written(model, tmp_path, "c", programs=programs)
    plain = render(robot_facts(model), programs)
    (file,) = emitted_files(plain)
    mutants = [m for m in all_mutants(file, argument_sizes(plain, file)) if m.kind == CONSTANT]
    switch = (
        "#include <stdlib.h>\nint soagen_mutant = -1;\n__attribute__((constructor)) static void choose(void)\n"
        '{ const char *text = getenv("MUTANT"); if (text) soagen_mutant = atoi(text); }\n'
    )
    (tmp_path / f"{robot}.c").write_text(switch + replaced_text(file, mutants))
    program = str(compiled(tmp_path, robot, flags=["-O1", "-Wno-error"]))
    assert run(program).returncode == 0
    alive = [m for i, m in enumerate(mutants) if run(program, env={"MUTANT": str(i)}).returncode == 0]
    assert len(mutants) > 50
    assert len(alive) <= 0.02 * len(mutants)
    trial = Trial(model, programs, source, None, file, None, dict.fromkeys(f.name for f in plain.functions))
    for mutant in alive:
        for function in trial.functions_with(mutant):
            fate = trial.explained(mutant, function)
            assert fate.equivalent, f"{mutant}: {fate.reason}"


def test_a_robot_that_cannot_move_has_none():
    model = random_chain(0, 0)
    sources = [render(robot_facts(model), ())]
    assert with_selftests(sources, model, ()) == sources
