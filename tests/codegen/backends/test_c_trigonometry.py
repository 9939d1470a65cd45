"""The polynomial sine and cosine against mpmath, as several compilers and flags make it, and where it is in a function."""

import ctypes
import math
from functools import cache

import mpmath
import numpy as np
import pytest
from oracles import planar_functions as planar
from oracles.compilers import compile_c, compilers

from codegen.backends.c import c_source
from codegen.backends.c_trigonometry import ERROR, FEW, MANY
from codegen.builder import ProgramBuilder
from codegen.interpret import interpret
from codegen.programs import KernelProgram

LIMIT = 1e5
NO_VECTORS = "-DNO_VECTORS"  # as other compilers take the text
BUILDS = [
    ("gcc", "-O0"),
    ("gcc", "-O2"),
    ("gcc", "-O3", "-march=native", "-ffp-contract=fast"),
    ("gcc", "-O3", "-march=native", "-ffp-contract=off"),
    ("gcc", "-O2", NO_VECTORS),
    ("clang", "-O0"),
    ("clang", "-O2", "-ffp-contract=off"),
    ("clang", "-O3", "-march=native", "-ffp-contract=fast"),
]
DTYPES = {"double": np.float64, "float": np.float32}


def sines_and_cosines(count=4):
    """s[i] = sin q[i], c[i] = cos q[i]."""
    b = ProgramBuilder()
    q = b.input("q", (count,))
    return KernelProgram("all", b.program("all", {"s": [b.sin(x) for x in q], "c": [b.cos(x) for x in q]}), "All")


def built(source, directory, compiler, *flags):
    for path, text in source.items():
        (directory / path).write_text(text.replace("defined(__GNUC__)", "!defined(NO_VECTORS)"))
    made, library = directory / "lib.o", directory / "lib.so"
    compile_c(compiler, "-std=c99", *flags, "-fPIC", "-c", directory / "planar_2r.c", "-o", made)
    compile_c(compiler, "-shared", made, "-o", library, "-lm")  # -ffast-math here would change the process
    return ctypes.CDLL(str(library))


def call(function, *arrays):
    function(*(array.ctypes.data_as(ctypes.c_void_p) for array in arrays))


def evaluated(library, angles, at_once=4):
    """Sines and cosines of the angles, so many at a time."""
    angles = np.ascontiguousarray(angles.reshape(-1, at_once))
    s, c = np.empty_like(angles), np.empty_like(angles)
    for i in range(len(angles)):
        call(library.planar_2r_all, angles[i], s[i], c[i])
    return s.ravel(), c.ravel()


@cache
def cases(real):
    """Angles up to the limit with their sines and cosines to 60 digits."""
    dtype = DTYPES[real]
    rng = np.random.default_rng(6)
    with mpmath.workdps(60):
        turns = [
            *range(-40, 41),
            *rng.integers(-63661, 63662, 400).tolist(),
            29,
            58,
            116,
            232,
        ]  # pi/2 is a double, nearly
        multiples = np.array([float(mpmath.pi / 2 * k) for k in turns], dtype)
        eighths = np.array([float(mpmath.pi / 4 * k) for k in range(-41, 42, 2)], dtype)
        around = [np.nextafter(x, dtype(side)) for x in (multiples, eighths) for side in (-np.inf, np.inf)]
        tiny = np.finfo(dtype).tiny
        special = np.array([0.0, -0.0, tiny, tiny / 8, -tiny / 8, LIMIT, -LIMIT, 1e-4, 1e-8], dtype)
        wide = rng.uniform(-LIMIT, LIMIT, 1500).astype(dtype)
        usual = rng.uniform(-math.pi, math.pi, 3000).astype(dtype)
        small = (rng.uniform(-1, 1, 300) * 2.0 ** rng.integers(-40, 0, 300)).astype(dtype)
        found = np.concatenate([multiples, eighths, *around, special, wide, usual, small])
        found = np.concatenate([found, found[: -len(found) % MANY]])
        exact = [(mpmath.sin(mpmath.mpf(float(x))), mpmath.cos(mpmath.mpf(float(x)))) for x in found]
    return found, exact


def worst_ulp(found, exact, dtype):
    """The largest error, in the spacing of floats at the exact value."""
    with mpmath.workdps(60):
        spacing = [float(np.spacing(dtype(abs(float(y))))) for y in exact]
        return max(
            abs(float((mpmath.mpf(float(x)) - y) / u)) for x, y, u in zip(found, exact, spacing, strict=True) if y
        )


