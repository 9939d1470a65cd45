"""Where generated text comes from, by digest: model, programs, the text itself. Never dates, hosts or paths."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from codegen.ir import ScalarProgram
from codegen.programs import KernelProgram, RobotFacts
from codegen.rolled.ir import RolledProgram


@dataclass(frozen=True)
class Provenance:
    """Digests (SHA-256, hexadecimal) and versions that tell whether generated text is current."""

    soagen_version: str
    format_version: int
    model: str
    programs: tuple[tuple[str, str], ...]  # function to digest
    source: str


def digest(*parts: str | bytes) -> str:
    """SHA-256 of the parts; where one ends and the next begins counts."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(f"{len(data)}:".encode() + data)
    return total.hexdigest()


def program_digest(program: ScalarProgram | RolledProgram) -> str:
    """The digest of the program as it prints, origins included."""
    return digest(str(program))


def source_digest(files: Mapping[str, str]) -> str:
    """The digest of relative paths and texts, whatever their order."""
    return digest(*(part for path in sorted(files) for part in (path, files[path])))


def provenance(robot: RobotFacts, functions: Sequence[KernelProgram], files: Mapping[str, str]) -> Provenance:
    """The provenance of these files."""
    return Provenance(
        soagen_version=robot.soagen_version,
        format_version=robot.format_version,
        model=robot.model_digest,
        programs=tuple((function.name, program_digest(function.program)) for function in functions),
        source=source_digest(files),
    )
