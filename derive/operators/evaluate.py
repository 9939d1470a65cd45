"""The dense meaning of every operator on a robot: `evaluate(expr, model, q)`.

Every core letter is computed from its definition with dense matrices, φ = (I − E_φ)⁻¹, P the fixed point of the
Riccati equation in form 4 [SOA-41], and so on: never by the project's sweeps, which this checks. Rows and columns
are in the papers' order, body 1 = tip first. Armature enters only if asked for (or if the letter J_a occurs): then
D = HPH* + J_a, and identities that rest on HG = I, such as [SOA-40], fail while the factorization of Mass_a and
Lemma 4 hold.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from derive.model import Model
from derive.operators.block_system import NO_PARENT, Array, BlockSystem, block_system, cross_matrix
from derive.operators.derivation_letters import INDICES
from derive.operators.derivation_values import DERIVATION_VALUES
from derive.operators.errors import EvaluationError
from derive.operators.expr import Adjoint, Identity, Inverse, Letter, OpExpr, Product, Sum, Zero
from derive.operators.normal import definition
from derive.operators.rate_values import RATE_VALUES
from derive.operators.spaces import BODIES, COLUMN, JOINTS, PAIRS, POINTS, Space

_SINGULAR = 1e12  # condition number from which an inverse means nothing in double precision


def evaluate(
    expr: OpExpr,
    where: Model | BlockSystem,
    q: Any = None,
    *,
    values: Mapping[str, Array] | None = None,
    armature: bool | None = None,
    along: Mapping[str, int | Array] | None = None,
) -> Array:
    """The dense matrix of `expr` on a model at q (or on a block system).

    `values` give free letters such as T and a; `along` says which rate i and j of derivatives are (as the model counts
    them, or the papers for a block system), or which combination of rates in the papers' order. `armature` says whether D
    has it: by default, if J_a or Mass_a occurs.
    """
    system = where if isinstance(where, BlockSystem) else block_system(where, q)
    if values:  # letters made of vectors, such as Ṽ, follow them
        system = replace(system, vectors={**system.vectors, **values}, memo={})
    if along:
        motions = {index: _motion(where, system, index, motion) for index, motion in along.items()}
        system = replace(system, along={**system.along, **motions}, memo={})
    if not expr.is_typed:
        raise EvaluationError(f"{expr} fits any space: say which, for instance as part of a product")
    return _value(expr, system, has_armature(expr) if armature is None else armature)


def _motion(where: Model | BlockSystem, system: BlockSystem, index: str, motion: int | Array) -> Array:
    """A combination of rates in the papers' order."""
    if index not in INDICES:
        raise EvaluationError(f"a derivative is along {' or '.join(INDICES)}, not {index!r}")
    if not isinstance(motion, int | np.integer):
        if np.shape(motion) != (system.N,):
            raise EvaluationError(
                f"{index} is a rate or a combination of {system.N} rates, not of shape {np.shape(motion)}"
            )
        return np.asarray(motion)
    if not 0 <= motion < system.N:
        raise EvaluationError(f"{system.name} has {system.N} rates, so {index} is 0 to {system.N - 1}, not {motion}")
    slices = reversed(where.v_slices) if isinstance(where, Model) else (slice(0, system.N),)
    return np.array([float(i == motion) for s in slices for i in range(s.start, s.stop)])


def has_armature(expr: OpExpr) -> bool:
    """Whether `expr` speaks of armature."""
    return not expr.letters.isdisjoint({"J_a", "Mass_a"})


