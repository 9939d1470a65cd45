"""Generated files on disk: written whole or not at all, with a manifest that says by digest what they should be."""

from __future__ import annotations

import difflib
import json
import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from codegen.errors import WriteError
from codegen.provenance import digest
from codegen.source import Source


def write(sources: Sequence[Source], directory: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Write the files of these sources of one robot and their manifest; returns all paths.

    Every file is written under a temporary name first, so a full disk changes nothing; the manifest is renamed last. Files
    that are current already are left alone, times included.
    """
    return write_texts(_texts(sources), directory)


def write_texts(texts: Mapping[str, str], directory: str | os.PathLike[str]) -> tuple[Path, ...]:
    """Write these texts under their relative paths, all or none; returns the paths."""
    folder = Path(directory)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if blocked := [path for path in texts if (folder / path).exists() and not (folder / path).is_file()]:
            raise WriteError(
                f"cannot write {folder / blocked[0]}: it is not a file; move it or choose another directory"
            )
        _replace_all({folder / path: text.encode() for path, text in texts.items()})
    except OSError as error:
        where = error.filename or folder
        raise WriteError(f"cannot write {where}: {error.strerror or error}; nothing was changed") from error
    return tuple(folder / path for path in texts)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write one file, whole or not at all."""
    target = Path(path)
    try:
        if target.is_dir():
            raise WriteError(f"cannot write {target}: it is a directory; name a file in it")
        target.parent.mkdir(parents=True, exist_ok=True)
        _replace_all({target: text.encode()})
    except OSError as error:
        raise WriteError(f"cannot write {target}: {error.strerror or error}; nothing was changed") from error


def check_written(sources: Sequence[Source], directory: str | os.PathLike[str]) -> str:
    """A unified diff from what is in the directory to what should be; "" where all is current."""
    folder = Path(directory)
    parts: list[str] = []
    for path, text in _texts(sources).items():
        try:
            found = (folder / path).read_bytes().decode(errors="replace") if (folder / path).exists() else ""
        except OSError as error:
            raise WriteError(f"cannot read {folder / path}: {error.strerror or error}") from error
        parts += difflib.unified_diff(
            found.splitlines(keepends=True), text.splitlines(keepends=True), f"written/{path}", f"current/{path}"
        )
    return "".join(part if part.endswith("\n") else f"{part}\n\\ No newline at end of file\n" for part in parts)


def manifest(sources: Sequence[Source]) -> str:
    """JSON: versions, model, and per backend the digests of its programs and files."""
    first = sources[0]
    backends = {
        source.backend: {
            "real": source.real,
            "files": {path: digest(text) for path, text in source.items()},
            "functions": {
                facts.name: {"program": facts.program_digest, "operations": facts.operations.total}
                for facts in source.functions
            },
        }
        for source in sources
    }
    about = {
        "robot": first.robot.name,
        "model": first.robot.model_digest,
        "gravity": first.robot.gravity,
        "soagen": first.robot.soagen_version,
        "format": first.robot.format_version,
        "backends": backends,
    }
    return json.dumps(about, indent=2) + "\n"


def _texts(sources: Sequence[Source]) -> dict[str, str]:
    """Relative path to text, the manifest last."""
    robots = {source.robot for source in sources}
    if len(robots) != 1:
        raise WriteError(f"one robot is written at a time; given {len(robots)}")
    texts = {path: text for source in sources for path, text in source.items()}
    if len(texts) != sum(map(len, sources)):
        raise WriteError("two of the sources have a file of the same name")
    return {**texts, f"{sources[0].robot.identifier}.manifest.json": manifest(sources)}


def _replace_all(contents: Mapping[Path, bytes]) -> None:
    """Write each file whose bytes differ: all under temporary names, then all renamed."""
    stale = {path: data for path, data in contents.items() if not path.is_file() or path.read_bytes() != data}
    temporary = {path: path.with_name(f".{path.name}.{os.getpid()}.tmp") for path in stale}
    try:
        for path, data in stale.items():
            with open(temporary[path], "xb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        for path in stale:
            os.replace(temporary[path], path)
    finally:
        for path in temporary.values():
            with suppress(OSError):
                path.unlink()
