"""The joints' motions as they are seen from the bodies further out, and what each body carries."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add

from derive.closed_form.lets import Lets
from derive.closed_form.reasons.screws import AXIS, Screw
from derive.closed_form.robot import ClosedForms
from derive.constant_maps import with_constant_joint_maps
from derive.instance import Instance, instance
from derive.model import GROUND
from derive.rigid import RigidInertia
from derive.spatial import Vector


@dataclass(frozen=True)
class Motion:
    """A column of H*(body), or a motion given in the world's axes where `body` is GROUND."""

    body: int
    vector: Vector
    name: str
    joint: str = ""


class Motions:
    """Of one robot, its joints taken apart until each moves about a line that is fixed in its body.

    What a body carries is in names, R4_xx, so that it stays short; what holds in names holds of what they stand for.
    """

    def __init__(self, forms: ClosedForms) -> None:
        self.forms, self.model = forms, with_constant_joint_maps(forms.exact)
        self._lets = Lets(forms.ring)
        self._seen: dict[tuple[Motion, int], Vector] = {}

    @cached_property
    def robot(self) -> Instance:
        """Its letters in closed form, with the first tip in its own axes."""
        forms = self.forms
        tips = [self.model.tips[0].name] if forms.has_tip else []
        return instance(self.model, forms.q, None, forms.ring.scalars, parameters=forms.parameters, tips=tips)

    @cached_property
    def of_rate(self) -> tuple[tuple[Motion, ...], ...]:
        """The motions that each rate drives: one, or several where joints follow another."""
        driven: list[list[Motion]] = [[] for _ in range(self.model.nv)]
        for k, (joint, rates) in enumerate(zip(self.model.joints, self.model.v_slices, strict=True)):
            for vector, rate in zip(self.robot.H[k], range(rates.start, rates.stop), strict=True):
                name = joint.name if joint.mimic is not None else self.forms.model.rate_names[rate]
                driven[rate].append(Motion(k, vector, AXIS + name, name))
        return tuple(map(tuple, driven))

    def seen(self, motion: Motion, body: int) -> Screw:
        """The motion as a screw in the axes of a body further out."""
        return Screw(self._vector(motion, body), motion.name)

    def carries(self, inner: int, outer: int) -> bool:
        """Whether a body, or the ground, is the other or inboard of it."""
        return inner == GROUND or inner in self.model.path(outer)

    def load(self, body: int) -> RigidInertia:
        """What a body is with all it carries, as one rigid body in its own axes."""
        return self._loads[body]

    def carrier(self, body: int) -> str:
        """The name of the joint that carries a load."""
        return self.model.joints[body].name

    @cached_property
    def _loads(self) -> dict[int, RigidInertia]:
        loads: dict[int, RigidInertia] = {}
        for k in reversed(range(self.model.n)):
            carried = (self.robot.steps[c].of_rigid(loads[c]) for c in self.model.children[k])
            loads[k] = self._lets.bind("R", k, reduce(add, carried, self.robot.M[k]))
        return loads

    def _vector(self, motion: Motion, body: int) -> Vector:
        if body == motion.body:
            return motion.vector
        if (motion, body) not in self._seen:
            inner = self._vector(motion, self.model.joints[body].parent)
            self._seen[motion, body] = self.robot.steps[body].of_motion(inner)
        return self._seen[motion, body]
