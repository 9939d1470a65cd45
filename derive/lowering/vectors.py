"""Combinations of words become statements: one field per sweep, shared beginnings merged, the rest inlined."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction

from derive.lowering.builder import Builder, memoryless_name, scaled
from derive.lowering.combination import Combination, Op, Reader
from derive.operators.expr import OpExpr
from derive.operators.spaces import BODIES, POINTS, Space
from derive.recursion import Action, Factor, Field, Kind, LoweringError, Place, Term

_SHIFTS = {"E_phi": "phi", "E_psi": "psi", "K": "K"}


@dataclass
class Lowering:
    """Lowers combinations with one builder; `swept` remembers whether a field came from φ or ψ, for its name."""

    builder: Builder
    swept: dict[str, str] = field(default_factory=dict)

    @property
    def reader(self) -> Reader:
        """Reads expressions into combinations, with this builder's fields."""
        return Reader(self.builder.vector, self.field_of)

    def terms(self, expr: OpExpr, acts_on: Field | None = None) -> tuple[Term, ...]:
        """The terms whose sum at body k is `expr` (applied to the field, for an operator) at body k."""
        return self.lower(self.reader.combination(expr, acts_on))

    def field_of(self, combination: Combination, rows: Space) -> Field:
        """A field that holds the combination: the one it consists of, or a new one."""
        return self.materialised(self.lower(combination), rows)

    def define(self, letter: str, expr: OpExpr) -> None:
        """Let a vector letter be computed by `expr`."""
        assert expr.codomain is not None
        self.builder.where[letter] = self.materialised(self.terms(expr), expr.codomain, letter)

    def materialised(self, terms: tuple[Term, ...], rows: Space, name: str | None = None) -> Field:
        """A field that holds the sum of the terms."""
        if len(terms) == 1 and terms[0].coefficient == 1 and len(terms[0].factors) == 1:
            (factor,) = terms[0].factors
            if factor.place in (Place.HERE, Place.POINT) and factor.name in self.builder.fields:
                return self.builder.fields[factor.name]
        chosen = name or memoryless_name(rows, terms, self.swept)
        return self.builder.define(chosen, rows, terms, self.builder.structure_of(terms))

    def lower(self, combination: Combination) -> tuple[Term, ...]:
        """The terms of a combination: words that begin alike are one word on the sum of their remainders."""
        leaves: dict[str, Fraction] = {}
        branches: dict[Op, Combination] = {}
        order: list[Op | str] = []
        for coefficient, word, end in combination:
            if word:
                order.append(word[0])
                branches.setdefault(word[0], []).append((coefficient, word[1:], end))
            else:
                order.append(end.name)
                leaves[end.name] = leaves.get(end.name, Fraction(0)) + coefficient
        terms: list[Term] = []
        for key in dict.fromkeys(order):
            if isinstance(key, Op):
                scale = _common_scale(branches[key])
                inner = [(c / scale, word, end) for c, word, end in branches[key]]
                terms += scaled(self._applied(key, self.lower(inner)), scale)
            elif leaves[key]:
                terms.append(self._leaf(key).scaled(leaves[key]))
        return tuple(terms)

    def _leaf(self, name: str) -> Term:
        end = self.builder.fields[name]
        if name == "g" and "g" not in self.builder.given:  # felt by the bodies on the ground [SOA-18]
            carried = Factor("phi", Place.PARENT, adjoint=True), Factor("g", Place.PARENT)
            return Term(Fraction(1), carried)
        return Term(Fraction(1), (Factor(name, Place.POINT if end.rows is POINTS else Place.HERE),))

    def _applied(self, op: Op, terms: tuple[Term, ...]) -> tuple[Term, ...]:
        """op times the sum of the terms."""
        if not terms:
            return ()
        if op.name == "solve":
            return self._solved(op, terms)
        if op.inverse is not None:
            return self._prefixed(Factor(self._inverse_block(op).name), op, terms)
        if op.is_memoryless:
            return self._prefixed(self.factor(op), op, terms)
        self.builder.need(op.name)
        if op.is_sweep:
            return (Term(Fraction(1), (Factor(self.swept_field(op, terms).name),)),)
        if op.name in _SHIFTS:
            return self._shifted(op, terms)
        return self._prefixed(Factor(op.name, adjoint=op.adjoint), op, terms)

    def swept_field(self, op: Op, load: tuple[Term, ...]) -> Field:
        """The field of φ, ψ or an adjoint applied to the load."""
        self.builder.need(op.name)
        result = self.builder.sweep(op.name, op.adjoint, load)
        self.swept[result.name] = op.name
        return result

    def _prefixed(self, factor: Factor, op: Op, terms: tuple[Term, ...]) -> tuple[Term, ...]:
        """factor(k) times the terms; a sum becomes a field first. B reads its points, B* puts a body's value at them."""
        at_points = op.name == "B" and not op.adjoint
        if len(terms) > 1 or (at_points and len(terms[0].factors) > 1) or self._is_columns_of_parent(terms[0]):
            terms = self._as_field(terms, op.domain)
        (only,) = terms
        product = (Term(only.coefficient, (factor, *only.factors)),)
        if op.name == "D_inv":  # ν, which the papers always name
            named = self._as_field(scaled(product, 1 / only.coefficient), op.codomain)
            return scaled(named, only.coefficient)
        return product

    def _is_columns_of_parent(self, term: Term) -> bool:
        """Whether columns come from the parent: they are a field of their own, which goes with the sweep that finds them."""
        last = term.factors[-1]
        return last.place is Place.PARENT and self.builder.fields[last.name].kind is Kind.COLUMNS

    def _shifted(self, op: Op, terms: tuple[Term, ...]) -> tuple[Term, ...]:
        """One step to the neighbour: what is known at body k moves there as it is, anything else becomes a field first."""
        if len(terms) > 1 or any(f.place is not Place.HERE for f in terms[0].factors):
            terms = self._as_field(terms, op.domain)
        place = Place.PARENT if op.adjoint else Place.CHILD
        (only,) = terms
        return (Term(only.coefficient, (Factor(_SHIFTS[op.name], place, op.adjoint), *_moved(only.factors, place))),)

    def _as_field(self, terms: tuple[Term, ...], rows: Space) -> tuple[Term, ...]:
        held = self.materialised(terms, rows)
        return (Term(Fraction(1), (Factor(held.name, Place.POINT if rows is POINTS else Place.HERE),)),)

    def _inverse_block(self, op: Op) -> Field:
        assert op.inverse is not None
        blocks = self.block_terms(op.inverse)
        if not blocks:
            raise LoweringError(f"inv({op.inverse}): zero has no inverse")
        if not all(self.builder.is_symmetric(t) for t in blocks):
            raise LoweringError(f"inv({op.inverse}): only symmetric block-diagonal operators are inverted")
        return self.builder.block("W", op.codomain, op.domain, blocks, Action.INVERSE)

    def block_terms(self, expr: OpExpr) -> tuple[Term, ...]:
        """The terms of a block-diagonal expression over block-diagonal letters, all at k."""
        found = []
        unit = Field("", BODIES)
        for coefficient, word, _ in Reader(self.builder.vector, _no_field).combination(expr, unit):
            if not all(op.is_memoryless and op.inverse is None for op in word):
                raise LoweringError(f"{expr} is block diagonal only as a whole, which no statement computes")
            found.append(Term(coefficient, tuple(self.factor(op) for op in word)))
        return tuple(found)

    def factor(self, op: Op) -> Factor:
        """A block-diagonal letter at body k."""
        return self.builder.factor(op.name, op.adjoint)

    def _solved(self, op: Op, terms: tuple[Term, ...]) -> tuple[Term, ...]:
        """W⁻¹ times a vector over all points: W by columns, then one dense solve [SOA-78]."""
        assert op.inverse is not None
        from derive.lowering.matrices import columns_of_points, is_self_adjoint  # matrices are lowered with this class

        if not is_self_adjoint(op.inverse):
            raise LoweringError(f"inv({op.inverse}): only symmetric operators over the points are inverted")
        W = columns_of_points(self, op.inverse)
        right = self.materialised(terms, POINTS)
        factors = (Factor(W.name, Place.POINT), Factor(right.name, Place.POINT))
        solved = self.builder.define("s", POINTS, (Term(Fraction(1), factors),), W.structure, action=Action.SOLVE)
        return (Term(Fraction(1), (Factor(solved.name, Place.POINT),)),)


def _no_field(combination: Combination, rows: Space) -> Field:
    raise LoweringError("an operator sum inside a block-diagonal inverse is not lowered")


def _moved(factors: tuple[Factor, ...], place: Place) -> tuple[Factor, ...]:
    return tuple(replace(f, place=place) for f in factors)


def _common_scale(group: Combination) -> Fraction:
    """The factor to take out: the coefficient all share, or −1 where all are negative."""
    coefficients = {c for c, _, _ in group}
    if len(coefficients) == 1:
        return coefficients.pop()
    return Fraction(-1) if all(c < 0 for c in coefficients) else Fraction(1)
