"""Collected by inertial constants, as Armstrong's table of the Puma does: I15·c4·c5 + I17·c4 + I22·s5.

The coefficients of the trigonometric monomials are constants of the robot. Those the literature has names for are declared in
the robot's file; a coefficient that is not a short combination of known ones gets a name of its own. For every entry the
angles and squares are chosen that need the fewest terms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import reduce
from typing import TypeAlias

from derive.closed_form.element import Element, Terms
from derive.closed_form.expression import Expression, Number, Symbol, multiplied, split_number, summed
from derive.closed_form.forms.angles import bases, merging_rules
from derive.closed_form.forms.merging import Group, merged, squared_cosines, with_sine_squares
from derive.closed_form.forms.nested import nested
from derive.closed_form.forms.terms import Polynomial, Reading, polynomial_of
from derive.closed_form.monomials import FIELD
from derive.closed_form.ring import Ring
from derive.closed_form.variables import Kind, Variable

Vector: TypeAlias = dict[int, Fraction]  # parameter monomial → coefficient
Key: TypeAlias = frozenset[tuple[int, Fraction]]
Combination: TypeAlias = list[tuple[Fraction, Variable]]
Value: TypeAlias = Callable[[Vector], Fraction]
MULTIPLES = tuple(map(Fraction, ("1", "-1", "2", "-2", "1/2", "-1/2")))
MOST = 3  # constants in one coefficient


class Constants:
    """The constants known so far, with their values as polynomials in the parameters; declared ones come first."""

    def __init__(self, ring: Ring, prefix: str) -> None:
        self.ring, self.prefix = ring, prefix
        self.vectors: dict[Variable, Vector] = {}
        self.declared = 0
        self._by_direction: dict[Key, dict[Fraction, Variable]] = {}  # and by size
        self._found: dict[Key, Combination | None] = {}  # searches among the declared ones

    def declare(self, name: str, value: Element) -> None:
        """A constant with a name from the literature."""
        self._add(Variable(name, Kind.CONSTANT, len(self.vectors)), polynomial_of(value))
        self.declared += 1

    def combination(self, vector: Vector) -> Combination:
        """The vector as a short combination of declared constants, a small multiple of a known one, or a new one."""
        found = self._in_declared(vector) or self._multiple(vector)
        if found is None:
            new = Variable(f"?{len(self.vectors)}", Kind.CONSTANT, len(self.vectors))  # numbered when all are known
            self._add(new, vector)
            found = [(Fraction(1), new)]
        return found

    def forget(self, count: int) -> None:
        """Only the first `count` constants again."""
        for variable in list(self.vectors)[count:]:
            key, size = _direction(self.vectors.pop(variable))
            del self._by_direction[key][size]

    def _add(self, variable: Variable, vector: Vector) -> None:
        self.vectors[variable] = vector
        key, size = _direction(vector)
        self._by_direction.setdefault(key, {})[size] = variable

    def _multiple(self, vector: Vector) -> Combination | None:
        key, size = _direction(vector)
        if known := self._by_direction.get(key):
            for factor in MULTIPLES:
                if (variable := known.get(size / factor)) is not None:
                    return [(factor, variable)]
        return None

    def _in_declared(self, vector: Vector) -> Combination | None:
        if not self.declared:
            return None
        key = frozenset(vector.items())
        if key not in self._found:
            self._found[key] = self._search(vector, MOST)
        return self._found[key]

    def _search(self, vector: Vector, most: int) -> Combination | None:
        """The shortest combination of at most so many declared constants."""
        single = self._multiple(vector)
        if single is not None and single[0][1].index < self.declared:
            return single
        for depth in range(1, most):
            for variable, factor, rest in self._steps(vector):
                others = self._search(rest, depth)
                if others is not None:
                    return [(factor, variable), *others]
        return None

    def _steps(self, vector: Vector) -> Iterator[tuple[Variable, Fraction, Vector]]:
        """Small multiples of declared constants that hold the vector's first monomial, taken away."""
        lead = min(vector)
        for variable, own in list(self.vectors.items())[: self.declared]:
            if lead in own:
                for factor in MULTIPLES:
                    if rest := _minus(vector, own, factor):
                        yield variable, factor, rest


def _direction(vector: Vector) -> tuple[Key, Fraction]:
    """The vector divided by a sign and a power of two so that its multiples in `MULTIPLES` have the same; and that number."""
    lead = vector[min(vector)]
    above, below = lead.numerator & -lead.numerator, lead.denominator & -lead.denominator
    size = Fraction(above if lead.numerator > 0 else -above, below)
    return frozenset((m, c / size) for m, c in vector.items()), size


def collected(
    elements: Sequence[Element], groups: Sequence[Group], constants: Constants, reading: Reading, value: Value
) -> tuple[Expression, ...]:
    """Each element as a sum of constants times trigonometric polynomials; `constants` grows as needed.

    New constants are numbered from the largest `value` to the smallest, positive, and so that no half of one occurs.
    """
    polynomials = [_shortest(e, groups, constants) for e in elements]
    renamed = _tidied(polynomials, constants, value)
    return tuple(_arranged(_with(p, renamed, constants.ring), reading) for p in polynomials)


