"""Whether two models are one robot to its joints, and to its tips: judged by `derive.reference` alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from derive import Model, reference
from derive.inertia import Inertia
from derive.model import Body
from derive.states import random_state

TOLERANCE = 2e-12


def assert_close(got: Any, expected: Any, what: str, size: float = 0.0) -> None:
    """Equal to rounding, by the largest entry or `size`."""
    largest = max(size, float(np.max(np.abs(expected), initial=0.0)))
    np.testing.assert_allclose(got, expected, rtol=0, atol=TOLERANCE * largest, err_msg=what)


def of_any_inertias(function: Callable[..., Any], model: Model, *arguments: Any, **options: Any) -> Any:
    """What `function` of the reference gives, also where a body has a first moment and no mass.

    The reference thinks in mass centres, so it is asked twice: M, τ and T are linear in the inertial parameters, which are
    those of the bodies with a kilogram more at their origins, less those of the kilograms.
    """
    kilogram = Inertia(mass=1.0)
    heavier = replace(model, bodies=tuple(Body(b.name, b.inertia + kilogram) for b in model.bodies))
    joints = tuple(replace(joint, armature=(0.0,) * joint.kind.nv) for joint in model.joints)
    kilograms = replace(model, joints=joints, bodies=tuple(Body(b.name, kilogram) for b in model.bodies))
    return function(heavier, *arguments, **options) - function(kilograms, *arguments, **options)


def assert_same_joints(other: Model, model: Model, seed: int = 0) -> None:
    """Both have the same coordinates, mass matrix, joint forces, accelerations and kinetic energy."""
    assert (other.nq, other.nv, other.coordinate_names) == (model.nq, model.nv, model.coordinate_names)
    q, qd, qdd = random_state(model, np.random.default_rng(seed))
    M, tau = reference.mass_matrix(model, q), reference.inverse_dynamics(model, q, qd, qdd)
    other_M, other_tau = (
        of_any_inertias(reference.mass_matrix, other, q),
        of_any_inertias(reference.inverse_dynamics, other, q, qd, qdd),
    )
    assert_close(other_M, M, "M")
    assert_close(other_tau, tau, "τ")
    assert_close(M @ np.linalg.solve(other_M, other_tau), tau, "q̈", float(np.max(np.abs(M) @ np.abs(qdd), initial=0.0)))
    weight = sum(float(body.inertia.mass) for body in model.bodies)
    for gravity in ((0.0, 0.0, -9.81), (3.0, -2.0, 1.0)):
        held = of_any_inertias(reference.gravity_forces, other, q, gravity=gravity)
        assert_close(held, reference.gravity_forces(model, q, gravity=gravity), "g", weight)
    energy = reference.kinetic_energy(model, q, qd)
    assert_close(of_any_inertias(reference.kinetic_energy, other, q, qd), energy, "T")


def assert_same_tips(other: Model, model: Model, seed: int = 0) -> None:
    """Both have their tips at the same places, moved alike by the joints, and the same potential energy."""
    q = random_state(model, np.random.default_rng(seed)).q
    assert [tip.name for tip in other.tips] == [tip.name for tip in model.tips]
    assert [link.name for link in other.links] == [link.name for link in model.links]
    for tip in model.tips:
        for got, expected in zip(
            reference.forward_kinematics(other, q, tip=tip.name),
            reference.forward_kinematics(model, q, tip=tip.name),
            strict=True,
        ):
            assert_close(got, expected, "pose", 1.0)
        jacobians = [reference.jacobian(m, q, tip=tip.name) for m in (other, model)]
        assert_close(*jacobians, "J", 1.0)
    weight = sum(float(body.inertia.mass) for body in model.bodies)
    assert_close(reference.potential_energy(other, q), reference.potential_energy(model, q), "V", weight)
