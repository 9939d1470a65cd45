"""What a ledger entry is: statements that hold, misprints that must not, and how they are established."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from derive.operators.block_system import BlockSystem


@dataclass(frozen=True)
class Misprint:
    """A published form that is false: erratum number, where, and the statement. `ill_typed` where spaces do not even fit."""

    erratum: str
    where: str
    statement: str
    ill_typed: bool = False


@dataclass(frozen=True)
class BlockCheck:
    """A statement about blocks or recursions: `residual` of a system is zero (to rounding) where it holds."""

    statement: str
    residual: Callable[[BlockSystem], float]
    serial: bool = False
    floating: bool = False


@dataclass(frozen=True)
class Identity:
    """One entry of the specification. Statements are decided by `prove`; block checks are numeric."""

    soa: str
    title: str
    source: str
    statements: tuple[str, ...] = ()
    checks: tuple[BlockCheck, ...] = ()
    misprints: tuple[Misprint, ...] = ()
    note: str = ""

    @property
    def established(self) -> str:
        """How the entry is established: decided, numeric, or both (its parts)."""
        return " and ".join(word for word, has in (("decided", self.statements), ("numeric", self.checks)) if has)
