"""Which of Pinocchio's C++ algorithms computes what we compute: the table behind its timing and its tracing by CasADi.

Bodies see `model`, `data`, `q`, the rates they name, the frame index `tip` and room for J (6, nv), MJ (nv, 6) and omega (6, 6).
Where there are several ways, each is a row, and the fastest counts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from codegen.bench.peers.pinocchio_model import PinocchioRobot
from derive.states import Array

JACOBIAN = "computeFrameJacobian(model, data, q, tip, LOCAL_WORLD_ALIGNED, J);"
SYMMETRIC_INVERSE = (
    "data.Minv.template triangularView<Eigen::StrictlyLower>() = "
    "data.Minv.transpose().template triangularView<Eigen::StrictlyLower>();"
)
FACTORED = "crba(model, data, q, Convention::LOCAL); cholesky::decompose(model, data);"
SCALAR = "Eigen::Matrix<Scalar, 1, 1>::Constant"


def _forces(robot: PinocchioRobot, found: Array) -> tuple[Array, ...]:
    return (found[..., 0] @ robot.from_ours,)


def _symmetric(robot: PinocchioRobot, found: Array) -> tuple[Array, ...]:
    """From the upper triangle, which is all Pinocchio computes."""
    whole = np.triu(found) + np.triu(found, 1).swapaxes(-1, -2)
    return (robot.from_ours.T @ whole @ robot.from_ours,)


def _square(robot: PinocchioRobot, found: Array) -> tuple[Array, ...]:
    return (robot.from_ours.T @ found @ robot.from_ours,)


def _derivatives(robot: PinocchioRobot, found: Array) -> tuple[Array, ...]:
    """Two square matrices and a symmetric one, side by side."""
    along, by_rates, symmetric = np.split(found, 3, axis=-1)
    return *_square(robot, along), *_square(robot, by_rates), *_symmetric(robot, symmetric)


def _linear_first(found: Array) -> Array:
    return found[..., [3, 4, 5, 0, 1, 2], :]


def _jacobian(robot: PinocchioRobot, found: Array) -> tuple[Array, ...]:
    return (_linear_first(found) @ robot.from_ours,)


def _omega(robot: PinocchioRobot, found: Array) -> tuple[Array, ...]:
    return (_linear_first(_linear_first(found).swapaxes(-1, -2)).swapaxes(-1, -2),)


def _pose(robot: PinocchioRobot, found: Array) -> tuple[Array, ...]:
    return found[..., :3, :3], found[..., :3, 3]


def _scalar(robot: PinocchioRobot, found: Array) -> tuple[Array, ...]:
    return (found[..., 0, 0],)


@dataclass(frozen=True)
class Outcome:
    """A kind of result: its shape, in which "nv" and "3 nv" are of Pinocchio's, and what makes our outputs of rows of it."""

    shape: tuple[int | str, int | str]
    translated: Callable[[PinocchioRobot, Array], tuple[Array, ...]]

    def shape_for(self, robot: PinocchioRobot) -> tuple[int, ...]:
        """The shape for one robot."""
        named = {"nv": robot.nv, "3 nv": 3 * robot.nv}
        return tuple(named[size] if isinstance(size, str) else size for size in self.shape)


FORCES, SYMMETRIC = Outcome(("nv", 1), _forces), Outcome(("nv", "nv"), _symmetric)
JACOBIANS, OMEGA = Outcome((6, "nv"), _jacobian), Outcome((6, 6), _omega)
SQUARE, DERIVATIVES = Outcome(("nv", "nv"), _square), Outcome(("nv", "3 nv"), _derivatives)
POSE, NUMBER = Outcome((4, 4), _pose), Outcome((1, 1), _scalar)


@dataclass(frozen=True)
class Algorithm:
    """C++ statements, the expressions that then hold the result (matrices side by side), and which kind of result it is."""

    function: str
    variant: str
    rates: tuple[str, ...]
    body: str
    results: tuple[str, ...]
    outcome: Outcome

    @property
    def symbol(self) -> str:
        """Its name in C."""
        return "_".join(["peer", self.function, *self.variant.split()])

    @property
    def side_by_side(self) -> str:
        """The results as one matrix, for tracing; to store one after the other is the same, by columns."""
        if len(self.results) == 1:
            return self.results[0]
        return f"(Dense(model.nv, {len(self.results)} * model.nv) << {', '.join(self.results)}).finished()"


