"""Normal forms of operator expressions: unfold definitions, replace inverses that have factors, expand, reduce.

Each stage is a function from expression to expression, or to a polynomial of `words.py`, and `derivation.py`
records them one by one. An inverse whose operand is (up to adjoint and sign) in `KNOWN_INVERSES`, or a product of
square operators, is replaced; any other becomes a letter X of its own with X A → I and A X → I.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache

import sympy

from derive.operators.alphabet import ALPHABET
from derive.operators.errors import OperatorError
from derive.operators.expr import Adjoint, Identity, Inverse, Letter, OpExpr, Product, Sum, Zero
from derive.operators.parse import parse_expression
from derive.operators.printing import to_ascii
from derive.operators.rewrite import System
from derive.operators.rules import Rule, weight, with_adjoints
from derive.operators.spaces import Space
from derive.operators.systems import foreign_letters, system, system_name
from derive.operators.words import IDENTITY, ZERO, Polynomial, Word, adjoint_letter, monomial

_MOST_TERMS = 5000  # beyond any identity of the papers, and still only a second's work


@dataclass(frozen=True)
class KnownInverse:
    """inv(operand) = inverse, in text, with the `SOA-nn` that says so."""

    operand: str
    inverse: str
    soa: str
    factored: str | None = None  # the operand in factors whose inverses are known, and
    factored_soa: str = ""  # where that is shown


_FACTORED = "(I + H phi K) D (I + H phi K)'"

KNOWN_INVERSES: tuple[KnownInverse, ...] = (
    KnownInverse("phi", "I - E_phi", "SOA-20"),
    KnownInverse("I - E_phi", "phi", "SOA-20"),
    KnownInverse("psi", "I - E_psi", "SOA-42"),
    KnownInverse("I - E_psi", "psi", "SOA-42"),
    KnownInverse("I + H phi K", "I - H psi K", "SOA-49"),
    KnownInverse("I - H psi K", "I + H phi K", "SOA-49"),
    KnownInverse("I + phi K H", "I - psi K H", "SOA-44"),
    KnownInverse("I - psi K H", "I + phi K H", "SOA-44"),
    KnownInverse("I + K H phi", "I - K H psi", "SOA-44"),
    KnownInverse("I - K H psi", "I + K H phi", "SOA-44"),
    KnownInverse("H phi M phi' H'", "(I - H psi K)' D^-1 (I - H psi K)", "SOA-49", _FACTORED, "SOA-48"),
    KnownInverse("(I - H psi K)' D^-1 (I - H psi K)", "H phi M phi' H'", "SOA-50"),
    KnownInverse("H P H'", "D^-1", "SOA-40"),
    KnownInverse("H phi M phi' H' + J_a", "(I - H psi K)' D^-1 (I - H psi K)", "SOA-49", _FACTORED, "SOA-48"),
    KnownInverse("D_sqrt", "D_isqrt", "SOA-115"),
    KnownInverse("D_isqrt", "D_sqrt", "SOA-115"),
)


def kept_letters(expr: OpExpr) -> frozenset[str]:
    """Derived letters that stay letters in this expression: E_ψ, where Υ occurs [SOA-75]."""
    return frozenset({"E_psi"}) if "Upsilon" in expr.letters else frozenset()


def unfold(expr: OpExpr, keep: frozenset[str] = frozenset()) -> OpExpr:
    """`expr` with every derived letter replaced by its definition, except those in `keep`."""
    derived = [x for x in expr.free_symbols if x.info.definition is not None and x.name not in keep]
    return expr.xreplace({letter: definition(letter.name, keep) for letter in derived}) if derived else expr


@cache
def definition(name: str, keep: frozenset[str] = frozenset()) -> OpExpr:
    """The definition of a derived letter in core letters."""
    text = ALPHABET[name].definition
    assert text is not None
    return unfold(parse_expression(text), keep)


def system_of(expr: OpExpr) -> str:
    """The name of the system that reduces `expr`, which may contain derived letters."""
    keep = kept_letters(expr)
    return system_name(unfold(expr, keep).letters)


def is_decided(expr: OpExpr, name: str) -> bool:
    """Whether different normal forms in the system `name` refute: no foreign letter, no inverse without factors."""
    polynomial = expand(without_inverses(unfold(expr, kept_letters(expr)), name), name)
    letters = {letter.removesuffix("'") for letter in polynomial.letters}
    return not foreign_letters(name, letters) and not opaque_letters(polynomial)


@dataclass(frozen=True)
class Replacement:
    """One subexpression replaced by another, and why."""

    old: OpExpr
    new: OpExpr
    soa: str


def without_inverses(expr: OpExpr, name: str, replaced: Callable[[Replacement], None] | None = None) -> OpExpr:
    """Unfolded `expr` with every inverse that has factors replaced; `replaced` hears of each, innermost first."""
    if not expr.has(Inverse):
        return expr
    args = [without_inverses(a, name, replaced) if isinstance(a, OpExpr) else a for a in expr.args]
    rebuilt = expr.func(*args)
    if not isinstance(rebuilt, Inverse) or rebuilt.args[0] == Letter("D"):
        return rebuilt  # type: ignore[no-any-return]
    found = _factored_inverse(rebuilt.args[0], name)
    if found is None:
        return rebuilt
    if replaced is not None:
        for replacement in found:
            replaced(replacement)
    return found[-1].new


def _factored_inverse(operand: OpExpr, name: str) -> list[Replacement] | None:
    """How inv(operand) becomes an expression without inverses (but D⁻¹); None if it has no factors."""
    polynomial = system(name).normal(expand(operand, name))
    if not polynomial:
        return None
    scale, key = _scaled(polynomial)
    known = _known_inverses(name).get(key)
    if known is not None:
        by, entry = known
        result = Product(1 / sympy.Rational(scale), by)
        if entry.factored is None or scale != 1:
            return [Replacement(Inverse(operand), result, entry.soa)]
        factored = parse_expression(entry.factored)
        first = [] if factored == operand else [Replacement(Inverse(operand), Inverse(factored), entry.factored_soa)]
        return [*first, Replacement(Inverse(factored), result, entry.soa)]
    if isinstance(operand, Product) and all(f.codomain == f.domain for f in operand.factors):
        inverses = [without_inverses(Inverse(f), name) for f in reversed(operand.factors)]
        result = Product(1 / sympy.Rational(operand.coefficient), *inverses)
        return [Replacement(Inverse(operand), result, "inverse of a product")]
    return None


def _scaled(polynomial: Polynomial) -> tuple[Fraction, Polynomial]:
    scale = Fraction(dict(polynomial)[min(word for word, _ in polynomial)])
    return scale, polynomial.scaled(1 / scale)


def inverse_system(name: str) -> str:
    """The system that decides inverses met in the system `name`: where ψ, K and D have rules, with or without armature."""
    return "armature" if name == "armature" else "articulated+roots"


@cache
def _known_inverses(name: str) -> dict[Polynomial, tuple[OpExpr, KnownInverse]]:
    """Operand (up to scale, in the system `name`) → inverse, for the entries that hold there.

    Whether one holds is decided where its letters have their rules: their product must reduce to I. With armature, for one,
    HφMφ*H* is not what the factors invert: that is HφMφ*H* + J_a.
    """
    home = inverse_system(name)
    table: dict[Polynomial, tuple[OpExpr, KnownInverse]] = {}
    for known in KNOWN_INVERSES:
        operand, inverse = (unfold(parse_expression(text)) for text in (known.operand, known.inverse))
        for a, b in ((operand, inverse), (Adjoint(operand), Adjoint(inverse))):
            if system(home).normal(expand(a, home) * expand(b, home)) == IDENTITY:
                scale, key = _scaled(system(name).normal(expand(a, name)))
                table.setdefault(key, (Product(sympy.Rational(scale), b), known))
    return table


def expand(expr: OpExpr, name: str, composites: frozenset[str] = frozenset()) -> Polynomial:
    """The polynomial of an unfolded expression, by distributivity alone; inverses become letters.

    A sum that prints as one of `composites` (such as "(I - H*psi*K)") stays whole, as a letter.
    """
    if isinstance(expr, Letter):
        return monomial(expr.name)
    if isinstance(expr, Identity):
        return IDENTITY
    if isinstance(expr, Zero):
        return ZERO
    if isinstance(expr, Sum):
        if composites and (whole := f"({to_ascii(expr)})") in composites:
            return monomial(whole)
        return Polynomial(term for part in expr.args for term in expand(part, name, composites))
    if isinstance(expr, Product):
        product = IDENTITY.scaled(_integral(expr.coefficient))
        for factor in expr.factors:
            product = product * expand(factor, name, composites)
            if len(product) > _MOST_TERMS:
                raise OperatorError(
                    f"the expression expands to more than {_MOST_TERMS} terms: state it in smaller parts"
                )
        return product
    if isinstance(expr, Adjoint):
        return expand(expr.args[0], name, composites).adjoint
    assert isinstance(expr, Inverse)
    return monomial(_inverse_letter(expr, name))


def _inverse_letter(expr: Inverse, name: str) -> str:
    operand = expr.args[0]
    if operand == Letter("D"):
        return "D^-1"
    polynomial = system(name).normal(expand(operand, name))
    if not polynomial:
        raise OperatorError(f"{operand} is zero and has no inverse")
    if polynomial == monomial("D"):
        return "D^-1"
    mirrored = polynomial.adjoint
    if polynomial != mirrored and sorted(polynomial) > sorted(mirrored):
        return adjoint_letter(_inverse_letter(Inverse(Adjoint(operand)), name))
    text = to_ascii(to_expression(polynomial, operand.codomain, operand.domain))
    return f"inv({text})" + ("°" if polynomial == mirrored else "")


def opaque_letters(polynomial: Polynomial) -> tuple[str, ...]:
    """The letters of inverses without factors, adjoints counted with their letter."""
    return tuple(sorted({letter.removesuffix("'") for letter in polynomial.letters if letter.startswith("inv(")}))


def with_opaque_rules(base: System, polynomial: Polynomial) -> System:
    """`base`, and for every inverse X of A without factors the rules that orient A X = I and X A = I."""
    opaque = opaque_letters(polynomial)
    if not opaque:
        return base
    rules = [rule for letter in opaque for rule in _opaque_rules(letter, base)]
    return System(base.name + "+inverse", base.rules + with_adjoints(tuple(rules)), base.weights)


def _opaque_rules(letter: str, base: System) -> list[Rule]:
    operand = expand(_inverse_operand(letter), base.name)
    lead = max((word for word, _ in operand), key=lambda w: (weight(w, base.weights), w))
    scale = 1 / Fraction(dict(operand)[lead])
    rest = Polynomial((word, -c) for word, c in operand if word != lead)
    right = (IDENTITY + rest.between((), (letter,))).scaled(_integral(scale))
    left = (IDENTITY + rest.between((letter,), ())).scaled(_integral(scale))
    return [
        Rule("inverse", (*lead, letter), right),
        Rule("inverse", (letter, *lead), left),
    ]


def _inverse_operand(letter: str) -> OpExpr:
    return parse_expression(letter.removesuffix("°").removeprefix("inv(").removesuffix(")"))


def _integral(value: Fraction) -> int | Fraction:
    return value.numerator if value.denominator == 1 else value


def to_expression(polynomial: Polynomial, codomain: Space | None, domain: Space | None) -> OpExpr:
    """The expression a polynomial stands for, as a sum of products in the polynomial's order."""
    terms = [Product(sympy.Rational(c), *(_factor(x) for x in word), Identity()) for word, c in polynomial]
    return Sum(Zero(codomain, domain), *terms)  # type: ignore[no-any-return]


