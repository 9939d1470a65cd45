"""What a ledger entry is: statements that hold, misprints that must not, and how they are established."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from derive.operators.block_system import BlockSystem, random_block_system
from derive.operators.identities.motion import Motion, random_motions
from derive.random_models import ALL_KINDS


@dataclass(frozen=True)
class BlockCheck:
    """A statement about blocks or recursions: `residual` of a system is zero (to rounding) where it holds."""

    statement: str
    residual: Callable[[BlockSystem], float]
    serial: bool = False
    floating: bool = False

    def residuals(self, seed: int) -> list[float]:
        """On chains and (unless `serial`) trees of one to seven bodies."""
        return [
            self.residual(random_block_system(seed + i, n, tree=tree, dofs=dofs, floating=self.floating))
            for i, n in enumerate((1, 2, 4, 7))
            for tree in ((False,) if self.serial else (False, True))
            for dofs in ((1,), (1, 2, 3))
        ]


@dataclass(frozen=True)
class VectorCheck:
    """A statement about 3-vectors and spatial vectors: `residual` draws them, and is zero where it holds."""

    statement: str
    residual: Callable[[np.random.Generator], float]

    def residuals(self, seed: int) -> list[float]:
        """For one draw of vectors."""
        return [self.residual(np.random.default_rng(seed))]


@dataclass(frozen=True)
class MotionCheck:
    """A statement about a robot in motion, with joints of the given `kinds`: `residual` is zero where it holds."""

    statement: str
    residual: Callable[[Motion], float]
    kinds: tuple[str, ...] = ALL_KINDS
    serial: bool = False

    def residuals(self, seed: int) -> list[float]:
        """On chains and (unless `serial`) trees of one to seven bodies, moving at random."""
        return [self.residual(motion) for motion in random_motions(self.kinds, seed, serial=self.serial)]


Check: TypeAlias = BlockCheck | VectorCheck | MotionCheck


@dataclass(frozen=True)
class Misprint:
    """A published form that is false: erratum number, where, and the statement.

    `ill_typed` where spaces do not even fit. A statement about numbers has its `check`, whose residual must not be zero.
    """

    erratum: str
    where: str
    statement: str
    ill_typed: bool = False
    check: Check | None = None

    @classmethod
    def in_numbers(cls, erratum: str, where: str, check: Check) -> Misprint:
        """The misprint that says what `check` says."""
        return cls(erratum, where, check.statement, check=check)


@dataclass(frozen=True)
class Identity:
    """One entry of the specification. Statements are decided by `prove`; checks are numeric."""

    soa: str
    title: str
    source: str
    statements: tuple[str, ...] = ()
    checks: tuple[Check, ...] = ()
    misprints: tuple[Misprint, ...] = ()
    note: str = ""

    @property
    def established(self) -> str:
        """How the entry is established: decided, numeric, or both (its parts)."""
        return " and ".join(word for word, has in (("decided", self.statements), ("numeric", self.checks)) if has)
