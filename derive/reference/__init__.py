"""The judge: textbook dynamics of any `Model`, in plain NumPy, sharing nothing with the operator code but the model.

Clarity beats speed. Newton–Euler in 3-vectors (`rnea`), composite bodies (`crba`) and articulated bodies (`aba`) after
Featherstone, and an independent Lagrangian on 4×4 transforms (`lagrange`). All accept complex states, so derivatives can be
taken by complex step; `derivatives` does.
"""

from derive.reference.aba import forward_dynamics
from derive.reference.crba import mass_matrix
from derive.reference.derivatives import (
    christoffel,
    forward_dynamics_derivatives,
    inverse_dynamics_derivatives,
    jacobian_derivative,
    log_det_gradient,
    mass_matrix_sensitivity,
)
from derive.reference.energy import kinetic_energy, potential_energy
from derive.reference.kinematics import forward_kinematics, jacobian, tip_velocity
from derive.reference.rnea import bias_forces, gravity_forces, inverse_dynamics

__all__ = [
    "bias_forces",
    "christoffel",
    "forward_dynamics",
    "forward_dynamics_derivatives",
    "forward_kinematics",
    "gravity_forces",
    "inverse_dynamics",
    "inverse_dynamics_derivatives",
    "jacobian",
    "jacobian_derivative",
    "kinetic_energy",
    "log_det_gradient",
    "mass_matrix",
    "mass_matrix_sensitivity",
    "potential_energy",
    "tip_velocity",
]
