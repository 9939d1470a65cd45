"""The catalogue: one published result per file, each a statement with its derivation; found by name.

A file here holds no algorithm, only statements and prose: the recursion of a result is compiled from its operator form.
"""

from __future__ import annotations

import importlib
import pkgutil
from difflib import get_close_matches
from functools import cache

from derive.errors import DeriveError
from derive.results.preference import cheapest
from derive.results.result import Quantity, Result

__all__ = ["FORWARD_DYNAMICS", "Quantity", "Result", "UnknownResultError", "catalogue", "cheapest", "find_result"]

MACHINERY = ("result", "preference")
FORWARD_DYNAMICS = ("fd1", "fd2", "fd3", "fd4")  # "forward_dynamics" without a number is the cheapest of these


class UnknownResultError(DeriveError):
    """A name that is no result of the catalogue."""


@cache
def catalogue() -> dict[str, Result]:
    """Every result by name, sorted."""
    modules = sorted(module.name for module in pkgutil.iter_modules(__path__) if module.name not in MACHINERY)
    found = (importlib.import_module(f"{__name__}.{module}").RESULT for module in modules)
    return {result.name: result for result in found}


@cache
def find_result(name: str) -> Result:
    """The result called `name`, or by an alias; UnknownResultError lists the known ones."""
    if name == "forward_dynamics":
        return cheapest([find_result(algorithm) for algorithm in FORWARD_DYNAMICS])
    names = {alias: result for result in catalogue().values() for alias in (result.name, *result.aliases)}
    if name not in names:
        close = get_close_matches(name, names, n=3)
        hint = f"close: {', '.join(close)}" if close else f"known: {', '.join(catalogue())}"
        raise UnknownResultError(f"'{name}' is neither a result nor an operator expression; {hint}")
    return names[name]
