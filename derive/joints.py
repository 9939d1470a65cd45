"""Joint kinds: coordinates, configuration map, and H*(k) of each [SOA-10, SOA-13, SOA-140].

The child body's frame is the joint frame carried along by the motion. `configuration` gives where it went, `H_star` the
velocity [ω; v] of the child relative to its parent per unit rate, in the child's own axes. Both work on any scalar: pass the
`cos` and `sin` that belong to it. Constant coefficients stay plain floats and exact zeros are never multiplied in.

This table is the code generator's view. `derive.reference` has its own (products of exponentials) and a test compares them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from derive.algebra import Any3, Any3x3, added, applied, crossed, multiplied, plus, scaled, times, transposed
from derive.frames import IDENTITY, Direction, in_plane_axes
from derive.parameters import Scalar

Column: TypeAlias = tuple[Any, ...]  # six entries, [angular; linear]
Function: TypeAlias = Callable[[Any], Any]


@dataclass(frozen=True)
class Geometry:
    """What a joint kind needs to know besides its coordinates."""

    axis: Direction = (1.0, 0.0, 0.0)
    axis2: Direction = (0.0, 1.0, 0.0)  # universal only: the child-side axis, in the joint frame at q = 0
    pitch: Scalar = 0.0  # helical only: metres per radian


@dataclass(frozen=True)
class JointKind:
    """One kind of joint. `coordinates` label q, `rates` label q̇ (generalised speeds where the kind has a quaternion)."""

    name: str
    coordinates: tuple[str, ...]
    rates: tuple[str, ...]
    configuration: Callable[[Geometry, Sequence[Any], Function, Function], tuple[Any3x3, Any3]]
    H_star: Callable[[Geometry, Sequence[Any], Function, Function], tuple[Column, ...]]
    neutral: tuple[float, ...]
    H_star_rate: Callable[[Geometry, Sequence[Any], Sequence[Any], Function, Function], tuple[Column, ...]] | None = (
        None
    )
    """dH*/dt at (q, q̇) as columns in the child's axes; None where H* is constant there [SOA-140, SOA-142]."""
    turn: int | None = None
    """The coordinate that turns the child about `axis`, where that is all that turns it."""

    @property
    def nq(self) -> int:
        """Number of configuration variables."""
        return len(self.coordinates)

    @property
    def nv(self) -> int:
        """Number of rates: r(k), the columns of H*(k)."""
        return len(self.rates)

    @property
    def is_vector_space(self) -> bool:
        """Whether the rates are the time derivatives of the coordinates."""
        return self.nq == self.nv


def rotation(axis: Direction, c: Any, s: Any) -> Any3x3:
    """Rotation about `axis` by the angle whose cosine and sine are c and s; constant entries stay floats."""
    x, y, z = axis
    skew = ((0.0, -z, y), (z, 0.0, -x), (-y, x, 0.0))

    def entry(i: int, j: int) -> Any:
        along = axis[i] * axis[j]
        return plus(along, plus(times(c, IDENTITY[i][j] - along), times(s, skew[i][j])))

    first, second, third = ((entry(i, 0), entry(i, 1), entry(i, 2)) for i in range(3))
    return (first, second, third)


def rotation_from_quaternion(x: Any, y: Any, z: Any, w: Any) -> Any3x3:
    """Body to joint axes for the unit quaternion xyzw [SOA-67]."""
    return (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )


STILL: Any3 = (0.0, 0.0, 0.0)


def _revolute(g: Geometry, q: Sequence[Any], cos: Function, sin: Function) -> tuple[Any3x3, Any3]:
    return rotation(g.axis, cos(q[0]), sin(q[0])), STILL


def _revolute_H(g: Geometry, q: Sequence[Any], cos: Function, sin: Function) -> tuple[Column, ...]:
    return ((*g.axis, *STILL),)


def _prismatic(g: Geometry, q: Sequence[Any], cos: Function, sin: Function) -> tuple[Any3x3, Any3]:
    return IDENTITY, scaled(g.axis, q[0])


def _prismatic_H(g: Geometry, q: Sequence[Any], cos: Function, sin: Function) -> tuple[Column, ...]:
    return ((*STILL, *g.axis),)


def _helical(g: Geometry, q: Sequence[Any], cos: Function, sin: Function) -> tuple[Any3x3, Any3]:
    return rotation(g.axis, cos(q[0]), sin(q[0])), scaled(g.axis, times(q[0], g.pitch))


def _helical_H(g: Geometry, q: Sequence[Any], cos: Function, sin: Function) -> tuple[Column, ...]:
    return ((*g.axis, *scaled(g.axis, g.pitch)),)


def _cylindrical(g: Geometry, q: Sequence[Any], cos: Function, sin: Function) -> tuple[Any3x3, Any3]:
    return rotation(g.axis, cos(q[0]), sin(q[0])), scaled(g.axis, q[1])


