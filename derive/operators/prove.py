"""`prove("LHS = RHS")`: a derivation, a refutation with a counter-example, or a plain word that it is undecided."""

from __future__ import annotations

from derive.operators.counterexample import TOLERANCE, Counterexample, find_counterexample, numeric_difference
from derive.operators.derivation import Derivation
from derive.operators.errors import OperatorError
from derive.operators.expr import Equation, OpExpr, resolved
from derive.operators.normal import is_decided, normal_form, normal_polynomial, system_of
from derive.operators.parse import parse_equation
from derive.operators.printing import to_text
from derive.operators.reduce import derivation
from derive.operators.spaces import BODIES


class Refuted(OperatorError):  # noqa: N818 - the public name
    """A false statement: the non-zero normal form of lhs − rhs, and a robot and state where the sides differ."""

    def __init__(self, statement: Equation, normal: OpExpr, counterexample: Counterexample, decided: bool) -> None:
        self.statement, self.normal_form, self.counterexample = statement, normal, counterexample
        self.decided = decided
        outside = "" if decided else " (outside the decided fragment; refuted by the counter-example alone)"
        super().__init__(
            f"{to_text(statement)} is false{outside}: the difference is {to_text(normal)}; on {counterexample}"
        )


class Undecided(OperatorError):  # noqa: N818 - a verdict
    """A statement the rules neither prove nor refute; `worst` is its numeric verdict on `robots` sample robots."""

    def __init__(self, statement: Equation, normal: OpExpr, decided: bool, robots: int, worst: float) -> None:
        self.statement, self.normal_form = statement, normal
        self.robots, self.worst = robots, worst
        verdict = "holds" if worst <= TOLERANCE else "is inconclusive"
        numeric = f"numerically it {verdict} on {robots} robots, to {worst:.1e}" if robots else "no sample robot fits"
        why = (
            f"the difference {to_text(normal)} is not zero by the rules, yet no sample robot tells the sides apart"
            if decided
            else "outside the decided fragment"
        )
        super().__init__(f"{to_text(statement)} is not proved: {why}; {numeric}")


def prove(statement: str | Equation) -> Derivation:
    """A derivation of `statement`; raises `Refuted` with a counter-example, or `Undecided` with the numeric verdict."""
    equation, notes = parse_equation(statement) if isinstance(statement, str) else (statement, ())
    if not equation.lhs.is_typed:
        sides = (resolved(side, BODIES, BODIES) for side in equation.args)
        equation, notes = Equation(*sides), (*notes, "I is taken on the bodies: nothing else says on which space")
    difference = equation.lhs - equation.rhs
    name = system_of(difference)
    if not normal_polynomial(difference, name):
        found = derivation(equation, name, notes)
        if found is not None:
            return found
    counterexample = find_counterexample(equation)
    normal = normal_form(difference)
    decided = is_decided(difference, name)
    if counterexample is not None:
        raise Refuted(equation, normal, counterexample, decided)
    raise Undecided(equation, normal, decided, *numeric_difference(equation))
