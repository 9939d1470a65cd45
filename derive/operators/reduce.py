"""The search for derivations: reduce both sides of a statement by named steps until they meet.

Each side is reduced stage by stage (definitions, inverses, expand, one rule at a time), with the lemmas as
shortcuts and without; of the four ways to combine the sides, the shortest is kept, cut where the two chains first
meet.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

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
from derive.operators.rewrite import GroupStep
from derive.operators.rules import Rule
from derive.operators.systems import system
from derive.operators.words import Polynomial


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


@dataclass(frozen=True)
class Reduction:
    """One side on its way to its normal form: steps on expressions, then groups of rule applications on polynomials.

    Expressions are only built for the steps a derivation keeps: that is what makes proofs fast.
    """

    start: OpExpr
    prefix: tuple[Step, ...]
    polynomial: Polynomial
    groups: tuple[GroupStep, ...]
    rules: frozenset[Rule]

    @cached_property
    def states(self) -> tuple[OpExpr | Polynomial, ...]:
        """What is reached after 0, 1, 2 … steps; a sum of words as its polynomial, so that sides can meet."""
        ends: list[OpExpr | Polynomial] = [self.start, *(step.after for step in self.prefix)]
        polynomials = [self.polynomial, *(group.result for group in self.groups)]
        return tuple(ends[:-1] + polynomials) if self._is_flat else tuple(ends + polynomials)

    @property
    def _bare(self) -> OpExpr:
        return self.prefix[-1].after if self.prefix else self.start

    @cached_property
    def _is_flat(self) -> bool:
        """Whether the expression is a sum of words as it stands, so that there is nothing to expand."""
        return self._expression(self.polynomial) == self._bare

    def _expression(self, polynomial: Polynomial) -> OpExpr:
        return to_expression(polynomial, self.start.codomain, self.start.domain)

    def steps(self, count: int) -> tuple[Step, ...]:
        """The first `count` steps."""
        steps = list(self.prefix[:count])
        before = self._bare
        if count > len(steps) and not self._is_flat:
            before = self._expression(self.polynomial)
            steps.append(Step(self._bare, "expand", before))
        for group in self.groups[: count - len(steps)]:
            after = self._expression(group.result)
            kind = "rule" if group.rule in self.rules else "lemma"
            steps.append(Step(before, kind, after, (group.rule.soa,), places=group.places))
            before = after
        return tuple(steps)


def reduction(expr: OpExpr, name: str, lemmas: tuple[Rule, ...], keep: frozenset[str]) -> Reduction:
    """The way from `expr` to its normal form."""
    prefix: list[Step] = []
    unfolded = definition_step(expr, keep)
    if unfolded is not None:
        prefix.append(unfolded)
    prefix += inverse_steps(prefix[-1].after if prefix else expr, name)
    polynomial = expand(prefix[-1].after if prefix else expr, name)
    chosen = with_opaque_rules(system(name), polynomial)
    groups = chosen.group_steps(polynomial, lemmas)
    return Reduction(expr, tuple(prefix), polynomial, groups, frozenset(chosen.rules))


def _chain(goal: Equation, name: str) -> tuple[Step, ...] | None:
    """The shortest chain of steps from goal.lhs to goal.rhs found, or None."""
    if goal.lhs == goal.rhs:
        return ()
    keep = kept_letters(goal.lhs) | kept_letters(goal.rhs)
    lefts, rights = (
        [reduction(side, name, lemmas, keep) for lemmas in ((), lemmas_for(name))] for side in (goal.lhs, goal.rhs)
    )
    meetings = [(sum(m), m, left, right) for left in lefts for right in rights if (m := _meeting(left, right))]
    if not meetings:
        return None
    _, (i, j), left, right = min(meetings, key=lambda meeting: meeting[0])
    first, last = left.steps(i), [step.reversed() for step in reversed(right.steps(j))]
    if first and last:  # where they meet, the sides are equal but may be written in different orders
        last[0] = replace(last[0], before=first[-1].after)
    return (*first, *last)


def _meeting(left: Reduction, right: Reduction) -> tuple[int, int] | None:
    """After how many steps on each side the two first meet: the fewest in all."""
    reached = {state: j for j, state in reversed(list(enumerate(right.states)))}
    meetings = [(i, reached[state]) for i, state in enumerate(left.states) if state in reached]
    return min(meetings, key=sum, default=None)
