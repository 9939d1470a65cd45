"""Exact proofs on closed forms: each law is an equation between elements of the ring, where equality is decided.

Both sides of a law come from different recursions or from calculus: 𝓜 by composite bodies against the columns that
Newton–Euler gives and against the kinetic energy, g against ∂V/∂q, Christoffel symbols against Newton–Euler bias forces.
Where a robot's forms are too large to expand, the same differences are made of let-bound forms and looked at modulo a prime.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

from derive.closed_form import factorization
from derive.closed_form.determinant import determinant
from derive.closed_form.element import Element, elements_sum
from derive.closed_form.errors import TooLargeError
from derive.closed_form.let_bound import LetBoundForms
from derive.closed_form.monomials import exponent
from derive.closed_form.riccati import Riccati
from derive.closed_form.robot import LIMIT, MOST_ROWS, WORK, ClosedForms, Matrix
from derive.closed_form.sampling import Example, Point
from derive.closed_form.variables import Kind

CHANCE = 1e-30  # of a false law passing that is taken for none
Differences = Iterator[tuple[str, Element]]


@dataclass(frozen=True)
class Proof:
    """A law, how many equations it is, how long they took, and the first that fails: where, and by how much."""

    name: str
    statement: str
    equations: int
    seconds: float
    failure: str = ""
    too_large: bool = False  # not decided
    chance: float = 0.0  # a bound on the chance that the verdict is wrong; 0 where it was decided on canonical forms

    @property
    def holds(self) -> bool:
        """Whether every equation holds."""
        return not self.failure and not self.too_large

    @property
    def verdict(self) -> str:
        """A few words."""
        if self.failure:
            return "FAILS"
        return (
            "too large" if self.too_large else f"sampled, chance of error < {CHANCE:.0e}" if self.chance else "proved"
        )


@dataclass(frozen=True)
class Law:
    """A law as a source of differences that must all be zero; `why_not` says why a robot does not have it.

    `let_bound` are the differences on let-bound forms, where those of the closed forms are made in another way.
    """

    name: str
    statement: str
    differences: Callable[[ClosedForms], Differences]
    why_not: Callable[[ClosedForms], str] = lambda forms: ""
    let_bound: Callable[[LetBoundForms], Differences] | None = None


def laws(forms: ClosedForms) -> list[Law]:
    """The laws this robot has."""
    return [law for law in LAWS if not law.why_not(forms)]


def explained(proofs: Sequence[Proof]) -> list[str]:
    """What the verdicts that occur mean, a sentence each."""
    kinds = {
        "proved: both sides have the same canonical form in the ring of trigonometric polynomials.": [
            p.holds and not p.chance for p in proofs
        ],
        "sampled: too large to expand, so that both sides, let-bound, were compared at a random point modulo a random prime of "
        f"256 bits; a false law agrees there with a chance below {CHANCE:.0e}.": [
            p.holds and p.chance > 0 for p in proofs
        ],
        "FAILS: the law is refuted by what is shown.": [bool(p.failure) for p in proofs],
        "too large: neither proved nor refuted.": [p.too_large for p in proofs],
    }
    return [sentence for sentence, found in kinds.items() if any(found)]


def check(law: Law, forms: ClosedForms) -> Proof:
    """The proof of one law, or the equation at which it fails; sampled where a robot's forms are too large to expand."""
    start, count = time.perf_counter(), 0
    try:
        for where, difference in law.differences(forms):
            count += 1
            if difference:
                failure = f"{where}: the difference has {len(difference)} terms"
                return Proof(law.name, law.statement, count, time.perf_counter() - start, failure)
    except TooLargeError:
        return replace(sampled(law, forms), seconds=time.perf_counter() - start)
    return Proof(law.name, law.statement, count, time.perf_counter() - start)


def sampled(law: Law, forms: ClosedForms) -> Proof:
    """The law on let-bound forms at a random point modulo a random prime: false ones pass with a chance below `CHANCE`."""
    start, count, chance, bound = time.perf_counter(), 0, 0.0, LetBoundForms(forms)
    point: Point | None = None
    try:
        for where, difference in (law.let_bound or law.differences)(bound):
            count += 1
            point = point or Point(bound.lets, random.SystemRandom())
            found = point.at(difference)
            chance = max(chance, point.chance(found))
            if found.value:
                seconds = time.perf_counter() - start
                return Proof(law.name, law.statement, count, seconds, f"{where}: {_example(bound, difference)}")
    except TooLargeError:
        chance = 1.0
    seconds = time.perf_counter() - start
    return Proof(law.name, law.statement, count, seconds, too_large=chance > CHANCE, chance=chance)


