"""What a row of the alphabet says about a letter."""

from __future__ import annotations

from dataclasses import dataclass

from derive.operators.spaces import BODIES, COLUMN, Space, Structure


@dataclass(frozen=True)
class LetterInfo:
    """One row of the table."""

    name: str
    unicode: str
    latex: str
    codomain: Space
    domain: Space
    structure: Structure
    meaning: str
    soa: str
    self_adjoint: bool = False
    definition: str | None = None
    scope: str = "tree"
    aliases: tuple[str, ...] = ()


def bodies(
    name: str,
    unicode: str,
    latex: str,
    structure: Structure,
    meaning: str,
    soa: str,
    *,
    self_adjoint: bool = False,
    definition: str | None = None,
    scope: str = "tree",
    aliases: tuple[str, ...] = (),
) -> LetterInfo:
    """A letter from bodies to bodies."""
    return LetterInfo(
        name, unicode, latex, BODIES, BODIES, structure, meaning, soa, self_adjoint, definition, scope, aliases
    )


def vector(name: str, unicode: str, latex: str, space: Space, meaning: str, soa: str) -> LetterInfo:
    """A letter that is a stacked vector."""
    return LetterInfo(name, unicode, latex, space, COLUMN, Structure.NONE, meaning, soa)
