"""Kane's equations in world axes with 50 digits, straight from the `Model`: shares no algorithm with any other code here.

Every body has partial velocities, the derivatives of its angular velocity and of its origin's velocity by each rate. The mass
matrix and the forces are sums over bodies of products of partial velocities with inertia and with inertial forces; there is no
recursion of forces, no spatial vector and no link frame. A joint is a row of elementary motions (a turn, a slide, a screw), or
a free rotation with or without a free translation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import mpmath
import numpy as np

from codegen.interpret import Namespace
from codegen.trust.laws.stencils import motions as motions_of
from codegen.trust.laws.stencils import moved as moved_along
from codegen.trust.oracles.oracle import Oracle
from codegen.trust.quantities import Quantities
from derive.frames import in_plane_axes
from derive.model import GROUND, Joint
from derive.parameters import number
from derive.states import Array

DIGITS = 50
CONTEXT = mpmath.MPContext()
CONTEXT.dps = DIGITS + 10
SCALARS = Namespace(CONTEXT.sin, CONTEXT.cos, CONTEXT.sqrt, CONTEXT.mpf)  # for programs carried out with 50 digits
MATRIX_WORK = 1500  # states are judged while states·nv² stays below this
mpf = CONTEXT.mpf
STEP = mpf("1e-20")  # of differences: what is left out is of the order of its square, what cancels are 20 of 60 digits


def exactly(values: Any) -> Array:
    """Numbers of 50 digits, equal to the given ones."""
    array = np.asarray(values)
    array = array if array.dtype == object else array.astype(float)
    return np.array([mpf(x) for x in array.flat], dtype=object).reshape(array.shape)


def cross(a: Array, b: Array) -> Array:
    """a × b."""
    return np.array([a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]], dtype=object)


ZERO = exactly([0, 0, 0])


@dataclass
class Frame:
    """A frame in the world: axes, origin, motion, and (ω, v) per unit of each rate it depends on."""

    R: Array = field(default_factory=lambda: exactly(np.eye(3)))
    p: Array = field(default_factory=lambda: ZERO)
    omega: Array = field(default_factory=lambda: ZERO)
    v: Array = field(default_factory=lambda: ZERO)
    alpha: Array = field(default_factory=lambda: ZERO)
    a: Array = field(default_factory=lambda: ZERO)
    partial: dict[int, tuple[Array, Array]] = field(default_factory=dict)

    def placed(self, R: Array, p: Array) -> Frame:
        """A frame fixed in this one."""
        arm = self.R @ p
        return Frame(
            self.R @ R,
            self.p + arm,
            self.omega,
            self.v + cross(self.omega, arm),
            self.alpha,
            self.a + cross(self.alpha, arm) + cross(self.omega, cross(self.omega, arm)),
            {j: (w, u + cross(w, arm)) for j, (w, u) in self.partial.items()},
        )

    def turned(self, R: Array, axis: Array, rate: Any, acceleration: Any) -> Frame:
        """The frame at rotation R in this one that turns about `axis` (world axes) through its origin."""
        spin = axis * rate
        alpha = self.alpha + axis * acceleration + cross(self.omega, spin)
        return Frame(self.R @ R, self.p, self.omega + spin, self.v, alpha, self.a, dict(self.partial))

    def slid(self, direction: Array, amount: Any, rate: Any, acceleration: Any) -> Frame:
        """The frame that has slid along `direction` (world axes), which is fixed in this one."""
        carried = self.placed(exactly(np.eye(3)), self.R.T @ direction * amount)
        carried.v = carried.v + direction * rate
        carried.a = carried.a + direction * acceleration + 2 * cross(self.omega, direction * rate)
        return carried

    def gains(self, rate: int, omega: Array, v: Array, share: Any) -> None:
        """Count a motion per unit of a rate."""
        w, u = self.partial.get(rate, (ZERO, ZERO))
        self.partial[rate] = (w + omega * share, u + v * share)


def rotation(axis: Array, angle: Any) -> Array:
    """Rodrigues' formula in the form that needs no unit axis to be symmetric: a a* + cos (I − a a*) + sin ã."""
    c, s = CONTEXT.cos(angle), CONTEXT.sin(angle)
    along, (x, y, z) = np.outer(axis, axis), axis
    skew = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], dtype=object)
    return np.asarray(along + (exactly(np.eye(3)) - along) * c + skew * s)


