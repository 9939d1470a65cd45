"""`differentiate(expr, "i")`: the derivative of any operator expression along one joint motion, as an operator expression.

A derivation is settled by its values on letters and by Leibniz' rule. In link frames [SOA-141]

    ∂E_φ = E_φ𝒮        ∂φ = φ̃𝒮φ        ∂H = ∂H (zero but for universal and planar joints)        ∂M = ∂B = ∂J_a = 0

and for the articulated letters, which 004 leaves out: the Riccati equation P = M + E_φP⁺E_φ*, P⁺ = P − PH*D⁻¹HP,
differentiated, is a Lyapunov equation for the block-diagonal ∂P, driven along the one joint,

    ∂P = E_ψ ∂P E_ψ* + E_φ(𝒮P⁺ + P⁺𝒮*)E_φ* − E_ψP(∂H)*K* − K(∂H)PE_ψ*

which a tip-to-base sweep solves; ∂D = ∂(HPH*), ∂G = ∂(PH*D⁻¹), ∂K = ∂(E_φG), ∂ψ = ψ(∂E_ψ)ψ follow, and with them
∂𝓜⁻¹, ∂Ω, and ∂ log det 𝓜 = tr(D⁻¹∂D). Operators in inertial axes turn with their bodies: there the derivative is
∂X + 𝒲X − X𝒲, an inner derivation more, which operators between joints do not notice; that is why both frames give one ∂𝓜.

What 004 needed to become this: it has revolute joints on a chain in inertial axes, ∂E_φ = ℍE_φ − E_φℍ_s [SOA-120], which is
𝒲E_φ − E_φ𝒲 + E_φ𝒮 with 𝒲 = ℍ and 𝒮 = ℍ_δ = ℍ − ℍ_s. For a sliding joint 𝒮 = 𝒮[H*] is neither skew nor a turn [E-35], so
the two must be told apart and −ℍ_δ be written 𝒮*; for several freedoms H𝒮 ≠ 0, and φ̃ stands where 004 may write φ; on a tree
"outboard" replaces k ≤ i. Rates of spherical and floating joints are no derivatives of coordinates: the derivative is the one
along the joint's motion, and two of them commute only up to the bracket.
"""

from __future__ import annotations

from typing import Literal, TypeAlias, get_args

from derive.operators.derivation_letters import INDICES
from derive.operators.errors import OperatorError
from derive.operators.expr import Adjoint, Identity, Inverse, Letter, OpExpr, Product, Sum, Zero
from derive.operators.normal import unfold
from derive.operators.parse import parse_expression
from derive.operators.spaces import BODIES

Frame: TypeAlias = Literal["link", "inertial"]

#: letters that do not change along a joint motion, in link frames
_CONSTANT = frozenset({"M", "B", "J_a", "S", "T", "qd", "qdd", "f_0"})
#: core letters and the text of their derivatives; `@` stands for the index
_RULES = {
    "E_phi": "E_phi S_@",
    "phi": "phi_tilde S_@ phi",
    "H": "dH_@",
    "P": "dP_@",
    "R": "dR_@",
    "D": "dH_@ P H' + H dP_@ H' + H P dH_@'",
    "G": "(tau_bar dP_@ H' + P dH_@' - G (dH_@ P H' + H P dH_@')) D^-1",
    "Delta_phi": "Delta_phi S_@",
}
#: in inertial axes S does not turn, and a step φ(k+1,k) turns with k+1 on its left: what 𝒲X − X𝒲 has too much
_INERTIAL = {"S": "S W_@ - W_@ S", "Delta_phi": "Delta_phi S_@ + (S' W_@ S - W_@) Delta_phi"}
_REFUSED = {
    "a": "a depends on velocities: write it out",
    "b": "b depends on velocities: write it out",
    "g": "g is the ground's acceleration seen from the bodies: write E_phi' g(n+1) with a value of your own",
    "Upsilon": "write Omega, whose diagonal blocks it has",
    "D_sqrt": "square roots of D have no derivative in operators; differentiate D",
    "D_isqrt": "square roots of D have no derivative in operators; differentiate D",
}


