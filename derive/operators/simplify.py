"""`simplify(expr)`: the form one would compute with, and the derivation that leads to it.

Candidates are the expression itself, its normal form, and the form in which the innovations factors I + HφK and I −
HψK stay whole while the lemmas of `FACTOR_LEMMAS` cancel sweeps against each other; common left factors are taken
out. The cheapest by `cost` wins: first no inverse without factors (cubic), then the fewest sweeps, then the fewest
letters.
"""

from __future__ import annotations

from dataclasses import dataclass

from derive.operators.derivation import COMPOSITES, Derivation, Step
from derive.operators.errors import ParseError
from derive.operators.expr import Adjoint, Equation, Inverse, Letter, OpExpr, Product, Sum, Zero
from derive.operators.lemmas import FACTOR_LEMMAS
from derive.operators.normal import expand, kept_letters, system_of, to_expression
from derive.operators.parse import read
from derive.operators.reduce import definition_step, inverse_steps, reduction
from derive.operators.rewrite import System
from derive.operators.spaces import Space, Structure
from derive.operators.words import Polynomial, Word


@dataclass(frozen=True, order=True)
class Cost:
    """What an expression costs when applied to a vector; ordered, cheapest first."""

    dense_inverses: int
    sweeps: int
    letters: int

    @property
    def complexity(self) -> str:
        """The complexity class."""
        return "O(N)" if not self.dense_inverses else "O(N³)"


def cost(expr: OpExpr) -> Cost:
    """The cost of applying `expr` to a vector, its derived letters unfolded."""
    step = definition_step(expr)
    bare = expr if step is None else step.after
    return Cost(_dense_inverses(bare), len(_sweeps(bare)), _letters(bare))


def simplify(expression: str | OpExpr) -> Derivation:
    """The derivation of expr = (the cheapest form found); its `result` is that form."""
    expr, notes = _read(expression)
    name, keep = system_of(expr), kept_letters(expr)
    chains: list[tuple[Step, ...]] = [(), _collected(expr, _normal_chain(expr, name, keep), name)]
    if name.startswith("articulated"):
        chains.append(_factored_chain(expr, name))
    ends = [(steps[-1].after if steps else expr) for steps in chains]
    best = min(range(len(chains)), key=lambda i: (cost(ends[i]), len(chains[i])))
    statement = Equation(expr, ends[best])
    return Derivation(statement, statement, chains[best], name, notes)


def _read(expression: str | OpExpr) -> tuple[OpExpr, tuple[str, ...]]:
    if isinstance(expression, OpExpr):
        return expression, ()
    parsed = read(expression)
    if isinstance(parsed.value, Equation):
        raise ParseError("an expression is wanted here, not an equation", expression, expression.index("=") + 1)
    return parsed.value, parsed.notes


def _normal_chain(expr: OpExpr, name: str, keep: frozenset[str]) -> tuple[Step, ...]:
    whole = reduction(expr, name, (), keep)
    return whole.steps(len(whole.states) - 1)


def _factored_chain(expr: OpExpr, name: str) -> tuple[Step, ...]:
    """Definitions, inverses, then the factor lemmas, then common left factors taken out."""
    steps: list[Step] = []
    unfolded = definition_step(expr)
    if unfolded is not None:
        steps.append(unfolded)
    steps += inverse_steps(steps[-1].after if steps else expr, name)
    start = steps[-1].after if steps else expr
    polynomial = expand(start, name, COMPOSITES)
    flat = to_expression(polynomial, expr.codomain, expr.domain)
    if flat != start:
        steps.append(Step(start, "expand", flat))
    for group in System("factors", FACTOR_LEMMAS, {}).group_steps(polynomial):
        before = steps[-1].after if steps else flat
        polynomial = group.result
        after = to_expression(polynomial, expr.codomain, expr.domain)
        steps.append(Step(before, "lemma", after, (group.rule.soa,), places=group.places))
    return _collected(expr, tuple(steps), name, COMPOSITES)


def _collected(
    expr: OpExpr, steps: tuple[Step, ...], name: str, composites: frozenset[str] = frozenset()
) -> tuple[Step, ...]:
    """The steps, and one more that takes out common left factors if there are any."""
    end = steps[-1].after if steps else expr
    if definition_step(end) is not None:
        return steps
    collected = _with_common_factors(expand(end, name, composites), expr.codomain, expr.domain)
    return steps if collected == end else (*steps, Step(end, "collect", collected))


def _with_common_factors(polynomial: Polynomial, codomain: Space | None, domain: Space | None) -> OpExpr:
    """The sum with the longest common start of terms that begin alike taken out to the left, recursively."""
    groups: dict[str, list[tuple[Word, object]]] = {}
    for word, coefficient in polynomial:
        groups.setdefault(word[0] if word else "", []).append((word, coefficient))
    parts: list[OpExpr] = []
    for members in groups.values():
        prefix = _common_start([word for word, _ in members]) if len(members) > 1 else ()
        rest = Polynomial((word[len(prefix) :], c) for word, c in members)  # type: ignore[misc]
        if prefix:
            head = to_expression(Polynomial([(prefix, 1)]), None, None)
            parts.append(Product(head, _with_common_factors(rest, head.domain, domain)))
        else:
            parts.append(to_expression(rest, codomain, domain))
    return Sum(Zero(codomain, domain), *parts)  # type: ignore[no-any-return]


def _common_start(words: list[Word]) -> Word:
    shortest = min(words, key=len)
    size = next((i for i, x in enumerate(shortest) if any(word[i] != x for word in words)), len(shortest))
    return shortest[:size]


def _dense_inverses(expr: OpExpr) -> int:
    own = isinstance(expr, Inverse) and expr.structure is not Structure.MEMORYLESS
    return own + sum(_dense_inverses(a) for a in expr.args if isinstance(a, OpExpr))


def _letters(expr: OpExpr) -> int:
    return 1 if isinstance(expr, Letter) else sum(_letters(a) for a in expr.args if isinstance(a, OpExpr))


def _sweeps(expr: OpExpr) -> tuple[str, ...]:
    """The directions of the sweeps that apply `expr`, last first; neighbours in one direction fuse."""
    if isinstance(expr, Letter):
        return ("tip-to-base",) if expr.name in ("phi", "psi") else ()
    if isinstance(expr, Adjoint):
        turned = {"tip-to-base": "base-to-tip", "base-to-tip": "tip-to-base"}
        return tuple(turned[s] for s in reversed(_sweeps(expr.args[0])))
    if isinstance(expr, Sum):
        return max((_sweeps(term) for term in expr.args), key=len)
    fused: list[str] = []
    for part in expr.args:
        if isinstance(part, OpExpr):
            for direction in _sweeps(part):
                if not fused or fused[-1] != direction:
                    fused.append(direction)
    return tuple(fused)
