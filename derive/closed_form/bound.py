"""Entries let-bound: the recursions that make them run in names instead of being expanded."""

from __future__ import annotations

from fractions import Fraction
from functools import cache, cached_property, reduce
from typing import Any

from derive.blocks import entry_naming
from derive.closed_form.element import Element, elements_sum
from derive.closed_form.lets import Lets
from derive.closed_form.riccati import Riccati
from derive.closed_form.robot import ClosedForms
from derive.closed_form.selectors import Selector
from derive.closed_form.sheet import Label
from derive.placements import point_placement, potential_energy
from derive.spatial import symmetric_pivots

RECURSIONS = {"M": "mass_matrix", "g": "gravity_forces", "J": "jacobian", "C": "bias_forces", "KE": "kinetic_energy"}
OF_MASS_MATRIX = frozenset({"M", "dM", "christoffel"})


class Bound:
    """The let-bound entries of one quantity, by label."""

    def __init__(self, forms: ClosedForms, selector: Selector, fold: bool = True) -> None:
        self.forms, self.lets = forms, Lets(forms.ring, fold=fold)
        self._name = selector.quantity.name
        self._forces = self._name == "C" and len(selector.indices) == 1
        if self._name == "christoffel" or (self._name == "C" and not self._forces):
            forms.require_true_coordinates("Christoffel symbols")
        self._values = self._made()
        self._dM, self._symbol = cache(self._derivative), cache(self._christoffel)

    @cached_property
    def recursion(self) -> str:
        """The result whose recursion makes the entries; "" where none does."""
        if self._name in OF_MASS_MATRIX or (self._name == "C" and not self._forces):
            return "mass_matrix"
        return RECURSIONS.get(self._name, "")

    def entry(self, label: Label) -> Element:
        """One entry in names; unfold it to see its own line."""
        i = tuple(index - 1 for index in label.indices)
        match label.letter:
            case "dM":
                return self._dM(label.along - 1, *i)
            case "christoffel":
                return self._symbol(*i)
            case "C" if not self._forces:
                rates = range(self.forms.model.nv)
                row, column = i
                products = (self._symbol(row, column, k) * self.forms.qd[k] for k in rates)
                return elements_sum(self.forms.ring, products)
        return self._element(self._values[i])

    def _made(self) -> Any:
        """What the entries are read from: an array, or a dictionary by their indices."""
        forms, bind = self.forms, self.lets.bind
        match self._name:
            case "KE":
                return {(): forms.outputs(self.recursion, bind=bind, qd=list(forms.qd))["energy"]}
            case "C" if self._forces:
                still = (0.0, 0.0, 0.0)
                return forms.outputs(self.recursion, bind=bind, gravity=still, qd=list(forms.qd))["tau"]
            case "PE":
                return {(): potential_energy(forms.instance, forms.gravity, bind)}
            case "rotation":
                rows, _ = point_placement(forms.tip_instance, bind=bind)
                return {(i, j): x for i, row in enumerate(rows) for j, x in enumerate(row)}
            case "position":
                _, place = point_placement(forms.tip_instance, bind=bind)
                return {(i,): x for i, x in enumerate(place)}
            case "det":
                return {(): self._product_of_joint_inertias()}
        (values,) = forms.outputs(self.recursion, bind=bind).values()
        return values

    def _product_of_joint_inertias(self) -> Element:
        """∏ det D(k) in the names of the Riccati recursion [SOA-48], det D(k) by its pivots where it has several."""
        riccati, ring = Riccati(self.forms, fold=self.lets.fold), self.forms.ring
        blocks = [riccati.block("D", k) for k in range(self.forms.model.n)]
        self.lets = riccati.lets
        names = {entry: ring.variable(name) for entry, name in ring.aliases.items()}
        factors = [
            d for k, block in enumerate(blocks) for d in symmetric_pivots(block, entry_naming(self.lets.bind, k))
        ]
        return reduce(Element.__mul__, (self._element(f).substituted(names) for f in factors), ring.constant(1))

    def _element(self, x: Any) -> Element:
        return self.forms.element(x).cancelled()

    def _derivative(self, k: int, i: int, j: int) -> Element:
        return self.lets.derivative(self._element(self._values[i, j]), k, self.forms.change(k))

    def _christoffel(self, i: int, j: int, k: int) -> Element:
        return (self._dM(k, i, j) + self._dM(j, i, k) - self._dM(i, j, k)) * Fraction(1, 2)
