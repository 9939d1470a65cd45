"""The search for derivations: reduce both sides of a statement by named steps until they meet.

Each side is reduced stage by stage (definitions, inverses, expand, one rule at a time), with the lemmas as
shortcuts and without; of the four ways to combine the sides, the shortest is kept, cut where the two chains first
meet.
"""

from __future__ import annotations

import itertools

from derive.operators.derivation import Derivation, Step, inverse_goal
from derive.operators.expr import Equation, Letter, OpExpr
from derive.operators.lemmas import lemmas_for
from derive.operators.normal import (
    Replacement,
    definition,
    expand,
    kept_letters,
    to_expression,
    with_opaque_rules,
    without_inverses,
)
from derive.operators.rules import Rule
from derive.operators.systems import system


def derivation(statement: Equation, name: str, notes: tuple[str, ...] = ()) -> Derivation | None:
    """A derivation of `statement` in the system `name`, or None if the sides reduce to different normal forms."""
    goal = inverse_goal(statement)
    if goal is not None and _rests_on_itself(statement, name):
        steps = _chain(goal, name)
        return None if steps is None else Derivation(statement, goal, steps, name, notes)
    steps = _chain(statement, name)
    return None if steps is None else Derivation(statement, statement, steps, name, notes)


def _rests_on_itself(statement: Equation, name: str) -> bool:
    """Whether replacing known inverses in inv(A) = X would use that very identity."""
    used: list[Replacement] = []
    for side in (statement.lhs, statement.rhs):
        without_inverses(unfolding(side)[-1], name, used.append)
    return any(Equation(r.old, r.new) in (statement, Equation(statement.rhs, statement.lhs)) for r in used) or any(
        len(used) == 1 and used[0].old == side for side in (statement.lhs, statement.rhs)
    )


def unfolding(expr: OpExpr) -> tuple[OpExpr, ...]:
    """`expr`, and `expr` with its derived letters replaced by their definitions if it has any."""
    step = definition_step(expr)
    return (expr,) if step is None else (expr, step.after)


def definition_step(expr: OpExpr, keep: frozenset[str] | None = None) -> Step | None:
    """The step that replaces every derived letter by its definition in core letters, or None if there is none."""
    kept = kept_letters(expr) if keep is None else keep
    letters = sorted(x.name for x in expr.free_symbols if x.info.definition is not None and x.name not in kept)
    if not letters:
        return None
    replaced = tuple(Replacement(Letter(x), definition(x, kept), Letter(x).info.soa) for x in letters)
    after = expr
    for replacement in replaced:
        after = after.xreplace({replacement.old: replacement.new})
    return Step(expr, "definition", after, tuple(dict.fromkeys(r.soa for r in replaced)), replaced)


def inverse_steps(expr: OpExpr, name: str) -> tuple[Step, ...]:
    """The steps that replace the inverses with factors in an unfolded expression."""
    used: list[Replacement] = []
    without_inverses(expr, name, used.append)
    steps: list[Step] = []
    for replacement in dict.fromkeys(used):
        before = steps[-1].after if steps else expr
        after = before.xreplace({replacement.old: replacement.new})
        if after != before:
            steps.append(Step(before, "inverse", after, (replacement.soa,), (replacement,)))
    return tuple(steps)


def reduction(expr: OpExpr, name: str, lemmas: tuple[Rule, ...], keep: frozenset[str]) -> tuple[Step, ...]:
    """The steps from `expr` to its normal form."""
    steps: list[Step] = []
    unfolded = definition_step(expr, keep)
    if unfolded is not None:
        steps.append(unfolded)
    steps += inverse_steps(steps[-1].after if steps else expr, name)
    bare = steps[-1].after if steps else expr
    polynomial = expand(bare, name)
    expanded = to_expression(polynomial, expr.codomain, expr.domain)
    if expanded != bare:
        steps.append(Step(bare, "expand", expanded))
    chosen = with_opaque_rules(system(name), polynomial)
    before = expanded
    for group in chosen.group_steps(polynomial, lemmas):
        after = to_expression(group.result, expr.codomain, expr.domain)
        kind = "rule" if group.rule in chosen.rules else "lemma"
        steps.append(Step(before, kind, after, (group.rule.soa,), places=group.places))
        before = after
    return tuple(steps)


def _chain(goal: Equation, name: str) -> tuple[Step, ...] | None:
    """The shortest chain of steps from goal.lhs to goal.rhs found, or None."""
    keep = kept_letters(goal.lhs) | kept_letters(goal.rhs)
    variants = ((), lemmas_for(name))
    lefts, rights = ([reduction(side, name, v, keep) for v in variants] for side in (goal.lhs, goal.rhs))
    met = [m for left in lefts for right in rights if (m := _met(goal, left, right)) is not None]
    return min(met, key=len, default=None)


def _met(goal: Equation, left: tuple[Step, ...], right: tuple[Step, ...]) -> tuple[Step, ...] | None:
    """The two reductions joined at the first expression they share."""
    left_ends = [goal.lhs, *(step.after for step in left)]
    right_ends = {end: j for j, end in reversed(list(enumerate([goal.rhs, *(step.after for step in right)])))}
    meetings = [(i + right_ends[end], i, right_ends[end]) for i, end in enumerate(left_ends) if end in right_ends]
    if not meetings:
        return None
    _, i, j = min(meetings)
    return tuple(itertools.chain(left[:i], (step.reversed() for step in reversed(right[:j]))))
