"""The operators as dense matrices, from their definitions: φ = (I − E_φ)⁻¹, M = H φ M φ* H*, never a sweep.

Shares the table of joint kinds (`derive.joints`) with the code generator, and nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from codegen.trust.oracles.oracle import Oracle
from codegen.trust.quantities import Quantities
from derive.model import Model
from derive.operators.block_system import BlockSystem, block_system, cross_matrix
from derive.operators.evaluate import letter_value
from derive.states import Array


def _obstacle(model: Model) -> str | None:
    return "mimic joints close loops, which the operators do not have" if model.has_mimics else None


class DenseQuantities(Quantities):
    """Products of dense operators; rows are turned from the papers' order, tip first, to the model's."""

    @cached_property
    def _system(self) -> BlockSystem:
        return block_system(self.model, self.inputs["q"])

    @cached_property
    def _order(self) -> list[int]:
        """Where the papers have each rate of the model."""
        sizes = [joint.kind.nv for joint in reversed(self.model.joints)]
        starts = np.cumsum([0, *sizes])
        return [
            int(starts[self.model.n - 1 - k]) + i for k, j in enumerate(self.model.joints) for i in range(j.kind.nv)
        ]

    def _letter(self, name: str) -> Array:
        return letter_value(name, self._system, armature=True)

    def _joints(self, matrix: Array) -> Array:
        return matrix[np.ix_(self._order, self._order)]

    @cached_property
    def _axes(self) -> list[Array]:
        """World rotation of each body of the papers."""
        found: dict[int, Array] = {}
        for k in reversed(range(self._system.n)):
            Q, parent = self._system.phi[k][:3, :3], self._system.parent[k]
            found[k] = Q if parent < 0 else found[parent] @ Q
        return [found[k] for k in range(self._system.n)]

    @cached_property
    def pose(self) -> tuple[Array, Array]:
        """The product of the φ from the tip to the ground, read as a rotation and a lever."""
        body, phi = self._system.points[0]
        while body >= 0:
            phi, body = self._system.phi[body] @ phi, self._system.parent[body]
        R = phi[:3, :3]
        lever = phi[:3, 3:] @ R.T
        return R, np.array([lever[2, 1], lever[0, 2], lever[1, 0]])

    @cached_property
    def jacobian(self) -> Array:
        """B* φ* H* in the axes of the tip's frame, turned to the world's."""
        J = (self._letter("H") @ self._letter("phi") @ self._letter("B")[:, :6]).T
        return np.asarray(np.kron(np.eye(2), self.pose[0]) @ J[:, self._order])

    @cached_property
    def mass(self) -> Array:
        """H φ M φ* H* + J_a."""
        carried = self._letter("H") @ self._letter("phi")
        return self._joints(carried @ self._letter("M") @ carried.T + self._letter("J_a"))

    @cached_property
    def mass_inverse(self) -> Array:
        """(I − HψK)* D⁻¹ (I − HψK)."""
        L_inverse = self._innovation("psi", -1.0)
        return self._joints(L_inverse.T @ np.linalg.solve(self._letter("D"), L_inverse))

    @cached_property
    def factors(self) -> tuple[Array, Array, Array]:
        """D, I + HφK, I − HψK."""
        D = self._joints(self._letter("D"))
        single = all(joint.kind.nv == 1 for joint in self.model.joints)
        L, L_inverse = self._joints(self._innovation("phi", 1.0)), self._joints(self._innovation("psi", -1.0))
        return np.diag(D) if single else D, L, L_inverse

    def _innovation(self, letter: str, sign: float) -> Array:
        return np.asarray(np.eye(self.model.nv) + sign * self._letter("H") @ self._letter(letter) @ self._letter("K"))

    def accelerations(self, f_tip: Array | None) -> Array:
        """By the factors of the inverse."""
        return np.asarray(self.mass_inverse @ (self.inputs["tau"] - self.bias - self.loaded(f_tip)))

    @cached_property
    def weight(self) -> Array:
        """H φ M of an acceleration −g of every body."""
        up = _stacked([0.0, 0.0, 0.0, *(R.T @ -np.asarray(self.gravity))] for R in self._axes)
        tau = self._letter("H") @ self._letter("phi") @ self._letter("M") @ up
        return np.asarray(tau[self._order])

    @cached_property
    def bias(self) -> Array:
        """H φ (M φ* a + b) with a = Ṽ H*q̇ + Ḣ*q̇ and b = −Ṽ* M V, and gravity."""
        H, phi, M = (self._letter(name) for name in ("H", "phi", "M"))
        rates = np.empty(self.model.nv)
        rates[self._order] = self.inputs["qd"]
        V, across = phi.T @ H.T @ rates, H.T @ rates + 0.0
        cross_V = [_cross_motion(v) for v in V.reshape(-1, 6)]
        a = _stacked(X @ c for X, c in zip(cross_V, across.reshape(-1, 6), strict=True)) + self._joint_rates()
        momentum = (M @ V).reshape(-1, 6)
        b = _stacked(-X.T @ m for X, m in zip(cross_V, momentum, strict=True))
        return np.asarray((H @ phi @ (M @ phi.T @ a + b))[self._order] + self.weight)

    def _joint_rates(self) -> Array:
        """Ḣ* q̇ of each body of the papers."""
        numeric = self.model.numeric()
        found = []
        coordinates = numeric.joint_coordinates(self.inputs["q"].tolist())
        for joint, q, qd in zip(numeric.joints, coordinates, numeric.joint_rates(self.inputs["qd"]), strict=True):
            if joint.kind.H_star_rate is None:
                found.append(np.zeros(6))
            else:
                columns = joint.kind.H_star_rate(joint.geometry, q, qd, math.cos, math.sin)
                found.append(np.array(columns, dtype=float).T @ np.array(qd))
        return _stacked(reversed(found))


def _stacked(parts: Iterable[ArrayLike]) -> Array:
    """Vectors one below the other; of length 0 where there is none, as of a robot without joints."""
    return np.concatenate([np.zeros(0), *map(np.asarray, parts)])


def _cross_motion(V: Array) -> Array:
    return np.block(
        [[cross_matrix(V[:3]), np.zeros((3, 3))], [cross_matrix(V[3:]), cross_matrix(V[:3])]],
    )


DENSE_OPERATORS = Oracle(
    "dense operators",
    "the operators H, φ, ψ, K, D as dense matrices from their definitions, NumPy",
    DenseQuantities,
    _obstacle,
    states=lambda model: max(4, 4000 // max(1, model.n**2)),
)
