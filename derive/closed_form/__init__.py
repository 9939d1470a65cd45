"""Closed forms: exact formulas of one robot, in a ring where equality is decided.

`mass_matrix(model)` and its like are exact SymPy matrices in sin and cos of the coordinates q1 … qn, rates qd1 …, and the
robot's named parameters. `ClosedForms(model)` holds the same as ring elements, which is where one calculates.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from derive.closed_form.element import Element
from derive.closed_form.errors import ClosedFormError
from derive.closed_form.riccati import RiccatiForms, riccati_forms
from derive.closed_form.robot import ClosedForms
from derive.model import Model


def mass_matrix(model: Model) -> Any:
    """𝓜(q) as an nv × nv SymPy matrix [SOA-34]."""
    return _matrix(ClosedForms(model).mass_matrix)


def mass_matrix_derivatives(model: Model) -> list[Any]:
    """∂𝓜/∂q_k for each k; along the generalised speeds where a joint has a quaternion [SOA-129]."""
    return [_matrix(rows) for rows in ClosedForms(model).mass_matrix_derivatives]


def christoffel(model: Model) -> Any:
    """ℂ[i,j,k] as an nv × nv × nv SymPy array [SOA-130]."""
    import sympy

    values = ClosedForms(model).christoffel
    flat = [x for rows in values for x in _expressions(e for row in rows for e in row)]
    return sympy.ImmutableDenseNDimArray(flat, (model.nv,) * 3)


def coriolis_matrix(model: Model) -> Any:
    """C(q, q̇) from Christoffel symbols, so that 𝓜̇ − 2C is skew."""
    return _matrix(ClosedForms(model).coriolis_matrix)


def gravity_forces(model: Model, gravity: Sequence[float] | None = None) -> Any:
    """g(q) as an nv × 1 SymPy matrix; gravity is (0, 0, −9.81), with the symbol g on a robot that has symbols."""
    return _matrix([[e] for e in ClosedForms(model, gravity).gravity_forces])


def riccati(model: Model) -> RiccatiForms:
    """P, D, G, τ̄ and K of every body as SymPy matrices, let-bound: `definitions` say what the names are [SOA-41]."""
    return riccati_forms(ClosedForms(model))


def jacobian(model: Model) -> Any:
    """6 × nv, [angular; linear] at the first tip, world axes [SOA-23]."""
    return _matrix(ClosedForms(model).jacobian)


def forward_kinematics(model: Model) -> tuple[Any, Any]:
    """Rotation (3 × 3) and position (3 × 1) of the first tip in the world."""
    rotation, position = ClosedForms(model).tip_pose
    return _matrix(rotation), _matrix([[e] for e in position])


def kinetic_energy(model: Model) -> Any:
    """½ q̇*𝓜q̇."""
    return _expressions([ClosedForms(model).kinetic_energy])[0]


def potential_energy(model: Model, gravity: Sequence[float] | None = None) -> Any:
    """V(q), zero at the world's origin."""
    return _expressions([ClosedForms(model, gravity).potential_energy])[0]


def _matrix(rows: Iterable[Iterable[Element]]) -> Any:
    import sympy

    listed = [list(row) for row in rows]
    flat = _expressions(e for row in listed for e in row)
    return sympy.ImmutableDenseMatrix(len(listed), len(listed[0]) if listed else 0, flat)


def _expressions(elements: Iterable[Element]) -> list[Any]:
    from derive.closed_form.printing.sympy import to_sympy

    made: dict[int, Any] = {}
    result = []
    kept = list(elements)  # so that identities stay valid: symmetric entries are one object
    for element in kept:
        if id(element) not in made:
            made[id(element)] = to_sympy(element)
        result.append(made[id(element)])
    return result


__all__ = [
    "ClosedFormError",
    "ClosedForms",
    "RiccatiForms",
    "christoffel",
    "coriolis_matrix",
    "forward_kinematics",
    "gravity_forces",
    "jacobian",
    "kinetic_energy",
    "mass_matrix",
    "mass_matrix_derivatives",
    "potential_energy",
    "riccati",
]
