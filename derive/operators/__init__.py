"""The spatial operator algebra: typed operators, their normal forms, proofs, refutations, and dense values.

    from derive.operators import H, phi, psi, K, D, G, P, M, I, parse, prove, evaluate

`M` is the link inertia; the joint-space mass matrix is `Mass`.
"""

from derive.operators.expr import Equation, Identity, Letter, OpExpr
from derive.operators.normal import normal_form
from derive.operators.parse import parse

I = Identity()  # noqa: E741 - the papers' letter
phi, psi, E_phi, E_psi = Letter("phi"), Letter("psi"), Letter("E_phi"), Letter("E_psi")
H, G, K, P, D, M, B, J = (Letter(name) for name in "HGKPDMBJ")
tau, tau_bar, Mass, R, Omega = (Letter(name) for name in ("tau", "tau_bar", "Mass", "R", "Omega"))

__all__ = [
    "B", "D", "E_phi", "E_psi", "Equation", "G", "H", "I", "J", "K", "Letter", "M", "Mass", "Omega", "OpExpr", "P", "R",
    "normal_form", "parse", "phi", "psi", "tau", "tau_bar",
]  # fmt: skip
