"""Closed forms: exact expanded formulas of small robots (`derive.closed_form`), evaluated term by term.

They come from the recursions that kernels come from, run on elements of a ring, so what they judge is everything behind that:
the choice of algorithm, the passes, the printing and the compiler.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from codegen.trust.oracles.oracle import Oracle
from codegen.trust.quantities import NotOfferedError, Quantities
from derive.closed_form import ClosedFormError, ClosedForms
from derive.closed_form.element import Element
from derive.closed_form.errors import TooLargeError
from derive.closed_form.variables import Kind, Variable
from derive.model import Model
from derive.states import Array

LARGEST = 7  # degrees of freedom whose formulas are still of a size to expand
STATES = 8


def _obstacle(model: Model) -> str | None:
    if model.nv > LARGEST:
        return f"formulas of more than {LARGEST} degrees of freedom are too large to expand"
    try:
        _forms(model, (0.0, 0.0, 0.0)).mass_matrix  # noqa: B018
    except ClosedFormError as error:
        return str(error)
    return None


@lru_cache(maxsize=4)
def _forms(model: Model, gravity: tuple[float, ...]) -> ClosedForms:
    return ClosedForms(model.numeric(), gravity)


@contextmanager
def _offered_if_expanded() -> Iterator[None]:
    """What is too large to expand at one state is at all of them."""
    try:
        yield
    except TooLargeError:
        raise NotOfferedError from None


class ClosedFormQuantities(Quantities):
    """Each formula at the state."""

    @cached_property
    def _of(self) -> ClosedForms:
        return _forms(self.model, tuple(map(float, self.gravity)))

    def _number(self, variable: Variable) -> float:
        if variable.angle is not None:
            parts, offset = variable.angle
            angle = sum(float(m) * float(self.inputs["q"][i]) for i, m in parts) + float(offset)
            return math.cos(angle) if variable.kind is Kind.COS else math.sin(angle)
        return float(self.inputs["qd" if variable.kind is Kind.RATE else "q"][variable.index])

    @cached_property
    def _known(self) -> dict[Variable, float]:
        return {}

    def _numbers(self, elements: Iterable[Any]) -> list[float]:
        known = self._known

        def value(variable: Variable) -> float:
            if variable not in known:
                known[variable] = self._number(variable)
            return known[variable]

        return [float(e.evaluate(value)) if isinstance(e, Element) else float(e) for e in elements]

    def _matrix(self, rows: Iterable[Iterable[Any]]) -> Array:
        return np.array([self._numbers(row) for row in rows])

    @cached_property
    def pose(self) -> tuple[Array, Array]:
        """The formula of the tip's pose."""
        rotation, position = self._of.tip_pose
        return self._matrix(rotation), np.array(self._numbers(position))

    @cached_property
    def jacobian(self) -> Array:
        """The formula of J."""
        return self._matrix(self._of.jacobian)

    @cached_property
    def mass(self) -> Array:
        """The formula of M."""
        return self._matrix(self._of.mass_matrix)

    @cached_property
    def weight(self) -> Array:
        """The formula of g."""
        return np.array(self._numbers(self._of.gravity_forces))

    @cached_property
    def bias(self) -> Array:
        """The formulas of C q̇ and g."""
        with _offered_if_expanded():
            return np.array(self._numbers(self._of.coriolis_forces)) + self.weight

    @cached_property
    def sensitivity(self) -> Array:
        """The derivatives of the formula of M along each rate."""
        return np.array([self._matrix(rows) for rows in self._of.mass_matrix_derivatives])

    @cached_property
    def jacobian_rate(self) -> Array:
        """The derivative of the formula of J in time."""
        return self._matrix(self._of.jacobian_rate)

    @cached_property
    def bias_derivatives(self) -> tuple[Array, Array]:
        """The derivatives of the formulas of C q̇ + g along each rate, and with each."""
        with _offered_if_expanded():
            along, by_rates = self._of.bias_derivatives
        return self._matrix(along), self._matrix(by_rates)

    def force_derivatives(self, qdd: Array) -> tuple[Array, Array]:
        """Of M q̈ + C q̇ + g."""
        along, by_rates = self.bias_derivatives
        return along + (self.sensitivity @ qdd).T, by_rates

    @cached_property
    def kinetic_energy(self) -> float:
        """The formula of T."""
        return self._numbers([self._of.kinetic_energy])[0]

    @cached_property
    def potential_energy(self) -> float:
        """The formula of V."""
        return self._numbers([self._of.potential_energy])[0]


CLOSED_FORMS = Oracle(
    "closed forms",
    "exact expanded formulas of robots with at most 7 degrees of freedom (derive.closed_form), term by term",
    ClosedFormQuantities,
    _obstacle,
    states=lambda model: STATES,
    slack=16.0,  # expanded formulas have many terms that cancel
)
