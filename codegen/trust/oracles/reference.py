"""`derive.reference`: Newton–Euler, composite bodies and articulated bodies of textbooks, in NumPy."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from codegen.trust.oracles.oracle import Oracle
from codegen.trust.quantities import Quantities
from derive import reference
from derive.states import Array


class ReferenceQuantities(Quantities):
    """Each quantity by the reference's own algorithm for it."""

    @cached_property
    def pose(self) -> tuple[Array, Array]:
        """By the chain of poses."""
        return reference.forward_kinematics(self.model, self.inputs["q"])

    @cached_property
    def jacobian(self) -> Array:
        """Column by column."""
        return reference.jacobian(self.model, self.inputs["q"])

    @cached_property
    def mass(self) -> Array:
        """By composite bodies."""
        return reference.mass_matrix(self.model, self.inputs["q"])

    @cached_property
    def bias(self) -> Array:
        """By Newton–Euler."""
        return reference.bias_forces(self.model, self.inputs["q"], self.inputs["qd"], gravity=self.gravity)

    @cached_property
    def weight(self) -> Array:
        """By Newton–Euler."""
        return reference.gravity_forces(self.model, self.inputs["q"], gravity=self.gravity)

    @cached_property
    def kinetic_energy(self) -> Any:
        """Body by body."""
        return reference.kinetic_energy(self.model, self.inputs["q"], self.inputs["qd"])

    @cached_property
    def potential_energy(self) -> Any:
        """Body by body."""
        return reference.potential_energy(self.model, self.inputs["q"], gravity=self.gravity)

    @cached_property
    def sensitivity(self) -> Array:
        """By complex steps."""
        return reference.mass_matrix_sensitivity(self.model, self.inputs["q"])

    @cached_property
    def jacobian_rate(self) -> Array:
        """By complex steps."""
        return reference.jacobian_derivative(self.model, self.inputs["q"], self.inputs["qd"])

    def force_derivatives(self, qdd: Array) -> tuple[Array, Array]:
        """By complex steps."""
        q, qd = self.inputs["q"], self.inputs["qd"]
        dq, dqd, _ = reference.inverse_dynamics_derivatives(self.model, q, qd, qdd, gravity=self.gravity)
        return dq, dqd

    @cached_property
    def acceleration_derivatives(self) -> tuple[Array, Array]:
        """By complex steps through articulated bodies."""
        q, qd, tau = (self.inputs[name] for name in ("q", "qd", "tau"))
        dq, dqd, _ = reference.forward_dynamics_derivatives(self.model, q, qd, tau, gravity=self.gravity)
        return dq, dqd

    def forces(self, f_tip: Array | None) -> Array:
        """By Newton–Euler."""
        q, qd, qdd = (self.inputs[name] for name in ("q", "qd", "qdd"))
        return reference.inverse_dynamics(self.model, q, qd, qdd, f_tip, gravity=self.gravity)

    def accelerations(self, f_tip: Array | None) -> Array:
        """By articulated bodies."""
        q, qd, tau = (self.inputs[name] for name in ("q", "qd", "tau"))
        return reference.forward_dynamics(self.model, q, qd, tau, f_tip, gravity=self.gravity)


REFERENCE = Oracle(
    "reference",
    "derive.reference: Newton–Euler, composite and articulated bodies in link axes, NumPy",
    ReferenceQuantities,
)