@pytest.mark.parametrize("real", ["double", "float"])
@pytest.mark.parametrize("build", BUILDS, ids=" ".join)
@pytest.mark.parametrize("at_once", [FEW, MANY])
def test_error_is_below_what_the_text_says(real, build, at_once, tmp_path):
    library = built(c_source(planar.ROBOT, [sines_and_cosines(at_once)], real), tmp_path, *build)
    angles, exact = cases(real)
    s, c = evaluated(library, angles, at_once)
    sines, cosines = zip(*exact, strict=True)
    bound = float(ERROR[real])
    assert bound < 1.0
    assert worst_ulp(s, sines, DTYPES[real]) < bound
    assert worst_ulp(c, cosines, DTYPES[real]) < bound
    assert s[angles == 0.0].tolist() == [0.0] * int(np.sum(angles == 0.0))


@pytest.mark.parametrize("real", ["double", "float"])
def test_libm_beyond_the_limit_and_nan_for_what_is_no_angle(real, tmp_path):
    library = built(c_source(planar.ROBOT, [sines_and_cosines()], real), tmp_path, "gcc", "-O2")
    dtype = DTYPES[real]
    beyond = np.nextafter(dtype(LIMIT), dtype(np.inf))
    near, far = (
        np.array([0.5, LIMIT, 0.5, LIMIT], dtype),
        np.array([beyond, -beyond, 1e7, -3e30, np.inf, -np.inf, np.nan], dtype),
    )
    alone = evaluated(library, near)
    for x in far:
        s, c = evaluated(library, np.array([near[0], x, near[1], x], dtype))
        assert (s[0], s[2]) == tuple(alone[0][:2])  # neighbours are what they were
        assert (c[0], c[2]) == tuple(alone[1][:2])
        assert s[1] == s[3] or np.isnan(s[[1, 3]]).all()
        if np.isfinite(x):
            assert (s[1], c[1]) == (dtype(math.sin(x)), dtype(math.cos(x)))
        else:
            assert np.isnan([s[1], c[1]]).all()


@compilers
def test_fast_math_uses_libm(compiler, tmp_path):
    library = built(c_source(planar.ROBOT, [sines_and_cosines()]), tmp_path, compiler, "-O2", "-ffast-math")
    angles, exact = cases("double")
    s, _ = evaluated(library, angles)
    assert worst_ulp(s, [sine for sine, _ in exact], np.float64) < 1.0


def test_sums_multiples_and_late_angles(tmp_path):
    """Angles of parallel axes and mimic joints are gathered too; what depends on a sine comes after it."""
    b = ProgramBuilder()
    q = b.input("q", (3,))
    total, mimic = q[0] + q[1], -0.5 * q[2] + 0.25
    late = b.cos(b.sin(q[0]) + total)
    outputs = {"y": [b.sin(total), b.cos(total), total, b.sin(mimic), b.cos(q[1]), late, b.sin(late)]}
    function = KernelProgram("mixed", b.program("mixed", outputs), "Mixed")
    source = c_source(planar.ROBOT, [function])
    text = source["planar_2r.c"].partition("void planar_2r_mixed")[2]
    assert text.count("planar_2r_sincos(") == 1
    assert text.count(" = sin(") + text.count(" = cos(") == 2  # `late`, and the sine of it
    library = built(source, tmp_path, "gcc", "-O2")
    angles, y = np.array([0.3, -1.2, 2.5]), np.empty(7)
    call(library.planar_2r_mixed, angles, y)
    np.testing.assert_allclose(y, interpret(function.program, {"q": angles})["y"], rtol=0, atol=4e-16)


@pytest.mark.parametrize("count", [1, 3, 4, 5, 8, 9])
def test_any_number_of_angles(count, tmp_path):
    library = built(c_source(planar.ROBOT, [sines_and_cosines(count)]), tmp_path, "gcc", "-O2")
    angles, s, c = np.linspace(-3, 4, count), np.empty(count), np.empty(count)
    call(library.planar_2r_all, angles, s, c)
    np.testing.assert_allclose([s, c], [np.sin(angles), np.cos(angles)], rtol=0, atol=2e-16)


def test_libm_on_request():
    text = c_source(planar.ROBOT, [sines_and_cosines()], trig="libm")["planar_2r.c"]
    assert "sincos" not in text
    assert "stdint.h" not in text
    assert "cos(q[3])" in text
