"""3-D and 6-D quantities as plain NumPy matrices, straight from their definitions, and scalars that count."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from derive.inertia import INDEX
from derive.operation_counts import Counted, OperationCounts


def tilde(x: Sequence[float]) -> Any:
    """The matrix of x ×."""
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


def turn(axis: int, angle: float) -> Any:
    """The rotation by `angle` about coordinate axis number `axis`, as the exponential series says."""
    W = tilde(np.eye(3)[axis])
    return np.eye(3) + np.sin(angle) * W + (1 - np.cos(angle)) * W @ W


def random_rotation(rng: np.random.Generator) -> Any:
    """A rotation in general position."""
    return turn(2, rng.uniform(-3, 3)) @ turn(0, rng.uniform(0.3, 2.8)) @ turn(2, rng.uniform(-3, 3))


def phi_matrix(Q: Any, ell: Sequence[float]) -> Any:
    """φ = [[Q, ℓ̃Q], [0, Q]] [SOA-140]."""
    return np.block([[Q, tilde(ell) @ Q], [np.zeros((3, 3)), Q]])


def symmetric_matrix(s: Sequence[float]) -> Any:
    """The 3×3 matrix of xx, xy, xz, yy, yz, zz."""
    return np.array([[s[INDEX[i][j]] for j in range(3)] for i in range(3)])


def inertia_matrix(mass: float, moment: Sequence[float], inertia: Sequence[float]) -> Any:
    """M = [[𝓘, h̃], [−h̃, m 1]] [SOA-3]."""
    return np.block([[symmetric_matrix(inertia), tilde(moment)], [-tilde(moment), mass * np.eye(3)]])


def rows(A: Any) -> tuple[tuple[float, ...], ...]:
    """A as tuples of plain floats, which is what exact zeros and ones are recognised by."""
    return tuple(tuple(map(float, row)) for row in np.asarray(A))


def counted(compute: Callable[[Callable[[int], tuple[Counted, ...]]], Any]) -> tuple[int, int]:
    """Multiplications and additions of `compute`, which is given a maker of n variables."""
    counts = OperationCounts()
    compute(lambda n: tuple(Counted(counts) for _ in range(n)))
    return counts.multiplications, counts.additions
