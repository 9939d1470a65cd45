"""The URDF files of the example-robot-data package, when it is installed."""

from importlib import metadata
from pathlib import Path

import pytest


def _files() -> list[Path]:
    try:
        files = metadata.files("example-robot-data") or []
    except metadata.PackageNotFoundError:
        return []
    return sorted(Path(str(f.locate())) for f in files if f.suffix == ".urdf")


CORPUS = _files()
needs_corpus = pytest.mark.skipif(not CORPUS, reason="example-robot-data is not installed: pip install -e '.[corpus]'")
