"""The judge: textbook dynamics of any `Model`, in plain NumPy, sharing nothing with the operator code but the model.

Clarity beats speed. Newton–Euler in 3-vectors (`rnea`), composite bodies (`crba`) and articulated bodies (`aba`) after
Featherstone, and an independent Lagrangian on 4×4 transforms (`lagrange`). All accept complex states, so derivatives can be
taken by complex step.
"""

from derive.reference.aba import articulated_body_algorithm, forward_dynamics
from derive.reference.crba import mass_matrix
from derive.reference.energy import kinetic_energy, potential_energy
from derive.reference.kinematics import forward_kinematics, jacobian, tip_velocity
from derive.reference.rnea import bias_forces, gravity_forces, inverse_dynamics

__all__ = [
    "articulated_body_algorithm",
    "bias_forces",
    "forward_dynamics",
    "forward_kinematics",
    "gravity_forces",
    "inverse_dynamics",
    "jacobian",
    "kinetic_energy",
    "mass_matrix",
    "potential_energy",
    "tip_velocity",
]