def rotation_of_quaternion(x: Any, y: Any, z: Any, w: Any) -> Array:
    """1 + (2 w ũ + 2 ũ²)/|q|², a rotation whatever the length."""
    U = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]], dtype=object)
    return np.asarray(exactly(np.eye(3)) + (U * w + U @ U) * (2 / (x * x + y * y + z * z + w * w)))


def motions(joint: Joint) -> list[tuple[Array | None, Array | None, Any]]:
    """Elementary motions in order: (axis of a turn, axis of a slide, pitch)."""
    axis, pitch = exactly(joint.geometry.axis), mpf(number(joint.geometry.pitch))
    match joint.kind.name:
        case "prismatic":
            return [(None, axis, 0)]
        case "helical":
            return [(axis, axis, pitch)]
        case "cylindrical":
            return [(axis, None, 0), (None, axis, 0)]
        case "universal":
            return [(axis, None, 0), (exactly(joint.geometry.axis2), None, 0)]
        case "planar":
            u, w = in_plane_axes(joint.geometry.axis)
            return [(None, exactly(u), 0), (None, exactly(w), 0), (axis, None, 0)]
    return [(axis, None, 0)]


class KaneQuantities(Quantities):
    """All quantities with 50 digits, as arrays of mpmath numbers."""

    def _frames(self, qd: Array, qdd: Array) -> list[Frame]:
        """Every body's frame under these rates and accelerations."""
        model, ground = self.model.numeric(), Frame()
        frames: list[Frame] = []
        q, qd, qdd = exactly(self.inputs["q"]), exactly(qd), exactly(qdd)
        each = zip(
            model.joints,
            model.joint_coordinates(q),
            model.joint_rates(qd),
            model.joint_rates(qdd),
            model.v_slices,
            strict=True,
        )
        for joint, own, speed, acceleration, rows in each:
            parent = ground if joint.parent == GROUND else frames[joint.parent]
            at = parent.placed(
                exactly(joint.placement.rotation), exactly([number(x) for x in joint.placement.translation])
            )
            share = mpf(1) if joint.mimic is None else mpf(joint.mimic.multiplier)
            frames.append(moved(at, joint, own, speed, acceleration, rows.start, share))
        return frames

    @cached_property
    def _moving(self) -> list[Frame]:
        return self._frames(self.inputs["qd"], 0 * self.inputs["qd"])

    @cached_property
    def pose(self) -> tuple[Array, Array]:
        """Of the first tip."""
        return self._tip.R, self._tip.p

    @cached_property
    def _tip(self) -> Frame:
        tip = self.model.numeric().tips[0]
        place = exactly(tip.placement.rotation), exactly([number(x) for x in tip.placement.translation])
        return (self._moving[tip.body] if tip.body != GROUND else Frame()).placed(*place)

    @cached_property
    def jacobian(self) -> Array:
        """The tip's partial velocities."""
        J = exactly(np.zeros((6, self.model.nv)))
        for j, (w, u) in self._tip.partial.items():
            J[:3, j], J[3:, j] = w, u
        return J

    @cached_property
    def mass(self) -> Array:
        """Σ over bodies of m v_i·v_j + v_i·(ω_j × h) + v_j·(ω_i × h) + ω_i·𝓘 ω_j, and armature."""
        M = exactly(np.zeros((self.model.nv, self.model.nv)))
        for frame, m, h, inertia in self._bodies(self._moving):
            partial = sorted(frame.partial.items())
            loads = [(j, u * m + cross(w, h), inertia @ w + cross(h, u)) for j, (w, u) in partial]
            for i, (w, u) in partial:
                for j, F, N in loads:
                    if j <= i:
                        M[i, j] = M[i, j] + u @ F + w @ N
        for j, rotor in self._armature():
            M[j, j] = M[j, j] + rotor
        return np.array([[M[max(i, j), min(i, j)] for j in range(len(M))] for i in range(len(M))], dtype=object)

    @cached_property
    def bias(self) -> Array:
        """Of a motion without acceleration."""
        return self._projected(self._moving)

    @cached_property
    def weight(self) -> Array:
        """Of no motion."""
        still = 0 * self.inputs["qd"]
        return self._projected(self._frames(still, still))

    def forces(self, f_tip: Array | None) -> Array:
        """Of the motion."""
        tau = self._projected(self._frames(self.inputs["qd"], self.inputs["qdd"]))
        for j, rotor in self._armature():
            tau[j] = tau[j] + rotor * mpf(self.inputs["qdd"][j])
        return np.asarray(tau + self.loaded(f_tip))

    def loaded(self, f_tip: Array | None) -> Any:
        """J* f."""
        return 0 if f_tip is None else self.jacobian.T @ exactly(f_tip)

    @cached_property
    def sensitivity(self) -> Array:
        """By central differences with a step of 1e-20."""
        return np.array([(a.mass - b.mass) / (2 * STEP) for a, b in self._neighbours], dtype=object)

    @cached_property
    def jacobian_rate(self) -> Array:
        """The same of the jacobian."""
        changes = [(a.jacobian - b.jacobian) / (2 * STEP) for a, b in self._neighbours]
        return np.asarray(sum(d * mpf(rate) for d, rate in zip(changes, self.inputs["qd"], strict=True)))

    def force_derivatives(self, qdd: Array) -> tuple[Array, Array]:
        """The same of the forces; they are quadratic in the rates, so a step of 1 is exact there."""
        along = [(a.forces_at(qdd) - b.forces_at(qdd)) / (2 * STEP) for a, b in self._neighbours]
        by_rates = []
        for unit in exactly(np.eye(self.model.nv)):
            a, b = (replace(self, inputs={**self.inputs, "qd": exactly(self.inputs["qd"]) + s * unit}) for s in (1, -1))
            by_rates.append((a.forces_at(qdd) - b.forces_at(qdd)) / 2)
        return np.array(along, dtype=object).T, np.array(by_rates, dtype=object).T

    def forces_at(self, qdd: Array) -> Array:
        """Forces without armature, which no derivative sees."""
        return self._projected(self._frames(self.inputs["qd"], qdd))

    @cached_property
    def _neighbours(self) -> list[tuple[KaneQuantities, KaneQuantities]]:
        """The robot a small step along each rate, to either side."""
        q = exactly(self.inputs["q"])[None]
        return [
            tuple(  # type: ignore[misc]
                replace(self, inputs={**self.inputs, "q": moved_along(q, motion, h, CONTEXT.sin, CONTEXT.cos)[0]})
                for h in (STEP, -STEP)
            )
            for motion in motions_of(self.model)
        ]

    @cached_property
    def kinetic_energy(self) -> Any:
        """½ Σ m v·v + 2 v·(ω × h) + ω·𝓘 ω, and rotors."""
        total = mpf(0)
        for frame, m, h, inertia in self._bodies(self._moving):
            w, v = frame.omega, frame.v
            total += m * (v @ v) + 2 * (v @ cross(w, h)) + w @ inertia @ w
        return (total + sum(rotor * mpf(self.inputs["qd"][j]) ** 2 for j, rotor in self._armature())) / 2

    @cached_property
    def potential_energy(self) -> Any:
        """−Σ g·(m p + h)."""
        g = exactly(self.gravity)
        return -sum((g @ (frame.p * m + h) for frame, m, h, _ in self._bodies(self._moving)), mpf(0))

    def solve(self, matrix: Array, right: Array) -> Array:
        """By Gauss–Jordan elimination with pivots."""
        a, x = exactly(matrix), exactly(right).reshape(len(matrix), -1)
        for k in range(len(a)):
            pivot = max(range(k, len(a)), key=lambda i: abs(a[i, k]))
            a[[k, pivot]], x[[k, pivot]] = a[[pivot, k]], x[[pivot, k]]
            for i in range(len(a)):
                if i != k and a[i, k] != 0:
                    ratio = a[i, k] / a[k, k]
                    a[i, k:] = a[i, k:] - a[k, k:] * ratio
                    x[i] = x[i] - x[k] * ratio
        return np.asarray(x / np.diag(a)[:, None]).reshape(right.shape)

    def _projected(self, frames: Sequence[Frame]) -> Array:
        """Σ over bodies of ω_j·N + v_j·F with F = m a + α × h + ω × (ω × h), N = 𝓘 α + ω × 𝓘 ω + h × a; a without g."""
        tau, g = exactly(np.zeros(self.model.nv)), exactly(self.gravity)
        for frame, m, h, inertia in self._bodies(frames):
            a = frame.a - g
            F = a * m + cross(frame.alpha, h) + cross(frame.omega, cross(frame.omega, h))
            N = inertia @ frame.alpha + cross(frame.omega, inertia @ frame.omega) + cross(h, a)
            for j, (w, u) in frame.partial.items():
                tau[j] = tau[j] + w @ N + u @ F
        return tau

    def _bodies(self, frames: Iterable[Frame]) -> Iterator[tuple[Frame, Any, Array, Array]]:
        """Each body that has inertia: frame, mass, first moment and inertia about its origin, in world axes."""
        for frame, body in zip(frames, self.model.numeric().bodies, strict=True):
            if not body.inertia.is_zero:
                xx, xy, xz, yy, yz, zz = (mpf(number(x)) for x in body.inertia.inertia)
                own = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], dtype=object)
                h = frame.R @ exactly([number(x) for x in body.inertia.moment])
                yield frame, mpf(number(body.inertia.mass)), h, frame.R @ own @ frame.R.T

    def _armature(self) -> Iterator[tuple[int, Any]]:
        for joint, rows in zip(self.model.numeric().joints, self.model.v_slices, strict=True):
            share = mpf(1) if joint.mimic is None else mpf(joint.mimic.multiplier)
            for j, rotor in enumerate(joint.armature):
                yield rows.start + j, mpf(number(rotor)) * share**2


