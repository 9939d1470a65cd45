"""Rewriting systems: reduction to normal form, recorded reductions, critical pairs, and the confluence check.

`System.normal` is the hot path: it memoises the normal form of every word it meets. `System.group_steps` takes the
same rules in their listed order and applies one rule everywhere at a time, so that the run reads as a short list of
named steps. Both end in the same polynomial because the system is confluent; `critical_pairs` is what shows that.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from derive.operators.rules import Rule, family, weight
from derive.operators.words import Coefficient, Polynomial, Word, monomial


@dataclass(frozen=True)
class Place:
    """One application of a rule: the term coefficient · before · left · after that it hit."""

    rule: Rule
    coefficient: Coefficient
    before: Word
    after: Word


@dataclass(frozen=True)
class GroupStep:
    """One rule and its adjoint applied at every place they fit, until they fit nowhere: `source` became `result`."""

    source: Polynomial
    rule: Rule
    places: tuple[Place, ...]
    result: Polynomial


@dataclass(frozen=True)
class CriticalPair:
    """A word two rules can rewrite in overlapping places, and the two outcomes."""

    word: Word
    first: Rule
    second: Rule
    outcomes: tuple[Polynomial, Polynomial]


@dataclass(frozen=True)
class System:
    """A named set of rules, the weights that make it terminate, and the core letters whose equality it decides."""

    name: str
    rules: tuple[Rule, ...]
    weights: dict[str, float]
    _memo: dict[Word, Polynomial] = field(default_factory=dict, repr=False, compare=False)

    def normal(self, polynomial: Polynomial) -> Polynomial:
        """The normal form."""
        return Polynomial((v, c * d) for word, c in polynomial for v, d in self._normal_word(word))

    def _normal_word(self, word: Word) -> Polynomial:
        known = self._memo.get(word)
        if known is None:
            place = next(self._redexes(word), None)
            if place is None:
                known = monomial(*word)
            else:
                rule, i = place
                known = self.normal(rule.right.between(word[:i], word[i + len(rule.left) :]))
            self._memo[word] = known
        return known

    def _redexes(self, word: Word) -> Iterator[tuple[Rule, int]]:
        for i in range(len(word)):
            for rule in self.rules:
                if word[i : i + len(rule.left)] == rule.left:
                    yield rule, i

    def group_steps(self, polynomial: Polynomial, lemmas: Sequence[Rule] = ()) -> tuple[GroupStep, ...]:
        """The steps to the normal form, one rule and its adjoint at a time: `lemmas` first, then the rules in order."""
        steps: list[GroupStep] = []
        known = {rule.left for rule in (*lemmas, *self.rules)}
        families = [[m for m in family(rule) if m.left in known] for rule in (*lemmas, *self.rules)]
        while True:
            source = steps[-1].result if steps else polynomial
            step = next((s for members in families if (s := _everywhere(source, members)) is not None), None)
            if step is None:
                return tuple(steps)
            steps.append(step)


def applied(source: Polynomial, places: Sequence[Place]) -> Polynomial:
    """`source` with the left side of a rule replaced by its right side at each of the places, one after the other."""
    result = source
    for place in places:
        change = place.rule.right - monomial(*place.rule.left)
        result = result + change.between(place.before, place.after).scaled(place.coefficient)
    return result


def _everywhere(source: Polynomial, rules: Sequence[Rule]) -> GroupStep | None:
    places: list[Place] = []
    pending, done = list(source), list[tuple[Word, Coefficient]]()
    while pending:
        word, coefficient = pending.pop(0)
        place = next(
            (
                Place(member, coefficient, word[:i], word[i + len(member.left) :])
                for member in rules
                if (i := find(word, member.left)) is not None
            ),
            None,
        )
        if place is None:
            done.append((word, coefficient))
            continue
        places.append(place)
        pending[:0] = place.rule.right.between(place.before, place.after).scaled(coefficient)
    return GroupStep(source, places[0].rule, tuple(places), Polynomial(done)) if places else None


def find(word: Word, part: Word) -> int | None:
    """The first position of `part` in `word`, or None."""
    size = len(part)
    return next((i for i in range(len(word) - size + 1) if word[i : i + size] == part), None)


def critical_pairs(rules: Sequence[Rule]) -> tuple[CriticalPair, ...]:
    """All critical pairs: every proper overlap of a left side's end with a left side's start, and every inclusion."""
    pairs: list[CriticalPair] = []
    for first in rules:
        for second in rules:
            for size in range(1, min(len(first.left), len(second.left))):
                if first.left[-size:] == second.left[:size]:
                    head, tail = first.left[:-size], second.left[size:]
                    outcomes = first.right.between((), tail), second.right.between(head, ())
                    pairs.append(CriticalPair(head + second.left, first, second, outcomes))
            if first is not second:
                for i in range(len(first.left) - len(second.left) + 1):
                    if first.left[i : i + len(second.left)] == second.left:
                        inner = second.right.between(first.left[:i], first.left[i + len(second.left) :])
                        pairs.append(CriticalPair(first.left, first, second, (first.right, inner)))
    return tuple(pairs)


def unresolved(system: System) -> tuple[CriticalPair, ...]:
    """The critical pairs whose outcomes have different normal forms: none, if and only if `system` is confluent."""
    pairs = critical_pairs(system.rules)
    return tuple(p for p in pairs if system.normal(p.outcomes[0]) != system.normal(p.outcomes[1]))


def not_decreasing(system: System) -> tuple[Rule, ...]:
    """The rules with a word on the right that is not lighter than the left: none, so rewriting terminates."""
    return tuple(
        rule
        for rule in system.rules
        if any(weight(word, system.weights) >= weight(rule.left, system.weights) for word, _ in rule.right)
    )
