"""What ``soagen inspect ROBOT ENTRY`` understands: M, M[1,2], M[shoulder,elbow], C[2], dM[3][1,2], P[2] and their like.

Indices are 1-based, in model order, rates for M, C, g and bodies for P, D, G, K, psi, tau_bar; a joint's name stands for its
number.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from difflib import get_close_matches

from derive.closed_form.errors import ClosedFormError
from derive.model import Model


@dataclass(frozen=True)
class Quantity:
    """Something that can be asked for: `along` is the index in a bracket of its own, `indices` the ranges of the others."""

    name: str
    meaning: str
    indices: tuple[str, ...]  # "rate", "body", "six", "three"
    along: str = ""
    least: int = 0  # how many indices must be given
    aliases: tuple[str, ...] = ()


QUANTITIES = (
    Quantity("M", "mass matrix", ("rate", "rate")),
    Quantity("C", "C[i] Coriolis and centrifugal force; C or C[i,j] the matrix with 𝓜̇ − 2C skew", ("rate", "rate")),
    Quantity("g", "gravity forces", ("rate",)),
    Quantity("J", "jacobian of the tip, [angular; linear], world axes", ("six", "rate")),
    Quantity("dM", "derivatives of the mass matrix: dM[k] is ∂M/∂q_k", ("rate", "rate"), along="rate"),
    Quantity("christoffel", "Christoffel symbols [i,j,k]", ("rate", "rate", "rate")),
    Quantity("rotation", "axes of the tip in the world", ("three", "three")),
    Quantity("position", "the tip in the world", ("three",)),
    Quantity("KE", "kinetic energy", (), aliases=("kinetic_energy",)),
    Quantity("PE", "potential energy, zero at the world's origin", (), aliases=("potential_energy",)),
    Quantity("det", "determinant of the mass matrix, ∏ D(k)", (), aliases=("det(M)", "detM")),
    Quantity("P", "articulated body inertia of body k", ("body", "six", "six"), least=1),
    Quantity("D", "articulated joint inertia H P H*", ("body",), least=1),
    Quantity("G", "Kalman gain P H* D⁻¹", ("body", "six"), least=1),
    Quantity("K", "shifted gain φ G, from a body to its parent", ("body", "six"), least=1),
    Quantity("tau_bar", "projection I − G H", ("body", "six", "six"), least=1),
    Quantity(
        "psi", "ψ to body i from body j, zero unless i is j or inboard of it", ("body", "body", "six", "six"), least=2
    ),
)
NAMES = {name: q for q in QUANTITIES for name in (q.name, *q.aliases)}
_ENTRY = re.compile(r"\s*(?P<name>[A-Za-z_]+(?:\(M\))?)\s*(?P<brackets>(?:\[[^\[\]]*\]\s*)*)")


@dataclass(frozen=True)
class Selector:
    """A quantity with 0-based indices, as many as were given."""

    quantity: Quantity
    indices: tuple[int, ...] = ()
    along: int | None = None


def parse_selector(text: str, model: Model) -> Selector:
    """The selector `text` means for this model; ClosedFormError names the valid ones."""
    match = _ENTRY.fullmatch(text)
    quantity = NAMES.get(match["name"]) if match else None
    if match is None or quantity is None:
        raise ClosedFormError(f"there is no entry '{text.strip()}'; {_offered()}")
    groups = [part.strip().rstrip("]") for part in match["brackets"].split("[") if part.strip()]
    given = [[word.strip() for word in group.split(",")] for group in groups]
    along = None
    if quantity.along and given:
        if len(given[0]) != 1:
            raise ClosedFormError(f"'{text.strip()}': write {quantity.name}[k] or {quantity.name}[k][i,j]")
        along = _index(given.pop(0)[0], quantity.along, model, text)
    words = [word for group in given for word in group]
    if len(given) > 1 or len(words) > len(quantity.indices):
        raise ClosedFormError(f"'{text.strip()}' has too many indices; write {_pattern(quantity)}")
    if len(words) < quantity.least:
        raise ClosedFormError(f"'{text.strip()}' has too few indices; write {_pattern(quantity)}")
    indices = tuple(_index(word, kind, model, text) for word, kind in zip(words, quantity.indices, strict=False))
    return Selector(quantity, indices, along)


def _index(word: str, kind: str, model: Model, text: str) -> int:
    """A 1-based number or a joint's name as a 0-based index."""
    if kind == "rate":
        names, size = list(model.rate_names), model.nv
    elif kind == "body":
        names, size = [j.name for j in model.joints], model.n
    else:
        names, size = [], {"six": 6, "three": 3}[kind]
    if word in names:
        return names.index(word)
    if re.fullmatch(r"\d+", word) and 1 <= int(word) <= size:
        return int(word) - 1
    where = f"'{text.strip()}' on model '{model.name}'"
    if re.fullmatch(r"-?\d+", word):
        what = {"rate": "degrees of freedom", "body": "bodies"}.get(kind, "entries")
        raise ClosedFormError(f"{where}: index {word} is not among 1 … {size} ({size} {what})")
    near = get_close_matches(word, names, 1)
    hint = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(names) or f'1 … {size}'}"
    raise ClosedFormError(f"{where}: there is no joint '{word}'; {hint}")


def _pattern(quantity: Quantity) -> str:
    between = quantity.indices[:2] == ("body", "body")
    letters = iter("ijk" if quantity.indices[:1] == ("rate",) else "ijab" if between else "kij")
    inner = ",".join(next(letters) for _ in quantity.indices)
    whole = f"{quantity.name}{'[k]' if quantity.along else ''}"
    return f"{whole}[{inner}]" if inner else whole


def _offered() -> str:
    return f"the entries are {', '.join(_pattern(q) for q in QUANTITIES)}; indices from 1, or joint names"
