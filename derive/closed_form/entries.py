"""Which entries a selector means on a robot, how each is labelled, and the element it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from derive.closed_form.element import Element
from derive.closed_form.robot import ClosedForms
from derive.closed_form.selectors import Selector
from derive.closed_form.sheet import Label
from derive.model import Model

Lookup: TypeAlias = Callable[[ClosedForms, tuple[int, ...], int], Element]
SYMMETRIC = frozenset({"M", "dM", "christoffel"})  # the last two indices may be exchanged


@dataclass(frozen=True)
class Entries:
    """Labels; `shape` is that of what is meant, () for one entry; `symmetric` if of its last two indices half is listed."""

    labels: tuple[Label, ...]
    shape: tuple[int, ...] = ()
    symmetric: bool = False


def entries(selector: Selector, model: Model) -> Entries:
    """What the selector means: indices that are given are fixed, the others run over all, one half where that is enough."""
    quantity = selector.quantity
    sizes = {"rate": model.nv, "six": 6, "three": 3}
    forces = quantity.name == "C" and len(selector.indices) == 1
    ranges = [range(sizes[kind]) for kind in quantity.indices[: 1 if forces else None]]
    shape = [len(free) for free in ranges[len(selector.indices) :]]
    for place, index in enumerate(selector.indices):
        ranges[place] = range(index, index + 1)
    half = quantity.name in SYMMETRIC and len(selector.indices) < len(ranges) - 1
    alongs = [0]
    if quantity.along:
        alongs = list(range(1, model.nv + 1)) if selector.along is None else [selector.along + 1]
        shape = [model.nv, *shape] if selector.along is None else shape
    labels = tuple(
        Label(quantity.name, tuple(i + 1 for i in indices), along)
        for along in alongs
        for indices in product(*ranges)
        if not half or indices[-1] >= indices[-2]
    )
    return Entries(labels, tuple(shape), half)


def element(forms: ClosedForms, label: Label) -> Element:
    """The closed form of a labelled entry."""
    return _LOOKUP[label.letter](forms, tuple(i - 1 for i in label.indices), label.along - 1)


_LOOKUP: Mapping[str, Lookup] = {
    "M": lambda f, i, _: f.mass_matrix[i[0]][i[1]],
    "C": lambda f, i, _: f.coriolis_forces[i[0]] if len(i) == 1 else f.coriolis_matrix[i[0]][i[1]],
    "g": lambda f, i, _: f.gravity_forces[i[0]],
    "J": lambda f, i, _: f.jacobian[i[0]][i[1]],
    "dM": lambda f, i, k: f.mass_matrix_derivatives[k][i[0]][i[1]],
    "christoffel": lambda f, i, _: f.christoffel[i[0]][i[1]][i[2]],
    "rotation": lambda f, i, _: f.tip_pose[0][i[0]][i[1]],
    "position": lambda f, i, _: f.tip_pose[1][i[0]],
    "KE": lambda f, i, _: f.kinetic_energy,
    "PE": lambda f, i, _: f.potential_energy,
    "det": lambda f, i, _: f.determinant,
}
