"""Outputs of any shape: vectors, numbers, and matrices by columns.

Vectors are lowered as they stand; a matrix is lowered as its columns, with three savings:

* u X A Z* v, X and Z causal, A block diagonal: the diagonal blocks r of X A Z* by a recursion, X r + r Z* − r for the whole
  [SOA-32, SOA-33]; so the mass matrix is computed by composite bodies [SOA-34];
* an operator that is its own adjoint: one half, the other mirrored;
* B* X* A Z B at points: only the points' blocks, through their closest common ancestors [SOA-77].

A matrix with few rows (the points) is computed as the adjoint of one with few columns, and an anticausal one as the adjoint of
a causal one. A number u*Av is split where both sides are the same sweep, if there is such a place: twice the kinetic energy is
Σ V*(k)M(k)V(k).
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from derive.lowering import motion
from derive.lowering.combination import Combination, Op, Word
from derive.lowering.vectors import Lowering
from derive.operators.errors import OperatorError
from derive.operators.expr import Adjoint, OpExpr, Product, Sum, Zero
from derive.operators.normal import expand, system_of
from derive.operators.spaces import BODIES, COLUMN, PAIRS, POINTS, Structure
from derive.recursion import Action, Factor, Field, Kind, LoweringError, Output, Place, Statement, Term

ONE = Fraction(1)


def lower_output(lowering: Lowering, name: str, expr: OpExpr) -> Output:
    """The output called `name`, its statements added to the lowering's builder."""
    if expr.codomain is COLUMN:
        row = expr.domain is not COLUMN
        return lower_output(lowering, name, Adjoint(expr)) if row else Output(name, _number(lowering, name, expr))
    few_rows = expr.codomain is POINTS and expr.domain is not POINTS
    if expr.domain is not COLUMN and (few_rows or _is_anticausal(expr)):
        flipped = lower_output(lowering, name, Adjoint(expr))
        return Output(name, flipped.field, transposed=True)
    if expr.domain is POINTS and expr.codomain is POINTS:
        return Output(name, columns_of_points(lowering, expr, name))
    if expr.domain is PAIRS:
        return Output(name, _over_pairs(lowering, name, expr))
    if (halves := _halves(expr)) is not None:
        causal, anticausal = (lower_output(lowering, name, half) for half in halves)
        return replace(causal, anticausal=anticausal.field)
    assert expr.codomain is not None
    assert expr.domain is not None
    if expr.domain is COLUMN:
        terms = lowering.terms(expr)
        return Output(name, lowering.materialised(terms, expr.codomain, name))
    unit = lowering.builder.unit(expr.domain)
    symmetric = expr.codomain is expr.domain and is_self_adjoint(expr)
    combination = lowering.reader.combination(expr, unit)
    terms = lowering.lower([e for entry in combination for e in _by_composites(lowering, entry, unit, symmetric)])
    if not terms:
        return Output(name, lowering.builder.zero(name, expr.codomain, expr.domain))
    return Output(name, lowering.materialised(terms, expr.codomain, name), symmetric=symmetric)


def _halves(expr: OpExpr) -> tuple[OpExpr, OpExpr] | None:
    """The causal terms of a sum, and the adjoint of the rest where that is strictly causal; None if there are no such."""
    if not isinstance(expr, Sum) or expr.structure is not Structure.NONE:
        return None
    after = [term for term in expr.args if term.structure is Structure.STRICTLY_ANTICAUSAL]
    before = Sum(*(term for term in expr.args if term not in after))
    return (before, Adjoint(Sum(*after))) if after and before.structure is Structure.CAUSAL else None


def _over_pairs(lowering: Lowering, name: str, expr: OpExpr) -> Field:
    """An operator on pairs of freedoms: words that end in 𝒟_S, whose columns are there."""
    combination = lowering.reader.combination(expr, Field("e_pairs", PAIRS, PAIRS))
    columns = motion.pairs(lowering.builder)
    if any(not word or word[-1].name != "DD_S" for _, word, _ in combination):
        raise LoweringError(f"{expr}: operators on pairs of freedoms are lowered where they end in DD_S")
    terms = lowering.lower([(coefficient, word[:-1], columns) for coefficient, word, _ in combination])
    assert expr.codomain is not None
    return lowering.materialised(terms, expr.codomain, name)


def _is_anticausal(expr: OpExpr) -> bool:
    """Whether the adjoint climbs from tips to base and `expr` does not."""
    return expr.structure in (Structure.ANTICAUSAL, Structure.STRICTLY_ANTICAUSAL)


def is_self_adjoint(expr: OpExpr) -> bool:
    """Whether `expr` is its own adjoint, by its look or after expanding it; no identity of the algebra is used."""
    if Adjoint(expr) == expr:
        return True
    try:
        polynomial = expand(expr, system_of(expr))
    except OperatorError:  # too many terms to be worth it
        return False
    return polynomial == polynomial.adjoint