def _tidied(
    polynomials: Sequence[Polynomial], constants: Constants, value: Value
) -> dict[Variable, tuple[Variable, Fraction]]:
    """New name and factor for each undeclared constant; the table is changed accordingly."""
    ring = constants.ring
    used: dict[Variable, list[Fraction]] = {}
    for polynomial in polynomials:
        for monomial, coefficient in polynomial.items():
            for variable in (v for v, _ in ring.factors(monomial) if v.kind is Kind.CONSTANT):
                used.setdefault(variable, []).append(coefficient)
    new = list(constants.vectors.items())[constants.declared :]
    constants.forget(constants.declared)
    scales = {
        old: min([Fraction(1), *map(abs, used.get(old, []))]) * (-1 if value(vector) < 0 else 1) for old, vector in new
    }
    new.sort(key=lambda item: -abs(scales[item[0]] * value(item[1])))
    result: dict[Variable, tuple[Variable, Fraction]] = {}
    for number, (old, vector) in enumerate(new, start=1):
        fresh = Variable(f"{constants.prefix}{number}", Kind.CONSTANT, constants.declared + number)
        constants.vectors[fresh] = {m: c * scales[old] for m, c in vector.items()}
        result[old] = (fresh, 1 / scales[old])
    return result


def _with(polynomial: Polynomial, renamed: dict[Variable, tuple[Variable, Fraction]], ring: Ring) -> Polynomial:
    total: Polynomial = {}
    for monomial, coefficient in polynomial.items():
        for old in [v for v, _ in ring.factors(monomial) if v in renamed]:
            fresh, factor = renamed[old]
            monomial, coefficient = monomial - ring.bit(old) + ring.bit(fresh), coefficient * factor
        total[monomial] = coefficient
    return total


def _shortest(element: Element, groups: Sequence[Group], constants: Constants) -> Polynomial:
    """The element in constants, with the angles and squares that need the fewest terms and minus signs."""
    ring, rules = element.ring, merging_rules(element, groups)
    known = len(constants.vectors)
    best: tuple[tuple[int, int, int], Element, Sequence[Variable]] | None = None

    def tried(candidate: Element, by_sine: Sequence[Variable]) -> tuple[tuple[int, int, int], Polynomial]:
        squares = reduce(lambda p, v: with_sine_squares(p, ring, v), by_sine, candidate.terms)
        named = merged(_in_constants(squares, candidate.denominator, constants), ring, rules)
        size = (len(named) + len(constants.vectors) - known, sum(c < 0 for c in named.values()), len(by_sine))
        return size, named

    for candidate in bases(element, groups):
        chosen = squared_cosines(candidate)
        size, _ = tried(candidate, chosen)
        constants.forget(known)
        for cosine in tuple(chosen):
            fewer = [v for v in chosen if v != cosine]
            other, _ = tried(candidate, fewer)
            constants.forget(known)
            if other < size:
                size, chosen = other, fewer
        if best is None or size < best[0]:
            best = (size, candidate, chosen)
    assert best is not None
    return tried(best[1], best[2])[1]


def _in_constants(terms: Terms, denominator: int, constants: Constants) -> Polynomial:
    """Every coefficient (a polynomial in parameters) of a trigonometric monomial replaced by constants."""
    ring = constants.ring
    parameters = sum(FIELD * ring.bit(v) for v in ring.variables if v.kind is Kind.PARAMETER)
    groups: dict[int, Vector] = {}
    for monomial, coefficient in terms.items():
        parametric = monomial & parameters
        groups.setdefault(monomial ^ parametric, {})[parametric] = Fraction(coefficient, denominator)
    total: Polynomial = {}
    for moving, vector in groups.items():
        if vector.keys() == {0} and vector[0].denominator == 1:
            total[moving] = vector[0]
            continue
        for factor, variable in constants.combination(vector):
            total[moving + ring.bit(variable)] = factor
    return total


def _arranged(polynomial: Polynomial, reading: Reading) -> Expression:
    """Σ constant·(trigonometric polynomial), what is doubled in a bracket of its own at the end."""
    groups: dict[tuple[Fraction, Variable | None], Polynomial] = {}
    for monomial, coefficient in polynomial.items():
        found = [v for v, _ in reading.ring.factors(monomial) if v.kind is Kind.CONSTANT]
        constant = found[0] if found else None
        rest = monomial - reading.ring.bit(constant) if constant else monomial
        groups.setdefault((abs(coefficient), constant), {})[rest] = coefficient / abs(coefficient)
    parts: dict[Fraction, list[Expression]] = {}
    for (size, constant), inner in sorted(groups.items(), key=_order):
        sign = -1 if constant and all(c < 0 for c in inner.values()) else 1
        body = nested({m: sign * c for m, c in inner.items()}, reading) if constant else reading.sum(inner)
        lead: list[Expression] = [Number(Fraction(sign)), Symbol(constant)] if constant else []
        parts.setdefault(size, []).append(multiplied([*lead, body]))
    ones = parts.pop(Fraction(1), [])
    return summed([*ones, *(_times(size, terms) for size, terms in parts.items())])


def _times(size: Fraction, terms: Sequence[Expression]) -> Expression:
    """size·(sum of terms), with a minus in front if they all have one."""
    sign = -1 if all(split_number(term)[0] < 0 for term in terms) else 1
    return multiplied([Number(sign * size), summed(multiplied([Number(Fraction(sign)), term]) for term in terms)])


def _order(item: tuple[tuple[Fraction, Variable | None], Polynomial]) -> tuple[Fraction, int]:
    (size, constant), _ = item
    return size, constant.index if constant else -1


def _minus(a: Vector, b: Vector, factor: Fraction) -> Vector:
    difference = dict(a)
    for monomial, coefficient in b.items():
        value = difference.get(monomial, Fraction(0)) - factor * coefficient
        if value:
            difference[monomial] = value
        else:
            del difference[monomial]
    return difference
