"""The C compiler of this machine: which one, what it is exactly, and calling it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sysconfig
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from codegen.errors import BuildError
from derive.errors import one_line

# Contraction lets a*b + c round once. Without errno, sqrt is an instruction and sin and cos of one angle are computed
# together; no value changes. Functions begin with a cache line: where they began elsewhere, some took half as long again.
# What `write.py` puts on disk is compiled by whoever takes it, with flags of their own.
LOCAL_FLAGS = ("-O3", "-march=native", "-ffp-contract=fast", "-fno-math-errno", "-falign-functions=64")
# GCC packs pairs of scalars into vectors, which costs more than it saves without loops: a tenth of M and of its inverse.
# It tries to combine instructions four at a time, most of its time on straight-line code; with two at a time 18,000
# operations compile in 9 s instead of 29 s, and kernels run as fast.
GCC_FLAGS = ("-fno-tree-slp-vectorize", "--param", "max-combine-insns=2")
WITHOUT = "or use backend='numpy', which needs no compiler"


@dataclass(frozen=True)
class Compiler:
    """A command, flags it takes, and its predefined macros: version, target and the processor's instructions."""

    command: tuple[str, ...]
    flags: tuple[str, ...]
    macros: str

    def shared_library(
        self,
        sources: Sequence[Path],
        target: Path,
        include: Sequence[str],
        define: Sequence[str],
        options: Sequence[str] = (),
    ) -> None:
        """Compile `sources`, side by side, and link the library `target`; BuildError with the first complaint."""
        paths = (part for folder in include for part in ("-I", folder))
        given = (*self.flags, *options, "-fPIC", "-w", *(f"-D{name}" for name in define), *paths)
        made = [target.with_name(f"{source.stem}.o") for source in sources]
        with ThreadPoolExecutor() as pool:
            pairs = zip(sources, made, strict=True)
            list(pool.map(self._call, [(*self.command, *given, "-c", str(a), "-o", str(b)) for a, b in pairs]))
        undefined = ("-undefined", "dynamic_lookup") if "__APPLE__" in self.macros else ()
        self._call((*self.command, "-shared", *undefined, *map(str, made), "-o", str(target), "-lm", "-pthread"))

    def _call(self, command: Sequence[str]) -> None:
        done = _run(command, "")
        if done.returncode != 0:
            lines = done.stderr.splitlines()
            fault = next((line for line in lines if "error" in line.lower()), lines[0] if lines else "no message")
            raise BuildError(
                f"{' '.join(self.command)} failed with exit code {done.returncode}: {one_line(fault)}; "
                f"check the compiler, set CC to another, {WITHOUT}"
            )


def find_compiler() -> Compiler:
    """The compiler of the environment variable CC, else the first of clang, cc and gcc that is there.

    Clang's kernels are faster than GCC's, by a tenth in batches, and it takes half the time.
    """
    return _probed(os.environ.get("CC", ""), os.environ.get("PATH", ""))


def probe(command: str) -> Compiler:
    """The compiler of this command, with the flags it takes; BuildError if it is none."""
    return _probed(command, os.environ.get("PATH", ""))


def python_include() -> str:
    """The folder of Python.h."""
    folder = sysconfig.get_paths()["include"]
    if not (Path(folder) / "Python.h").is_file():
        raise BuildError(f"there is no Python.h in {folder}; install Python's development files, {WITHOUT}")
    return folder


@cache
def _probed(chosen: str, path: str) -> Compiler:
    candidates = [tuple(shlex.split(chosen))] if chosen.strip() else [("clang",), ("cc",), ("gcc",)]
    command = next((c for c in candidates if shutil.which(c[0], path=path)), None)
    if command is None:
        names = ", ".join(c[0] for c in candidates)
        raise BuildError(f"no C compiler found (looked for {names}); install one or set CC, {WITHOUT}")
    for flags in (LOCAL_FLAGS, tuple(flag for flag in LOCAL_FLAGS if flag != "-march=native")):
        done = _run((*command, *flags, "-dM", "-E", "-x", "c", "-"), "")
        if done.returncode == 0:
            return Compiler(command, flags if "__clang__" in done.stdout else (*flags, *GCC_FLAGS), done.stdout)
    raise BuildError(f"{' '.join(command)} is not a usable C compiler: {one_line(done.stderr)}; set CC, {WITHOUT}")


def _run(command: Sequence[str], text: str) -> subprocess.CompletedProcess[str]:
    try:
        return subprocess.run(command, input=text, capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        raise BuildError(f"cannot run {command[0]}: {error.strerror}; set CC, {WITHOUT}") from error