ALGORITHMS = (
    Algorithm("inverse_dynamics", "", ("v", "a"), "rnea(model, data, q, v, a);", ("data.tau",), FORCES),
    Algorithm("bias_forces", "", ("v",), "nonLinearEffects(model, data, q, v);", ("data.nle",), FORCES),
    Algorithm("gravity_forces", "", (), "computeGeneralizedGravity(model, data, q);", ("data.g",), FORCES),
    Algorithm("mass_matrix", "world", (), "crba(model, data, q, Convention::WORLD);", ("data.M",), SYMMETRIC),
    Algorithm("mass_matrix", "local", (), "crba(model, data, q, Convention::LOCAL);", ("data.M",), SYMMETRIC),
    Algorithm(
        "forward_dynamics", "world", ("v", "a"), "aba(model, data, q, v, a, Convention::WORLD);", ("data.ddq",), FORCES
    ),
    Algorithm(
        "forward_dynamics", "local", ("v", "a"), "aba(model, data, q, v, a, Convention::LOCAL);", ("data.ddq",), FORCES
    ),
    Algorithm(
        "forward_dynamics",
        "cholesky",
        ("v", "a"),
        f"{FACTORED} data.ddq = a - nonLinearEffects(model, data, q, v); cholesky::solve(model, data, data.ddq);",
        ("data.ddq",),
        FORCES,
    ),
    Algorithm("mass_matrix_inverse", "direct", (), "computeMinverse(model, data, q);", ("data.Minv",), SYMMETRIC),
    Algorithm(
        "mass_matrix_inverse",
        "cholesky",
        (),
        f"{FACTORED} cholesky::computeMinv(model, data, data.Minv);",
        ("data.Minv",),
        SYMMETRIC,
    ),
    Algorithm("jacobian", "", (), JACOBIAN, ("J",), JACOBIANS),
    Algorithm(
        "forward_kinematics",
        "",
        (),
        "forwardKinematics(model, data, q); updateFramePlacement(model, data, tip);",
        ("data.oMf[tip].toHomogeneousMatrix()",),
        POSE,
    ),
    Algorithm(
        "operational_space_inertia",
        "inverse",
        (),
        f"computeMinverse(model, data, q); {SYMMETRIC_INVERSE} {JACOBIAN} "
        "MJ.noalias() = data.Minv * J.transpose(); omega.noalias() = J * MJ;",
        ("omega",),
        OMEGA,
    ),
    Algorithm(
        "operational_space_inertia",
        "cholesky",
        (),
        f"{FACTORED} {JACOBIAN} MJ = J.transpose(); cholesky::solve(model, data, MJ); omega.noalias() = J * MJ;",
        ("omega",),
        OMEGA,
    ),
    Algorithm(
        "kinetic_energy",
        "",
        ("v",),
        "computeKineticEnergy(model, data, q, v);",
        (f"{SCALAR}(data.kinetic_energy)",),
        NUMBER,
    ),
    Algorithm(
        "potential_energy",
        "",
        (),
        "computePotentialEnergy(model, data, q);",
        (f"{SCALAR}(data.potential_energy)",),
        NUMBER,
    ),
    Algorithm("coriolis_matrix", "", ("v",), "computeCoriolisMatrix(model, data, q, v);", ("data.C",), SQUARE),
    Algorithm(
        "inverse_dynamics_derivatives",
        "",
        ("v", "a"),
        "computeRNEADerivatives(model, data, q, v, a);",
        ("data.dtau_dq", "data.dtau_dv", "data.M"),
        DERIVATIVES,
    ),
    Algorithm(
        "forward_dynamics_derivatives",
        "",
        ("v", "a"),
        "computeABADerivatives(model, data, q, v, a);",
        ("data.ddq_dq", "data.ddq_dv", "data.Minv"),
        DERIVATIVES,
    ),
)


def algorithms_for(function: str) -> list[Algorithm]:
    """The rows that compute this function of ours; none if there are none."""
    return [algorithm for algorithm in ALGORITHMS if algorithm.function == function]
