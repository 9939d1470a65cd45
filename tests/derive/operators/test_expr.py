"""Operators are SymPy matrix expressions whose spaces are checked at construction."""

import pytest
import sympy

from derive.operators import B, D, G, H, I, J, K, M, P, phi, psi
from derive.operators.errors import OperatorError, SpaceError
from derive.operators.expr import Equation, Identity, Inverse, Letter, Zero
from derive.operators.spaces import BODIES, JOINTS, Structure


def test_operators_are_matrix_expressions_of_symbolic_size():
    N, n = sympy.symbols("N n", integer=True, positive=True)
    assert isinstance(H * phi, sympy.MatrixExpr)
    assert (H * phi).shape == (N, 6 * n)
    assert (H * phi).T.shape == (6 * n, N)


def test_python_operators_build_what_the_text_says():
    expr = (I - H * psi * K) * H * phi
    assert str(expr) == "(I - H*psi*K)*H*phi"
    assert sympy.latex(expr) == r"\left(I - H \psi K\right) H \phi"
    assert expr.subs(psi, phi) == (I - H * phi * K) * H * phi
    assert expr.xreplace({K: G}) == (I - H * psi * G) * H * phi


@pytest.mark.parametrize("rebuild", [lambda e: e.func(*e.args), lambda e: e.doit(), lambda e: e.subs(M, M)])
def test_expressions_are_rebuilt_from_their_arguments(rebuild):
    for expr in (H, I, Identity(BODIES), H * phi, 2 * H - H * phi, (I - H * psi * K).T, D.inv(), Zero(JOINTS, BODIES)):
        assert rebuild(expr) == expr


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: H * H, ("multiply", "bodies", "joints")),
        (lambda: H * phi * D, ("multiply", "bodies", "joints")),
        (lambda: (H * phi) * (H * psi), ("multiply", "bodies", "joints")),
        (lambda: H + phi, ("add", "joints", "bodies")),
        (lambda: H * psi * K - phi, ("add", "joints", "bodies")),
        (lambda: Equation(H, phi), ("equate", "joints", "bodies")),
        (lambda: H.inv(), ("invert", "joints", "bodies")),
        (lambda: J * B, ("multiply", "joints", "bodies")),
        (lambda: I + H, ("square", "joints", "bodies")),
    ],
)
def test_ill_typed_expressions_fail_at_construction_and_name_both_spaces(build, words):
    with pytest.raises(SpaceError) as caught:
        build()
    assert all(word in str(caught.value) for word in words)


def test_the_identity_fits_whatever_it_meets():
    assert (I - H * psi * K).args[0] == Identity(JOINTS)
    assert (I - phi).args[0] == Identity(BODIES)
    assert H * I == H == I * H
    assert (I + I) * H == 2 * H == H + H
    assert phi**0 == Identity(BODIES)
    assert phi**-1 == Inverse(phi)


def test_construction_collects_and_cancels():
    assert H * phi + H * psi == H * psi + H * phi
    assert Zero(JOINTS, BODIES) == H - H
    assert (3 * H).T == 3 * H.T
    assert (H * psi * K).T == K.T * psi.T * H.T
    assert P.T == P
    assert H.T.T == H
    assert D.inv().inv() == D
    assert phi.inv().T.inv() == phi.T


def test_structure_follows_the_factors():
    assert (H * phi).structure is Structure.CAUSAL
    assert (H * psi * K).structure is Structure.STRICTLY_CAUSAL
    assert (I - H * psi * K).structure is Structure.CAUSAL
    assert (I - H * psi * K).T.structure is Structure.ANTICAUSAL
    assert D.inv().structure is Structure.MEMORYLESS


def test_what_is_no_operator_is_refused():
    with pytest.raises(OperatorError, match="no operator letter"):
        Letter("X")
    with pytest.raises(OperatorError, match="not an operator"):
        H * phi * K + 1
    with pytest.raises(OperatorError, match="rational"):
        H * sympy.Symbol("x")
    with pytest.raises(OperatorError, match="evaluate"):
        H[0, 0]
