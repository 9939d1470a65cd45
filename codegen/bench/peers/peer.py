"""The interface of a peer: why it cannot be used, or contenders for one function of one robot."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import Protocol

from codegen.bench.measure import Contender
from codegen.bench.problem import Problem


class PeerError(Exception):
    """A peer that is not there, or cannot do this robot or function; the message is one line and says why."""


class Peer(Protocol):
    """Code by others. `contenders` raises PeerError, with the reason, if there are none."""

    @property
    def name(self) -> str:
        """What its contenders are called."""

    @property
    def batched(self) -> bool:
        """Whether its problem is the batch."""

    def version(self) -> str:
        """What is installed; PeerError, saying what to install, if nothing is."""

    def contenders(self, problem: Problem, function: str) -> list[Contender]:
        """Ways to compute the function; all have the peer's name."""


def installed(module: str, package: str) -> str:
    """The version of a Python package; PeerError if its module cannot be found."""
    if find_spec(module) is None:
        raise PeerError(f"{package} is not installed; pip install {package}")
    try:
        return f"{package} {version(package)}"
    except PackageNotFoundError:
        return package
