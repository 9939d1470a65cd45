"""𝓜 = (I + HφK) D (I + HφK)* on the closed forms of one robot, entry by entry [SOA-48].

D(k), G(k) and P⁺(k) are rational functions that nobody wants expanded, so they stay names, and the equations that define them
are used from the base outwards: P⁺(k) = P(k) − G(k)D(k)G*(k), where P(k) is written in the P⁺ of its children, and
G(k)D(k) = P(k)H*(k). What is left at the tips is 𝓜 as the composite bodies give it, expanded, minus itself. The factors are
unit triangular, so ∏ D(k) = det 𝓜 without expanding a determinant.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from derive.closed_form.element import Element, elements_sum
from derive.closed_form.errors import TooLargeError
from derive.closed_form.let_bound import LetBoundForms
from derive.closed_form.lets import Lets
from derive.closed_form.robot import ClosedForms, Matrix
from derive.closed_form.variables import Kind, Variable
from derive.run import run
from derive.sweeps import to_recursion

NAMED = frozenset({"G", "P_plus"})
SIX = range(6)
LONGEST = 7  # joints in a chain up to which 𝓜 = L D L* is proved entry by entry


@dataclass(frozen=True)
class BodyNames:
    """The Riccati quantities of a body with one freedom: names D, G and P⁺, and what D, P, PH* and P⁺ are further out."""

    D: Element
    G: tuple[Element, ...]
    P_plus: Matrix
    joint_inertia: Element
    P: Matrix
    PH: tuple[Element, ...]
    made: Matrix  # P⁺ as the recursion makes it

    @cached_property
    def steps(self) -> dict[Variable, Element]:
        """Every name in P⁺ as P − G D G*."""
        named = {(r, s): _name(self.P_plus[r][s]) for r in SIX for s in SIX if s >= r}
        return {v: self.P[r][s] - self.G[r] * self.D * self.G[s] for (r, s), v in named.items() if v is not None}

    def without_inertia(self, element: Element) -> Element:
        """The element with G D = PH*, and with D where it stands alone as what it is."""
        (inertia,) = self.D.variables()
        over = element.partial(inertia)
        gains = {v: r for r in SIX if (v := _name(self.G[r])) is not None}
        none = dict.fromkeys(gains, element.ring.constant(0))
        alone = over.substituted(none)
        linear = {v: over.partial(v).substituted(none) for v in gains}
        rest = over - alone - elements_sum(element.ring, (linear[v] * self.G[r] for v, r in gains.items()))
        known = alone * self.joint_inertia + elements_sum(
            element.ring, (linear[v] * self.PH[r] for v, r in gains.items())
        )
        return element - (over - rest) * self.D + known


def differences(forms: ClosedForms) -> Iterator[tuple[str, Element]]:
    """What must vanish: the shape of the factors, each step of the Riccati recursion, and each entry of 𝓜 − L D L*."""
    model = forms.model
    if (
        any(j.kind.nv > 1 for j in model.joints)
        or max((len(model.path(k)) for k in range(model.n)), default=0) > LONGEST
    ):
        raise TooLargeError(f"joints of several freedoms, or more than {LONGEST} in a chain")
    L, names = factors(forms)
    bodies, paths = range(forms.model.n), [forms.model.path(k) for k in range(forms.model.n)]
    for i, j in product(bodies, bodies):
        if i == j or i not in paths[j]:
            yield f"L[{i + 1},{j + 1}]", L[i][j] - (1 if i == j else 0)
    for k, (r, s) in product(bodies, product(SIX, SIX)):
        own = names[k]
        expected = own.P[r][s] - own.PH[r] * own.G[s] if s >= r else own.made[s][r]
        yield f"P⁺({k + 1})", own.made[r][s] - expected
    for j in bodies:
        outboard = [k for k in bodies if j in paths[k]]
        for i in paths[j]:
            product_of_factors = elements_sum(forms.ring, (L[i][k] * names[k].D * L[j][k] for k in outboard))
            difference = forms.mass_matrix[i][j] - product_of_factors
            for k in outboard:  # parents first: a body's P⁺ are gone when its D is
                difference = names[k].without_inertia(difference.substituted(names[k].steps)).tightened()
            yield f"M[{i + 1},{j + 1}]", difference


def let_bound(forms: LetBoundForms) -> Iterator[tuple[str, Element]]:
    """What must vanish, of any joints: the shape of L, and each entry of 𝓜 − L D L* in the names of both recursions."""
    (L, D), M, rates = forms.factors(), forms.mass_matrix, range(forms.model.nv)
    body = {v: k for k, slots in enumerate(forms.model.v_slices) for v in range(slots.start, slots.stop)}
    for i, j in product(rates, rates):
        if body[i] == body[j] or body[i] not in forms.model.path(body[j]):
            yield f"L[{i + 1},{j + 1}]", L[i][j] - (1 if i == j else 0)
        if i <= j:
            parts = (L[i][k] * D[k][m] * L[j][m] for k in rates if L[i][k] for m in rates if D[k][m] and L[j][m])
            yield f"M[{i + 1},{j + 1}]", M[i][j] - elements_sum(forms.ring, parts)


def factors(forms: ClosedForms) -> tuple[Matrix, tuple[BodyNames, ...]]:
    """L = I + HφK in names, and the names of each body; every joint has one freedom, so rates are bodies."""
    lets = Lets(forms.ring, NAMED)
    made: dict[tuple[str, int], Any] = {}
    read: dict[tuple[str, int], Any] = {}

    def bind(field: str, body: int, value: Any) -> Any:
        bound = (
            ((lets.name("D", body, forms.element(value[0][0])),),) if field == "D" else lets.bind(field, body, value)
        )
        made[field, body], read[field, body] = value, bound
        return bound

    recursion = to_recursion({"L": "I + H phi K", "D": "D", "G": "G", "P": "P"}, armature=forms.has_armature)
    with lets.naming_denominators():
        inputs = {"q": list(forms.q)}
        scalars = forms.ring.scalars
        outputs = run(recursion, forms.exact, inputs, scalars=scalars, parameters=forms.parameters, bind=bind)

    def of_body(k: int) -> BodyNames:
        D, inertia = forms.element(read["D", k][0][0]), forms.element(made["D", k][0][0])
        (named,) = D.variables()
        gains = [(forms.element(row[0]) * D).cancelled() for row in made["G", k]]
        six = slice(6 * k, 6 * k + 6)
        return BodyNames(
            D=D,
            G=tuple(forms.element(row[0]) for row in read["G", k]),
            P_plus=forms.matrix(read["P_plus", k]),
            joint_inertia=inertia,
            P=forms.matrix(outputs["P"][six, six]),
            PH=tuple(gain.substituted({named: inertia}) for gain in gains),
            made=forms.matrix(made["P_plus", k]),
        )

    return forms.matrix(outputs["L"]), tuple(of_body(k) for k in range(forms.model.n))


def _name(element: Element) -> Variable | None:
    """The name that an element is, if it is one."""
    variables = element.variables()
    single = len(element.terms) == 1 and len(variables) == 1 and variables[0].kind is Kind.LET
    return variables[0] if single and element == element.ring.variable(variables[0]) else None
