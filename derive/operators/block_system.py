"""What the operators are made of: per body, the step φ(p,k), the joint map H(k), the link inertia M(k), and the points.

A `BlockSystem` is one robot in one configuration, bodies in the papers' numbering (index 0 is body 1, the tip; a
parent's index is greater than its children's). It is made from a `Model` and q in link frames [SOA-140], or at
random. Armature is kept apart: the papers' D = HPH* has none, so it enters the operators only where the letter J_a
is used.
"""

from __future__ import annotations

import cmath
import math
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from derive.frames import Placement
from derive.model import GROUND, Model
from derive.operators.errors import EvaluationError
from derive.parameters import number
from derive.states import configuration

Array: TypeAlias = NDArray[np.floating[Any]]

#: the parent of a body that hangs on the ground
NO_PARENT = -1


@dataclass(frozen=True, eq=False)
class BlockSystem:
    """Bodies 1 … n of one robot in one state: `parent[k] > k` or `NO_PARENT`; `phi[k]` carries forces from k to its parent.

    Arrays may be complex, for complex-step derivatives. `points` are (body, φ(O_body, C)) pairs; `vectors` the values of the
    free letters T, a, b, g, f_0, qd, qdd.
    """

    name: str
    parent: tuple[int, ...]
    phi: tuple[Array, ...]  # 6×6
    H: tuple[Array, ...]  # r×6
    M: tuple[Array, ...]  # 6×6
    points: tuple[tuple[int, Array], ...]
    armature: Array  # N
    vectors: dict[str, Array] = field(default_factory=dict)
    H_along: tuple[Array, ...] = ()  # r×r×6: [c] = ∂H(k)/∂θ_c in the body's own axes; () where every H(k) is constant
    along: dict[str, Array] = field(default_factory=dict)  # index of a derivative → the joint motion it is along
    memo: dict[tuple[str, bool], Array] = field(default_factory=dict, repr=False)

    @property
    def n(self) -> int:
        """Number of bodies."""
        return len(self.parent)

    @property
    def N(self) -> int:
        """Number of degrees of freedom."""
        return sum(len(h) for h in self.H)

    @property
    def is_serial(self) -> bool:
        """Whether body k + 1 is the parent of body k throughout."""
        return all(p == k + 1 for k, p in enumerate(self.parent[:-1])) and self.parent[-1] == NO_PARENT

    @property
    def pivot(self) -> int | None:
        """The middle one of the bodies that turn about one axis: the joint ℍ_δ and ℍ_s belong to."""
        turning = [k for k, h in enumerate(self.H) if len(h) == 1 and not h[0, 3:].any()]
        return turning[len(turning) // 2] if turning else None


def random_block_system(
    seed: int, n: int, *, tree: bool = False, dofs: tuple[int, ...] = (1,), floating: bool = False
) -> BlockSystem:
    """A random system of n bodies: a chain or a tree, joints with r ∈ `dofs`, a free base if `floating`."""
    rng = np.random.default_rng([seed, n, tree, floating, *dofs])
    parent = [NO_PARENT if k == n - 1 else int(rng.integers(k + 1, n)) if tree else k + 1 for k in range(n)]
    if tree and n > 3 and not floating:
        parent[n - 2] = NO_PARENT  # two trees on one ground
    H = [_random_joint(rng, int(rng.choice(dofs))) for _ in range(n)]
    if floating:
        H[-1] = np.eye(6)
    bodies = [0, *(int(rng.integers(0, n)) for _ in range(rng.integers(0, 2)))]
    points = tuple((body, transition(_random_rotation(rng), rng.uniform(-1, 1, 3))) for body in bodies)
    N = sum(map(len, H))
    sizes = dict.fromkeys(("T", "qd", "qdd"), N) | dict.fromkeys(("a", "b", "g"), 6 * n) | {"f_0": 6 * len(points)}
    kind = ("floating " if floating else "") + ("tree" if tree else "chain")
    return BlockSystem(
        name=f"random {kind} of {n} bodies, joints with {' or '.join(map(str, dofs))} dof, seed {seed}",
        parent=tuple(parent),
        phi=tuple(transition(_random_rotation(rng), rng.uniform(-1, 1, 3)) for _ in range(n)),
        H=tuple(H),
        M=tuple(_random_inertia(rng) for _ in range(n)),
        points=points,
        armature=rng.uniform(0.1, 1.0, N),
        vectors={name: rng.standard_normal((size, 1)) for name, size in sizes.items()},
    )


def block_system(model: Model, q: Any) -> BlockSystem:
    """The system of `model` at configuration q, in link frames; raises `EvaluationError` where operators do not apply."""
    if model.has_mimics:
        raise EvaluationError(
            f"model '{model.name}' has mimic joints: its joint space is not Σ r(k); lock or free them"
        )
    state = configuration(model, q)
    numeric = model.numeric()
    order = list(reversed(range(model.n)))
    coordinates = numeric.joint_coordinates(state.tolist())
    cos, sin = (cmath.cos, cmath.sin) if np.iscomplexobj(state) else (math.cos, math.sin)
    steps, joints, changes = [], [], []
    for k in order:
        joint = numeric.joints[k]
        rotation, translation = joint.kind.configuration(joint.geometry, coordinates[k], cos, sin)
        steps.append(_placed(joint.placement.then(Placement(rotation, translation))))
        columns = joint.kind.H_star(joint.geometry, coordinates[k], cos, sin)
        joints.append(np.array(columns, dtype=state.dtype))
        rate, units = joint.kind.H_star_rate, np.eye(joint.kind.nv).tolist()
        still = np.zeros((joint.kind.nv, joint.kind.nv, 6))
        changes.append(
            still
            if rate is None
            else np.array([rate(joint.geometry, coordinates[k], unit, cos, sin) for unit in units])
        )
    parents = [numeric.joints[k].parent for k in order]
    tips = [t for t in numeric.tips if t.body != GROUND]
    return BlockSystem(
        name=f"{model.name} at q = [{', '.join(f'{x:.6g}' for x in state)}]",
        parent=tuple(NO_PARENT if p == GROUND else model.n - 1 - p for p in parents),
        phi=tuple(steps),
        H=tuple(joints),
        M=tuple(_spatial_inertia(numeric, k) for k in order),
        points=tuple((model.n - 1 - t.body, _placed(t.placement)) for t in tips),
        armature=np.array([number(x) for k in order for x in numeric.joints[k].armature]),
        H_along=tuple(changes),
    )


def cross_matrix(x: Any) -> Array:
    """The 3×3 matrix of x × [SOA-1]."""
    return np.array([[0.0, -x[2], x[1]], [x[2], 0.0, -x[0]], [-x[1], x[0], 0.0]])


def transition(Q: Any, ell: Any) -> Array:
    """φ = [[Q, ℓ̃Q], [0, Q]]: a force at the inner frame's origin, seen from the outer frame [SOA-140]."""
    rotation = np.asarray(Q) * 1.0
    return np.block([[rotation, cross_matrix(ell) @ rotation], [np.zeros((3, 3)), rotation]])


def _placed(placement: Placement) -> Array:
    return transition(placement.rotation, [number(x) for x in placement.translation])


def _spatial_inertia(model: Model, k: int) -> Array:
    """M(k) = [[𝓘, m p̃], [−m p̃, m I]] about the body frame's origin [SOA-3]."""
    inertia = model.bodies[k].inertia
    xx, xy, xz, yy, yz, zz = (number(x) for x in inertia.inertia)
    moment = cross_matrix([number(x) for x in inertia.moment])
    about_origin = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return np.block([[about_origin, moment], [-moment, number(inertia.mass) * np.eye(3)]])


def _random_rotation(rng: np.random.Generator) -> Array:
    Q, _ = np.linalg.qr(rng.standard_normal((3, 3)))
    return np.asarray(Q * np.sign(np.linalg.det(Q)))


def _random_joint(rng: np.random.Generator, r: int) -> Array:
    """H(k), r×6: revolute or sliding for one degree of freedom, all motions for six, any rank-r map between."""
    if r == 6:
        return np.eye(6)
    if r > 1:
        Q, _ = np.linalg.qr(rng.standard_normal((6, r)))
        return np.asarray(Q.T)
    axis = rng.standard_normal(3)
    axis /= np.linalg.norm(axis)
    return np.array([[*axis, 0, 0, 0] if rng.random() < 0.7 else [0, 0, 0, *axis]], dtype=float)


def _random_inertia(rng: np.random.Generator) -> Array:
    """A physical spatial inertia: mass about 1, size about 0.5 [SOA-3]."""
    mass, p = rng.uniform(0.5, 2.0), cross_matrix(rng.uniform(-0.3, 0.3, 3))
    Q = _random_rotation(rng)
    a, b, c = rng.uniform(0.05, 0.3, 3)
    central = Q @ np.diag([a + b, b + c, c + a]) @ Q.T
    return np.block([[central - mass * p @ p, mass * p], [-mass * p, mass * np.eye(3)]])
