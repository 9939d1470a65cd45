"""From C `Source` to a loaded extension module: cffi writes the glue, the C compiler makes a file, the cache keeps it."""

from __future__ import annotations

import ctypes
import importlib.util
import sysconfig
import threading
from collections.abc import Callable
from dataclasses import dataclass
from importlib.machinery import ExtensionFileLoader
from pathlib import Path
from typing import Any

import cffi
import numpy as np
from cffi.recompiler import make_c_source

from codegen.backends.c_python import declarations, python_module
from codegen.cache import cached
from codegen.compiler import Compiler, find_compiler, python_include
from codegen.errors import BuildError
from codegen.provenance import digest
from codegen.source import Source
from codegen.threads import threads

_loaded: dict[str, Extension] = {}
_loading = threading.Lock()


@dataclass(frozen=True)
class Extension:
    """A loaded module: the kernels by cffi (`lib`, `ffi`), and `method(i, self)`, which makes the fast Python functions."""

    path: Path
    lib: Any
    ffi: Any
    method: Callable[[int, object], Callable[..., Any]]


def build(source: Source) -> Extension:
    """The compiled and loaded kernels; compiled only if neither this process nor the cache has them."""
    compiler = find_compiler()
    preamble = python_module(source)
    key = _key(source, preamble, compiler)
    with _loading:
        if key not in _loaded:
            functions = ", ".join(facts.name for facts in source.functions)
            about = f"the compiled code of {source.robot.name} ({functions})"
            path = cached(key, lambda target: _compile(source, preamble, compiler, key, target), about=about)
            _loaded[key] = _load(_module_name(key), path)
        return _loaded[key]


def loaded() -> tuple[Extension, ...]:
    """All extensions of this process."""
    with _loading:
        return tuple(_loaded.values())


def _key(source: Source, preamble: str, compiler: Compiler) -> str:
    """Digest of all that the compiled file depends on."""
    machine = (sysconfig.get_config_var("SOABI") or "", sysconfig.get_platform(), np.__version__, cffi.__version__)
    return digest(source.provenance.source, preamble, *machine, *compiler.command, *compiler.flags, compiler.macros)[
        :32
    ]


def _module_name(key: str) -> str:
    return f"_soagen_{key}"


def _compile(source: Source, preamble: str, compiler: Compiler, key: str, target: Path) -> None:
    """Write the sources beside `target` and compile them."""
    for path, text in source.items():
        (target.parent / path).write_text(text, encoding="utf-8")
    ffi = cffi.FFI()
    ffi.cdef(declarations(source))
    glue = target.with_name("python_module.c")
    make_c_source(ffi, _module_name(key), preamble, str(glue))  # what ffi.emit_c_code calls, without its printing
    sources = [glue, *(target.with_name(path) for path in source if path.endswith(".c"))]
    includes = (str(target.parent), python_include(), np.get_include())
    limits = ("_CFFI_NO_LIMITED_API",)  # so that it may read the fields of arrays
    compiler.shared_library(sources, target, includes, limits, ("-fvisibility=hidden",))


def _load(name: str, path: Path) -> Extension:
    """Import the extension module from its file."""
    loader = ExtensionFileLoader(name, str(path))
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    assert spec is not None
    try:
        module = importlib.util.module_from_spec(spec)
        loader.exec_module(module)
    except ImportError as error:
        raise BuildError(f"cannot load the compiled kernels {path}: {error}") from error
    address = module.lib.soagen_method()
    if not address:
        raise BuildError(f"the compiled kernels {path} cannot import NumPy {np.__version__}")
    method = ctypes.cast(address, ctypes.py_object).value
    module.lib.soagen_threads(threads())
    return Extension(path, module.lib, module.ffi, method)
