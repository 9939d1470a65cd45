import ctypes
import json
import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from oracles import planar_functions as planar
from oracles.compilers import STRICT, compile_c, compilers, run

from codegen.backends.c import c_source
from codegen.builder import ProgramBuilder
from codegen.errors import ProgramError, RenderError
from codegen.interpret import interpret
from codegen.programs import KernelProgram, RobotFacts
from codegen.source import function_facts


def written(source, directory):
    for path, text in source.items():
        (directory / path).write_text(text)
    return directory


def odd_robot(joints=3):
    """A robot whose names are as hostile to C as names can be."""
    name = 'a*/ "b"\\ ??/ é\n'
    names = tuple(f"{name}{i}" for i in range(joints))
    return RobotFacts(name, "odd", "0" * 64, names, names, names, (0.0, 0.0, -9.81))


@compilers
@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("trig", ["polynomial", "libm"])
def test_compiles_without_warnings(compiler, real, trig, tmp_path):
    functions = (*planar.functions(), KernelProgram("random", planar.random_program(1), 'odd "text" \\', "??/"))
    written(c_source(planar.ROBOT, functions, real, trig), tmp_path)
    compile_c(compiler, *STRICT, "-O2", "-c", str(tmp_path / "planar_2r.c"), "-o", str(tmp_path / "a.o"))


@compilers
@pytest.mark.parametrize("joints", [0, 3, 500])
def test_any_names_compile_without_warnings(compiler, joints, tmp_path):
    functions = [planar.mass_matrix()]
    written(c_source(odd_robot(joints), functions), tmp_path)
    compile_c(compiler, *STRICT, "-c", str(tmp_path / "odd.c"), "-o", str(tmp_path / "a.o"))


def test_header_is_c_plus_plus(tmp_path):
    written(c_source(planar.ROBOT, planar.functions()), tmp_path)
    (tmp_path / "main.cpp").write_text('#include "planar_2r.h"\nint main() { return planar_2r_nq - 2; }\n')
    run("g++", "-std=c++11", "-Wall", "-Werror", "-pedantic", str(tmp_path / "main.cpp"), "-o", str(tmp_path / "a"))


@compilers
@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("sanitized", [False, True])
def test_documented_main_runs(compiler, real, sanitized, tmp_path):
    function = planar.inverse_dynamics()
    source = c_source(planar.ROBOT, planar.functions(), real)
    written(source, tmp_path)
    header = source["planar_2r.h"]
    comment = re.search(r"// A complete program.*?\n//\n(.*?)//\n// Compile it", header, re.DOTALL)[1]
    (tmp_path / "main.c").write_text(re.sub(r"^//(     )?", "", comment, flags=re.MULTILINE))
    flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all", "-g"] if sanitized else ["-O2"]
    sources = [str(tmp_path / "main.c"), str(tmp_path / "planar_2r.c")]
    compile_c(compiler, *STRICT, *flags, *sources, "-o", str(tmp_path / "main"), "-lm")
    printed = run(str(tmp_path / "main"))
    inputs = {"q": [0.1, 0.2], "qd": [0.2, 0.3], "qdd": [0.3, 0.4]}
    expected = interpret(function.program, inputs)["tau"]
    found = [float(value) for value in re.findall(r"tau\[\d\] = (\S+)", printed)]
    np.testing.assert_allclose(found, expected, rtol=1e-13 if real == "double" else 1e-6)


@compilers
@pytest.mark.parametrize("seed", range(4))
def test_text_does_the_operations_of_the_program_and_no_others(compiler, seed, tmp_path):
    """Without contraction every bit agrees with the interpreter, which has libm's sine: inlining and parentheses are right."""
    program = planar.random_program(seed)
    function = KernelProgram("random", program, "Random")
    written(c_source(planar.ROBOT, [function], trig="libm"), tmp_path)
    library = str(tmp_path / "lib.so")
    compile_c(
        compiler, "-O1", "-ffp-contract=off", "-shared", "-fPIC", str(tmp_path / "planar_2r.c"), "-o", library, "-lm"
    )
    inputs = planar.states(function, np.random.default_rng(seed))
    z = np.empty((3, 4))
    pointers = [array.ctypes.data_as(ctypes.c_void_p) for array in (*inputs.values(), z)]
    ctypes.CDLL(library).planar_2r_random(*pointers)
    assert np.all(z == interpret(program, inputs)["z"])


