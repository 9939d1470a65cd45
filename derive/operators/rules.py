"""The oriented rules, as data. Each line restates its identity; adjoints are generated, never typed.

`ARTICULATED` is the deciding system of section 18 of the specification: φ ψ E_φ K H G P D D⁻¹ M and adjoints. The
other sets extend it, or stand beside it where mixing would not stay convergent:

* `ARMATURE` (beside): ARTICULATED where D = HPH* + J_a, so that HG = I and ψG = G gain a term in J_a.
* `SHIFT` (with ARTICULATED): 000's S and Δ_φ, serial chains.                                   [SOA-52]
* `ROOTS` (with ARTICULATED): D^½ and D^{−½}.                                                   [SOA-115]
* `SENSITIVITY` (with ARTICULATED or COMPOSITE): ℍ_δ, ℍ_s of one revolute joint, 𝒲 of any.     [SOA-118]
* `COMPOSITE` (beside): R instead of P.                                                         [SOA-31]
* `RATES` (with COMPOSITE): Coriolis blocks of links by those of composite bodies.              [SOA-133]
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
    """left → right, with the `SOA-nn` of the identity it orients."""

    soa: str
    left: Word
    right: Polynomial

    @property
    def adjoint(self) -> Rule:
        """The rule of the adjoint identity."""
        return Rule(self.soa, adjoint_word(self.left), self.right.adjoint)


def rule(text: str, soa: str) -> Rule:
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
    return Rule(soa, tuple(left.split()), Polynomial(terms))


def with_adjoints(rules: tuple[Rule, ...]) -> tuple[Rule, ...]:
    """The rules, each followed by its adjoint if that is another one."""
    return tuple(member for each in rules for member in family(each))


def family(rule: Rule) -> tuple[Rule, ...]:
    """The rule, followed by its adjoint if that is another one."""
    return (rule,) if rule.adjoint.left == rule.left else (rule, rule.adjoint)


_RESOLVENT = (
    rule("E_phi phi -> phi - I", "SOA-21"),
    rule("phi E_phi -> phi - I", "SOA-21"),
)

_FILTER = (
    rule("D D^-1 -> I", "SOA-40"),
    rule("phi K H psi -> phi - psi", "SOA-54"),
    rule("psi K H phi -> phi - psi", "SOA-53"),
    rule("P H' -> G D", "SOA-40"),
    rule("E_phi G -> K", "SOA-40"),
    *_RESOLVENT,
    rule("psi E_phi -> psi - I + psi K H", "SOA-44"),
    rule("E_phi psi -> psi - I + K H psi", "SOA-44"),
    rule("phi G -> G + phi K", "SOA-44"),
    rule("M -> P - E_phi P E_phi' + K D K'", "SOA-41"),
)

ARTICULATED = with_adjoints(
    (
        rule("H G -> I", "SOA-40"),
        rule("psi G -> G", "SOA-44"),
        *_FILTER,
    )
)

ARMATURE = with_adjoints(
    (
        rule("H G -> I - J_a D^-1", "SOA-41"),
        rule("psi G -> G + psi K J_a D^-1", "SOA-41"),
        *_FILTER,
    )
)

SHIFT = with_adjoints((rule("S Delta_phi -> E_phi", "SOA-52"),))

ROOTS = with_adjoints(
    (
        rule("D_sqrt D_isqrt -> I", "SOA-115"),
        rule("D -> D_sqrt D_sqrt", "SOA-115"),
        rule("D^-1 -> D_isqrt D_isqrt", "SOA-115"),
    )
)

SENSITIVITY = (
    rule("HH_delta' -> - HH_delta", "SOA-118"),
    rule("HH_s' -> - HH_s", "SOA-118"),
    rule("W_i' -> - W_i", "SOA-129"),
    rule("W_j' -> - W_j", "SOA-129"),
    rule("H HH_delta -> 0", "SOA-118"),
    rule("HH_delta H' -> 0", "SOA-118"),
)

COMPOSITE = with_adjoints((*_RESOLVENT, rule("M -> R - E_phi R E_phi'", "SOA-31")))

RATES = with_adjoints((rule("BB -> BB_R + Gamma - E_phi BB_R E_phi' - E_phi Gamma E_phi'", "SOA-133"),))

SPREAD = with_adjoints(
    (
        rule("E_psi psi -> psi - I", "SOA-44"),
        rule("psi E_psi -> psi - I", "SOA-44"),
        rule("H' D^-1 H -> Upsilon - E_psi' Upsilon E_psi", "SOA-75"),
    )
)

WEIGHTS: dict[str, float] = {
    "M": 1000,
    "BB": 1000,
    "E_phi": 20,
    "P": 10,
    "R": 10,
    "G": 5,
    "phi": 2,
    "psi": 2,
    "K": 1,
    "H": 1,
    "D": 0.1,
    "J_a": 0.1,
    "D^-1": 0.1,
    "D_sqrt": 0.04,
    "D_isqrt": 0.04,
    "S": 20,
    "HH_delta'": 2,
    "HH_s'": 2,
    "W_i'": 2,
    "W_j'": 2,
}

#: Υ is introduced, not eliminated, so H and D⁻¹ outweigh it; E_ψ must outweigh I, and ψ nothing.
SPREAD_WEIGHTS: dict[str, float] = {"H": 10, "D^-1": 1, "E_psi": 2, "psi": 1, "Upsilon": 1}


def weight(word: Word, weights: dict[str, float]) -> float:
    """The weight of a word: the sum over its letters, an adjoint weighing as much as its letter unless listed."""
    return sum(weights.get(letter, weights.get(letter.removesuffix("'"), 1)) for letter in word)
