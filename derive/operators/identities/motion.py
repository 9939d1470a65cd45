"""A robot in motion, told by derivatives of its bodies' poses alone: the truth that statements about motions are held to.

Positions, velocities and accelerations come from 4×4 transforms differentiated by the product rule
(`derive.reference.lagrange`), forces from integrals of acceleration over the bodies: no formula of sections 1, 2 or 17 of
the specification is used. Everything is in inertial axes and in the papers' numbering, index 0 for body 1. Lists of
bodies have the ground as their last element, so that the parent `NO_PARENT` = −1 finds it there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np

from derive.model import Model
from derive.operators.block_system import NO_PARENT, Array
from derive.random_models import random_chain, random_tree
from derive.reference import inverse_dynamics, lagrange
from derive.reference.bodies import TextbookBody, textbook, tip_arrays
from derive.reference.lagrange import Jet, pose_jets, pseudo_inertia
from derive.states import random_state

GRAVITY = np.array([1.0, -2.0, -9.0])  # oblique, so that no component is out of sight


@dataclass(frozen=True, eq=False)
class Motion:
    """A model at (q, q̇, q̈), its first tip exerting `f_tip` = [moment; force] on the environment, in inertial axes."""

    model: Model
    q: Array
    qd: Array
    qdd: Array
    f_tip: Array

    @property
    def n(self) -> int:
        """Number of bodies."""
        return self.model.n

    @cached_property
    def bodies(self) -> tuple[TextbookBody, ...]:
        """Mass, mass centre, inertia about it, and joint of each body, in its own axes."""
        return tuple(reversed(textbook(self.model)))

    @cached_property
    def parent(self) -> tuple[int, ...]:
        """The parent of each body, `NO_PARENT` for the ground."""
        return tuple(NO_PARENT if body.parent == NO_PARENT else self.n - 1 - body.parent for body in self.bodies)

    @cached_property
    def kinds(self) -> tuple[str, ...]:
        """The kind of each body's joint."""
        return tuple(body.joint.kind.name for body in self.bodies)

    def by_joint(self, x: Array) -> tuple[Array, ...]:
        """A vector in the model's order, such as q̇, cut into joints."""
        return tuple(x[where] for where in reversed(self.model.v_slices))

    def in_paper_order(self, x: Array) -> Array:
        """A vector in the model's order with its joints in the papers'."""
        return np.concatenate(self.by_joint(x))

    @cached_property
    def beta(self) -> tuple[Array, ...]:
        """The rates of each joint."""
        return self.by_joint(self.qd)

    @cached_property
    def beta_dot(self) -> tuple[Array, ...]:
        """The rates of the rates of each joint."""
        return self.by_joint(self.qdd)

    @cached_property
    def jets(self) -> tuple[Jet, ...]:
        """Each body's transform to the inertial frame and its two derivatives, the ground last."""
        still = Jet(np.eye(4), np.zeros((4, 4)), np.zeros((4, 4)))
        return (*reversed(pose_jets(self.model, self.q, self.qd, self.qdd)), still)

    @cached_property
    def R(self) -> tuple[Array, ...]:
        """Rotations, body to inertial axes."""
        return tuple(jet.T[:3, :3] for jet in self.jets)

    @cached_property
    def O(self) -> tuple[Array, ...]:  # noqa: E743 - the papers' letter
        """Positions of the points O_k."""
        return tuple(jet.T[:3, 3] for jet in self.jets)

    @cached_property
    def V(self) -> tuple[Array, ...]:
        """[ω; v] from ω̃ = ṘR* and v = Ȯ."""
        return tuple(np.array([*_vee(j.T1[:3, :3] @ j.T[:3, :3].T), *j.T1[:3, 3]]) for j in self.jets)

    @cached_property
    def alpha(self) -> tuple[Array, ...]:
        """[ω̇; v̇] from the derivative of ṘR* and v̇ = Ö."""
        return tuple(np.array([*_vee(j.T2[:3, :3] @ j.T[:3, :3].T), *j.T2[:3, 3]]) for j in self.jets)

    @cached_property
    def body_rates(self) -> tuple[Array, ...]:
        """d/dt of the components of [ω; v] in the body's own axes."""
        return tuple(map(twist_rate, self.jets))

    @cached_property
    def net_force(self) -> tuple[Array, ...]:
        """[∫(x − O_k) × ẍ dm; ∫ẍ dm] over each body."""
        forces = []
        for body, j, origin in zip(self.bodies, self.jets, self.O, strict=False):
            moments = j.T2 @ pseudo_inertia(body) @ j.T.T  # ∫ ẍ [x; 1]* dm
            push = moments[:3, 3]
            forces.append(np.array([*(2 * _vee(moments[:3, :3] - np.outer(push, origin))), *push]))
        return tuple(forces)

    @cached_property
    def joint_force(self) -> tuple[Array, ...]:
        """f(k) at O_k: what moves the bodies outboard of joint k and loads the tip; moments in 3-vectors."""
        tip, point = self.tip
        loads = [(k, self.O[k], force) for k, force in enumerate(self.net_force)] + [(tip, point, self.f_tip)]
        forces = [np.zeros(6) for _ in range(self.n)]
        for body, at, force in loads:
            k = body
            while k != NO_PARENT:
                forces[k] = forces[k] + np.array([*(force[:3] + np.cross(at - self.O[k], force[3:])), *force[3:]])
                k = self.parent[k]
        return tuple(forces)

    @cached_property
    def tip(self) -> tuple[int, Array]:
        """The body of the first tip, and where the tip is."""
        body, _, point = tip_arrays(self.model.numeric().tips[0])
        k = self.n - 1 - body
        return k, self.O[k] + self.R[k] @ point

    @cached_property
    def tip_motion(self) -> tuple[Array, Array]:
        """V(0) and α(0) of the first tip."""
        k, point = self.tip
        own = np.array([*(self.R[k].T @ (point - self.O[k])), 1.0])
        velocity, acceleration = (derivative @ own for derivative in self.jets[k][1:])
        return np.array([*self.V[k][:3], *velocity[:3]]), np.array([*self.alpha[k][:3], *acceleration[:3]])

    def torques(self, gravity: Array) -> Array:
        """Joint forces of Lagrange's equations without tip force, in the papers' order."""
        return self.in_paper_order(lagrange.inverse_dynamics(self.model, self.q, self.qd, self.qdd, gravity=gravity))

    @cached_property
    def loaded_torques(self) -> Array:
        """Joint forces with the tip force and without gravity, from the reference, in the papers' order."""
        state = self.model, self.q, self.qd, self.qdd
        return self.in_paper_order(inverse_dynamics(*state, self.f_tip, gravity=np.zeros(3)))

    def mass_matrix(self, q: Array) -> Array:
        """𝓜 of Lagrange's equations, in the papers' order; q may be complex."""
        order = np.concatenate([np.r_[where] for where in reversed(self.model.v_slices)])
        return np.asarray(lagrange.mass_matrix(self.model, q)[np.ix_(order, order)])


def twist_rate(jet: Jet) -> Array:
    """d/dt of [ω; v] in the moving frame's own axes: of the twist T⁻¹Ṫ."""
    twist = np.linalg.solve(jet.T, jet.T1)
    rate = np.linalg.solve(jet.T, jet.T2) - twist @ twist
    return np.array([*_vee(rate[:3, :3]), *rate[:3, 3]])


@lru_cache(maxsize=64)
def random_motions(kinds: tuple[str, ...], seed: int, *, serial: bool = False) -> tuple[Motion, ...]:
    """Chains and (unless `serial`) trees of one to seven bodies with joints of these kinds, moving at random."""
    models = [random_chain(1, seed, kinds), random_chain(7, seed, kinds)]
    if not serial:
        models += [random_tree(6, seed, kinds), random_tree(4, seed, kinds, floating="floating" in kinds)]
    rng = np.random.default_rng(seed)
    return tuple(Motion(model, *random_state(model, rng), f_tip=rng.standard_normal(6)) for model in models)


def _vee(A: Array) -> Array:
    """x of the antisymmetric part x̃ of a 3×3 matrix."""
    return 0.5 * np.array([A[2, 1] - A[1, 2], A[0, 2] - A[2, 0], A[1, 0] - A[0, 1]])
