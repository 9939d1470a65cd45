"""How the letters of a robot in motion are computed body by body: the statements and factors they become in a recursion.

`columns` gives the block-diagonal letters that hold one spatial vector per freedom (X_V, X_W, X_A, X_D, X_F), `operator` those
that act as operators made of fields (Ṽ, 𝒬[f], 𝓑_R, 𝒟_R), `outboard` the blocks Γ, `pairs` the columns of 𝒟_S.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from derive.lowering import letters
from derive.lowering.letters import FROM_CHILD, FROM_CHILD_STAR, FROM_PARENT, H_star, M, here, term
from derive.operators.spaces import BODIES, JOINTS, PAIRS, POINTS
from derive.recursion import Action, Factor, Field, Kind, Place, Statement, Term

if TYPE_CHECKING:
    from derive.lowering.builder import Builder

COLUMNS = frozenset({"X_V", "X_W", "X_A", "X_D", "X_F"})
OPERATORS = frozenset({"Vx", "Wx", "Ax", "Dx", "Qf", "BB", "BB_R", "DD_R", "V_0x"})


def operator(builder: Builder, name: str, adjoint: bool = False) -> Factor:
    """The factor of a letter that is an operator made of fields."""
    return Factor(name, adjoint=adjoint, of=_fields(builder, name))


def _fields(builder: Builder, name: str) -> tuple[str, ...]:
    match name:
        case "Vx":
            return (builder.velocity().name,)
        case "Wx":
            return (_parent_velocity(builder),)
        case "Ax":
            return (_parent_acceleration(builder),)
        case "Dx":
            return (builder.vector("qd").name,)
        case "Qf":
            return (_force(builder),)
        case "BB":
            return ("M", builder.velocity().name)
        case "BB_R" | "DD_R":
            return (builder.letter_field("R"), builder.velocity().name)
        case "V_0x":
            return (_point_velocity(builder),)
    raise AssertionError(name)


def columns(builder: Builder, name: str) -> str:
    """The field of X_V = ṼH*, X_W = W̃H*, X_A = ÃH* + W̃X_W, X_D = Δ̃H* or X_F = 𝒬[f]H*."""
    by = {"X_V": "Vx", "X_W": "Wx", "X_A": "Ax", "X_D": "Dx", "X_F": "Qf"}[name]
    terms = [term(operator(builder, by), H_star)]
    if name == "X_A":
        terms.append(term(operator(builder, "Wx"), here(columns(builder, "X_W"))))
    return _kept(builder, name, lambda own: Statement(letters.block(own, columns="joints"), tuple(terms), rider=True))


def outboard(builder: Builder) -> str:
    """Γ(k) = Σ φ(k,c) [Γ(c) + 𝓑[R,Δ](c)] φ*(k,c), tip to base."""
    R, qd = builder.letter_field("R"), builder.vector("qd").name

    def statement(own: str) -> Statement:
        inner = Factor(own, Place.CHILD), Factor("BB_Delta", Place.CHILD, of=(R, qd))
        terms = tuple(term(FROM_CHILD, factor, FROM_CHILD_STAR) for factor in inner)
        return Statement(Field(own, BODIES, BODIES, Kind.CORIOLIS), terms, rider=True)

    return _kept(builder, "Gamma", statement)


def pairs(builder: Builder) -> Field:
    """The columns of 𝒟_S: at body k, for each freedom i inboard of k (or its own), 𝒟[R(k), φ*(i,k)H*(i)] H*(k)."""
    R = builder.letter_field("R")
    unit = builder.unit(JOINTS)
    S = builder.sweep("phi", True, (term(H_star, here(unit.name)),))

    def statement(own: str) -> Statement:
        made = Factor("DD_R", of=(R, S.name))
        return Statement(Field(own, BODIES, PAIRS, Kind.COLUMNS), (term(made, H_star),), Action.PAIRED, rider=True)

    return builder.fields[_kept(builder, "DD_S", statement)]


def axial(builder: Builder) -> Field:
    """u(k), from P⁺(k) and Υ⁺(k) = φ*(p,k)Υ(p)φ(p,k): X(k,k) = P⁺(k)Υ⁺(k) for X = φMφ*H*𝓜⁻¹Hφ̃."""
    builder.need("P")
    Upsilon = builder.letter_field("Upsilon")
    step = FROM_PARENT, Factor(Upsilon, Place.PARENT), Factor("phi", Place.PARENT)
    seen = _kept(
        builder,
        "Upsilon_plus",
        lambda own: Statement(letters.block(own, symmetric=True), (term(*step),), rider=True),
    )
    terms = (term(here("P_plus"), here(seen)),)
    return builder.fields[
        _kept(builder, "u", lambda own: Statement(Field(own, BODIES), terms, Action.AXIAL, rider=True))
    ]


def _parent_velocity(builder: Builder) -> str:
    V = builder.velocity().name
    terms = (term(FROM_PARENT, Factor(V, Place.PARENT)),)
    return _kept(builder, "W", lambda own: Statement(Field(own, BODIES), terms, rider=True))


def _acceleration(builder: Builder) -> Field:
    """α = φ*(H*θ̈ + a)."""
    qdd, a = builder.vector("qdd"), builder.vector("a")
    return builder.sweep("phi", True, (term(H_star, here(qdd.name)), term(here(a.name))))


def _parent_acceleration(builder: Builder) -> str:
    """A = φ*(p,k)α(p), the ground's acceleration for the bodies on it."""
    alpha = _acceleration(builder)
    carried = [alpha.name, builder.vector("g").name] if builder.gravity else [alpha.name]
    terms: tuple[Term, ...] = tuple(term(FROM_PARENT, Factor(name, Place.PARENT)) for name in carried)
    return _kept(builder, "A", lambda own: Statement(Field(own, BODIES), terms, rider=True))


def _force(builder: Builder) -> str:
    """f = φ(Mα + b)."""
    load = (term(M, here(_acceleration(builder).name)), term(here(builder.vector("b").name)))
    return builder.sweep("phi", False, load).name


def _point_velocity(builder: Builder) -> str:
    V = builder.velocity().name
    terms = (term(here("B", adjoint=True), here(V)),)
    return _kept(builder, "V_0", lambda own: Statement(Field(own, POINTS), terms, rider=True))


def _kept(builder: Builder, name: str, make: Callable[[str], Statement]) -> str:
    """The field called `name` (numbered if that is taken), made once."""
    if name not in builder.motion:
        own = builder.fresh(name)
        builder.add(make(own))
        builder.motion[name] = own
    return builder.motion[name]
