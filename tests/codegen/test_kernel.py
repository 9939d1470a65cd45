import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
from oracles import planar_functions as planar

from codegen.builder import ProgramBuilder
from codegen.errors import ArgumentError
from codegen.interpret import interpret
from codegen.kernel import Kernels
from codegen.programs import KernelProgram
from codegen.render import render

BACKENDS = ["c", "numpy"]
CASES = [(backend, real) for backend in BACKENDS for real in ("double", "float")]
TOLERANCE = {"double": 1e-13, "float": 2e-5}


@pytest.fixture(scope="module", params=CASES, ids=lambda case: "-".join(case))
def kernels(request):
    backend, real = request.param
    return Kernels(render(planar.ROBOT, planar.functions(), backend, real))


@pytest.fixture(scope="module", params=BACKENDS)
def doubles(request):
    return Kernels(render(planar.ROBOT, planar.functions(), request.param))


def dtype(kernels):
    return np.float64 if kernels.source.real == "double" else np.float32


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.parametrize("rows", [None, 0, 1, 9])
@pytest.mark.parametrize("function", planar.functions(), ids=lambda f: f.name)
def test_agrees_with_the_interpreter(kernels, function, rows):
    inputs = planar.states(function, np.random.default_rng(1), rows)
    kernel = getattr(kernels, function.name)
    expected = interpret(function.program, inputs)
    tolerance = TOLERANCE[kernels.source.real]
    own = [x.astype(dtype(kernels)) for x in inputs.values()]
    buffers = tuple(np.empty(x.shape, dtype(kernels)) for x in expected.values())
    out = buffers if len(buffers) > 1 else buffers[0]
    assert kernel(*own, out=out) is out
    for found in (kernel(*own), kernel(**inputs), buffers):
        for array, reference in zip(as_tuple(found), expected.values(), strict=True):
            assert np.shape(array) == reference.shape
            np.testing.assert_allclose(array, reference, rtol=tolerance, atol=tolerance)


def test_scalars_are_floats_and_batches_of_them_arrays(kernels):
    one = kernels.kinetic_energy(np.ones(2), np.ones(2))
    assert type(one) is float
    assert kernels.kinetic_energy([1, 1], [1, 1]) == pytest.approx(one, rel=1e-6)
    assert kernels.kinetic_energy(np.ones((3, 2)), np.ones((3, 2))).shape == (3,)
    out = np.zeros((), dtype(kernels))
    assert kernels.kinetic_energy(np.ones(2), np.ones(2), out=out) is out
    assert out == pytest.approx(one)
    assert type(kernels.forward_kinematics([1, 1], [1, 1])[2]) is float


def test_anything_numpy_reads_is_taken(doubles):
    rng = np.random.default_rng(2)
    q, qd, qdd = rng.uniform(-1, 1, (3, 4, 2))
    expected = doubles.inverse_dynamics(q, qd, qdd)
    wide = np.zeros((4, 2, 3))
    wide[..., 1] = q
    swapped = qd.astype(">f8")
    raw = np.zeros(4 * 2 * 8 + 1, np.uint8)[1:].view(np.float64).reshape(4, 2)  # not aligned
    raw[...] = qdd
    assert not raw.flags.aligned
    np.testing.assert_array_equal(doubles.inverse_dynamics(wide[..., 1], swapped, raw), expected)
    np.testing.assert_array_equal(doubles.inverse_dynamics(np.asfortranarray(q), qd.tolist(), qdd=qdd), expected)
    np.testing.assert_array_equal(doubles.inverse_dynamics(q[::-1], qd[::-1], qdd[::-1]), expected[::-1])
    np.testing.assert_array_equal(doubles.inverse_dynamics(q, qd[0], qdd)[0], expected[0])
    assert doubles.mass_matrix(np.array([1, 2], np.int8)).dtype == np.float64
    assert doubles.mass_matrix(np.float32([1, 2])).dtype == np.float64


def test_out_may_be_strided_and_may_overlap(doubles):
    rng = np.random.default_rng(3)
    q, qd, qdd = rng.uniform(-1, 1, (3, 5, 2))
    expected = doubles.inverse_dynamics(q, qd, qdd)
    strided = np.zeros((5, 4))[:, ::2]
    assert doubles.inverse_dynamics(q, qd, qdd, out=strided) is strided
    np.testing.assert_array_equal(strided, expected)
    buffer = qdd.copy()
    doubles.inverse_dynamics(q, qd, buffer, out=buffer)
    np.testing.assert_array_equal(buffer, expected)
    shifted = np.concatenate([qdd, np.zeros((1, 2))])
    doubles.inverse_dynamics(q, qd, shifted[:5], out=shifted[1:])
    np.testing.assert_array_equal(shifted[1:], expected)


