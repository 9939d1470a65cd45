"""The statements of one recursion under construction: every definition once (hash-consing), names as in the papers."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from fractions import Fraction

from derive.lowering import letters, motion
from derive.operators.alphabet import ALPHABET
from derive.operators.spaces import BODIES, COLUMN, JOINTS, Space, Structure
from derive.recursion import ABBREVIATIONS, GIVEN, Action, Factor, Field, Kind, Place, Statement, Term

_RICCATI = frozenset({"P", "D", "D_inv", "G", "P_plus"})
_INPUTS = ("T", "qd", "qdd", "f_0", "g")
_UPSILON = (letters.H_star, letters.here("D_inv"), letters.H)
_RESERVED = _RICCATI | GIVEN | ABBREVIATIONS | {*_INPUTS, "V", "a", "b", "D_sqrt", "D_isqrt"}
UNIT = "e"  # the columns of the identity


class Builder:
    """Collects statements; asks for a field twice and gets the same one."""

    def __init__(self, *, given: Collection[str] = (), gravity: bool = True, armature: bool = False) -> None:
        self.given, self.gravity, self.armature = frozenset(given), gravity, armature
        self.fields: dict[str, Field] = {}
        self.inputs: dict[str, Field] = {}
        self.statements: list[Statement] = []
        self.motion: dict[str, str] = {}  # letters of a robot in motion → their fields
        self.where: dict[str, Field] = {}  # vector letters that are computed, not given
        self._defined: dict[tuple[object, ...], Field] = {}

    # -- letters --------------------------------------------------------------------------------------------------------

    def vector(self, name: str) -> Field:
        """The field of a vector letter: an input, or a bias computed from V."""
        if name in self.where:
            return self.where[name]
        if name in _INPUTS or name in self.given:
            return self._input(Field(name, ALPHABET[name].codomain))
        if name == "u":
            return motion.axial(self)
        if name in self.fields:
            return self.fields[name]
        self.velocity()
        if name == "a" and self.gravity:
            self.vector("g")
        return self.add(letters.bias_acceleration(self.gravity) if name == "a" else letters.bias_force())

    def need(self, name: str) -> None:
        """See to it that a block-diagonal letter is computed, if it is not given by the robot."""
        if name in ("psi", "E_psi", "K", "tau_bar", *_RICCATI, "D_sqrt", "D_isqrt") and "P" not in self.fields:
            for statement in letters.riccati(self.armature):
                self.add(statement)
        if name in ("D_sqrt", "D_isqrt") and name not in self.fields:
            self.add(next(s for s in letters.roots() if s.target.name == name))
        if name in ("R", "Upsilon", "Gamma") or name in motion.COLUMNS:
            self.letter_field(name)

    def letter_field(self, name: str) -> str:
        """The name under which a block-diagonal letter is read."""
        if name == "R":
            return self.composite("phi", Term(letters.ONE, (letters.M,)), "phi").name
        if name == "Upsilon":
            return self.spread("psi", Term(letters.ONE, _UPSILON), "psi").name
        if name == "Gamma":
            return motion.outboard(self)
        return motion.columns(self, name) if name in motion.COLUMNS else name

    def factor(self, name: str, adjoint: bool) -> Factor:
        """A block-diagonal letter at body k, computed if it is not given by the robot."""
        if name in motion.OPERATORS:
            return motion.operator(self, name, adjoint)
        self.need(name)
        return Factor(self.letter_field(name), adjoint=adjoint)

    def velocity(self) -> Field:
        """V = φ*H*θ̇."""
        self.vector("qd")
        return self.fields["V"] if "V" in self.fields else self.add(letters.velocity())

    def _input(self, field: Field) -> Field:
        self.inputs.setdefault(field.name, field)
        return self.fields.setdefault(field.name, field)

    def unit(self, space: Space) -> Field:
        """The columns of the identity on `space`."""
        return self._input(Field(f"{UNIT}_{space.name}", space, space, Kind.COLUMNS, Structure.MEMORYLESS))

    # -- definitions ----------------------------------------------------------------------------------------------------

    def add(self, statement: Statement) -> Field:
        """Append a statement whose target has its name already."""
        self.fields[statement.target.name] = statement.target
        self.statements.append(statement)
        return statement.target

    def define(self, name: str, rows: Space, terms: tuple[Term, ...], structure: Structure, **how: object) -> Field:
        """The stacked field with these terms: the one there is, or a new one called `name` (numbered if that is taken)."""
        key = (rows, tuple(sorted(terms, key=repr)), tuple(sorted(how.items(), key=repr)))
        if key not in self._defined:
            columns = self.columns_of(terms)
            kind = Kind.STACK if columns is COLUMN else Kind.COLUMNS
            target = Field(self.fresh(name), rows, columns, kind, structure)
            self._defined[key] = self.add(Statement(target, terms, **how))  # type: ignore[arg-type]
        return self._defined[key]

    def zero(self, name: str, rows: Space, columns: Space) -> Field:
        """The zero operator, by columns."""
        target = Field(self.fresh(name), rows, columns, Kind.COLUMNS)
        return self.add(Statement(target, ()))

    def sweep(self, op: str, adjoint: bool, load: tuple[Term, ...]) -> Field:
        """z = op·load for op = φ, ψ or an adjoint: z(k) = step · z at the neighbour + load(k) [SOA-21]."""
        if (op, adjoint) == ("phi", True) and load == (letters.term(letters.H_star, letters.here("qd")),):
            return self.velocity()
        key = (op, adjoint, tuple(sorted(load, key=repr)))
        if key not in self._defined:
            place = Place.PARENT if adjoint else Place.CHILD
            columns = self.columns_of(load)
            kind = Kind.STACK if columns is COLUMN else Kind.COLUMNS
            name = self.fresh(_sweep_name(op, adjoint, load))
            structure = ALPHABET[op].structure
            structure = (structure.adjoint if adjoint else structure) * self.structure_of(load)
            target = Field(name, BODIES, columns, kind, structure)
            step = Term(letters.ONE, (Factor(op, place, adjoint), Factor(name, place)))
            self._defined[key] = self.add(Statement(target, (step, *load)))
        return self._defined[key]

    def composite(self, X: str, inner: Term, Z: str) -> Field:
        """The diagonal blocks of X inner Z* [SOA-32]."""
        name = "R" if (X, Z) == ("phi", "phi") and inner == Term(letters.ONE, (letters.M,)) else "r"
        return self._diagonal(letters.composite, name, X, inner, Z)

    def spread(self, X: str, inner: Term, Z: str) -> Field:
        """The diagonal blocks of X* inner Z [SOA-77]."""
        name = "Upsilon" if (X, Z) == ("psi", "psi") and inner == Term(letters.ONE, _UPSILON) else "r"
        return self._diagonal(letters.spread, name, X, inner, Z)

    def _diagonal(self, make: Callable[..., Statement], name: str, X: str, inner: Term, Z: str) -> Field:
        key = (make.__name__, X, inner, Z)
        if key not in self._defined:
            for factor in (X, Z, *(f.name for f in inner.factors)):
                self.need(factor)
            symmetric = X == Z and self.is_symmetric(inner)
            self._defined[key] = self.add(make(self.fresh(name), X, inner, Z, symmetric=symmetric))
        return self._defined[key]

    def block(self, name: str, rows: Space, columns: Space, terms: tuple[Term, ...], action: Action) -> Field:
        """A block-diagonal field from terms of block-diagonal factors, all at k."""
        key = (rows, columns, terms, action)
        if key not in self._defined:
            symmetric = len(terms) > 0 and all(self.is_symmetric(t) for t in terms)
            target = Field(self.fresh(name), rows, columns, Kind.BLOCK, symmetric=symmetric)
            self._defined[key] = self.add(Statement(target, terms, action))
        return self._defined[key]

    def rename(self, field: Field, name: str) -> Field:
        """The same field under a free name of the caller's choice, if only this builder's default stood in for it."""
        letters_of_the_algebra = {s.target.name for s in self.statements if s.rider} | self.inputs.keys()
        if name in self.fields or name in _RESERVED - set(_INPUTS) or field.name in letters_of_the_algebra:
            return field
        new = replace(field, name=name)
        self.fields = {new.name if key == field.name else key: value for key, value in self.fields.items()}
        self.fields[name] = new
        self.statements = [_renamed(s, field.name, new) for s in self.statements]
        self._defined = {key: new if value is field else value for key, value in self._defined.items()}
        return new

    # -- what terms are -------------------------------------------------------------------------------------------------

    def columns_of(self, terms: tuple[Term, ...]) -> Space:
        """The columns of the field the terms end in: COLUMN for vectors."""
        return self.fields[terms[0].factors[-1].name].columns if terms else COLUMN

    def structure_of(self, terms: tuple[Term, ...]) -> Structure:
        """Bounds where a sum of terms is not zero, as an operator on its columns."""
        total: Structure | None = None
        for term in terms:
            structure = self.fields[term.factors[-1].name].structure
            for factor in reversed(term.factors[:-1]):
                if factor.name in ("phi", "psi", "K") and factor.place is not Place.HERE:
                    one_step = Structure.STRICTLY_CAUSAL
                    structure = (one_step.adjoint if factor.adjoint else one_step) * structure
            total = structure if total is None else total + structure
        return total or Structure.MEMORYLESS

    def is_symmetric(self, term: Term) -> bool:
        """Whether a product of block-diagonal factors is its own adjoint, by its look."""
        factors = term.factors
        mirrored = tuple(f if self._self_adjoint(f.name) else replace(f, adjoint=not f.adjoint) for f in factors[::-1])
        return mirrored == factors

    def _self_adjoint(self, name: str) -> bool:
        return name in ("M", "J_a") or (name in self.fields and self.fields[name].symmetric)

    def fresh(self, name: str) -> str:
        """`name`, or `name` with the first number that makes it new."""
        taken = _RESERVED | self.fields.keys()
        return next(c for c in (name, *(f"{name}{i}" for i in range(2, len(taken) + 3))) if c not in taken)


def _renamed(statement: Statement, old: str, new: Field) -> Statement:
    terms = tuple(
        Term(t.coefficient, tuple(_renamed_factor(f, old, new.name) for f in t.factors)) for t in statement.terms
    )
    return replace(statement, target=new if statement.target.name == old else statement.target, terms=terms)


def _renamed_factor(factor: Factor, old: str, new: str) -> Factor:
    of = tuple(new if name == old else name for name in factor.of)
    return replace(factor, name=new if factor.name == old and not of else factor.name, of=of)


def _sweep_name(op: str, adjoint: bool, load: tuple[Term, ...]) -> str:
    """The papers' letter: f = φ(…), z = ψ(…), λ = ψ*(…), ζ = φ*a, α = φ*(H*θ̈ + …)."""
    last = {t.factors[-1].name for t in load}
    if adjoint and op == "phi":
        return "alpha" if "qdd" in last else "zeta" if last == {"a"} else "x"
    return {("phi", False): "f", ("psi", False): "z", ("psi", True): "lam"}[(op, adjoint)]


def memoryless_name(rows: Space, terms: tuple[Term, ...], swept: dict[str, str]) -> str:
    """The papers' letter for a stacked sum: ν = D⁻¹ε, ε = T − Hz, T′ = T − Hf; y on joints and x on bodies otherwise."""
    ends = {t.factors[-1].name for t in terms}
    if rows is not JOINTS:
        return "x" if rows is BODIES else "p"
    if len(terms) == 1 and terms[0].factors[0].name == "D_inv":
        return "nu"
    by = {swept.get(name, "") for name in ends}
    return "eps" if "psi" in by else "T_prime" if "phi" in by else "y"


def scaled(terms: tuple[Term, ...], by: Fraction) -> tuple[Term, ...]:
    """`by` times each term."""
    return terms if by == 1 else tuple(t.scaled(by) for t in terms)