def _example(bound: LetBoundForms, difference: Element) -> str:
    """Where a difference that is not zero is not, in numbers."""
    example = Example(bound.lets, random.Random(0))
    size = example.at(difference)
    state = ", ".join(f"{name} = {x:g}" for name, x in sorted(example.drawn.items()))
    return f"the difference is {size:.6g} at {state}"


# -- the laws -----------------------------------------------------------------------------------------------------------


def _columns(forms: ClosedForms) -> Matrix:
    """𝓜 column by column: Newton–Euler with one unit acceleration, at rest, without gravity."""
    nv, still = forms.model.nv, (0.0, 0.0, 0.0)
    columns = []
    for j in range(nv):
        unit = [1.0 if i == j else 0.0 for i in range(nv)]
        no_force = [[0.0] * 6] if forms.has_tip else []
        tau = forms.outputs("inverse_dynamics", gravity=still, qd=[0.0] * nv, qdd=unit, f_0=no_force)["tau"]
        columns.append([forms.element(x) for x in tau])
    return tuple(tuple(column[i] for column in columns) for i in range(nv))


def _symmetric(forms: ClosedForms) -> Differences:
    full = _columns(forms)
    for i, j in _pairs(forms):
        if i < j:
            yield f"M[{i + 1},{j + 1}]", full[i][j] - full[j][i]


def _recursions_agree(forms: ClosedForms) -> Differences:
    full = _columns(forms)
    for i, j in _pairs(forms):
        yield f"M[{i + 1},{j + 1}]", forms.mass_matrix[i][j] - full[i][j]


def _kinetic(forms: ClosedForms) -> Differences:
    energy = forms.outputs("kinetic_energy", qd=list(forms.qd))["energy"]
    yield "KE", forms.element(energy) - forms.kinetic_energy


def _gravity(forms: ClosedForms) -> Differences:
    for i, force in enumerate(forms.gravity_forces):
        yield f"g[{i + 1}]", force - forms.derivative(forms.potential_energy, i)


def _skew(forms: ClosedForms) -> Differences:
    nv, C, d = range(forms.model.nv), forms.coriolis_matrix, forms.mass_matrix_derivatives
    rate = [[elements_sum(forms.ring, (d[k][i][j] * forms.qd[k] for k in nv)) for j in nv] for i in nv]
    for i, j in _pairs(forms):
        if i <= j:
            yield f"({i + 1},{j + 1})", (rate[i][j] - 2 * C[i][j]) + (rate[j][i] - 2 * C[j][i])


def _coriolis(forms: ClosedForms) -> Differences:
    nv = range(forms.model.nv)
    for i in nv:
        made = elements_sum(forms.ring, (forms.coriolis_matrix[i][j] * forms.qd[j] for j in nv))
        yield f"C[{i + 1}]", made - forms.coriolis_forces[i]


def _hamel(forms: ClosedForms) -> Differences:
    """C(i) = Σ_jk (∂𝓜_ij/∂k − ½ ∂𝓜_jk/∂i) v_j v_k − (ad*_v p)_i: p = 𝓜v of a joint whose rates are a twist in its own axes."""
    nv, ring, M, v = range(forms.model.nv), forms.ring, forms.mass_matrix, forms.qd
    d = forms.mass_matrix_derivatives
    p = [elements_sum(ring, (M[i][j] * v[j] for j in nv)) for i in nv]
    turned: dict[int, Element] = {}
    for joint, rates in zip(forms.model.joints, forms.model.v_slices, strict=True):
        if not joint.kind.is_vector_space:
            turned |= zip(range(rates.start, rates.stop), _turned(p[rates], v[rates]), strict=True)
    for i in nv:
        rate = elements_sum(ring, (d[k][i][j] * v[j] * v[k] for j in nv for k in nv))
        change = elements_sum(ring, (d[i][j][k] * v[j] * v[k] * Fraction(1, 2) for j in nv for k in nv))
        yield f"C[{i + 1}]", rate - change - turned.get(i, ring.constant(0)) - forms.coriolis_forces[i]


