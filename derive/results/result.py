"""What a result is: a quantity by its definition, the operator form one computes it with, and the proof between them."""

from __future__ import annotations

from dataclasses import dataclass

from derive.operators import Derivation, Equation, OpExpr, parse, prove


@dataclass(frozen=True)
class Result:
    """One published result. `definition` and `form` are operator expressions in text; they are equal, and proved so."""

    name: str
    title: str
    definition: str
    form: str
    soa: tuple[str, ...]
    source: str
    prose: str = ""
    aliases: tuple[str, ...] = ()

    def statement(self) -> OpExpr:
        """The form one computes with."""
        expr: OpExpr = parse(self.form)
        return expr

    def derive(self) -> Derivation:
        """The derivation of definition = form."""
        return prove(Equation(parse(self.definition), parse(self.form)))