def test_out_is_checked(doubles):
    q = np.zeros(2)
    frozen = np.zeros((2, 2))
    frozen.flags.writeable = False
    for out, fault in [
        (np.zeros(4), r"out for M has shape \(4,\); expected \(2, 2\)"),
        (np.zeros((2, 2), np.float32), "out for M has dtype float32; expected float64"),
        (frozen, "out for M is read-only"),
        ([[0, 0], [0, 0]], r"out for M is a list; expected an array of shape \(2, 2\)"),
    ]:
        with pytest.raises(ArgumentError, match=f"^mass_matrix: {fault}"):
            doubles.mass_matrix(q, out=out)
    with pytest.raises(ArgumentError, match="out must be a tuple of 3 arrays: rotation, position, height"):
        doubles.forward_kinematics(q, q, out=np.zeros((3, 3)))
    room = np.zeros(12)
    with pytest.raises(ArgumentError, match="out for rotation and position share memory"):
        doubles.forward_kinematics(q, q, out=(room[:9].reshape(3, 3), room[8:11], np.zeros(())))


@pytest.mark.parametrize(
    ("arguments", "named", "fault"),
    [
        (([1.0],), {}, r"mass_matrix: q has shape \(1,\); expected \(2,\) or \(B, 2\)"),
        ((np.zeros((3, 2, 2)),), {}, r"mass_matrix: q has shape \(3, 2, 2\); expected \(2,\) or \(B, 2\)"),
        ((np.zeros(2, complex),), {}, r"mass_matrix: q has dtype complex128; expected real numbers \(float64\)"),
        ((["a", "b"],), {}, "mass_matrix: q has dtype <U1; expected real numbers"),
        (([[1.0, 2.0], [3.0]],), {}, "mass_matrix: q is not an array of numbers"),
        ((), {}, "mass_matrix takes q; q is missing"),
        ((1, 2), {}, "mass_matrix takes q; 2 positional arguments were given"),
        (([1, 2],), {"q": [1, 2]}, "mass_matrix takes q; q was given twice"),
        (([1, 2],), {"speed": 1}, "mass_matrix takes q; it has no argument speed"),
    ],
)
def test_arguments_that_do_not_fit_are_named_in_one_line(doubles, arguments, named, fault):
    with pytest.raises(ArgumentError, match=f"^{fault}") as caught:
        doubles.mass_matrix(*arguments, **named)
    assert "\n" not in str(caught.value)


def test_batches_have_the_same_number_of_rows(doubles):
    with pytest.raises(ArgumentError, match="qd has 3 rows and q has 4; expected the same number"):
        doubles.kinetic_energy(np.zeros((4, 2)), np.zeros((3, 2)))


def test_nan_goes_through(doubles):
    q = np.array([[0.1, np.nan], [0.1, 0.2]])
    tau = doubles.inverse_dynamics(q, q * 0 + 1, q * 0 + 1)
    assert np.isnan(tau[0]).all()
    assert np.isfinite(tau[1]).all()


def test_further_inputs_choose_the_variant(doubles):
    q, f = np.array([0.1, 0.2]), np.arange(6.0)
    expected = doubles.inverse_dynamics_with_tip_force(q, q, q, f)
    assert not np.allclose(expected, doubles.inverse_dynamics(q, q, q))
    out = np.empty(2)
    np.testing.assert_array_equal(doubles.inverse_dynamics(q, q, q, f), expected)
    np.testing.assert_array_equal(doubles.inverse_dynamics(q, q, q, f_tip=f, out=out), expected)
    np.testing.assert_array_equal(doubles.inverse_dynamics.bind(q, q, q, f_tip=f)(), expected)


def test_bind_reads_its_arrays_at_each_call(doubles):
    q = np.zeros((3, 2))
    out = np.empty((3, 2, 2))
    for given in (q, q[::2]):
        call = doubles.mass_matrix.bind(given, out=out[: len(given)])
        for value in (0.5, 1.0):
            q[...] = value
            np.testing.assert_array_equal(call(), doubles.mass_matrix(given))
            np.testing.assert_array_equal(out[: len(given)], doubles.mass_matrix(given))
    rotation, _, height = doubles.forward_kinematics.bind(np.zeros(2), np.zeros(2))()
    assert rotation.shape == (3, 3)
    assert height.shape == ()
    with pytest.raises(ArgumentError):
        doubles.mass_matrix.bind(np.zeros(3))
    with pytest.raises(ArgumentError):
        doubles.mass_matrix.bind(np.zeros(2), out=np.zeros(2))


def test_bind_says_what_to_pass(doubles):
    """A list would be converted at every call, which is what bind is there to avoid."""
    with pytest.raises(ArgumentError, match=r"mass_matrix: q is a list; bind takes NumPy arrays.*q = np\.array"):
        doubles.mass_matrix.bind([0.1, 0.2])
    with pytest.raises(ArgumentError, match="qd is a float; bind takes NumPy arrays"):
        doubles.kinetic_energy.bind(np.zeros(2), qd=1.0)