def _by_composites(
    lowering: Lowering, entry: tuple[Fraction, Word, Field], unit: Field, symmetric: bool
) -> Combination:
    """A word u X A Z* v on the identity as u X r v + u r Z* v − u r v, or its causal half where the other half is mirrored."""
    coefficient, word, end = entry
    found = _sandwich(word) if end is unit else None
    if found is None:
        return [entry]
    i, j = found
    inner = Term(ONE, tuple(lowering.factor(op) for op in word[i + 1 : j]))
    r = Op(lowering.builder.composite(word[i].name, inner, word[j].name).name, BODIES, BODIES)
    before, X, Z, after = word[:i], word[i], word[j], word[j + 1 :]
    causal = (coefficient, (*before, X, r, *after), end)
    if symmetric and all(op.is_memoryless for op in before):
        return [causal]
    return [causal, (coefficient, (*before, r, Z, *after), end), (-coefficient, (*before, r, *after), end)]


def _sandwich(word: Word) -> tuple[int, int] | None:
    """Where X and Z* stand in u X A Z* v: A and v block diagonal, possibly empty."""
    sweeps = [i for i, op in enumerate(word) if not op.is_memoryless]
    if len(sweeps) < 2:
        return None
    i, j = sweeps[-2:]
    X, Z = word[i], word[j]
    fits = X.is_sweep and Z.is_sweep and not X.adjoint and Z.adjoint
    return (i, j) if fits and all(op.inverse is None for op in word[i:]) else None


def columns_of_points(lowering: Lowering, expr: OpExpr, name: str = "W") -> Field:
    """A points-by-points operator: pairwise if every term is B* X* A Z B, else by columns."""
    unit = lowering.builder.unit(POINTS)
    combination = lowering.reader.combination(expr, unit)
    if combination and all(end is unit and _is_pair(word) for _, word, end in combination):
        terms = tuple(_pair(lowering, coefficient, word, unit) for coefficient, word, _ in combination)
        target = Field(lowering.builder.fresh(name), POINTS, POINTS, Kind.COLUMNS, Structure.NONE)
        return lowering.builder.add(Statement(target, terms, Action.PAIRS))
    terms = lowering.lower(combination)
    return lowering.materialised(terms, POINTS, name) if terms else lowering.builder.zero(name, POINTS, POINTS)


def _is_pair(word: Word) -> bool:
    if len(word) < 4:
        return False
    B_star, X, *inner, Z, B = word
    return (
        B_star.name == B.name == "B"
        and X.is_sweep
        and Z.is_sweep
        and X.adjoint
        and not Z.adjoint
        and all(op.is_memoryless and op.inverse is None for op in inner)
    )


def _pair(lowering: Lowering, coefficient: Fraction, word: Word, unit: Field) -> Term:
    """x, r, y with x = X B and y = Z B by columns, and r the diagonal blocks of X* A Z."""
    _, X, *inner, Z, _ = word
    blocks = Term(ONE, tuple(lowering.factor(op) for op in inner))
    r = lowering.builder.spread(X.name, blocks, Z.name)
    load = (Term(ONE, (Factor("B"), Factor(unit.name, Place.POINT))),)
    x, y = (lowering.swept_field(Op(s.name, BODIES, BODIES), load) for s in (X, Z))
    return Term(coefficient, (Factor(x.name, adjoint=True), Factor(r.name), Factor(y.name)))


def _number(lowering: Lowering, name: str, expr: OpExpr) -> Field:
    """Σ over bodies (or joints, or points) of products of two vectors."""
    terms = []
    for product in expr.args if isinstance(expr, Sum) else () if isinstance(expr, Zero) else (expr,):
        coefficient = product.coefficient if isinstance(product, Product) else ONE
        factors = product.factors if isinstance(product, Product) else (product,)
        split = _middle(factors)
        left, right = Adjoint(Product(*factors[:split])), Product(*factors[split:])
        assert right.codomain is not None
        sides = [lowering.materialised(lowering.terms(side), right.codomain) for side in (left, right)]
        place = Place.POINT if right.codomain is POINTS else Place.HERE
        terms.append(Term(coefficient, (Factor(sides[0].name, place, True), Factor(sides[1].name, place))))
    target = Field(lowering.builder.fresh(name), COLUMN)
    return lowering.builder.add(Statement(target, tuple(terms), Action.DOT))


def _middle(factors: tuple[OpExpr, ...]) -> int:
    """How many factors go left: as many as the right mirrors, at least the row itself."""
    mirrored = [i for i in range(1, len(factors) // 2 + 1) if Adjoint(Product(*factors[:i])) == Product(*factors[-i:])]
    return max(mirrored, default=1)
