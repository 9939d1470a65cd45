"""The oriented rules, as data. Each line restates its identity; adjoints are generated, never typed.

`ARTICULATED` is the deciding system of section 18 of the specification: φ ψ E_φ K H G P D D⁻¹ M and adjoints. The
other sets extend it, or stand beside it where mixing would not stay convergent:

* `SHIFT` (with ARTICULATED): 000's S and Δ_φ, serial chains.                                   [SOA-52]
* `ROOTS` (with ARTICULATED): D^½ and D^{−½}.                                                   [SOA-115]
* `SENSITIVITY` (with ARTICULATED or COMPOSITE): ℍ_δ, ℍ_s of one revolute joint.                [SOA-118]
* `COMPOSITE` (beside): R instead of P.                                                         [SOA-31]
* `SPREAD` (beside): Υ with E_ψ as a letter of its own, serial chains.                          [SOA-75]

Termination: with `WEIGHTS` (adjoints weigh the same, letters not listed weigh 1) every word of a right side is
lighter than the left side, weights are positive, and adding the same letters left and right of both keeps it so.
The tests check the inequality for every rule, and compute all critical pairs of every system.
"""

from __future__ import annotations

from dataclasses import dataclass

from derive.operators.words import Polynomial, Word, adjoint_word


@dataclass(frozen=True)
class Rule:
    """left → right, with the name and `SOA-nn` of the identity it orients."""

    name: str
    soa: str
    left: Word
    right: Polynomial

    @property
    def adjoint(self) -> Rule:
        """The rule of the adjoint identity."""
        return Rule(self.name + "*", self.soa, adjoint_word(self.left), self.right.adjoint)


def _rule(text: str, name: str, soa: str) -> Rule:
    """The rule written `left -> right` over letters separated by blanks."""
    left, right = text.split("->")
    terms: list[tuple[Word, int]] = []
    sign, word = 1, list[str]()
    for token in [*right.split(), "+"]:
        if token in "+-":
            if word:
                terms.append((tuple(letter for letter in word if letter != "I"), sign))
            sign, word = (1 if token == "+" else -1), []
        elif token != "0":
            word.append(token)
    return Rule(name, soa, tuple(left.split()), Polynomial(terms))


def with_adjoints(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """The rules and those adjoints that differ from them."""
    adjoints = [rule.adjoint for rule in rules]
    known = {rule.left for rule in rules}
    return (*rules, *(rule for rule in adjoints if rule.left not in known))


_RESOLVENT = (
    _rule("E_phi phi -> phi - I", "E_φφ = φ − I", "SOA-21"),
    _rule("phi E_phi -> phi - I", "φE_φ = φ − I", "SOA-21"),
)

ARTICULATED = with_adjoints(
    (
        _rule("D D^-1 -> I", "DD⁻¹ = I", "SOA-40"),
        _rule("D^-1 D -> I", "D⁻¹D = I", "SOA-40"),
        _rule("H G -> I", "HG = I", "SOA-40"),
        _rule("psi G -> G", "ψG = G", "SOA-44"),
        _rule("phi K H psi -> phi - psi", "φKHψ = φ − ψ", "SOA-54"),
        _rule("psi K H phi -> phi - psi", "ψKHφ = φ − ψ", "SOA-53"),
        _rule("P H' -> G D", "PH* = GD", "SOA-40"),
        _rule("E_phi G -> K", "E_φG = K", "SOA-40"),
        *_RESOLVENT,
        _rule("psi E_phi -> psi - I + psi K H", "ψE_φ = ψ − I + ψKH", "SOA-44"),
        _rule("E_phi psi -> psi - I + K H psi", "E_φψ = ψ − I + KHψ", "SOA-44"),
        _rule("phi G -> G + phi K", "φG = G + φK", "SOA-44"),
        _rule("M -> P - E_phi P E_phi' + K D K'", "M = P − E_φPE_φ* + KDK*", "SOA-41"),
    )
)

SHIFT = with_adjoints((_rule("S Delta_phi -> E_phi", "SΔ_φ = E_φ", "SOA-52"),))

ROOTS = with_adjoints(
    (
        _rule("D_sqrt D_isqrt -> I", "D^½D^{−½} = I", "SOA-115"),
        _rule("D_isqrt D_sqrt -> I", "D^{−½}D^½ = I", "SOA-115"),
        _rule("D -> D_sqrt D_sqrt", "D = D^½D^½", "SOA-115"),
        _rule("D^-1 -> D_isqrt D_isqrt", "D⁻¹ = D^{−½}D^{−½}", "SOA-115"),
    )
)

SENSITIVITY = (
    _rule("HH_delta' -> - HH_delta", "ℍ_δ* = −ℍ_δ", "SOA-118"),
    _rule("HH_s' -> - HH_s", "ℍ_s* = −ℍ_s", "SOA-118"),
    _rule("H HH_delta -> 0", "Hℍ_δ = 0", "SOA-118"),
    _rule("HH_delta H' -> 0", "ℍ_δH* = 0", "SOA-118"),
)

COMPOSITE = with_adjoints((*_RESOLVENT, _rule("M -> R - E_phi R E_phi'", "M = R − E_φRE_φ*", "SOA-31")))

SPREAD = with_adjoints(
    (
        _rule("E_psi psi -> psi - I", "E_ψψ = ψ − I", "SOA-44"),
        _rule("psi E_psi -> psi - I", "ψE_ψ = ψ − I", "SOA-44"),
        _rule("H' D^-1 H -> Upsilon - E_psi' Upsilon E_psi", "H*D⁻¹H = Υ − E_ψ*ΥE_ψ", "SOA-75"),
    )
)

WEIGHTS: dict[str, float] = {
    "M": 1000,
    "E_phi": 20,
    "P": 10,
    "R": 10,
    "G": 5,
    "phi": 2,
    "psi": 2,
    "K": 1,
    "H": 1,
    "D": 0.1,
    "D^-1": 0.1,
    "D_sqrt": 0.04,
    "D_isqrt": 0.04,
    "S": 20,
    "HH_delta'": 2,
    "HH_s'": 2,
}

#: Υ is introduced, not eliminated, so H and D⁻¹ outweigh it; E_ψ must outweigh I, and ψ nothing.
SPREAD_WEIGHTS: dict[str, float] = {"H": 10, "D^-1": 1, "E_psi": 2, "psi": 1, "Upsilon": 1}


def weight(word: Word, weights: dict[str, float]) -> float:
    """The weight of a word: the sum over its letters, an adjoint weighing as much as its letter unless listed."""
    return sum(weights.get(letter, weights.get(letter.removesuffix("'"), 1)) for letter in word)