def _turned(p: Sequence[Element], v: Sequence[Element]) -> tuple[Element, ...]:
    """ad*_v p: [n × ω + f × u; f × ω] of a momentum [n; f] and a twist [ω; u], n × ω where there is only turning."""

    def crossed(a: Sequence[Element], b: Sequence[Element]) -> list[Element]:
        return [a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3] for i in range(3)]

    about = crossed(p[:3], v[:3])
    if len(p) == 3:
        return tuple(about)
    return (*(x + y for x, y in zip(about, crossed(p[3:], v[3:]), strict=True)), *crossed(p[3:], v[:3]))


def _derivatives_by_christoffel(forms: ClosedForms) -> Differences:
    d, symbols = forms.mass_matrix_derivatives, forms.christoffel
    for k, (i, j) in product(range(forms.model.nv), _pairs(forms)):
        if i <= j:
            yield f"dM[{k + 1}][{i + 1},{j + 1}]", d[k][i][j] - symbols[i][j][k] - symbols[j][i][k]


def _exchange(forms: ClosedForms) -> Differences:
    symbols, nv = forms.christoffel, range(forms.model.nv)
    inboard = _inboard(forms)
    for j, i, k in product(nv, nv, nv):
        if j in inboard[i] and j in inboard[k]:
            yield f"christoffel[{i + 1},{j + 1},{k + 1}]", symbols[i][j][k] + symbols[k][j][i]


def _independence(forms: ClosedForms) -> Differences:
    d, inboard = forms.mass_matrix_derivatives, _inboard(forms)
    for k, (i, j) in product(range(forms.model.nv), _pairs(forms)):
        if k in inboard[i] and k in inboard[j]:
            yield f"dM[{k + 1}][{i + 1},{j + 1}]", d[k][i][j]


def _jacobian(forms: ClosedForms) -> Differences:
    (rotation, position), J = forms.tip_pose, forms.jacobian
    for k in range(forms.model.nv):
        for i in range(3):
            yield f"J[{i + 4},{k + 1}]", J[i + 3][k] - forms.derivative(position[i], k)
        omega = [J[i][k] for i in range(3)]
        for i, c in product(range(3), range(3)):
            a, b = (i + 1) % 3, (i + 2) % 3
            spun = omega[a] * rotation[b][c] - omega[b] * rotation[a][c]
            yield f"J[{i + 1},{k + 1}]", spun - forms.derivative(rotation[i][c], k)


def _determinant(forms: ClosedForms) -> Differences:
    """D(k)·det 𝓜(k+1…n) = det 𝓜(k…n), with the D(j) further out written the same way."""
    if any(j.kind.nv > 1 for j in forms.model.joints):
        raise TooLargeError("joints of several freedoms")
    minors = [forms.minor(k) for k in range(forms.model.nv)] + [forms.ring.constant(1)]
    riccati = Riccati(forms, closed=True, limits=(LIMIT, WORK))
    for k in range(forms.model.n):
        with forms.ring.at_most(LIMIT, WORK):
            D = riccati.lets.unfolded(riccati.block("D", k)[0][0])
            numerator, denominator = _over_minors(D, minors, forms)
            difference = numerator * minors[k + 1] - denominator * minors[k]
        yield f"D[{k + 1}]", difference


def _determinant_let_bound(forms: LetBoundForms) -> Differences:
    _, D = forms.factors()
    yield "det", forms.determinant - determinant(forms.ring, D)


def _over_minors(element: Element, minors: list[Element], forms: ClosedForms) -> tuple[Element, Element]:
    """The element with 1/D(j) = minor(j+1)/minor(j) over one denominator."""
    for inverse in [v for v in element.variables() if v.kind is Kind.INVERSE]:
        j = int(inverse.name.removeprefix("D")) - 1
        bit = forms.ring.bit(inverse)
        highest = max(exponent(m, bit) for m in element.terms)
        parts = []
        for power in range(highest + 1):
            terms = {m - power * bit: c for m, c in element.terms.items() if exponent(m, bit) == power}
            part = Element(forms.ring, terms, element.denominator, element.degree)
            parts.append(part * minors[j + 1] ** power * minors[j] ** (highest - power))
        top, bottom = _over_minors(elements_sum(forms.ring, parts).tightened(), minors, forms)
        return top, bottom * minors[j] ** highest
    return element, forms.ring.constant(1)