def test_arrays_that_fit_are_bound_to_the_compiled_function():
    kernels = Kernels(render(planar.ROBOT, planar.functions()))
    for shape in ((2,), (5, 2)):
        assert type(kernels.mass_matrix.bind(np.zeros(shape))) is type(len)
    assert type(kernels.kinetic_energy.bind(np.zeros((5, 2)), np.zeros(2))) is not type(len)  # repeated at every call


def test_a_bound_array_that_changes_is_noticed():
    kernels = Kernels(render(planar.ROBOT, planar.functions()))
    out = np.empty((2, 2))
    call = kernels.mass_matrix.bind(np.zeros(2), out=out)
    assert call() is out
    out.flags.writeable = False
    with pytest.raises(ValueError, match="bind again"):
        call()


def test_bound_calls_and_results_are_freed():
    kernels = Kernels(render(planar.ROBOT, planar.functions()))
    q = np.zeros(2)
    before = sys.getrefcount(q)
    for _ in range(100):
        kernels.mass_matrix.bind(q)()
        kernels.mass_matrix(q)
        kernels.forward_kinematics(q, q)
        kernels.kinetic_energy(q, q)
        kernels.mass_matrix(q.tolist())
    assert sys.getrefcount(q) == before


def test_threads_may_share_a_kernel(doubles):
    rng = np.random.default_rng(4)
    batches = rng.uniform(-1, 1, (8, 3, 500, 2))
    expected = [doubles.inverse_dynamics(*batch) for batch in batches]
    found = [[] for _ in batches]

    def work(i):
        for _ in range(20):
            found[i].append(np.array_equal(doubles.inverse_dynamics(*batches[i]), expected[i]))

    threads = [threading.Thread(target=work, args=(i,)) for i in range(len(batches))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(all(results) and len(results) == 20 for results in found)


def test_pickles_reopen_the_kernel(doubles, tmp_path):
    q = np.array([0.3, -0.4])
    for copy in (pickle.loads(pickle.dumps(doubles)).mass_matrix, pickle.loads(pickle.dumps(doubles.mass_matrix))):
        np.testing.assert_array_equal(copy(q), doubles.mass_matrix(q))
        assert copy.info == doubles.mass_matrix.info
    path = tmp_path / "kernel.pickle"
    path.write_bytes(pickle.dumps(doubles.mass_matrix))
    code = f"import pickle; print(pickle.load(open({str(path)!r}, 'rb'))([0.3, -0.4]).tolist())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == str(doubles.mass_matrix(q).tolist())


def test_says_what_it_is(doubles):
    kernel = doubles.inverse_dynamics
    backend = doubles.source.backend
    assert repr(kernel) == f"<Kernel planar_2r.inverse_dynamics(q[2], qd[2], qdd[2]) -> tau[2], {backend}, double>"
    info = kernel.info
    assert [array["name"] for array in info["inputs"]] == ["q", "qd", "qdd"]
    assert info["outputs"] == [{"name": "tau", "shape": [2], "doc": ""}]
    assert info["operations"]["trigonometric"] == 4
    assert info["sweeps"] == "2 sweeps: base-to-tip, tip-to-base"
    assert set(info["digests"]) == {"model", "program", "source"}
    assert kernel.source[{"c": "planar_2r.c", "numpy": "planar_2r.py"}[backend]]
    assert list(doubles) == [function.name for function in planar.functions()]
    assert "mass_matrix" in dir(doubles)
    with pytest.raises(AttributeError, match=r"no kernel 'mass_matrx'; did you mean mass_matrix\? there are inverse_"):
        _ = doubles.mass_matrx


@pytest.mark.parametrize("backend", BACKENDS)
def test_functions_of_nothing_and_empty_arrays(backend):
    b = ProgramBuilder()
    b.input("q", (0,))
    empty = KernelProgram("mass_matrix", b.program("m", {"M": np.zeros((0, 0))}), "Empty")
    constant = KernelProgram("constant", ProgramBuilder().program("c", {"g": [0.0, 0.0, -9.81]}), "Constant")
    kernels = Kernels(render(planar.ROBOT, [empty, constant], backend))
    assert kernels.mass_matrix(np.zeros(0)).shape == (0, 0)
    assert kernels.mass_matrix([]).shape == (0, 0)
    assert kernels.mass_matrix(np.zeros((4, 0))).shape == (4, 0, 0)
    np.testing.assert_array_equal(kernels.constant(), [0.0, 0.0, -9.81])
    assert len(Kernels(render(planar.ROBOT, [], backend))) == 0