@lru_cache(maxsize=4096)
def _factor(letter: str) -> OpExpr:
    if letter.endswith("'"):
        return Adjoint(_factor(letter[:-1]))  # type: ignore[no-any-return]
    if letter == "D^-1":
        return Inverse(Letter("D"))  # type: ignore[no-any-return]
    if letter.startswith("("):
        return parse_expression(letter)
    if letter.startswith("inv("):
        return Inverse(_inverse_operand(letter))  # type: ignore[no-any-return]
    return Letter(letter)


def normal_polynomial(expr: OpExpr, name: str | None = None) -> Polynomial:
    """The normal form as a polynomial, in the system `name` (by default the one its letters call for)."""
    chosen = name or system_of(expr)
    polynomial = expand(without_inverses(unfold(expr, kept_letters(expr)), chosen), chosen)
    return with_opaque_rules(system(chosen), polynomial).normal(polynomial)


def normal_form(expr: OpExpr) -> OpExpr:
    """The normal form, terms sorted by length and then by letters: equal for expressions the rules make equal."""
    polynomial = normal_polynomial(expr)
    ordered: list[tuple[Word, int | Fraction]] = sorted(polynomial, key=lambda term: (len(term[0]), term[0]))
    return to_expression(Polynomial(ordered), expr.codomain, expr.domain)
