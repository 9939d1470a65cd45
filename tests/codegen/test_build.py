import subprocess
import sys
import warnings

import numpy as np
import pytest
from oracles import planar_functions as planar

from codegen import build as building
from codegen import compiler as compilers
from codegen.build import build
from codegen.cache import cache_directory
from codegen.errors import BuildError, BuildWarning
from codegen.kernel import Kernels
from codegen.programs import KernelProgram
from codegen.provenance import digest
from codegen.render import render

Q = np.array([0.1, 0.2])


def source(seed=0):
    """A source of its own for each seed."""
    return render(
        planar.ROBOT, [planar.mass_matrix(), KernelProgram("random", planar.random_program(seed, 20), "Random")]
    )


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SOAGEN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(building, "_loaded", {})
    return tmp_path / "cache"


def entries(cache):
    return sorted(path.name for path in cache.glob("*.so"))


def test_compiled_once(cache, monkeypatch):
    Kernels(source()).mass_matrix(Q)
    (entry,) = entries(cache)
    assert not list(cache.glob("building-*"))
    monkeypatch.setattr(building, "_loaded", {})
    monkeypatch.setattr(building, "_compile", None)
    Kernels(source()).mass_matrix(Q)
    assert entries(cache) == [entry]


def test_other_text_type_or_compiler_is_another_entry(cache, monkeypatch):
    build(source(0))
    build(source(1))
    build(render(planar.ROBOT, [planar.mass_matrix()], "c", "float"))
    assert len(entries(cache)) == 3
    monkeypatch.setenv("CC", "gcc -DOTHER")
    build(source(0))
    assert len(entries(cache)) == 4


@pytest.mark.parametrize("damage", [b"", b"rubbish", None])
def test_a_damaged_entry_is_made_anew(cache, monkeypatch, damage):
    path = build(source()).path
    whole = path.read_bytes()
    monkeypatch.setattr(building, "_loaded", {})
    path.unlink()  # a loaded file must not be changed in place
    path.write_bytes(whole[:-100] if damage is None else damage)
    with pytest.warns(BuildWarning, match=r"damaged.*mass_matrix, random.*made anew"):
        kernels = Kernels(source())
    (entry,) = cache.glob("*.so")
    assert digest(entry.read_bytes())[:32] in entry.name
    assert kernels.mass_matrix(Q).shape == (2, 2)


def test_many_processes_at_once(cache, tmp_path):
    code = (
        "import sys; sys.path.insert(0, 'tests')\n"
        "from oracles import planar_functions as p\n"
        "from codegen.kernel import Kernels\n"
        "from codegen.render import render\n"
        "print(Kernels(render(p.ROBOT, p.functions())).mass_matrix([0.1, 0.2]).tolist())"
    )
    processes = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(6)]
    printed = {process.communicate()[0] for process in processes}
    assert all(process.returncode == 0 for process in processes)
    assert len(printed) == 1
    assert len(entries(cache)) == 1
    assert not list(cache.glob("building-*"))


def test_a_cache_that_cannot_be_written_is_done_without(tmp_path, monkeypatch):
    file = tmp_path / "file"
    file.touch()
    monkeypatch.setenv("SOAGEN_CACHE", str(file / "cache"))  # root can write to read-only directories, but not here
    monkeypatch.setattr(building, "_loaded", {})
    with pytest.warns(BuildWarning, match=r"cannot write the cache .*set SOAGEN_CACHE") as caught:
        kernels = Kernels(source(5))
    assert len(caught) == 1
    assert kernels.mass_matrix(Q).shape == (2, 2)


def test_an_entry_of_a_read_only_cache_is_used(cache, monkeypatch):
    path = build(source()).path
    monkeypatch.setattr(building, "_loaded", {})
    monkeypatch.setattr("codegen.cache.tempfile", None)  # nothing is written
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert build(source()).path == path


def test_without_a_compiler_one_line_says_what_to_do(cache, monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    with pytest.raises(
        BuildError, match=r"^no C compiler found \(looked for clang, cc, gcc\).*backend='numpy'"
    ) as caught:
        Kernels(source(6))
    assert "\n" not in str(caught.value)
    assert Kernels(render(planar.ROBOT, planar.functions(), "numpy")).mass_matrix(Q).shape == (2, 2)


@pytest.mark.parametrize("cc", ["/bin/false", "no-such-compiler", "/etc/passwd"])
def test_a_compiler_that_is_none(cache, monkeypatch, cc):
    monkeypatch.setenv("CC", cc)
    with pytest.raises(BuildError, match=r"set CC.*backend='numpy'"):
        build(source(7))


def test_a_compiler_that_fails_says_why(cache, monkeypatch):
    monkeypatch.setattr(building, "python_module", lambda source: "#error out of flux\n")
    with pytest.raises(BuildError, match=r"failed with exit code 1: .*out of flux.*backend='numpy'"):
        build(source(8))
    assert not entries(cache)
    assert not list(cache.glob("building-*"))


def test_python_without_headers(monkeypatch, tmp_path):
    monkeypatch.setattr(compilers.sysconfig, "get_paths", lambda: {"include": str(tmp_path)})
    with pytest.raises(BuildError, match=r"no Python\.h in .*backend='numpy'"):
        compilers.python_include()


def test_where_the_cache_is(monkeypatch, tmp_path):
    monkeypatch.delenv("SOAGEN_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_directory() == tmp_path / "soagen"
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")  # which the XDG specification says to ignore
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_directory() == tmp_path / ".cache" / "soagen"


def test_the_glue_compiles_without_warnings(tmp_path):
    """cffi's own part is not ours, so only the preamble is compiled strictly."""
    from codegen.backends.c_python import python_module

    for real in ("double", "float"):
        text = render(planar.ROBOT, planar.functions(), "c", real)
        for path, content in text.items():
            (tmp_path / path).write_text(content)
        (tmp_path / "glue.c").write_text(f"#include <Python.h>\n{python_module(text)}")
        folders = ["-isystem", compilers.python_include(), "-isystem", np.get_include(), "-I", str(tmp_path)]
        flags = ["-std=c99", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-fsyntax-only"]
        done = subprocess.run(
            ["gcc", *flags, *folders, str(tmp_path / "glue.c")], capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr


def test_c_functions_can_be_called_by_cffi():
    extension = build(render(planar.ROBOT, planar.functions()))
    q, m = extension.ffi.new("double[2]", [0.1, 0.2]), extension.ffi.new("double[4]")
    extension.lib.planar_2r_mass_matrix(q, m)
    kernels = Kernels(render(planar.ROBOT, planar.functions()))
    assert list(m) == kernels.mass_matrix(Q).ravel().tolist()
