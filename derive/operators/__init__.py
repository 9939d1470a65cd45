"""The spatial operator algebra: typed operators, their normal forms, proofs, refutations, and dense values.

    from derive.operators import H, phi, psi, K, D, G, P, M, I, parse, prove, evaluate

`M` is the link inertia; the joint-space mass matrix is `Mass`. `python -c "from derive.operators import prove;
print(prove('(I - H psi K) H phi = H psi'))"` prints a proof.
"""

from derive.operators.derivation import Derivation, ReplayError, Step
from derive.operators.differentiate import differentiate
from derive.operators.errors import EvaluationError, OperatorError, ParseError, SpaceError
from derive.operators.evaluate import evaluate
from derive.operators.expr import Equation, Identity, Letter, OpExpr
from derive.operators.identities import LEDGER
from derive.operators.normal import normal_form
from derive.operators.parse import parse
from derive.operators.prove import Refuted, Undecided, prove
from derive.operators.simplify import cost, simplify

I = Identity()
phi, psi, E_phi, E_psi = Letter("phi"), Letter("psi"), Letter("E_phi"), Letter("E_psi")
H, G, K, P, D, M, B, J = (Letter(name) for name in "HGKPDMBJ")
tau, tau_bar, Mass, R, Omega = (Letter(name) for name in ("tau", "tau_bar", "Mass", "R", "Omega"))

__all__ = [
    "LEDGER",
    "B",
    "D",
    "Derivation",
    "E_phi",
    "E_psi",
    "Equation",
    "EvaluationError",
    "G",
    "H",
    "I",
    "J",
    "K",
    "Letter",
    "M",
    "Mass",
    "Omega",
    "OpExpr",
    "OperatorError",
    "P",
    "ParseError",
    "R",
    "Refuted",
    "ReplayError",
    "SpaceError",
    "Step",
    "Undecided",
    "cost",
    "differentiate",
    "evaluate",
    "normal_form",
    "parse",
    "phi",
    "prove",
    "psi",
    "simplify",
    "tau",
    "tau_bar",
]
