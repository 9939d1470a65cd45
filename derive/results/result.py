"""What a result is: a quantity by its definition, the operator form one computes it with, and the proof between them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from derive.operators import Derivation, Equation, OpExpr, parse, prove
from derive.recursion import Assembly, Recursion
from derive.sweeps import to_recursion


@dataclass(frozen=True)
class Quantity:
    """Something computed: its name, its definition, and the form one computes with, in operator text; `rotor` adds armature.

    `assembly` says how a quantity with three indices is read off its form.
    """

    output: str
    definition: str
    form: str
    rotor: str = ""
    assembly: Assembly = Assembly.MATRIX

    def expression(self, armature: bool = False) -> OpExpr:
        """The form one computes with; with armature, the rotors' term added."""
        expr: OpExpr = parse(f"{self.form} + {self.rotor}" if armature and self.rotor else self.form)
        return expr

    def derive(self) -> Derivation:
        """The derivation of definition = form."""
        return prove(Equation(parse(self.definition), parse(self.form)))


@dataclass(frozen=True)
class Result:
    """One published result: what it computes, first the quantity it is named for.

    `where` says how vectors are computed that would be inputs.
    """

    name: str
    title: str
    quantities: tuple[Quantity, ...]
    soa: tuple[str, ...]
    source: str
    prose: str
    aliases: tuple[str, ...] = ()
    where: tuple[tuple[str, str], ...] = ()

    def statement(self) -> OpExpr:
        """The form one computes the first quantity with."""
        return self.quantities[0].expression()

    def derive(self) -> tuple[Derivation, ...]:
        """The derivation of each quantity."""
        return tuple(quantity.derive() for quantity in self.quantities)

    def recursion(
        self, *, only: Collection[str] | None = None, armature: bool = False, chain: bool = False
    ) -> Recursion:
        """The sweeps compiled from the forms, of all quantities or `only` some.

        `armature` adds the rotors' inertia, `chain` is as in `to_recursion`.
        """
        chosen = [q for q in self.quantities if only is None or q.output in only]
        return to_recursion(
            {q.output: q.expression(armature) for q in chosen},
            armature=armature,
            chain=chain,
            where=dict(self.where),
            assemblies={q.output: q.assembly for q in chosen},
        )
