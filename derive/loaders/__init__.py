"""Robots in: `load_model` finds a bundled robot by name or reads a URDF or TOML file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from derive.errors import ModelError
from derive.frames import DEFAULT_SNAP_TOL
from derive.loaders.assemble import assemble
from derive.loaders.description import Description
from derive.loaders.files import read_bytes
from derive.loaders.linkage import nearest
from derive.loaders.selection import Selection
from derive.loaders.toml import parse_toml, read_toml
from derive.loaders.urdf import read_urdf
from derive.model import Model

ROBOTS = Path(__file__).parent.parent / "robots"
READERS = {".urdf": read_urdf, ".xml": read_urdf, ".toml": read_toml}


def bundled_robots() -> tuple[str, ...]:
    """Names that `load_model` knows without a file, sorted."""
    return tuple(sorted(path.stem for path in ROBOTS.glob("*.toml")))


def load_model(
    robot: str | os.PathLike[str],
    *,
    base: str | None = None,
    tip: str | Sequence[str] = (),
    lock: Mapping[str, float | Sequence[float]] | None = None,
    floating: bool = False,
    mimic: str = "reduce",
    prune: bool = True,
    snap_tol: float = DEFAULT_SNAP_TOL,
) -> Model:
    """The model of a bundled robot or of a .urdf or .toml file.

    `base` and `tip` (one link or several) select a sub-arm: joints that are not between them are dropped with what they
    carry, links rigidly attached stay; `prune=False` keeps everything and only names the tips. `lock` fixes joints at a
    value. `floating` lets the base move freely. `mimic="independent"` gives mimic joints their own coordinate. `snap_tol` is
    how close to −1, 0, 1 a rotation entry must be to be made so. ModelError says what is wrong and what to do.
    """
    description = _describe(robot)
    tips = (tip,) if isinstance(tip, str) else tuple(tip)
    return assemble(description, Selection(base, tips, lock, floating, mimic, prune, snap_tol))


def _describe(robot: str | os.PathLike[str]) -> Description:
    name = os.fspath(robot)
    if isinstance(robot, str) and name in bundled_robots():
        return parse_toml(read_bytes(ROBOTS / f"{name}.toml"), f"bundled robot '{name}'")
    path = Path(name)
    reader = READERS.get(path.suffix.lower())
    if reader is not None:
        return reader(path)
    if path.suffix.lower() == ".xacro":
        raise ModelError(name, "is a xacro file", "run xacro on it first and load the .urdf it prints")
    if os.sep in name or path.suffix:
        raise ModelError(name, f"files ending in '{path.suffix}' are not read", f"use {', '.join(READERS)}")
    known = bundled_robots()
    raise ModelError(
        f"robot '{name}'", "is neither a bundled robot nor a file", f"bundled: {', '.join(known)}{nearest(name, known)}"
    )