def _pairs(forms: ClosedForms) -> Iterable[tuple[int, int]]:
    return product(range(forms.model.nv), range(forms.model.nv))


def _inboard(forms: ClosedForms) -> list[set[int]]:
    """For each rate, the rates of the joints inboard of it, its own included; for joints of one freedom without followers."""
    model = forms.model
    return [{model.v_slices[b].start for b in model.path(k)} for k in range(model.n)]


# -- which robots have which --------------------------------------------------------------------------------------------


def _needs_coordinates(forms: ClosedForms) -> str:
    curved = [j.name for j in forms.model.independent_joints if not j.kind.is_vector_space]
    return f"joint '{curved[0]}' has angular velocities for rates" if curved else ""


def _needs_twists(forms: ClosedForms) -> str:
    if not _needs_coordinates(forms):
        return "all rates are derivatives of coordinates: Christoffel symbols say the same"
    return ""


def _needs_single(forms: ClosedForms) -> str:
    several = [j.name for j in forms.model.joints if j.kind.nv > 1 or j.mimic is not None]
    return f"joint '{several[0]}' has several freedoms or follows another" if several else ""


def _needs_tip(forms: ClosedForms) -> str:
    return "" if forms.has_tip else "there is no moving tip"


def _needs_small(forms: ClosedForms) -> str:
    if forms.model.nv > MOST_ROWS:
        return f"beyond {MOST_ROWS} degrees of freedom the determinant is not expanded: M = L D L* stands for it"
    return _needs_inverse(forms)


def _needs_inverse(forms: ClosedForms) -> str:
    if forms.model.massless_leaves:
        return "M is singular"
    followers = [j.name for j in forms.model.joints if j.mimic is not None]
    return f"joint '{followers[0]}' follows another" if followers else ""


LAWS = (
    Law("M = M*", "the mass matrix, column by column from Newton–Euler, is symmetric", _symmetric),
    Law("M by composite bodies = M by Newton–Euler", "two recursions of HφMφ*H* agree [SOA-30, SOA-34]", _recursions_agree),
    Law("½ q̇*M q̇ = ½ Σ V*MV", "the kinetic energy of the bodies is that of the mass matrix [SOA-26]", _kinetic),
    Law("g = ∂V/∂q", "gravity forces are the gradient of the potential energy [SOA-18]", _gravity),
    Law("∂M(i,j)/∂q_k = Γ_ijk + Γ_jik", "the derivatives of M are sums of Christoffel symbols [SOA-131]",
        _derivatives_by_christoffel, _needs_coordinates),
    Law("Γ_ijk = −Γ_kji, j inboard of i and k", "Christoffel symbols change sign under this exchange [SOA-131]",
        _exchange, lambda f: _needs_coordinates(f) or _needs_single(f)),
    Law("∂M(i,j)/∂q_k = 0, k inboard of i and j", "M does not depend on how the inboard joints stand [SOA-129]",
        _independence, lambda f: _needs_coordinates(f) or _needs_single(f)),
    Law("Ṁ − 2C is skew", "with C from Christoffel symbols", _skew, _needs_coordinates),
    Law("C q̇ by Γ = C by Newton–Euler", "Coriolis forces: calculus on M and the bias recursion agree [SOA-24, SOA-130]",
        _coriolis, _needs_coordinates),
    Law("C by M in twists = C by Newton–Euler", "Coriolis forces: Boltzmann–Hamel on M and the bias recursion agree [SOA-24]",
        _hamel, _needs_twists),
    Law("J = ∂(pose)/∂q", "the jacobian is the derivative of the forward kinematics [SOA-23]", _jacobian, _needs_tip),
    Law("M = L D L*, L = I + HφK", "L is unit triangular and the entries agree, so det M = ∏ D(k) at any size [SOA-48]",
        factorization.differences, _needs_inverse, factorization.let_bound),
    Law("∏ D(k) = det M", "the determinant by cofactors is the product of the joint inertias [SOA-48]",
        _determinant, _needs_small, _determinant_let_bound),
)  # fmt: skip
