"""The C compilers that generated code must suit. A machine need not have all of them: tests skip those it lacks, by name."""

import shutil
import subprocess
from pathlib import Path

import pytest

STRICT = ("-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wdouble-promotion", "-Wshadow", "-Werror")
compilers = pytest.mark.parametrize("compiler", ["gcc", "clang"])


def run(*command: object, **options) -> str:
    """What the command prints; an assertion with what it said where it fails."""
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, **options)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def compile_c(compiler: str, *arguments: object, **options) -> None:
    """Compile, or skip the test where this machine has no such compiler or no instructions for what the flags ask."""
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler} on this machine")
    if "-mavx2" in arguments and "avx2" not in Path("/proc/cpuinfo").read_text():
        pytest.skip("no AVX2 on this machine")
    run(compiler, *arguments, **options)