def differentiate(expr: OpExpr | str, i: str = "i", *, frame: Frame = "link") -> OpExpr:
    """The derivative of `expr` along joint motion i ("i" or "j"), over the letters of `expr` and 𝒮ᵢ, ∂ᵢH, ∂ᵢP, ∂ᵢR.

    With `frame="inertial"` the operators are those in inertial axes, and 𝒲ᵢ occurs. Evaluate it with `along={"i": …}`.
    Second derivatives are for joints whose H* is constant in their body.
    """
    if i not in INDICES:
        raise OperatorError(f"a derivative is along {' or '.join(INDICES)}, not {i!r}")
    if frame not in get_args(Frame):
        raise OperatorError(f"operators are in {' or '.join(get_args(Frame))} axes, not {frame!r}")
    operand = parse_expression(expr) if isinstance(expr, str) else expr
    if not operand.is_typed:
        raise OperatorError(f"{operand} fits any space: say which, for instance as part of a product")
    derivative = _derivative(unfold(operand, frozenset({"phi_tilde"})), i, frame)
    if frame == "link":
        return derivative
    turn = Letter(f"W_{i}")
    left = [Product(turn, operand)] if operand.codomain is BODIES else []
    right = [Product(-1, operand, turn)] if operand.domain is BODIES else []
    return Sum(derivative, *left, *right)  # type: ignore[no-any-return]


def _derivative(expr: OpExpr, i: str, frame: Frame) -> OpExpr:
    zero = Zero(expr.codomain, expr.domain)
    if isinstance(expr, Letter):
        return _of_letter(expr, i, frame)
    if isinstance(expr, Identity | Zero):
        return zero
    if isinstance(expr, Adjoint):
        return Adjoint(_derivative(expr.args[0], i, frame))  # type: ignore[no-any-return]
    if isinstance(expr, Inverse):
        return Product(-1, expr, _derivative(expr.args[0], i, frame), expr)  # type: ignore[no-any-return]
    if isinstance(expr, Sum):
        return Sum(zero, *(_derivative(term, i, frame) for term in expr.args))  # type: ignore[no-any-return]
    assert isinstance(expr, Product)
    factors = expr.factors
    terms = [
        Product(*factors[:k], _derivative(factor, i, frame), *factors[k + 1 :])
        for k, factor in enumerate(factors)
        if not isinstance(_derivative(factor, i, frame), Zero)
    ]
    return Product(expr.args[0] if expr.args[0].is_Number else 1, Sum(zero, *terms))  # type: ignore[no-any-return]


def _of_letter(letter: Letter, i: str, frame: Frame) -> OpExpr:
    name = letter.name
    zero = Zero(letter.codomain, letter.domain)
    if frame == "inertial" and name in _INERTIAL:
        return parse_expression(_INERTIAL[name].replace("@", i))
    if name in _CONSTANT:
        return zero
    if name in ("S_i", "S_j", "dH_i", "dH_j") and not name.endswith(i):
        return zero  # H* is constant in its body
    if name in _RULES:
        return parse_expression(_RULES[name].replace("@", i))
    if name == "phi_tilde":
        return _of_letter(Letter("phi"), i, frame)
    if name == "K":
        E_phi, G = Letter("E_phi"), Letter("G")
        return Sum(Product(_of_letter(E_phi, i, frame), G), Product(E_phi, _of_letter(G, i, frame)))  # type: ignore[no-any-return]
    if name == "psi":
        inner = _derivative(unfold(Letter("E_psi")), i, frame)
        return Product(Letter("psi"), inner, Letter("psi"))  # type: ignore[no-any-return]
    why = _REFUSED.get(name, "its derivative is not among the letters of the algebra")
    raise OperatorError(f"{name} cannot be differentiated: {why}")