def moved(
    at: Frame, joint: Joint, q: Sequence[Any], qd: Sequence[Any], qdd: Sequence[Any], first: int, share: Any
) -> Frame:
    """The child's frame, from the joint's; its rates are numbers `first` … and count with `share`."""
    if not joint.kind.is_vector_space:
        return _moved_freely(at, q, qd, qdd, first)
    for i, (turn, slide, pitch) in enumerate(motions(joint)):
        still = exactly(np.zeros(6)).reshape(2, 3)
        omega, v = still[0], still[1]
        if turn is not None:
            omega = at.R @ turn
        if slide is not None:
            v = at.R @ slide * (pitch if turn is not None else 1)
            at = at.slid(v, q[i], qd[i], qdd[i])
        if turn is not None:
            at = at.turned(rotation(turn, q[i]), omega, qd[i], qdd[i])
        at.gains(first + i, omega, v, share)
    return at


def _moved_freely(at: Frame, q: Sequence[Any], qd: Sequence[Any], qdd: Sequence[Any], first: int) -> Frame:
    """A spherical or floating joint: rates are in the child's axes."""
    R = rotation_of_quaternion(*q[-4:])
    floats = len(q) == 7
    carried = at.placed(exactly(np.eye(3)), np.array(q[:3], dtype=object)) if floats else at
    axes = carried.R @ R
    omega_r, spin_up = axes @ np.array(qd[:3], dtype=object), axes @ np.array(qdd[:3], dtype=object)
    child = Frame(axes, carried.p, carried.omega + omega_r, carried.v, carried.alpha, carried.a, dict(carried.partial))
    child.alpha = carried.alpha + spin_up + cross(carried.omega, omega_r)
    for i in range(3):
        child.gains(first + i, axes[:, i], ZERO, 1)
    if floats:
        v_r, speed_up = axes @ np.array(qd[3:], dtype=object), axes @ np.array(qdd[3:], dtype=object)
        child.v = carried.v + v_r
        child.a = carried.a + speed_up + cross(child.omega, v_r) + cross(carried.omega, v_r)
        for i in range(3):
            child.gains(first + 3 + i, ZERO, axes[:, i], 1)
    return child


MPMATH50 = Oracle(
    "50 digits",
    "Kane's equations in world axes with 50 digits (mpmath), from the model alone",
    KaneQuantities,
    states=lambda model: min(16, max(2, MATRIX_WORK // max(1, model.nv**2))),
    exact=True,
    version=lambda: f"mpmath {mpmath.__version__}",
)
