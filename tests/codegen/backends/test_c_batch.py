"""Functions over many states: every width of vectors, any number of rows, any alignment, each row as if it were alone."""

import ctypes

import numpy as np
import pytest
from oracles import planar_functions as planar
from oracles.compilers import STRICT, compile_c

from codegen.backends.c import c_source
from codegen.builder import ProgramBuilder
from codegen.interpret import interpret
from codegen.programs import KernelProgram

NATIVE = ("-O3", "-march=native", "-ffp-contract=fast")
AVX2 = ("-O2", "-mavx2", "-mfma")
OTHERS = ("-O2", "-DNO_VECTORS")  # compilers without vectors, by text that is exchanged
OLDER = ("-O2", "-mavx2", "-DNO_SHUFFLES")  # and those that cannot shuffle them
FLAGS = (("-O2",), ("-O0",), AVX2, NATIVE, OTHERS, OLDER)
BUILDS = [
    *(("gcc", flags, "double", "polynomial") for flags in FLAGS),
    ("clang", ("-O2",), "double", "polynomial"),
    ("clang", NATIVE, "double", "polynomial"),
    ("gcc", AVX2, "float", "polynomial"),
    ("clang", NATIVE, "float", "polynomial"),
    ("gcc", NATIVE, "double", "libm"),
]
DTYPES = {"double": np.float64, "float": np.float32}
TOLERANCE = {"double": 1e-13, "float": 2e-5}


def roots_and_constants():
    """What the arm's functions do not have: square roots, a sine of a sine, entries that are constants or inputs."""
    b = ProgramBuilder()
    x = b.input("x", (3,))
    late = b.sin(b.cos(x[1]) + x[2])
    return KernelProgram("odd", b.program("odd", {"y": [b.sqrt(x[0] * x[0] + 1.0), late, 2.5, x[1], 0.0]}), "Odd")


def wide(size):
    """More results than two cache lines hold, many of them equal, beside a single one."""
    b = ProgramBuilder()
    x = b.input("x", (5,))
    found = [x[i % 5] * float(i % 11) + x[i % 3] for i in range(size)]
    return KernelProgram(f"wide{size}", b.program(f"wide{size}", {"few": [x[0] + x[1]], "many": found}), "Wide")


STREAMED = tuple(map(wide, (15, 16, 17, 49, 64, 65, 70, 100)))
EIGHTS = tuple(map(wide, (15, *range(16, 26), 36, 42, 49, 63, 64, 65)))
FUNCTIONS = (*planar.functions(), KernelProgram("random", planar.random_program(2), "Random"), roots_and_constants())


def built(directory, compiler, flags, real="double", trig="polynomial", functions=FUNCTIONS):
    for path, text in c_source(planar.ROBOT, functions, real, trig, batch=True).items():
        text = text.replace("defined(__GNUC__)", "!defined(NO_VECTORS)")
        shuffles = "(defined(__clang__) || __GNUC__ >= 12) && !defined(NO_VECTORS) && !defined(NO_SHUFFLES)"
        text = text.replace("defined(__clang__) || __GNUC__ >= 12", shuffles)
        (directory / path).write_text(text)
    source, library = directory / "planar_2r_batch.c", directory / "lib.so"
    compile_c(compiler, *STRICT, *flags, "-shared", "-fPIC", source, directory / "planar_2r.c", "-o", library, "-lm")
    return ctypes.CDLL(str(library))


def run(library, function, rows, inputs, dtype, shift=0):
    """The outputs of the batch function, from and in arrays that start anywhere; nothing around them is written."""
    guard, around = 7.25, 9

    def placed(array):
        room = np.full(around + shift + array.size + around, guard, dtype)
        room[around + shift : around + shift + array.size] = array.ravel()
        return room

    def address(room):
        return ctypes.c_void_p(room.ctypes.data + (around + shift) * room.itemsize)

    shapes = [(rows, *spec.shape) for spec in function.program.outputs]
    taken, made = [placed(x) for x in inputs], [placed(np.full(shape, guard)) for shape in shapes]
    entry = getattr(library, f"planar_2r_{function.name}_batch")
    entry(ctypes.c_size_t(rows), *map(address, (*taken, *made)))
    for room in made:
        assert (room[: around + shift] == guard).all()
        assert (room[-around:] == guard).all()
    return [room[around + shift : -around].reshape(shape) for room, shape in zip(made, shapes, strict=True)]


