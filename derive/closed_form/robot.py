"""One robot's closed forms, as elements of the ring, each worked out once: what the recursions of `derive.results` give.

Nothing here is an algorithm of dynamics: the recursions that make kernels run on ring elements instead of numbers. What is
added is the calculus of the ring: derivatives along the rates, and the Christoffel symbols made of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cache, cached_property
from typing import Any, TypeAlias

from derive.closed_form.determinant import determinant
from derive.closed_form.element import Element, elements_sum
from derive.closed_form.errors import ClosedFormError, TooLargeError
from derive.closed_form.exact import exact_model
from derive.closed_form.ring import Ring
from derive.closed_form.variables import Kind, Variable
from derive.instance import Instance, instance, value_of
from derive.joints import rotation_from_quaternion
from derive.model import GROUND, Joint, Model
from derive.placements import point_placement, potential_energy
from derive.results import find_result
from derive.run import Bind, run, unbound

Matrix: TypeAlias = tuple[tuple[Element, ...], ...]
STANDARD_GRAVITY = 9.81
MOST_ROWS = 7  # of a determinant that is expanded: every row doubles the minors
LIMIT = 30_000  # terms of an entry beyond which nobody wants it expanded; what is let-bound has none
WORK = (
    2_000_000  # products of two terms, a second or two: what takes more is given up before it is known how long it is
)


class ClosedForms:
    """The closed forms of `model` in q (and q̇). Gravity is along −z, the symbol g where the robot has symbols, or as given."""

    def __init__(
        self, model: Model, gravity: Sequence[float] | None = None, standard_names: Mapping[str, Any] | None = None
    ) -> None:
        self.model, self.ring = model, Ring()
        self.parameters = {name: self.ring.parameter(name) for name, _ in model.parameters}
        self.q = _coordinates(model, self.ring)
        self.qd = tuple(self.ring.rate(i, f"qd{i + 1}") for i in range(model.nv))
        self.gravity = self._gravity(gravity)
        self.standard_names = {n: value_of(s, self.parameters) for n, s in (standard_names or {}).items()}
        self.exact = exact_model(model, self.ring)
        self.has_armature = any(a != 0.0 for joint in model.joints for a in joint.armature)
        self.change = cache(self._change)
        self.bind: Bind = unbound

    def _gravity(self, gravity: Sequence[float] | None) -> tuple[Any, Any, Any]:
        if gravity is not None:
            x, y, z = map(float, gravity)
            return (x, y, z)
        if self.model.is_symbolic and "g" not in self.parameters:
            return (0.0, 0.0, -self.ring.parameter("g"))
        return (0.0, 0.0, -STANDARD_GRAVITY)

    # -- values of the symbols ------------------------------------------------------------------------------------------

    @property
    def parameter_values(self) -> dict[str, float]:
        """Default value of every parameter that may occur, gravity included."""
        values = dict(self.model.parameters)
        return values if isinstance(self.gravity[2], float) else {**values, "g": STANDARD_GRAVITY}

    # -- recursions on ring elements ------------------------------------------------------------------------------------

    def outputs(
        self, result: str, *, gravity: Sequence[Any] | None = None, bind: Bind | None = None, **inputs: Any
    ) -> dict[str, Any]:
        """The outputs of a result's recursion in closed form; point vectors of the first tip, in world axes."""
        recursion = find_result(result).recursion(armature=self.has_armature)
        tips = [self.model.tips[0].name] if self.has_tip else []
        values = {"q": list(self.q), **inputs}
        with self.ring.at_most(LIMIT, WORK):
            return run(
                recursion,
                self.exact,
                values,
                scalars=self.ring.scalars,
                parameters=self.parameters,
                gravity=self.gravity if gravity is None else gravity,
                tips=tips,
                axes="world",
                bind=bind or self.bind,
            )

    @property
    def has_tip(self) -> bool:
        """Whether there is a moving tip, so a jacobian."""
        return bool(self.model.tips) and self.model.tips[0].body != GROUND

    @cached_property
    def instance(self) -> Instance:
        """The given letters φ, H, M … of the robot in closed form; the first tip in its own axes."""
        tips = [self.model.tips[0].name] if self.has_tip else []
        return instance(self.exact, self.q, None, self.ring.scalars, parameters=self.parameters, tips=tips)

    @property
    def tip_instance(self) -> Instance:
        """The same, of a robot that has a moving tip."""
        self._require_tip("pose")
        return self.instance

    @cached_property
    def mass_matrix(self) -> Matrix:
        """𝓜(q), with armature [SOA-34]."""
        M, nv = self.outputs("mass_matrix")["mass"], self.model.nv
        upper = {(i, j): self.element(M[i, j]) for i in range(nv) for j in range(i, nv)}
        return _mirrored(upper, nv)

    @cached_property
    def gravity_forces(self) -> tuple[Element, ...]:
        """g(q): the joint forces that hold the robot still [SOA-18]."""
        return tuple(self.element(x) for x in self.outputs("gravity_forces")["tau"])

    @cached_property
    def jacobian(self) -> Matrix:
        """6 × nv, [angular; linear] at the first tip, world axes [SOA-23]."""
        self._require_tip("jacobian")
        return self.matrix(self.outputs("jacobian")["J"])

    @cached_property
    def tip_pose(self) -> tuple[Matrix, tuple[Element, ...]]:
        """Rotation and position of the first tip in the world."""
        rotation, position = point_placement(self.tip_instance, bind=self.bind)
        return self.matrix(rotation), tuple(self.element(x) for x in position)

    @cached_property
    def potential_energy(self) -> Element:
        """V(q), zero at the world's origin."""
        return self.element(potential_energy(self.instance, self.gravity, self.bind))

    @cached_property
    def kinetic_energy(self) -> Element:
        """½ q̇*𝓜q̇."""
        M, v = self.mass_matrix, self.qd
        nv = range(self.model.nv)
        halves = (M[i][j] * v[i] * v[j] * (Fraction(1, 2) if i == j else 1) for i in nv for j in nv if j >= i)
        return elements_sum(self.ring, halves)

    # -- calculus -------------------------------------------------------------------------------------------------------

    def derivative(self, element: Element, rate: int) -> Element:
        """The derivative along rate `rate` (0-based): ∂/∂q where rates are q̇, else along the generalised speed [SOA-129]."""
        return element.derivative(self.change(rate))

    def _change(self, rate: int) -> Callable[[Variable], Element | None]:
        """How each variable changes along a rate; None where it does not."""
        quaternions = self._quaternion_changes(rate)
        coordinate = self._coordinate_of_rate.get(rate)

        def change(variable: Variable) -> Element | None:
            if variable.kind in (Kind.COS, Kind.SIN):
                assert variable.angle is not None
                multiplier = dict(variable.angle[0]).get(coordinate, Fraction(0)) if coordinate is not None else 0
                if not multiplier:
                    return None
                c, s = self.ring.cosine_and_sine(variable.angle)
                return -s * multiplier if variable.kind is Kind.COS else c * multiplier
            if variable.kind is not Kind.COORDINATE:
                return None
            if variable.index == coordinate:
                return self.ring.constant(1)
            return quaternions.get(variable.index)

        return change

    @cached_property
    def _coordinate_of_rate(self) -> dict[int, int]:
        """The coordinate whose derivative a rate is, for joints without a quaternion."""
        pairs: dict[int, int] = {}
        for joint, q, v in _placed(self.model):
            if joint.kind.is_vector_space:
                pairs |= dict(zip(range(v.start, v.stop), range(q.start, q.stop), strict=True))
        return pairs

    def _quaternion_changes(self, rate: int) -> dict[int, Element]:
        """d q/dt of a spherical or floating joint at unit rate: ½ q∘ω, and R v for the position [SOA-67]."""
        for joint, at, v in _placed(self.model):
            if not joint.kind.is_vector_space and v.start <= rate < v.stop:
                x, y, z, w = (self.q[i] for i in range(at.stop - 4, at.stop))
                which, half = rate - v.start, Fraction(1, 2)
                if which >= 3:  # floating, linear part
                    R = rotation_from_quaternion(x, y, z, w)
                    return {at.start + i: self.element(R[i][which - 3]) for i in range(3)}
                turned = ((w, z, -y, -x), (-z, w, x, -y), (y, -x, w, -z))[which]
                return {at.stop - 4 + i: part * half for i, part in enumerate(turned)}
        return {}

    @cached_property
    def mass_matrix_derivatives(self) -> tuple[Matrix, ...]:
        """[k][i][j] = ∂𝓜(i,j) along rate k."""
        M, nv = self.mass_matrix, self.model.nv
        result = []
        for k in range(nv):
            upper = {(i, j): self.derivative(M[i][j], k) for i in range(nv) for j in range(i, nv)}
            result.append(_mirrored(upper, nv))
        return tuple(result)

    @cached_property
    def jacobian_rate(self) -> Matrix:
        """dJ/dt = Σ_k ∂J/∂θ_k q̇_k, 6 × nv."""

        def rate(entry: Element) -> Element:
            return elements_sum(self.ring, (self.derivative(entry, k) * v for k, v in enumerate(self.qd)))

        return tuple(tuple(rate(entry) for entry in row) for row in self.jacobian)

    @cached_property
    def bias_derivatives(self) -> tuple[Matrix, Matrix]:
        """[i][k] of what C q̇ + g of joint i changes by along rate k, and with q̇_k."""
        pairs, rates = tuple(zip(self.coriolis_forces, self.gravity_forces, strict=True)), range(self.model.nv)
        return (
            tuple(tuple(self.derivative(c + g, k) for k in rates) for c, g in pairs),
            tuple(tuple(c.derivative(self._faster(k)) for k in rates) for c, _ in pairs),
        )

    def _faster(self, rate: int) -> Callable[[Variable], Element | None]:
        """The change of q̇ by one rate alone."""
        return lambda v: self.ring.constant(1) if v.kind is Kind.RATE and v.index == rate else None

    @cached_property
    def christoffel(self) -> tuple[Matrix, ...]:
        """[i][j][k] = ℂ_i(j,k) = ½(∂𝓜(i,j)/∂q_k + ∂𝓜(i,k)/∂q_j − ∂𝓜(j,k)/∂q_i) [SOA-130]."""
        self.require_true_coordinates("Christoffel symbols")
        d, nv, half = self.mass_matrix_derivatives, self.model.nv, Fraction(1, 2)

        def symbol(i: int, j: int, k: int) -> Element:
            return (d[k][i][j] + d[j][i][k] - d[i][j][k]) * half

        result = []
        for i in range(nv):
            upper = {(j, k): symbol(i, j, k).reduced() for j in range(nv) for k in range(j, nv)}
            result.append(_mirrored(upper, nv))
        return tuple(result)

    @cached_property
    def coriolis_matrix(self) -> Matrix:
        """C(q,q̇)[i][j] = Σ_k ℂ_i(j,k) q̇_k, for which 𝓜̇ − 2C is skew."""
        nv = range(self.model.nv)
        symbols = self.christoffel
        return tuple(
            tuple(elements_sum(self.ring, (symbols[i][j][k] * self.qd[k] for k in nv)) for j in nv) for i in nv
        )

    @cached_property
    def coriolis_forces(self) -> tuple[Element, ...]:
        """C(q,q̇)q̇, Coriolis and centrifugal joint forces, by the bias recursion without gravity [SOA-24]."""
        forces = self.outputs("bias_forces", gravity=(0.0, 0.0, 0.0), qd=list(self.qd))["tau"]
        return tuple(self.element(x) for x in forces)

    @cached_property
    def determinant(self) -> Element:
        """det 𝓜 = ∏ D(k), by expansion along rows; refused when it outgrows its limit."""
        return self.minor(0)

    def minor(self, first: int) -> Element:
        """The determinant of the rows and columns of 𝓜 from `first` on."""
        if self.model.nv - first > MOST_ROWS:
            raise TooLargeError(f"a determinant of {self.model.nv - first} rows; {MOST_ROWS} are the most")
        with self.ring.at_most(LIMIT, WORK):
            return determinant(self.ring, [row[first:] for row in self.mass_matrix[first:]])

    # -- elements -------------------------------------------------------------------------------------------------------

    def element(self, x: Any) -> Element:
        """x as an element with the smallest denominator."""
        return x.reduced() if isinstance(x, Element) else self.ring.constant(x)

    def matrix(self, rows: Iterable[Iterable[Any]]) -> Matrix:
        """Rows of elements."""
        return tuple(tuple(self.element(x) for x in row) for row in rows)

    def _require_tip(self, what: str) -> None:
        if not self.has_tip:
            raise ClosedFormError(f"model '{self.model.name}' has no moving tip, so no {what}; load it with tip=…")

    def require_true_coordinates(self, what: str) -> None:
        """Refuses what is only true where every rate is the derivative of a coordinate."""
        for joint in self.model.independent_joints:
            if not joint.kind.is_vector_space:
                raise ClosedFormError(
                    f"{what} need rates that are derivatives of coordinates; joint '{joint.name}' is {joint.kind.name}, with "
                    "angular velocities: its Coriolis forces C[i] and derivatives dM[k] along the speeds are offered [SOA-129]"
                )


def _mirrored(upper: Mapping[tuple[int, int], Element], n: int) -> Matrix:
    return tuple(tuple(upper[min(i, j), max(i, j)] for j in range(n)) for i in range(n))


def _placed(model: Model) -> list[tuple[Joint, slice, slice]]:
    """Every joint with coordinates of its own, and where its coordinates and rates are."""
    each = zip(model.joints, model.q_slices, model.v_slices, strict=True)
    return [(joint, q, v) for joint, q, v in each if joint.mimic is None]


def _coordinates(model: Model, ring: Ring) -> tuple[Element, ...]:
    """q1 … qn as elements; the last four of a spherical or floating joint are a unit quaternion."""
    q: dict[int, Element] = {}
    for joint, at, _ in _placed(model):
        plain = range(at.start, at.stop if joint.kind.is_vector_space else at.stop - 4)
        q |= {i: ring.coordinate(i, f"q{i + 1}") for i in plain}
        if not joint.kind.is_vector_space:
            first = at.stop - 4
            names = (f"q{first + 1}", f"q{first + 2}", f"q{first + 3}", f"q{first + 4}")
            q |= dict(zip(range(first, at.stop), ring.quaternion(first, names), strict=True))
    return tuple(q[i] for i in range(model.nq))
