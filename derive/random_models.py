"""Random robots for tests and benchmarks: chains and trees of any size, the same for the same seed on every machine."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence

from derive.frames import Direction, Placement, normalised, rotation_about
from derive.inertia import Inertia
from derive.joints import JOINT_KINDS, Geometry
from derive.model import GROUND, Body, Frame, Joint, Model

ONE_DOF = ("revolute", "prismatic", "helical")
ALL_KINDS = tuple(JOINT_KINDS)


def random_chain(n: int, seed: int, kinds: Sequence[str] = ("revolute",), *, floating: bool = False) -> Model:
    """A serial chain of `n` bodies with joints drawn from `kinds`; `floating` makes the first one a floating base."""
    return _random_model(f"random_chain_{n}_{seed}", n, seed, kinds, lambda k, _: k - 1, floating)


def random_tree(n: int, seed: int, kinds: Sequence[str] = ("revolute",), *, floating: bool = False) -> Model:
    """A tree of `n` bodies; each hangs on one of the few bodies before it, so that branches grow long."""
    return _random_model(
        f"random_tree_{n}_{seed}", n, seed, kinds, lambda k, r: max(GROUND, k - r.randint(1, 3)), floating
    )


def _random_model(
    name: str, n: int, seed: int, kinds: Sequence[str], parent: Callable[[int, random.Random], int], floating: bool
) -> Model:
    r = random.Random(f"{name}/{','.join(kinds)}/{floating}/{seed}")
    joints = []
    for k in range(n):
        kind = JOINT_KINDS["floating" if floating and k == 0 else r.choice(list(kinds))]
        hangs_on = max(0, parent(k, r)) if floating and k else parent(k, r)
        placement = Placement(rotation_about(_direction(r), r.uniform(-math.pi, math.pi)), _offset(r, 0.3))
        geometry = Geometry(*_axes(r), pitch=r.uniform(0.05, 0.2) if kind.name == "helical" else 0.0)
        zeros = (0.0,) * kind.nv
        joints.append(Joint(f"joint{k + 1}", kind, hangs_on, placement, geometry, zeros, zeros, zeros))
    bodies = tuple(Body(f"link{k + 1}", _inertia(r)) for k in range(n))
    leaves = sorted(set(range(n)) - {j.parent for j in joints})
    tips = tuple(
        Frame(f"tip{k + 1}", k, Placement(rotation_about(_direction(r), 1.0), _offset(r, 0.2))) for k in leaves
    )
    return Model(name, bodies, tuple(joints), tips, tips, source="random")


def _direction(r: random.Random) -> Direction:
    return normalised((r.gauss(0, 1), r.gauss(0, 1), r.gauss(0, 1)))


def _axes(r: random.Random) -> tuple[Direction, Direction]:
    """Two unit vectors that are never close to parallel."""
    first, second = _direction(r), _direction(r)
    while abs(sum(a * b for a, b in zip(first, second, strict=True))) > 0.9:
        second = _direction(r)
    return first, second


def _offset(r: random.Random, size: float) -> Direction:
    return (r.uniform(-size, size), r.uniform(-size, size), r.uniform(-size, size))


def _inertia(r: random.Random) -> Inertia:
    """A box of random size, mass and attitude: always physical."""
    mass = r.uniform(0.5, 3.0)
    x, y, z = (r.uniform(0.05, 0.3) for _ in range(3))
    principal = (mass * (y * y + z * z) / 12, 0.0, 0.0, mass * (z * z + x * x) / 12, 0.0, mass * (x * x + y * y) / 12)
    return Inertia(mass, inertia=principal).placed(
        Placement(rotation_about(_direction(r), r.uniform(-3, 3)), _offset(r, 0.2))
    )