def _value(expr: OpExpr, system: BlockSystem, armature: bool) -> Array:
    if isinstance(expr, Letter):
        return letter_value(expr.name, system, armature)
    if isinstance(expr, Identity):
        return np.eye(_size(expr.codomain, system))
    if isinstance(expr, Zero):
        return np.zeros((_size(expr.codomain, system), _size(expr.domain, system)))
    if isinstance(expr, Sum):
        return np.asarray(sum(_value(term, system, armature) for term in expr.args))
    if isinstance(expr, Product):
        result = _value(expr.factors[-1], system, armature)
        for factor in reversed(expr.factors[:-1]):
            result = _value(factor, system, armature) @ result
        return float(expr.coefficient) * result
    inner = _value(expr.args[0], system, armature)
    if isinstance(expr, Adjoint):
        return inner.T
    assert isinstance(expr, Inverse)
    if inner.size and np.linalg.cond(inner) > _SINGULAR:
        raise EvaluationError(f"{expr.args[0]} is singular on {system.name}")
    return np.linalg.inv(inner)


def letter_value(name: str, system: BlockSystem, armature: bool = False) -> Array:
    """The dense value of one letter, from its definition; computed once per system."""
    key = (name, armature)
    if key not in system.memo:
        core, rate = _CORE.get(name), (RATE_VALUES | DERIVATION_VALUES).get(name)
        if name in system.vectors:
            system.memo[key] = np.asarray(system.vectors[name])
        elif core is not None:
            system.memo[key] = core(system, armature)
        elif rate is not None:
            system.memo[key] = rate(system, lambda letter: letter_value(letter, system, armature))
        elif Letter(name).info.definition is None:
            raise EvaluationError(f"the vector {name} has no value: pass values={{'{name}': …}}")
        else:
            system.memo[key] = _value(definition(name), system, armature)
    return system.memo[key]


def _size(space: Space | None, system: BlockSystem) -> int:
    assert space is not None
    sizes = {JOINTS: system.N, BODIES: 6 * system.n, POINTS: 6 * len(system.points), COLUMN: 1, PAIRS: system.N**2}
    return sizes[space]


def block_diagonal(blocks: Sequence[Array]) -> Array:
    """The block-diagonal matrix of rectangular blocks."""
    rows, columns = np.cumsum([0] + [b.shape[0] for b in blocks]), np.cumsum([0] + [b.shape[1] for b in blocks])
    result = np.zeros((rows[-1], columns[-1]), dtype=np.result_type(float, *blocks))
    for block, i, j in zip(blocks, rows, columns, strict=False):
        result[i : i + block.shape[0], j : j + block.shape[1]] = block
    return result


def body_block(matrix: Array, i: int, j: int) -> Array:
    """The 6×6 block (i, j) of a bodies-by-bodies matrix, indices from 0."""
    return matrix[6 * i : 6 * i + 6, 6 * j : 6 * j + 6]


def _E_phi(system: BlockSystem, armature: bool) -> Array:
    """Block φ(p,k) at (p(k), k), zero elsewhere [SOA-20, SOA-95]."""
    result = np.zeros((6 * system.n, 6 * system.n), dtype=np.result_type(float, *system.phi))
    for k, p in enumerate(system.parent):
        if p != NO_PARENT:
            result[6 * p : 6 * p + 6, 6 * k : 6 * k + 6] = system.phi[k]
    return result


def _P(system: BlockSystem, armature: bool) -> Array:
    """Fixed point of P = M + E_φ(P − PH*D⁻¹HP)E_φ*, D = HPH* [SOA-41 form 4]; E_φ is nilpotent, so n rounds are exact."""
    E, H, M = (letter_value(name, system, armature) for name in ("E_phi", "H", "M"))
    J_a = np.diag(system.armature) if armature else 0.0
    P = M
    for _ in range(system.n):
        PH = P @ H.T
        P = M + E @ (P - PH @ np.linalg.solve(H @ PH + J_a, PH.T)) @ E.T
    return np.asarray(P)


def _R(system: BlockSystem, armature: bool) -> Array:
    """Fixed point of R = M + E_φRE_φ* [SOA-31]."""
    E, M = letter_value("E_phi", system), letter_value("M", system)
    R = M
    for _ in range(system.n):
        R = M + E @ R @ E.T
    return R


def _B(system: BlockSystem, armature: bool) -> Array:
    """Block φ(O_m, C_a) at (m, a) for point a on body m [SOA-98]."""
    result = np.zeros((6 * system.n, 6 * len(system.points)))
    for a, (body, phi) in enumerate(system.points):
        result[6 * body : 6 * body + 6, 6 * a : 6 * a + 6] = phi
    return result


