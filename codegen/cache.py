"""A content-addressed cache of compiled files and generated text, shared by any number of processes at once.

An entry is one file, `<key>.<digest of its bytes>.so` (or another suffix): a rename makes it appear whole or not at all, and a
file whose bytes do not give the digest in its name is damaged and made anew. A lock per key keeps processes from making the
same thing side by side; where locks do not work, they do, and no harm is done.
"""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from codegen.errors import BuildError, BuildWarning
from codegen.provenance import digest

SUFFIX = ".so"


def cache_directory() -> Path:
    """$SOAGEN_CACHE, else soagen in the user's cache directory ($XDG_CACHE_HOME, ~/.cache)."""
    if chosen := os.environ.get("SOAGEN_CACHE"):
        return Path(chosen).expanduser().absolute()
    base = os.environ.get("XDG_CACHE_HOME", "")
    return (Path(base) if os.path.isabs(base) else Path.home() / ".cache") / "soagen"


def cached(key: str, make: Callable[[Path], None], suffix: str = SUFFIX, about: str = "") -> Path:
    """The file for `key`: one that is there and whole, else what `make(path)` writes.

    A damaged one is made anew and a BuildWarning tells what it held: `about`.
    Where the cache cannot be written, the file is in a temporary directory that lives as long as this process, and a
    BuildWarning says so.
    """
    directory = cache_directory()
    if found := _whole(directory, key, suffix):
        return found
    try:
        directory.mkdir(parents=True, exist_ok=True, mode=0o700)
        with tempfile.TemporaryDirectory(prefix="building-", dir=directory) as workplace, _lock(directory, key):
            return _whole(directory, key, suffix) or _made(directory, key, make, Path(workplace), suffix, about)
    except OSError as error:
        fallback = _temporary_directory()
        warnings.warn(
            f"cannot write the cache {directory} ({error.strerror or error}); kernels are kept in {fallback} and "
            "made again next time; set SOAGEN_CACHE to a directory that can be written",
            BuildWarning,
            stacklevel=2,
        )
    if found := _whole(fallback, key, suffix):
        return found
    try:
        with tempfile.TemporaryDirectory(prefix="building-", dir=fallback) as workplace:
            return _made(fallback, key, make, Path(workplace), suffix, about)
    except OSError as error:
        raise BuildError(f"cannot write {fallback}: {error.strerror or error}; set TMPDIR or SOAGEN_CACHE") from error


def _whole(directory: Path, key: str, suffix: str) -> Path | None:
    """An entry for the key whose bytes agree with its name."""
    return next((path for path in _entries(directory, key, suffix) if _is_whole(path, key)), None)


def _entries(directory: Path, key: str, suffix: str) -> list[Path]:
    try:
        return sorted(directory.glob(f"{key}.*{suffix}"))
    except OSError:
        return []


def _is_whole(path: Path, key: str) -> bool:
    try:
        return path.name == _entry_name(key, path.read_bytes(), path.suffix)
    except OSError:
        return False


def _made(directory: Path, key: str, make: Callable[[Path], None], workplace: Path, suffix: str, about: str) -> Path:
    made = workplace / f"made{suffix}"
    make(made)
    for path in _entries(directory, key, suffix):
        if not _is_whole(path, key):
            path.unlink(missing_ok=True)
            warnings.warn(
                f"the cached file {path} is damaged, its bytes are not those that were written; {about or 'it'} is made anew",
                BuildWarning,
                stacklevel=4,
            )
    entry = directory / _entry_name(key, made.read_bytes(), suffix)
    os.replace(made, entry)
    return entry


def _entry_name(key: str, data: bytes, suffix: str) -> str:
    return f"{key}.{digest(data)[:32]}{suffix}"


@contextmanager
def _lock(directory: Path, key: str) -> Iterator[None]:
    """Hold the key's lock, if the file system has locks; the kernel frees it should this process die."""
    import fcntl  # POSIX only, as is compiling

    with open(directory / f"{key}.lock", "wb") as file:
        with suppress(OSError):
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


@cache
def _temporary_directory() -> Path:
    directory = tempfile.mkdtemp(prefix="soagen-")
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    return Path(directory)
