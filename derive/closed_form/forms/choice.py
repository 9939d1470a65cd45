"""Which form: as asked for, or the one that prints shortest."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from derive.closed_form.axes import parallel_groups
from derive.closed_form.element import Element
from derive.closed_form.errors import ClosedFormError
from derive.closed_form.expression import Expression, variables_of
from derive.closed_form.forms.angles import in_angle_sums
from derive.closed_form.forms.constants import Constants, collected
from derive.closed_form.forms.expanded import expanded
from derive.closed_form.forms.merging import Group
from derive.closed_form.forms.nested import grouped, nested
from derive.closed_form.forms.terms import Polynomial, Reading
from derive.closed_form.printing.numbers import rounded
from derive.closed_form.printing.text import notation
from derive.closed_form.ring import Ring
from derive.closed_form.robot import ClosedForms
from derive.closed_form.sheet import Definition
from derive.closed_form.standard import parse_element, standard_names, with_standard_parameters
from derive.closed_form.variables import exact_fraction
from derive.model import Model
from derive.parameters import Polynomial as Parametric

AUTO = "auto"
LARGE = 1500  # terms in all beyond which only nesting is worth the time


@dataclass(frozen=True)
class Arrangement:
    """Expressions for elements in the same order, and the definitions they rest on."""

    expressions: tuple[Expression, ...]
    definitions: tuple[Definition, ...] = ()
    declared: int = 0  # the first so many definitions are known from the literature

    def __len__(self) -> int:
        """How long it prints, numbers at six digits, known definitions not counted."""
        write = notation(rounded(6)).write
        own = (d.expression for d in self.definitions[self.declared :])
        return sum(len(write(e)) for e in (*self.expressions, *own))


def closed_forms(model: Model, form: str = AUTO, symbols: str = AUTO) -> ClosedForms:
    """The closed forms of a model; its inertial parameters become symbols if asked for, or if it has named constants."""
    if symbols == AUTO:
        symbols = "inertial" if model.constants and form in (AUTO, "constants") else "none"
    if model.is_symbolic or symbols == "none":
        return ClosedForms(model)
    names = standard_names(model, every=symbols == "all")
    return ClosedForms(with_standard_parameters(model, every=symbols == "all"), standard_names=names)


def arranged(forms: ClosedForms, elements: Sequence[Element], form: str = AUTO) -> Arrangement:
    """The elements in a form of `FORMS`, or in the shortest."""
    material = Material(forms, elements)
    if form != AUTO:
        return FORMS[form](material)
    return min((FORMS[name](material) for name in _candidates(forms, elements)), key=len)


def _candidates(forms: ClosedForms, elements: Sequence[Element]) -> list[str]:
    """The forms worth trying: a robot whose parameters have names needs no others unless the literature gives them."""
    if forms.model.constants:
        return list(FORMS)
    if sum(map(len, elements)) > LARGE:
        return ["nested"]
    return [name for name in FORMS if name != "constants" or not forms.model.is_symbolic]


@dataclass(frozen=True)
class Material:
    """What forms are made of: the elements, and what several forms need of them."""

    forms: ClosedForms
    elements: Sequence[Element]

    @cached_property
    def groups(self) -> tuple[Group, ...]:
        """Chains of joints with parallel axes."""
        return parallel_groups(self.forms.model)

    @cached_property
    def in_angle_sums(self) -> list[Polynomial]:
        """The elements in sums of angles."""
        return [in_angle_sums(e, self.groups) for e in self.elements]

    @cached_property
    def reading(self) -> Reading:
        """How terms and factors are ordered."""
        return reading(self.forms)


def reading(forms: ClosedForms) -> Reading:
    """Inertial parameters (those that stand alone in a mass, moment or inertia) in front of lengths."""
    scalars = [s for body in forms.model.bodies for s in body.inertia.scalars if isinstance(s, Parametric)]
    alone = {m[0][0] for s in scalars for m, _ in s.terms if len(m) == 1 and m[0][1] == 1}
    return Reading(forms.ring, frozenset(alone))


def _expanded(material: Material) -> Arrangement:
    return Arrangement(tuple(expanded(e, material.reading) for e in material.elements))


def _angles(material: Material) -> Arrangement:
    return Arrangement(tuple(material.reading.sum(p) for p in material.in_angle_sums))


def _nested(material: Material) -> Arrangement:
    return Arrangement(tuple(nested(p, material.reading) for p in material.in_angle_sums))


def _constants(material: Material) -> Arrangement:
    forms = material.forms
    known = declared_constants(forms)
    values = {name: exact_fraction(value) for name, value in forms.parameter_values.items()}

    def value(vector: Mapping[int, Fraction]) -> Fraction:
        return _value(vector, forms.ring, values)

    expressions = collected(material.elements, material.groups, known, material.reading, value)
    used = {v for e in expressions for v in variables_of(e)}
    definitions = [
        Definition(variable, grouped(vector, material.reading), value(vector))
        for variable, vector in known.vectors.items()
        if variable in used
    ]
    known_names = dict(forms.model.constants).keys()
    return Arrangement(expressions, tuple(definitions), sum(d.variable.name in known_names for d in definitions))


def declared_constants(forms: ClosedForms) -> Constants:
    """The constants the robot's file declares, as far as their parameters are symbols here."""
    names = {f"I{i}" for i in range(1, 10)}
    constants = Constants(forms.ring, "K" if names & forms.parameters.keys() or forms.model.constants else "I")
    known: dict[str, Any] = {**forms.standard_names, **forms.parameters}
    for name, text in forms.model.constants:
        with suppress(ClosedFormError):  # of a body that was locked or left out
            constants.declare(name, parse_element(text, forms.ring, known))
    return constants


def _value(vector: Mapping[int, Fraction], ring: Ring, values: Mapping[str, Fraction]) -> Fraction:
    total = Fraction(0)
    for monomial, coefficient in vector.items():
        for variable, power in ring.factors(monomial):
            coefficient *= values[variable.name] ** power
        total += coefficient
    return total


FORMS: Mapping[str, Callable[[Material], Arrangement]] = {
    "angles": _angles,
    "nested": _nested,
    "constants": _constants,
    "expanded": _expanded,
}
