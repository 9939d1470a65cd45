"""The C compiler of this machine: which one, what it is exactly, and calling it."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sysconfig
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from codegen.errors import BuildError
from derive.errors import one_line

# Contraction lets a*b + c round once. Without errno, sqrt is an instruction and sin and cos of one angle are computed
# together; no value changes. What `write.py` puts on disk is compiled by whoever takes it, with flags of their own.
LOCAL_FLAGS = ("-O3", "-march=native", "-ffp-contract=fast", "-fno-math-errno")
# GCC tries to combine instructions four at a time, most of its time on straight-line code; with two at a time 18,000
# operations compile in 9 s instead of 29 s, and kernels run as fast.
GCC_FLAGS = ("--param", "max-combine-insns=2")
WITHOUT = "or use backend='numpy', which needs no compiler"


@dataclass(frozen=True)
class Compiler:
    """A command, flags it takes, and its predefined macros: version, target and the processor's instructions."""

    command: tuple[str, ...]
    flags: tuple[str, ...]
    macros: str

    def shared_library(self, source: Path, target: Path, include: Sequence[str], define: Sequence[str]) -> None:
        """Compile `source` to the extension module `target`; BuildError with the compiler's first complaint."""
        options = [*(f"-D{name}" for name in define), *(part for folder in include for part in ("-I", folder))]
        link = ("-shared", "-fPIC", *(("-undefined", "dynamic_lookup") if "__APPLE__" in self.macros else ()))
        command = (*self.command, *self.flags, *link, "-w", *options, str(source), "-o", str(target), "-lm")
        done = _run(command, "")
        if done.returncode != 0:
            lines = done.stderr.splitlines()
            fault = next((line for line in lines if "error" in line.lower()), lines[0] if lines else "no message")
            raise BuildError(
                f"{' '.join(self.command)} failed with exit code {done.returncode}: {one_line(fault)}; "
                f"check the compiler, {WITHOUT}"
            )


def find_compiler() -> Compiler:
    """The compiler of the environment variable CC, else the first of cc, gcc and clang that is there."""
    return _probed(os.environ.get("CC", ""), os.environ.get("PATH", ""))


def python_include() -> str:
    """The folder of Python.h."""
    folder = sysconfig.get_paths()["include"]
    if not (Path(folder) / "Python.h").is_file():
        raise BuildError(f"there is no Python.h in {folder}; install Python's development files, {WITHOUT}")
    return folder


@cache
def _probed(chosen: str, path: str) -> Compiler:
    candidates = [tuple(shlex.split(chosen))] if chosen.strip() else [("cc",), ("gcc",), ("clang",)]
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
