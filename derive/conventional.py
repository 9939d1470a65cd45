"""The other consistent choice of biases: α the inertial derivative of V, a and b as the papers first give them [SOA-142].

A recursion writes a = ṼH*θ̇ + …, b = −Ṽ*MV (the body's derivative), which is uniform over joints. For one robot the inertial
derivative is cheaper: linear velocities are not needed at all, and M α + b and φ*α + a share U (see `derive.newton_euler`).
τ and θ̈ are the same either way; α, a and b are not, so this is for recursions whose outputs are about joints.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from derive.lowering.letters import FROM_PARENT, H_star, M, here, term
from derive.operators.spaces import BODIES
from derive.recursion import Action, Factor, Field, Place, Recursion, Statement, Sweep, Term

CENTRIFUGAL, COUPLING, RATE_MATRIX, INBOUND = "c", "r", "U", "A_c"
_V, _V_OF_PARENT = here("V"), Factor("V", Place.PARENT)


def conventional(recursion: Recursion) -> Recursion:
    """The same recursion with a and b of SOA-12 … SOA-15; the one it is without a, or where b is given with its own a.

    Derivatives go on with the body's derivative of what a body has of its parent's acceleration, made from the other.
    """
    if "a" not in recursion.names or any(given.name == "b" for given in recursion.inputs):
        return recursion
    inlined = sum(any(name == "a" for name, _ in s.reads) for s in recursion.statements) == 1
    sweeps = []
    for sweep in recursion.sweeps:
        acceleration = next((s for s in sweep.statements if s.target.name == "a"), None)
        statements = [new for s in sweep.statements for new in _rewritten(s, recursion)]
        if acceleration is not None and inlined:
            terms = _bias_terms(acceleration)
            statements = [new for s in statements if s.target.name != "a" for new in _inlined(s, terms)]
        sweeps.append(Sweep(sweep.direction, tuple(statements), sweep.closing))
    changed = replace(recursion, sweeps=tuple(sweeps))
    changed.check()
    return changed


def fused_letters(recursion: Recursion) -> frozenset[str]:
    """Of c and b, those that can be part of φ*α + c and Mα + b wherever they are read: in one term only, c also in several."""
    if not any(s.action is Action.GYROSCOPIC for s in recursion.statements):
        return frozenset()
    reads = Counter(factor.name for s in recursion.statements for factor in s.factors)
    wanted = {output.field.name for output in recursion.outputs}
    found = {name for name in (CENTRIFUGAL, "b") if reads[name] == 1}
    if all(_carries(s) for s in recursion.statements if any(f.name == CENTRIFUGAL for f in s.factors)):
        found.add(CENTRIFUGAL)
    return frozenset(found - wanted)


def _carries(statement: Statement) -> bool:
    """Whether it is φ*α + c and more."""
    steps = [t.factors[1].name for t in statement.terms if t.factors[0] == FROM_PARENT]
    return term(here(CENTRIFUGAL)) in statement.terms and any(name not in ("V", "g") for name in steps)


def _inbound(statement: Statement, recursion: Recursion) -> bool:
    """Whether it is what a body has of its parent's acceleration: read through Ã, never elsewhere."""
    return any(f.name == "Ax" and statement.target.name in f.of for s in recursion.statements for f in s.factors)


def _rewritten(statement: Statement, recursion: Recursion) -> Iterator[Statement]:
    if _inbound(statement, recursion):
        (W,) = next(f.of for s in recursion.statements for f in s.factors if f.name == "Wx")
        yield Statement(Field(INBOUND, BODIES), (*statement.terms, term(here(CENTRIFUGAL))), rider=True)
        yield replace(statement, terms=(term(here(INBOUND)), term(here(W))), action=Action.BODY_RATE)
    elif statement.target.name == "a":
        yield Statement(
            Field(COUPLING, BODIES),
            (term(_V), term(FROM_PARENT, _V_OF_PARENT), term(H_star, here("qd"))),
            Action.COUPLING,
            rider=True,
        )
        yield Statement(Field(CENTRIFUGAL, BODIES), (term(FROM_PARENT, _V_OF_PARENT),), Action.CENTRIFUGAL, rider=True)
        yield replace(statement, terms=_bias_terms(statement))
    elif statement.target.name == "b":
        yield replace(statement, terms=(term(M, _V),), action=Action.GYROSCOPIC)
    else:
        yield statement


def _bias_terms(acceleration: Statement) -> tuple[Term, ...]:
    """r + c in place of ṼH*θ̇; the other terms of a, dH*/dt θ̇ and the ground's, stay."""
    others = (t for t in acceleration.terms if not any(f.tilde for f in t.factors))
    return (term(here(COUPLING)), term(here(CENTRIFUGAL)), *others)


def _inlined(statement: Statement, terms: tuple[Term, ...]) -> Iterator[Statement]:
    """The statement with `terms` where it read a; it makes accelerations then, and U follows."""
    read = term(here("a"))
    if read not in statement.terms:
        yield statement
        return
    yield replace(statement, terms=(*(t for t in statement.terms if t != read), *terms))
    sources = term(_V), term(here(statement.target.name))
    yield Statement(Field(RATE_MATRIX, BODIES), sources, Action.RATE_MATRIX, rider=True)