def _cylindrical_H(g: Geometry, q: Sequence[Any], cos: Function, sin: Function) -> tuple[Column, ...]:
    return ((*g.axis, *STILL), (*STILL, *g.axis))


def _universal(g: Geometry, q: Sequence[Any], cos: Function, sin: Function) -> tuple[Any3x3, Any3]:
    first = rotation(g.axis, cos(q[0]), sin(q[0]))
    second = rotation(g.axis2, cos(q[1]), sin(q[1]))
    return multiplied(first, second), STILL


def _universal_H(g: Geometry, q: Sequence[Any], cos: Function, sin: Function) -> tuple[Column, ...]:
    second = rotation(g.axis2, cos(q[1]), sin(q[1]))
    return ((*applied(transposed(second), g.axis), *STILL), (*g.axis2, *STILL))


def _universal_H_rate(
    g: Geometry, q: Sequence[Any], v: Sequence[Any], cos: Function, sin: Function
) -> tuple[Column, ...]:
    first, _ = _universal_H(g, q, cos, sin)
    return (*scaled(crossed(first[:3], g.axis2), v[1]), *STILL), (*STILL, *STILL)


def _planar(g: Geometry, q: Sequence[Any], cos: Function, sin: Function) -> tuple[Any3x3, Any3]:
    u, w = in_plane_axes(g.axis)
    return rotation(g.axis, cos(q[2]), sin(q[2])), added(scaled(u, q[0]), scaled(w, q[1]))


def _planar_H(g: Geometry, q: Sequence[Any], cos: Function, sin: Function) -> tuple[Column, ...]:
    u, w = in_plane_axes(g.axis)
    R = rotation(g.axis, cos(q[2]), sin(q[2]))
    return ((*STILL, *applied(transposed(R), u)), (*STILL, *applied(transposed(R), w)), (*g.axis, *STILL))


def _planar_H_rate(g: Geometry, q: Sequence[Any], v: Sequence[Any], cos: Function, sin: Function) -> tuple[Column, ...]:
    along_u, along_w, _ = _planar_H(g, q, cos, sin)
    slides = (scaled(crossed(column[3:], g.axis), v[2]) for column in (along_u, along_w))
    return (*((*STILL, *turned) for turned in slides), (*STILL, *STILL))


def _spherical(g: Geometry, q: Sequence[Any], cos: Function, sin: Function) -> tuple[Any3x3, Any3]:
    return rotation_from_quaternion(*q), STILL


def _spherical_H(g: Geometry, q: Sequence[Any], cos: Function, sin: Function) -> tuple[Column, ...]:
    return tuple((*axis, *STILL) for axis in IDENTITY)


def _floating(g: Geometry, q: Sequence[Any], cos: Function, sin: Function) -> tuple[Any3x3, Any3]:
    return rotation_from_quaternion(*q[3:]), (q[0], q[1], q[2])


def _floating_H(g: Geometry, q: Sequence[Any], cos: Function, sin: Function) -> tuple[Column, ...]:
    return tuple((*axis, *STILL) for axis in IDENTITY) + tuple((*STILL, *axis) for axis in IDENTITY)


_KINDS = (
    JointKind("revolute", ("angle",), ("rate",), _revolute, _revolute_H, (0.0,), turn=0),
    JointKind("continuous", ("angle",), ("rate",), _revolute, _revolute_H, (0.0,), turn=0),
    JointKind("prismatic", ("slide",), ("rate",), _prismatic, _prismatic_H, (0.0,)),
    JointKind("helical", ("angle",), ("rate",), _helical, _helical_H, (0.0,), turn=0),
    JointKind("cylindrical", ("angle", "slide"), ("turn_rate", "slide_rate"), _cylindrical, _cylindrical_H, (0.0, 0.0), turn=0),
    JointKind("universal", ("angle1", "angle2"), ("rate1", "rate2"), _universal, _universal_H, (0.0, 0.0), _universal_H_rate),
    JointKind("planar", ("x", "y", "angle"), ("vx", "vy", "rate"), _planar, _planar_H, (0.0, 0.0, 0.0), _planar_H_rate, turn=2),
    JointKind("spherical", ("qx", "qy", "qz", "qw"), ("wx", "wy", "wz"), _spherical, _spherical_H, (0.0, 0.0, 0.0, 1.0)),
    JointKind(
        "floating",
        ("x", "y", "z", "qx", "qy", "qz", "qw"),
        ("wx", "wy", "wz", "vx", "vy", "vz"),
        _floating,
        _floating_H,
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0),
    ),
)  # fmt: skip
JOINT_KINDS: Mapping[str, JointKind] = {kind.name: kind for kind in _KINDS}
