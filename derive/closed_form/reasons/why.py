"""Why a labelled entry is zero."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import TypeAlias

from derive.closed_form.errors import TooLargeError
from derive.closed_form.reasons.articulated import Articulated
from derive.closed_form.reasons.facts import UNKNOWN, Fact, Facts, told
from derive.closed_form.reasons.joint_space import JointSpace
from derive.closed_form.reasons.motions import Motion, Motions
from derive.closed_form.reasons.screws import relation
from derive.closed_form.reasons.tip import Tip
from derive.closed_form.robot import ClosedForms
from derive.closed_form.sheet import Label
from derive.model import GROUND

LIMIT = 1000  # terms of what is looked at to find a reason
LAST_RESORT = "the parts cancel for these numbers"
Indices: TypeAlias = tuple[int, ...]


class Reasons:
    """The facts about one robot that make entries vanish, each worked out once."""

    def __init__(self, forms: ClosedForms) -> None:
        self._forms, self._motions = forms, Motions(forms)

    def why(self, label: Label) -> str:
        """Why an entry that is zero is zero."""
        return self.known(label) or LAST_RESORT

    def known(self, label: Label) -> str:
        """The facts that make an entry zero; "" if it is not, or for no reason that is known."""
        indices = tuple(i - 1 for i in label.indices)
        try:
            with self._forms.ring.at_most(LIMIT):
                return told(_REASONS[label.letter](self, indices, label.along - 1))
        except TooLargeError:
            return ""

    @cached_property
    def joint_space(self) -> JointSpace:
        """Of 𝓜 and what is made of it."""
        return JointSpace(self._motions, self._forms.gravity)

    @cached_property
    def tip(self) -> Tip:
        """Of the tip."""
        return Tip(self._motions)

    @cached_property
    def articulated(self) -> Articulated:
        """Of the Riccati quantities."""
        return Articulated(self._forms)

    def kinetic_energy(self) -> Facts:
        """Of ½ q̇*𝓜q̇."""
        weightless = all(self.joint_space.mass_matrix(i, i) for i in range(self._forms.model.nv))
        return (Fact("nothing with mass moves"),) if weightless else UNKNOWN

    def potential_energy(self) -> Facts:
        """Of −Σ m g₀·c."""
        if not any(self._forms.gravity):
            return (Fact("there is no gravity"),)
        if self._forms.potential_energy:
            return UNKNOWN
        return (Fact("the centre of mass of the whole robot stays at the height of the world's origin"),)

    def determinant(self) -> Facts:
        """Of det 𝓜."""
        for i, name in enumerate(self._forms.model.rate_names):
            if self.joint_space.mass_matrix(i, i):
                return (Fact("nothing with mass moves with", (name,)),)
        return UNKNOWN


def neighbouring_axes(forms: ClosedForms) -> list[tuple[str, str, str]]:
    """Neighbouring joints of one freedom, by name, whose axes lie in a special way for every configuration, and how."""
    motions = Motions(forms)
    single: dict[int, Motion] = {}
    for driven in motions.of_rate:
        single |= {m.body: m for m in driven if motions.model.joints[m.body].kind.nv == 1}
    found = []
    for k in sorted(single):
        parent = motions.model.joints[k].parent
        if parent != GROUND and parent in single:
            inner, outer = single[parent], single[k]
            if how := relation(motions.seen(inner, k), motions.seen(outer, k)):
                found.append((inner.joint, outer.joint, how))
    return found


_REASONS: Mapping[str, Callable[[Reasons, Indices, int], Facts]] = {
    "M": lambda r, i, _: r.joint_space.mass_matrix(*sorted(i)),
    "g": lambda r, i, _: r.joint_space.gravity(*i),
    "dM": lambda r, i, k: r.joint_space.change(k, *sorted(i)),
    "christoffel": lambda r, i, _: r.joint_space.christoffel(i[0], *sorted(i[1:])),
    "C": lambda r, i, _: r.joint_space.coriolis(*i) if len(i) > 1 else r.joint_space.coriolis_force(*i),
    "J": lambda r, i, _: r.tip.jacobian(*i),
    "rotation": lambda r, i, _: r.tip.rotation(*i),
    "position": lambda r, i, _: r.tip.position(*i),
    "KE": lambda r, *_: r.kinetic_energy(),
    "PE": lambda r, *_: r.potential_energy(),
    "det": lambda r, *_: r.determinant(),
    "P": lambda r, i, _: r.articulated.P(*i),
    "D": lambda r, i, _: r.articulated.D(*i),
    "G": lambda r, i, _: r.articulated.G(*i),
    "K": lambda r, i, _: r.articulated.K(*i),
    "tau_bar": lambda r, i, _: r.articulated.tau_bar(*i),
    "psi": lambda r, i, _: r.articulated.psi(*i),
}
