"""Derivations: a statement and the named steps from its left side to its right side, which can be replayed.

A step carries all that is needed to check it without trusting the search that found it:

* `definition`, `inverse`: subexpressions replaced; a definition must be the alphabet's, an inverse must multiply to
  I.
* `expand`, `collect`: the two expressions are the same polynomial by distributivity alone.
* `rule`, `lemma`: the recorded places take the polynomial before to the polynomial after. A lemma must follow from
  the rules.

A step may be taken backwards (the right side of a statement is reduced too, and its steps are then read in
reverse). A statement inv(A) = X may be proved by its `goal` A X = I instead: both operators are square, so one
product is enough.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from derive.operators.counterexample import numeric_difference
from derive.operators.errors import OperatorError
from derive.operators.expr import Equation, Identity, Inverse, OpExpr, Product
from derive.operators.lemmas import FACTOR, INVERSE_FACTOR
from derive.operators.normal import (
    Replacement,
    definition,
    expand,
    inverse_system,
    kept_letters,
    normal_polynomial,
    to_expression,
    without_inverses,
)
from derive.operators.rewrite import Place, applied
from derive.operators.rules import Rule
from derive.operators.systems import system
from derive.operators.words import monomial

COMPOSITES = frozenset({FACTOR, INVERSE_FACTOR})


class ReplayError(OperatorError):
    """A step that does not do what it says."""


@dataclass(frozen=True)
class Step:
    """before = after, by one reason applied at the recorded places."""

    before: OpExpr
    kind: str  # definition, inverse, expand, collect, rule, lemma
    after: OpExpr
    soa: tuple[str, ...] = ()
    replaced: tuple[Replacement, ...] = ()
    places: tuple[Place, ...] = ()
    backwards: bool = False

    def reversed(self) -> Step:
        """The same step from after to before."""
        kind = {"expand": "collect", "collect": "expand"}.get(self.kind, self.kind)
        return replace(self, before=self.after, after=self.before, kind=kind, backwards=not self.backwards)

    @property
    def identities(self) -> tuple[Equation, ...]:
        """The identities this step uses, each once."""
        if self.replaced:
            return tuple(dict.fromkeys(_identity(r) for r in self.replaced))
        rules = dict.fromkeys(place.rule for place in self.places)
        return tuple(rule_equation(rule) for rule in rules)


@dataclass(frozen=True)
class Derivation:
    """The proof of `statement`: steps from goal.lhs to goal.rhs, found in the system `system_name`."""

    statement: Equation
    goal: Equation
    steps: tuple[Step, ...]
    system_name: str
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        from derive.operators.exposition import derivation_text  # it prints derivations, so it imports this module

        return derivation_text(self)

    @property
    def result(self) -> OpExpr:
        """The right side of the statement: what a simplification ends in."""
        return self.statement.rhs

    def replay(self) -> None:
        """Check that the steps chain from side to side and that each is what it says; raises `ReplayError`."""
        if self.goal != self.statement:
            _require(self.goal in _inverse_goals(self.statement), "the goal does not establish the statement")
        _require(bool(self.steps) or self.goal.lhs == self.goal.rhs, "there are no steps")
        ends = [self.goal.lhs, *(step.after for step in self.steps)]
        _require(ends[-1] == self.goal.rhs, "the last step does not reach the right side")
        for number, (start, step) in enumerate(zip(ends, self.steps, strict=False), 1):
            _require(step.before == start, f"step {number} does not start where step {number - 1} ended")
            _check(step.reversed() if step.backwards else step, self.system_name, number)

    def numeric_difference(self) -> float:
        """The worst relative difference between before and after of any step, over the sample robots."""
        return max((numeric_difference(Equation(s.before, s.after))[1] for s in self.steps), default=0.0)


def _identity(replacement: Replacement) -> Equation:
    """What a replacement rests on: A = B where inv(A) became inv(B)."""
    old, new = replacement.old, replacement.new
    both = isinstance(old, Inverse) and isinstance(new, Inverse)
    return Equation(old.args[0], new.args[0]) if both else Equation(old, new)


def rule_equation(rule: Rule) -> Equation:
    """The identity a rule orients."""
    left = to_expression(monomial(*rule.left), None, None)
    return Equation(left, to_expression(rule.right, left.codomain, left.domain))


def inverse_goal(statement: Equation) -> Equation | None:
    """A X = I for a statement inv(A) = X (or X = inv(A)), else None."""
    goals = _inverse_goals(statement)
    return goals[0] if goals else None


def _inverse_goals(statement: Equation) -> list[Equation]:
    sides = ((statement.lhs, statement.rhs), (statement.rhs, statement.lhs))
    return [Equation(Product(a.args[0], x), Identity()) for a, x in sides if isinstance(a, Inverse)]


def _require(holds: bool, what: str) -> None:
    if not holds:
        raise ReplayError(what)


def _check(step: Step, name: str, number: int) -> None:
    """Check one forward step."""
    here = f"step {number} ({step.kind})"
    if step.kind in ("definition", "inverse"):
        end = step.before
        for replacement in step.replaced:
            end = end.xreplace({replacement.old: replacement.new})
            _check_replacement(replacement, step.kind, name, here)
        _require(end == step.after, f"{here} does not give {step.after}")
    elif step.kind in ("expand", "collect"):
        _require(expand(step.before, name) == expand(step.after, name), f"{here} changes the polynomial")
    else:
        whole = _composites(step)
        start, end_ = (expand(side, name, whole) for side in (step.before, step.after))
        _require(applied(start, step.places) == end_, f"{here} does not give {step.after}")
        for rule in dict.fromkeys(place.rule for place in step.places):
            _check_rule(rule, step.kind, name, here)


def _composites(step: Step) -> frozenset[str]:
    """The factors this step treats as single letters."""
    words = [word for p in step.places for word in (p.before, p.rule.left, p.after)]
    return frozenset(whole for whole in COMPOSITES if any(x.removesuffix("'") == whole for w in words for x in w))


def _check_replacement(replacement: Replacement, kind: str, name: str, here: str) -> None:
    old, new = replacement.old, replacement.new
    if kind == "definition":
        keep = kept_letters(new)
        _require(definition(next(iter(old.letters)), keep) == new, f"{here}: {old} is not defined as {new}")
        return
    _require(isinstance(old, Inverse), f"{here}: {old} is no inverse")
    inverts = any(
        not normal_polynomial(without_inverses(Product(old.args[0], new), where) - Identity(), where)
        for where in dict.fromkeys((name, inverse_system(name)))
    )
    _require(inverts, f"{here}: {new} is not the inverse of {old.args[0]}")


def _check_rule(rule: Rule, kind: str, name: str, here: str) -> None:
    own = rule in system(name).rules or (kind == "rule" and any(x.startswith("inv(") for x in rule.left))
    if kind == "rule":
        _require(own, f"{here}: {rule.left} is no rule of the system {name}")
    equation = rule_equation(rule)
    _require(not normal_polynomial(equation.lhs - equation.rhs, name), f"{here}: {equation} does not follow")
