"""What a measurement was taken on: processor, compilers, versions."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np

from codegen.bench.native import C_COMPILERS, CPP_COMPILERS
from codegen.compiler import find_compiler


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def processor() -> str:
    """The processor's name, as the system gives it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


def machine_facts() -> dict[str, Any]:
    """Plain values for JSON."""
    compiler = find_compiler()
    names = [name for name in (*C_COMPILERS, *CPP_COMPILERS) if shutil.which(name)]
    return {
        "processor": processor(),
        "cores": cores(),
        "system": platform.platform(),
        "python": platform.python_version(),
        "numpy": np.__version__,
        "compilers": {name: _version(name) for name in names},
        "compiler": {"command": " ".join(compiler.command), "flags": list(compiler.flags)},
    }


def _version(command: str) -> str:
    done = subprocess.run((command, "--version"), capture_output=True, text=True, errors="replace", check=False)
    return (done.stdout.splitlines() or [""])[0]
