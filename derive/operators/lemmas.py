"""Named lemmas a derivation may use as single steps: consequences of the rules, each a rule itself.

They shorten proofs and decide nothing: a test reduces both sides of every lemma with the rules alone. `LEMMAS` are
words over letters. `FACTOR_LEMMAS` also treat the factors I + HφK and I − HψK as single letters, which `simplify`
keeps unexpanded.
"""

from __future__ import annotations

from derive.operators.rules import Rule, rule, with_adjoints
from derive.operators.words import IDENTITY, monomial

#: the innovations factors, as letters of a word [SOA-48, SOA-49]
FACTOR, INVERSE_FACTOR = "(I + H*phi*K)", "(I - H*psi*K)"

LEMMAS: dict[str, tuple[Rule, ...]] = {
    "articulated": with_adjoints(
        (
            rule("H psi M psi' H' -> D", "SOA-58"),
            rule("psi M phi' H' -> P phi' H'", "SOA-58"),
            rule("phi M phi' -> phi P + P phi' - P + phi K D K' phi'", "SOA-45"),
            rule("psi M phi' -> psi P + P phi' - P", "SOA-46"),
            rule("psi M psi' -> psi P + P psi' - P", "SOA-47"),
            rule("H phi G -> I + H phi K", "SOA-44"),
            rule("H psi G -> I", "SOA-44"),
            rule("psi P H' -> P H'", "SOA-44"),
        )
    ),
    "armature": with_adjoints(
        (
            rule("phi M phi' -> phi P + P phi' - P + phi K D K' phi'", "SOA-45"),
            rule("psi M phi' -> psi P + P phi' - P", "SOA-46"),
        )
    ),
    "composite": with_adjoints((rule("phi M phi' -> phi R + R phi' - R", "SOA-33"),)),
    "spread": with_adjoints((rule("psi' H' D^-1 H psi -> psi' Upsilon + Upsilon psi - Upsilon", "SOA-75"),)),
}

FACTOR_LEMMAS: tuple[Rule, ...] = with_adjoints(
    (
        Rule("SOA-49", (FACTOR, INVERSE_FACTOR), IDENTITY),
        Rule("SOA-49", (INVERSE_FACTOR, FACTOR), IDENTITY),
        Rule("SOA-51", (INVERSE_FACTOR, "H", "phi"), monomial("H", "psi")),
        Rule("SOA-51", (FACTOR, "H", "psi"), monomial("H", "phi")),
        rule("H psi M psi' H' -> D", "SOA-58"),
        rule("D D^-1 -> I", "SOA-40"),
        rule("H G -> I", "SOA-40"),
        rule("psi G -> G", "SOA-44"),
    )
)


def lemmas_for(system_name: str) -> tuple[Rule, ...]:
    """The lemmas that hold in a system."""
    return LEMMAS[system_name.split("+")[0]]
