"""Which rewriting system decides an expression: chosen by its letters, from the rule sets of `rules.py`.

Every system listed in `SYSTEMS` terminates and is confluent; the tests compute both. `foreign` letters are those a
system has too few rules for: with one of them (or with an inverse that has no factors) equal normal forms still
prove an identity, but different ones no longer refute it.
"""

from __future__ import annotations

from collections.abc import Set
from functools import cache

from derive.operators.rewrite import System
from derive.operators.rules import (
    ARMATURE,
    ARTICULATED,
    COMPOSITE,
    RATES,
    ROOTS,
    SENSITIVITY,
    SHIFT,
    SPREAD,
    SPREAD_WEIGHTS,
    WEIGHTS,
    Rule,
)

#: extension of ARTICULATED → the letters that call for it
_EXTENSIONS: dict[str, tuple[tuple[Rule, ...], frozenset[str]]] = {
    "shift": (SHIFT, frozenset({"S", "Delta_phi"})),
    "roots": (ROOTS, frozenset({"D_sqrt", "D_isqrt"})),
    "sensitivity": (SENSITIVITY, frozenset({"HH_delta", "HH_s", "W_i", "W_j"})),
}

#: the same for COMPOSITE
_COMPOSITE_EXTENSIONS: dict[str, tuple[tuple[Rule, ...], frozenset[str]]] = {
    "sensitivity": _EXTENSIONS["sensitivity"],
    "rates": (RATES, frozenset({"BB_R", "Gamma"})),
}

_FOREIGN: dict[str, frozenset[str]] = {
    "armature": frozenset({"D_sqrt", "D_isqrt", "S", "Delta_phi", "HH_delta", "HH_s", "R", "Upsilon"}),
    "composite": frozenset({"psi", "K", "G", "P", "D", "D_sqrt", "D_isqrt", "S", "Delta_phi", "Upsilon"}),
    "spread": frozenset({"phi", "E_phi", "K", "G", "P", "D", "D_sqrt", "D_isqrt", "M", "S", "Delta_phi", "R"}),
}


def system_name(letters: Set[str]) -> str:
    """The name of the system for an expression over `letters` (core letters, and E_psi where it stays a letter)."""
    if "J_a" in letters:
        return "armature"
    if "Upsilon" in letters:
        return "spread"
    if letters & {"R", "BB_R", "Gamma"}:
        base, available = "composite", _COMPOSITE_EXTENSIONS
    else:
        base, available = "articulated", _EXTENSIONS
    return "+".join([base, *(name for name, (_, triggers) in available.items() if letters & triggers)])


@cache
def system(name: str) -> System:
    """The system called `name`."""
    base, *extensions = name.split("+")
    if base == "spread":
        return System(name, SPREAD, SPREAD_WEIGHTS)
    rules = {"composite": COMPOSITE, "armature": ARMATURE, "articulated": ARTICULATED}[base]
    for extension in extensions:
        rules = (_EXTENSIONS | _COMPOSITE_EXTENSIONS)[extension][
            0
        ] + rules  # before M → …, which is last because it is what lengthens a proof
    return System(name, rules, WEIGHTS)


SYSTEMS: tuple[str, ...] = (
    "articulated",
    "articulated+shift",
    "articulated+roots",
    "articulated+sensitivity",
    "articulated+shift+roots",
    "articulated+shift+sensitivity",
    "articulated+roots+sensitivity",
    "articulated+shift+roots+sensitivity",
    "armature",
    "composite",
    "composite+sensitivity",
    "composite+rates",
    "composite+sensitivity+rates",
    "spread",
)


def foreign_letters(name: str, letters: Set[str]) -> frozenset[str]:
    """Those of `letters` the system has too few rules for."""
    return _FOREIGN.get(name.split("+")[0], frozenset()) & letters
