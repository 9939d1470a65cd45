"""Entries of 𝓜, g, C, J and their derivatives let-bound: their recursions run in names instead of being expanded."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from derive.closed_form.element import Element, elements_sum
from derive.closed_form.lets import Lets
from derive.closed_form.robot import ClosedForms
from derive.closed_form.selectors import Selector
from derive.closed_form.sheet import Label

RECURSIONS = {"M": "mass_matrix", "g": "gravity_forces", "J": "jacobian", "C": "bias_forces"}
BINDABLE = frozenset({*RECURSIONS, "dM", "christoffel"})


class Bound:
    """The let-bound entries of one quantity, by label."""

    def __init__(self, forms: ClosedForms, selector: Selector) -> None:
        self.forms, self.lets = forms, Lets(forms.ring)
        name = selector.quantity.name
        self._forces = name == "C" and len(selector.indices) == 1
        source = "M" if name in ("dM", "christoffel") or (name == "C" and not self._forces) else name
        inputs = {"qd": list(forms.qd)} if self._forces else {}
        still = {"gravity": (0.0, 0.0, 0.0)} if self._forces else {}
        (self._values,) = forms.outputs(RECURSIONS[source], bind=self.lets.bind, **still, **inputs).values()

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

    def _element(self, x: Any) -> Element:
        return self.forms.element(x).cancelled()

    def _dM(self, k: int, i: int, j: int) -> Element:
        return self.lets.derivative(self._element(self._values[i, j]), k, self.forms.change(k))

    def _symbol(self, i: int, j: int, k: int) -> Element:
        return (self._dM(k, i, j) + self._dM(j, i, k) - self._dM(i, j, k)) * Fraction(1, 2)
