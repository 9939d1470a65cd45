"""Operator expressions as combinations of words: (coefficient, letters, the field they act on).

An expression is read right to left. Products distribute over sums of vectors, and equal beginnings are merged again when the
words are lowered, so that Hψx + Hψy becomes one sweep. A sum of *operators*, such as I − HψK, acts on one field: what stands
right of it is computed first, so that T′, ε and ν appear as in the papers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from derive.operators.expr import Adjoint, Identity, Inverse, Letter, OpExpr, Product, Sum, Zero
from derive.operators.normal import definition, system_of, unfold, without_inverses
from derive.operators.spaces import BODIES, COLUMN, JOINTS, POINTS, Space, Structure
from derive.recursion import Field, LoweringError

#: derived letters with a meaning of their own in a sweep; the others are replaced by their definitions
KEPT = frozenset({"phi_tilde", "psi_tilde", "tau", "tau_bar", "E_psi", "X_V", "X_W", "X_A", "X_D", "X_F", "DD_R"})
_SPELLED = {
    "phi_tilde": ("phi", "E_phi"),  # φ − I = φE_φ: no subtraction [SOA-21]
    "psi_tilde": ("psi", "E_psi"),
    "tau": ("G", "H"),
}
_UNSUPPORTED = {
    "S": "the shift S means something on serial chains only; write E_phi for S Delta_phi and K for S L",
    "Delta_phi": "Delta_phi means something on serial chains only; write E_phi for S Delta_phi",
    "HH_delta": "a derivative along one joint is no recursion over all of them",
    "HH_s": "a derivative along one joint is no recursion over all of them",
}


@dataclass(frozen=True)
class Op:
    """A letter of a word. `inverse` is the operand where it is the inverse of a block-diagonal or point operator."""

    name: str
    codomain: Space
    domain: Space
    adjoint: bool = False
    inverse: OpExpr | None = None

    @property
    def is_sweep(self) -> bool:
        """Whether it is φ or ψ (or an adjoint)."""
        return self.name in ("phi", "psi")

    @property
    def is_memoryless(self) -> bool:
        """Whether it acts body by body."""
        return self.name not in ("phi", "psi", "E_phi", "E_psi", "K", "B", "solve")


Word: TypeAlias = tuple[Op, ...]
Combination: TypeAlias = list[tuple[Fraction, Word, Field]]


def prepared(expr: OpExpr, *, armature: bool = False) -> OpExpr:
    """`expr` typed, in letters a sweep knows, inverses replaced by their factors where they have some.

    With armature in D the factors of 𝓜⁻¹ belong to 𝓜 + J_a: inverses are then those of the algebra that has J_a.
    """
    if not expr.is_typed:
        raise LoweringError(f"{expr} fits any space: say which, for instance as part of a product")
    unfolded = unfold(expr, KEPT)
    if all(not isinstance(node, Inverse) or node.args[0] == Letter("D") for node in _nodes(unfolded)):
        return unfolded
    result = without_inverses(unfold(expr), "armature" if armature else system_of(expr))
    if armature and Inverse(definition("Mass")) in _nodes(result):
        raise LoweringError(f"{expr}: with armature, D belongs to Mass_a = Mass + J_a; write inv(Mass_a)")
    return result


def _nodes(expr: OpExpr) -> list[OpExpr]:
    return [expr, *(node for a in expr.args if isinstance(a, OpExpr) for node in _nodes(a))]


@dataclass(frozen=True)
class Reader:
    """Reads expressions; `vector` gives the field of a vector letter, `field` makes a field of a combination."""

    vector: Callable[[str], Field]
    field: Callable[[Combination, Space], Field]

    def combination(self, expr: OpExpr, acts_on: Field | None) -> Combination:
        """`expr` as words on fields. An operator acts on the field `acts_on`; a vector brings its own."""
        if isinstance(expr, Zero):
            return []
        if isinstance(expr, Sum):
            return [entry for part in expr.args for entry in self.combination(part, acts_on)]
        if isinstance(expr, Product):
            coefficient = expr.coefficient
            return [(coefficient * c, word, field) for c, word, field in self._product(expr.factors, acts_on)]
        if isinstance(expr, Letter) and expr.domain is COLUMN:
            return [(Fraction(1), (), self.vector(expr.name))]
        if expr.domain is COLUMN and expr.codomain is COLUMN:
            raise LoweringError(f"{expr} is a number, and numbers times operators are not lowered")
        assert acts_on is not None
        if isinstance(expr, Adjoint) and isinstance(expr.args[0], Sum):
            return self.combination(Sum(*map(Adjoint, expr.args[0].args)), acts_on)
        return [(Fraction(1), letter_word(expr), acts_on)]

    def _product(self, factors: tuple[OpExpr, ...], acts_on: Field | None) -> Combination:
        for factor in factors[:-1]:
            if factor.domain is COLUMN:
                raise LoweringError(
                    f"{Product(*factors)}: {factor} times a row is an outer product, which is no recursion over bodies"
                )
        current = self.combination(factors[-1], acts_on)
        for factor in reversed(factors[:-1]):
            if is_operator_sum(factor):
                assert factor.domain is not None
                current = self.combination(factor, self.field(current, factor.domain)) if current else []
            else:
                word = letter_word(factor)
                current = [(c, word + rest, field) for c, rest, field in current]
        return current


def is_operator_sum(expr: OpExpr) -> bool:
    """Whether `expr` is a sum of operators, or the adjoint of one."""
    return isinstance(expr, Sum) or (isinstance(expr, Adjoint) and isinstance(expr.args[0], Sum))


def letter_word(expr: OpExpr) -> Word:
    """The letters that one letter, adjoint letter, identity or inverse stands for; raises `LoweringError` otherwise."""
    if isinstance(expr, Identity):
        return ()
    if isinstance(expr, Inverse):
        return _inverse_word(expr)
    adjoint = isinstance(expr, Adjoint)
    letter = expr.args[0] if adjoint else expr
    if not isinstance(letter, Letter):
        raise LoweringError(f"{expr} is not lowered")
    if letter.codomain is COLUMN or letter.domain is COLUMN:
        raise LoweringError(f"{expr} is a row: it needs a column on its right, such as T' qd")
    if letter.name in _UNSUPPORTED:
        raise LoweringError(f"{letter.name} cannot be lowered: {_UNSUPPORTED[letter.name]}")
    names = _SPELLED.get(letter.name, (letter.name,))
    ops = [_op(name, adjoint) for name in names]
    return tuple(reversed(ops)) if adjoint else tuple(ops)


def _op(name: str, adjoint: bool) -> Op:
    letter = Letter(name)
    assert letter.codomain is not None
    assert letter.domain is not None
    if letter.info.self_adjoint:
        adjoint = False
    ends = (letter.domain, letter.codomain) if adjoint else (letter.codomain, letter.domain)
    return Op(name, *ends, adjoint)


def _inverse_word(expr: Inverse) -> Word:
    operand = expr.args[0]
    if operand == Letter("D"):
        return (Op("D_inv", JOINTS, JOINTS),)
    if operand.codomain is POINTS:
        return (Op("solve", POINTS, POINTS, inverse=operand),)
    if operand.structure is Structure.MEMORYLESS and operand.codomain in (JOINTS, BODIES):
        return (Op("inverse", operand.codomain, operand.domain, inverse=operand),)
    raise LoweringError(
        f"inv({operand}) has no known factors: it is neither block diagonal nor a product of operators whose inverses "
        "are known, so no sweep computes it"
    )