@pytest.mark.parametrize(("compiler", "flags", "real", "trig"), BUILDS)
def test_any_number_of_rows_agrees_with_the_interpreter(compiler, flags, real, trig, tmp_path):
    library = built(tmp_path, compiler, flags, real, trig)
    dtype = DTYPES[real]
    for function in FUNCTIONS:
        for rows in (0, 1, 3, 8, 9, 37):
            states = planar.states(function, np.random.default_rng(rows), rows)
            expected = interpret(function.program, {name: x.astype(dtype).astype(float) for name, x in states.items()})
            found = run(library, function, rows, [x.astype(dtype) for x in states.values()], dtype, shift=rows % 8)
            for array, reference in zip(found, expected.values(), strict=True):
                np.testing.assert_allclose(array, reference, rtol=TOLERANCE[real], atol=TOLERANCE[real])


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("flags", [("-O0", "-march=native"), NATIVE, ("-O2",)])
def test_results_past_the_caches_are_the_same_bits(compiler, flags, tmp_path):
    """Every place a row may start at in a cache line, or between two numbers, and counts that leave a tail."""
    libraries = []
    for name, more in (("plain", ()), ("past", ("-DPLANAR_2R_BATCH_CACHE=0",))):
        (tmp_path / name).mkdir()
        libraries.append(built(tmp_path / name, compiler, (*flags, *more), functions=STREAMED))
    for function in STREAMED:
        for rows, shift in [(1, 0), (8, 3), (21, 7), *((16, shift) for shift in range(8))]:
            x = np.random.default_rng(rows).normal(size=(rows, 5))
            x[rows // 2] = np.nan
            plain, past = (run(library, function, rows, [x], np.float64, shift) for library in libraries)
            for expected, found in zip(plain, past, strict=True):
                np.testing.assert_array_equal(found, expected)
                assert np.isnan(found[rows // 2]).all()
                assert not np.isnan(np.delete(found, rows // 2, axis=0)).any()


@pytest.mark.parametrize(("compiler", "flags"), [("gcc", NATIVE), ("clang", NATIVE), ("gcc", ("-O0", "-march=native"))])
def test_results_of_every_width_are_at_their_places(compiler, flags, tmp_path):
    """Eight rows are stored as eights of numbers that go from row to row; a row tells itself from others."""
    library = built(tmp_path, compiler, flags, functions=EIGHTS)
    for function in EIGHTS:
        for rows, shift in [(7, 0), (8, 0), (9, 1), (16, 2), (29, 5)]:
            x = np.arange(5.0 * rows).reshape(rows, 5)
            expected = interpret(function.program, {"x": x}).values()
            for array, reference in zip(run(library, function, rows, [x], np.float64, shift), expected, strict=True):
                np.testing.assert_array_equal(array, reference)


def test_rows_of_a_batch_are_those_asked_for(tmp_path):
    library, function = built(tmp_path, "gcc", NATIVE), FUNCTIONS[0]
    states = list(planar.states(function, np.random.default_rng(1), 40).values())
    (whole,) = run(library, function, 40, states, np.float64)
    found = np.full_like(whole, 7.25)
    arrays = [ctypes.c_void_p(array.ctypes.data) for array in (*states, found)]
    entry = getattr(library, f"planar_2r_{function.name}_batch_rows")
    entry(ctypes.c_size_t(5), ctypes.c_size_t(31), ctypes.c_size_t(40), *arrays)
    np.testing.assert_array_equal(found[5:31], whole[5:31])
    assert (found[:5] == 7.25).all()
    assert (found[31:] == 7.25).all()


@pytest.mark.parametrize("flags", [("-O2",), AVX2, NATIVE, OTHERS])
def test_rows_do_not_know_each_other(flags, tmp_path):
    """A row gives the same bits wherever it stands, and whatever stands beside it: NaN, infinities, angles beyond the limit."""
    library = built(tmp_path, "gcc", flags)
    function = FUNCTIONS[0]
    states = [x.copy() for x in planar.states(function, np.random.default_rng(5), 41).values()]
    (plain,) = run(library, function, 41, states, np.float64)
    order = np.random.default_rng(6).permutation(41)
    (moved,) = run(library, function, 41, [x[order] for x in states], np.float64)
    np.testing.assert_array_equal(moved, plain[order])
    wild = [4, 11, 12, 39]
    for row, angle in zip(wild, (np.nan, np.inf, 3e7, -1e300), strict=True):
        states[0][row, 1] = angle
    (beside,) = run(library, function, 41, states, np.float64)
    others = np.setdiff1d(np.arange(41), wild)
    np.testing.assert_array_equal(beside[others], plain[others])
    assert np.isnan(beside[[4, 11]]).all()
    inputs = dict(zip((spec.name for spec in function.program.inputs), states, strict=True))
    expected = interpret(function.program, {name: x[[12, 39]] for name, x in inputs.items()})["tau"]
    np.testing.assert_allclose(beside[[12, 39]], expected, rtol=1e-13, atol=1e-13)


def test_header_is_c_plus_plus_and_says_the_shapes(tmp_path):
    source = c_source(planar.ROBOT, FUNCTIONS, batch=True)
    (tmp_path / "planar_2r_batch.h").write_text(source["planar_2r_batch.h"])
    (tmp_path / "main.cpp").write_text('#include "planar_2r_batch.h"\nint main() { return 0; }\n')
    compile_c("g++", "-std=c++11", "-Wall", "-Werror", "-pedantic", "-c", "main.cpp", cwd=tmp_path)
    assert "//   out  M[count][2][2]" in source["planar_2r_batch.h"]
    assert "//   out  energy[count]" in source["planar_2r_batch.h"]


def test_no_line_is_long_and_none_ends_in_blanks():
    for text in c_source(planar.ROBOT, FUNCTIONS, batch=True).values():
        assert max(map(len, text.splitlines())) <= 128
        assert all(line == line.rstrip() for line in text.splitlines())
