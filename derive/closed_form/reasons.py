"""Why an entry of 𝓜 or g is zero for every configuration: branches, how axes lie, and how what they carry is balanced."""

from __future__ import annotations

from typing import Any

from derive.algebra import crossed, is_constant
from derive.closed_form.axes import Axis, axes, relation
from derive.closed_form.lets import Lets
from derive.closed_form.robot import ClosedForms
from derive.model import GROUND


class Reasons:
    """The facts about one robot that make entries vanish, worked out once."""

    def __init__(self, forms: ClosedForms) -> None:
        self._forms = forms
        self._axes = axes(forms)
        self._wrench: dict[
            int, Any
        ] = {}  # body → momentum of what it carries, per unit rate of its joint, at the joint
        self._lets = Lets(forms.ring)
        forms.outputs("mass_matrix", bind=self._keep)
        self._body = {v: k for k, s in enumerate(forms.model.v_slices) for v in range(s.start, s.stop)}

    def of_mass_matrix(self, i: int, j: int) -> str:
        """Why 𝓜(i, j) is zero (0-based rates)."""
        inner, outer = self._body[min(i, j)], self._body[max(i, j)]
        if inner not in self._forms.model.path(outer):
            return "on different branches: neither moves what the other carries"
        if inner == outer:
            return "nothing with mass moves" if i == j else "the joint's own motions do not couple"
        facts = [self._how_axes_lie(inner, outer), *self._balance(outer)]
        return "; ".join(fact for fact in facts if fact) or "the parts cancel for these numbers"

    def of_gravity(self, i: int) -> str:
        """Why g(i) is zero."""
        body = self._body[i]
        axis = self._axes.get(body)
        if axis is not None and all(_zero(x) for x in crossed(axis.direction, self._forms.gravity)):
            turning = self._forms.model.joints[body].kind.name != "prismatic"
            return "the axis is vertical: nothing rises or falls" if turning else ""
        facts = [fact for fact in self._balance(body) if "centre of mass" in fact]
        return facts[0] if facts else "the parts cancel for these numbers"

    def _keep(self, field: str, body: int, value: Any) -> Any:
        if field == "f" and body in value:
            self._wrench[body] = value[body]
        return self._lets.bind(field, body, value)

    def _how_axes_lie(self, inner: int, outer: int) -> str:
        a, b = self._axes.get(inner), self._axes.get(outer)
        how = relation(a, b) if a is not None and b is not None else ""
        names = self._forms.model.joints
        return f"the axes of {names[inner].name} and {names[outer].name} are {how}" if how else ""

    def _balance(self, body: int) -> list[str]:
        """What holds of the bodies that a turning joint carries."""
        joint = self._forms.model.joints[body]
        if joint.kind.name not in ("revolute", "continuous") or body not in self._wrench:
            return []
        wrench = self._wrench[body][0]
        axis = self._forms.exact.joints[body].geometry.axis
        facts = []
        if all(_zero(x) for x in wrench[3:]):
            facts.append(f"what {joint.name} carries has its centre of mass on the axis")
        if all(_zero(x) for x in crossed(axis, wrench[:3])):
            facts.append(f"the axis of {joint.name} is a principal one of what it carries")
        return facts


def axis_relations(forms: ClosedForms) -> list[tuple[int, int, str]]:
    """Neighbouring joints (0-based, inner and outer body) whose axes lie in a special way for every configuration."""
    found: dict[int, Axis] = axes(forms)
    parents = [(joint.parent, k) for k, joint in enumerate(forms.model.joints) if joint.parent != GROUND]
    pairs = [(i, k) for i, k in parents if i in found and k in found]
    return [(i, k, how) for i, k in pairs if (how := relation(found[i], found[k]))]


def _zero(x: Any) -> bool:
    return is_constant(x, 0.0) or x == 0