def test_info_is_json_of_any_length(tmp_path):
    """Also where functions have different arguments of one name, and no inputs."""
    b = ProgramBuilder()
    q = b.input("q", (3,))
    other = KernelProgram("other", b.program("other", {"tau": [q[0] * q[1], q[2]]}), 'of "another" \\ robot, ??/')
    constant = KernelProgram("constant", ProgramBuilder().program("constant", {"y": [1.0]}), "no inputs")
    functions = [*planar.functions(), other, constant]
    library = str(tmp_path / "lib.so")
    for robot in (odd_robot(2), odd_robot(700)):
        written(c_source(robot, functions), tmp_path)
        run("gcc", "-shared", "-fPIC", str(tmp_path / "odd.c"), "-o", library, "-lm")
        # Another process: a library once loaded stays.
        code = (
            f"import ctypes; f = ctypes.CDLL({library!r}).odd_info; f.restype = ctypes.c_char_p\n"
            f"i = 0\nwhile f(i): print(f(i).decode()); i += 1\nassert f(-1) is None"
        )
        items = [json.loads(line) for line in run(sys.executable, "-c", code).splitlines()]
        assert tuple(items[0]["joints"]) == robot.joint_names
        assert items[1:] == [function_facts(function).to_json() for function in functions]


INVERSE_DYNAMICS = """\
// Joint forces tau of a motion
// Operations: 14 multiplications, 11 additions, 4 sin/cos.
void planar_2r_inverse_dynamics(const double *restrict q, const double *restrict qd, const double *restrict qdd,
    double *restrict tau)
{
  // sines and cosines
  double sine[4], cosine[4];
  planar_2r_sincos(q[0], q[1], q[0] + q[1], 0.0, sine, cosine);
  const double c2_1 = cosine[1], s2 = sine[1], c2_2 = cosine[2], c2_3 = cosine[0];

  // body 2 'forearm' · M · sweep 1/2 base-to-tip
  const double M2_22 = 0.3333333333333333 + 0.5*c2_1;

  // body 1 'upper arm' · M · sweep 2/2 tip-to-base
  const double M1_11 = 1.6666666666666667 + c2_1;

  // body 2 · τ̄ · sweep 1/2 base-to-tip
  const double tau2_1 = 4.905*c2_2, tau2_2 = 0.5*s2;
  tau[1] = qdd[0]*M2_22 + 0.3333333333333333*qdd[1] + qd[0]*tau2_2*qd[0] + tau2_1;

  // body 1 · tau · sweep 2/2 tip-to-base
  tau[0] = qdd[0]*M1_11 + qdd[1]*M2_22 - tau2_2*(2.0*qd[0]*qd[1] + qd[1]*qd[1]) + 14.715*c2_3 + tau2_1;
}

"""


def test_reads_as_formulas():
    text = c_source(planar.ROBOT, [planar.inverse_dynamics()])["planar_2r.c"]
    assert text[text.index("// Joint forces") : text.index("// JSON of")] == INVERSE_DYNAMICS


def test_no_line_is_long_and_none_ends_in_blanks():
    functions = (*planar.functions(), KernelProgram("random", planar.random_program(3), "Random"))
    for text in c_source(planar.ROBOT, functions).values():
        lines = text.splitlines()
        assert max(map(len, lines)) <= 128
        assert all(line == line.rstrip() for line in lines)


def test_constants_round_trip():
    b = ProgramBuilder()
    x = b.input("x", (1,))
    values = [0.1, 1e-300, 1 / 3, 123456789.123456789, 5e22]
    program = b.program("f", {"y": [value * x[0] for value in values]})
    text = c_source(planar.ROBOT, [KernelProgram("f", program, "f")])["planar_2r.c"]
    assert [float(c) for c in re.findall(r"y\[\d\] = (\S+)\*x\[0\]", text)] == values


def test_float_takes_only_constants_that_fit():
    b = ProgramBuilder()
    x = b.input("x", (1,))
    function = KernelProgram("f", b.program("f", {"y": [1e300 * x[0]]}), "f")
    with pytest.raises(RenderError, match="1e\\+300 does not fit float"):
        c_source(planar.ROBOT, [function], "float")


def test_names_that_c_cannot_have_are_refused():
    function = planar.mass_matrix()
    for name in ("while", "a b", "out", ""):
        with pytest.raises(ProgramError):
            replace(function, name=name)
    with pytest.raises(ProgramError, match="two functions"):
        c_source(planar.ROBOT, [function, function])


def test_same_bytes_whatever_the_hash_seed():
    code = (
        "import sys; sys.path.insert(0, 'tests')\n"
        "from oracles import planar_functions as p\n"
        "from codegen.render import render\n"
        "from codegen.programs import KernelProgram\n"
        "f = (*p.functions(), KernelProgram('random', p.random_program(5), 'Random'))\n"
        "print([dict(render(p.ROBOT, f, b, r)) for b in ('c', 'numpy') for r in ('double', 'float')])"
    )
    texts = [
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("0", "1", "2")
    ]
    assert texts[0] == texts[1] == texts[2]
    assert len(texts[0]) > 1000
