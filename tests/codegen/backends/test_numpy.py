import subprocess
import sys

import numpy as np
import pytest
from oracles import planar_functions as planar

from codegen.backends.numpy import numpy_source
from codegen.interpret import interpret
from codegen.programs import KernelProgram, RobotFacts


def module(functions, real="double"):
    (text,) = numpy_source(planar.ROBOT, functions, real).values()
    namespace = {}
    exec(text, namespace)
    return namespace


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rows", [None, 1, 7])
def test_does_the_operations_of_the_program_and_no_others(seed, rows):
    function = KernelProgram("random", planar.random_program(seed), "Random")
    inputs = planar.states(function, np.random.default_rng(seed), rows)
    found = module([function])["random"](**inputs)
    assert np.all(found == interpret(function.program, inputs)["z"])


@pytest.mark.parametrize("rows", [None, 0, 5])
@pytest.mark.parametrize("function", planar.functions(), ids=lambda f: f.name)
@pytest.mark.parametrize(("real", "tolerance"), [("double", 1e-14), ("float", 1e-5)])
def test_functions_agree_with_the_interpreter(function, rows, real, tolerance):
    inputs = planar.states(function, np.random.default_rng(0), rows)
    found = module(planar.functions(), real)[function.name](**inputs)
    expected = interpret(function.program, inputs)
    for array, reference in zip(found if isinstance(found, tuple) else (found,), expected.values(), strict=True):
        assert array.dtype == (np.float64 if real == "double" else np.float32)
        np.testing.assert_allclose(array, reference, rtol=tolerance, atol=tolerance)


def test_wrong_shapes_are_named():
    with pytest.raises(ValueError, match=r"^q: expected shape \(2,\) or a batch \(B, \*\(2,\)\), given \(3,\)$"):
        module(planar.functions())["mass_matrix"]([1.0, 2.0, 3.0])


def test_needs_numpy_alone(tmp_path):
    source = numpy_source(planar.ROBOT, planar.functions())
    (tmp_path / "planar_2r.py").write_text(source["planar_2r.py"])
    code = (
        "import sys, planar_2r; planar_2r.mass_matrix([0.1, 0.2]); assert planar_2r.INFO[0]['nq'] == 2\n"
        "assert not {'codegen', 'derive', 'sympy', 'jinja2'}.intersection(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, check=True)


def test_hostile_names_are_harmless():
    name = 'a"""\\\n\' {{ x }} {% if %}'
    robot = RobotFacts(name, "odd", "0" * 64, (name,), (name,), (name,), (0.0, 0.0, -9.81))
    (text,) = numpy_source(robot, [planar.mass_matrix()]).values()
    namespace = {}
    exec(text, namespace)
    assert namespace["INFO"][0]["joints"] == [name]
