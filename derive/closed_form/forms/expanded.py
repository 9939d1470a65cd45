"""A flat sum of products in the sines and cosines of the joint angles themselves."""

from __future__ import annotations

from derive.closed_form.element import Element
from derive.closed_form.expression import Expression
from derive.closed_form.forms.terms import Reading, polynomial_of


def expanded(element: Element, reading: Reading) -> Expression:
    """The element as the ring holds it: c and s of each angle, s² written as 1 − c²."""
    return reading.sum(polynomial_of(element))
