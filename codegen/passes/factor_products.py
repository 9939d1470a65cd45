"""Factoring: products of one sum that share a factor are one product of a sum.

    a·x + b·x − c·x + y   →   (a + b − c)·x + y

Sums are taken whole: additions and subtractions used once, in the sum of which they are a part, are one sum with many terms,
and so are the products in it that are used nowhere else. Where the inner sum is there already it costs nothing at all. Values
change by rounding only: the terms are the same.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any, NamedTuple, TypeAlias

from codegen.ir import Atom, ScalarProgram, Var, atom_key
from codegen.passes.replay import Replay
from codegen.passes.sums import SUMS, Signed, parts_of, parts_of_sums, terms

_Group: TypeAlias = tuple[Atom, list[Signed]]  # a factor and the sum it multiplies


class _Product(NamedTuple):
    sign: int
    left: Atom
    right: Atom

    def without(self, factor: Atom) -> Signed:
        return self.sign, self.right if self.left == factor else self.left


def factor_products(program: ScalarProgram) -> ScalarProgram:
    """The program with common factors of its sums taken out."""
    inner = parts_of_sums(program, (*SUMS, "mul"))
    replay = Replay(program)
    for position, equation in enumerate(program.equations):
        if position in inner:
            continue  # worked out with the sum it is a part of
        if equation.op in ("add", "sub") and (factored := _factored(program, position, inner)):
            with replay.builder.origin(*equation.origin):
                replay.values[position] = _written(replay, *factored)
        else:
            for part in parts_of(program, position, inner):
                replay.values[part] = replay.applied(program.equations[part])
    return replay.finish()


def _factored(
    program: ScalarProgram, position: int, inner: set[int]
) -> tuple[list[_Group], list[_Product], list[Signed]] | None:
    """Factors with what they multiply, the other products, the other terms; None where no factor is shared."""
    products, others = [], []
    for sign, atom in terms(program, position, inner):
        if type(atom) is Var and atom.index in inner:
            products.append(_Product(sign, *program.equations[atom.index].operands))
        else:
            others.append((sign, atom))
    groups: list[_Group] = []
    while True:
        shared = Counter(factor for product in products for factor in {product.left, product.right})
        factor = max(shared, key=lambda f: (shared[f], atom_key(f)), default=None)
        if factor is None or shared[factor] < 2:
            return (groups, products, others) if groups else None
        groups.append((factor, [p.without(factor) for p in products if factor in (p.left, p.right)]))
        products = [p for p in products if factor not in (p.left, p.right)]


def _written(
    replay: Replay,
    groups: list[_Group],
    products: list[_Product],
    others: list[Signed],
) -> Any:
    value = replay.value
    signed: list[tuple[int, Any]] = [(1, _sum((s, value(a)) for s, a in added) * value(f)) for f, added in groups]
    signed += [(p.sign, value(p.left) * value(p.right)) for p in products]
    return _sum([*signed, *((sign, value(atom)) for sign, atom in others)])


def _sum(terms: Iterable[tuple[int, Any]]) -> Any:
    total: Any = 0.0
    for sign, term in terms:
        total = total + term if sign > 0 else total - term
    return total
