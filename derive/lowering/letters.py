"""How each letter of the algebra is computed body by body: the statements that ride along in the sweeps that use it.

Riccati (P, D, G), composite inertias, and the kinematic fields V, a, b. Robot-independent, and each written once.
"""

from __future__ import annotations

from fractions import Fraction

from derive.operators.spaces import BODIES, JOINTS
from derive.recursion import Action, Factor, Field, Kind, Place, Statement, Term

ONE = Fraction(1)


def term(*factors: Factor, coefficient: int = 1) -> Term:
    """coefficient · factors."""
    return Term(Fraction(coefficient), factors)


def here(name: str, *, adjoint: bool = False, tilde: bool = False) -> Factor:
    """The factor at body k."""
    return Factor(name, Place.HERE, adjoint, tilde)


def block(name: str, rows: str = "bodies", columns: str = "bodies", *, symmetric: bool = False) -> Field:
    """A block-diagonal field."""
    spaces = {"bodies": BODIES, "joints": JOINTS}
    return Field(name, spaces[rows], spaces[columns], Kind.BLOCK, symmetric=symmetric)


H, H_star, M = here("H"), here("H", adjoint=True), here("M")
FROM_CHILD, FROM_CHILD_STAR = Factor("phi", Place.CHILD), Factor("phi", Place.CHILD, adjoint=True)
FROM_PARENT = Factor("phi", Place.PARENT, adjoint=True)


def riccati(armature: bool) -> tuple[Statement, ...]:
    """P, D, D⁻¹, G and P⁺ = P − PH*D⁻¹HP, tip to base [SOA-41 form 4]; with armature D = HPH* + J_a."""
    rotor = (term(here("J_a")),) if armature else ()
    P = here("P")
    return (
        Statement(
            block("P", symmetric=True),
            (term(FROM_CHILD, Factor("P_plus", Place.CHILD), FROM_CHILD_STAR), term(M)),
            rider=True,
        ),
        Statement(block("D", "joints", "joints", symmetric=True), (term(H, P, H_star), *rotor), rider=True),
        Statement(
            block("D_inv", "joints", "joints", symmetric=True), (term(here("D")),), action=Action.INVERSE, rider=True
        ),
        Statement(block("G", "bodies", "joints"), (term(P, H_star, here("D_inv")),), rider=True),
        Statement(
            block("P_plus", symmetric=True),
            (term(P), term(P, H_star, here("G", adjoint=True), coefficient=-1)),
            rider=True,
        ),
    )


def roots() -> tuple[Statement, ...]:
    """D^½ and D^{−½} of joints with one degree of freedom [SOA-115]."""
    D = (term(here("D")),)
    return (
        Statement(block("D_sqrt", "joints", "joints", symmetric=True), D, action=Action.SQRT, rider=True),
        Statement(block("D_isqrt", "joints", "joints", symmetric=True), D, action=Action.INVERSE_SQRT, rider=True),
    )


def velocity() -> Statement:
    """V = φ*H*θ̇, base to tip [SOA-11]."""
    return Statement(
        Field("V", BODIES), (term(FROM_PARENT, Factor("V", Place.PARENT)), term(H_star, here("qd"))), rider=True
    )


def bias_acceleration(gravity: bool) -> Statement:
    """a = ṼH*θ̇ + (dH*/dt)θ̇, body derivative in link frames, and the ground's acceleration [SOA-142, SOA-18]."""
    ground = (term(FROM_PARENT, Factor("g", Place.PARENT)),) if gravity else ()
    qd = here("qd")
    return Statement(
        Field("a", BODIES),
        (term(here("V", tilde=True), H_star, qd), term(here("H_rate", adjoint=True), qd), *ground),
        rider=True,
    )


def bias_force() -> Statement:
    """b = −Ṽ*MV [SOA-142]."""
    return Statement(
        Field("b", BODIES), (term(here("V", adjoint=True, tilde=True), M, here("V"), coefficient=-1),), rider=True
    )


def composite(name: str, X: str, inner: Term, Z: str, *, symmetric: bool) -> Statement:
    """r = Σ X(k,c) r(c) Z*(k,c) + A(k): the diagonal blocks of X A Z*, tip to base [SOA-32; R is φMφ*, SOA-31]."""
    step = Factor(X, Place.CHILD), Factor(name, Place.CHILD), Factor(Z, Place.CHILD, adjoint=True)
    return Statement(block(name, symmetric=symmetric), (term(*step), inner), rider=True)


def spread(name: str, X: str, inner: Term, Z: str, *, symmetric: bool) -> Statement:
    """r = X*(p,k) r(p) Z(p,k) + A(k): the diagonal blocks of X* A Z, base to tip [SOA-77; Υ is ψ*H*D⁻¹Hψ]."""
    step = Factor(X, Place.PARENT, adjoint=True), Factor(name, Place.PARENT), Factor(Z, Place.PARENT)
    return Statement(block(name, symmetric=symmetric), (term(*step), inner), rider=True)
