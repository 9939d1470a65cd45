"""A robot's closed forms with every quantity of every recursion a name: short for a robot of any size, and not canonical."""

from __future__ import annotations

from derive.closed_form.element import Element
from derive.closed_form.lets import Lets
from derive.closed_form.robot import ClosedForms, Matrix
from derive.run import run
from derive.sweeps import to_recursion


class LetBoundForms(ClosedForms):
    """The same entries, derivatives and symbols as `ClosedForms`, in the names of `lets`; gravity as `forms` has it."""

    def __init__(self, forms: ClosedForms) -> None:
        down = forms.gravity[2]
        super().__init__(forms.model, forms.gravity if isinstance(down, float) else None)
        self.lets = Lets(self.ring)
        self.bind = self.lets.bind

    def derivative(self, element: Element, rate: int) -> Element:
        """The derivative along a rate, name by name."""
        return self.lets.derivative(element, rate, self.change(rate))

    def factors(self) -> tuple[Matrix, Matrix]:
        """L = I + HφK and D, of any joints [SOA-48]."""
        recursion = to_recursion({"L": "I + H phi K", "D": "D"}, armature=self.has_armature)
        with self.lets.naming_denominators():
            outputs = run(
                recursion,
                self.exact,
                {"q": list(self.q)},
                scalars=self.ring.scalars,
                parameters=self.parameters,
                bind=self.bind,
            )
        return self.matrix(outputs["L"]), self.matrix(outputs["D"])