def _serial(system: BlockSystem, letter: str) -> None:
    if not system.is_serial:
        raise EvaluationError(f"{letter} is defined for serial chains only, and {system.name} is none")


def _S(system: BlockSystem, armature: bool) -> Array:
    _serial(system, "S")
    return np.asarray(np.kron(np.eye(system.n, k=-1), np.eye(6)))


def _Delta_phi(system: BlockSystem, armature: bool) -> Array:
    _serial(system, "Delta_phi")
    return block_diagonal(system.phi)


def _Upsilon(system: BlockSystem, armature: bool) -> Array:
    """The diagonal blocks of Ω [SOA-75]."""
    _serial(system, "Upsilon")
    Omega = letter_value("Omega", system, armature)
    return block_diagonal([body_block(Omega, k, k) for k in range(system.n)])


def _root(matrix: Array, power: float) -> Array:
    values, vectors = np.linalg.eigh(matrix)
    return np.asarray((vectors * values**power) @ vectors.T)


def _pick_off(system: BlockSystem, delta: bool) -> Array:
    """ℍ(i) = diag(h̃, h̃) for the pivot joint i, at body i or at the bodies outboard of it [SOA-118].

    In link frames: ℍ(i) is turned into the axes of the body it stands at.
    """
    i = system.pivot
    if i is None:
        raise EvaluationError(f"{system.name} has no revolute joint to differentiate along")
    h, phi = cross_matrix(system.H[i][0, :3]), letter_value("phi", system)
    blocks = []
    for k in range(system.n):
        Q = body_block(phi, i, k)[:3, :3]  # zero where k is not outboard of i
        blocks.append(np.kron(np.eye(2), Q.T @ h @ Q) if (k == i) == delta else np.zeros((6, 6)))
    return block_diagonal(blocks)


def _letters(system: BlockSystem, armature: bool, *names: str) -> tuple[Array, ...]:
    return tuple(letter_value(name, system, armature) for name in names)


def _D(system: BlockSystem, armature: bool) -> Array:
    H, P = _letters(system, armature, "H", "P")
    return np.asarray(H @ P @ H.T + (np.diag(system.armature) if armature else 0.0))


def _G(system: BlockSystem, armature: bool) -> Array:
    H, P, D = _letters(system, armature, "H", "P", "D")
    return np.asarray(P @ H.T @ np.linalg.inv(D))


def _K(system: BlockSystem, armature: bool) -> Array:
    E, G = _letters(system, armature, "E_phi", "G")
    return np.asarray(E @ G)


def _phi(system: BlockSystem, armature: bool) -> Array:
    (E,) = _letters(system, armature, "E_phi")
    return np.linalg.inv(np.eye(len(E)) - E)


def _psi(system: BlockSystem, armature: bool) -> Array:
    E, G, H = _letters(system, armature, "E_phi", "G", "H")
    return np.linalg.inv(np.eye(len(E)) - E @ (np.eye(len(E)) - G @ H))


_CORE: dict[str, Callable[[BlockSystem, bool], Array]] = {
    "E_phi": _E_phi,
    "phi": _phi,
    "H": lambda s, _: block_diagonal(s.H),
    "M": lambda s, _: block_diagonal(s.M),
    "P": _P,
    "D": _D,
    "G": _G,
    "K": _K,
    "psi": _psi,
    "B": _B,
    "R": _R,
    "S": _S,
    "Delta_phi": _Delta_phi,
    "Upsilon": _Upsilon,
    "D_sqrt": lambda s, armature: _root(letter_value("D", s, armature), 0.5),
    "D_isqrt": lambda s, armature: _root(letter_value("D", s, armature), -0.5),
    "J_a": lambda s, _: np.diag(s.armature),
    "HH_delta": lambda s, _: _pick_off(s, delta=True),
    "HH_s": lambda s, _: _pick_off(s, delta=False),
}
