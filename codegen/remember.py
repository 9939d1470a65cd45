"""Generated text, remembered: the same robot, options and version of soagen give the same text without working it out."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path

import derive
from codegen.cache import cached
from codegen.provenance import digest
from codegen.skeletons import template_root
from codegen.source import Source

SUFFIX = ".source"
_known: dict[str, Source] = {}


def remembered(about: tuple[str, ...], make: Callable[[], Source]) -> Source:
    """What `make` gives, from this process, the cache, or `make` itself; `about` is all it depends on but soagen's code."""
    key = digest(code_digest(), *about)[:32]
    if key not in _known:
        path = cached(key, lambda target: _store(make(), target), SUFFIX)
        _known[key] = pickle.loads(path.read_bytes())
    return _known[key]


@cache
def code_digest() -> str:
    """The digest of soagen's own files: text made by other code is not this text."""
    roots = (Path(derive.__file__).parent, Path(__file__).parent, template_root())
    files = sorted(p for root in roots for p in root.rglob("*") if p.suffix in (".py", ".jinja"))
    return digest(*(part for p in files for part in (p.name, p.read_bytes())))


def _store(source: Source, target: Path) -> None:
    target.write_bytes(pickle.dumps(source))
