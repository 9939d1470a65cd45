"""Oracles share no algorithm, so where they agree to rounding all of them are right."""

import dataclasses

import numpy as np
import pytest

from codegen.trust.cases import random_cases
from codegen.trust.oracles import ORACLES
from codegen.trust.quantities import EXPECTED, NotOfferedError, expected
from derive import load_model, random_chain, random_tree
from derive.inertia import Inertia
from derive.model import Mimic
from derive.random_models import ALL_KINDS

GRAVITY = (0.4, -1.2, -9.81)


def with_mimic():
    chain = random_chain(4, 2)
    joints = list(chain.joints)
    joints[3] = dataclasses.replace(joints[3], mimic=Mimic(0, 2.0, 0.3), armature=(0.1,))
    return dataclasses.replace(chain, joints=tuple(joints))


MODELS = {
    "every kind of joint": random_tree(7, 11, ALL_KINDS[2:]),
    "floating": random_tree(3, 5, ALL_KINDS, floating=True),
    "mimic": with_mimic(),
    "armature": load_model("stanford"),
    "panda": load_model("panda"),
}


@pytest.mark.parametrize("name", MODELS)
def test_oracles_agree_on_every_function(name):
    model = MODELS[name]
    case = random_cases(model, 1, np.random.default_rng(3))[0]
    found = {o.name: o.known(model, case.inputs, GRAVITY) for o in ORACLES if not o.obstacle(model)}
    assert {"reference", "50 digits"} <= set(found)
    truth = found["50 digits"]
    for function in EXPECTED:
        if function == "innovations_factors" and model.has_mimics:
            continue
        for with_force in (False, True):
            exact = expected(function, truth, with_force)
            for oracle, known in found.items():
                try:
                    values = expected(function, known, with_force)
                except NotOfferedError:
                    continue
                for a, b in zip(values, exact, strict=True):
                    b = np.asarray(b, dtype=float)
                    size = max(1e-3, float(np.max(np.abs(b))))
                    error = np.max(np.abs(np.asarray(a, dtype=float) - b))
                    assert error <= 1e-9 * size, (function, oracle, error, size)


def test_an_oracle_sees_what_the_model_says():
    """One inertia off by 1 %, and every oracle's mass matrix moves: none of them remembers or is fed by another."""
    model = MODELS["panda"]
    body = model.bodies[2]
    xx, *rest = body.inertia.inertia
    heavier = dataclasses.replace(body, inertia=Inertia(body.inertia.mass, body.inertia.moment, (1.01 * xx, *rest)))
    other = dataclasses.replace(model, bodies=(*model.bodies[:2], heavier, *model.bodies[3:]))
    case = random_cases(model, 1, np.random.default_rng(3))[0]
    for oracle in ORACLES:
        if not oracle.obstacle(model):
            a, b = (np.asarray(oracle.known(m, case.inputs, GRAVITY).mass, dtype=float) for m in (model, other))
            assert np.max(np.abs(a - b)) > 1e-6, oracle.name


def test_an_oracle_that_is_not_there_says_why(monkeypatch):
    monkeypatch.setattr("codegen.bench.peers.peer.find_spec", lambda name: None)
    reasons = {o.name: o.obstacle(MODELS["panda"]) for o in ORACLES}
    assert reasons["Pinocchio"] == "pin is not installed; pip install pin"
    assert reasons["reference"] is None


def test_what_is_too_large_to_expand_is_not_offered_and_the_rest_is():
    model = random_chain(6, 7)
    case = random_cases(model, 1, np.random.default_rng(3))[0]
    oracles = {o.name: o.known(model, case.inputs, GRAVITY) for o in ORACLES if o.name in ("closed forms", "reference")}
    for function in ("bias_forces", "forward_dynamics_derivatives"):
        with pytest.raises(NotOfferedError):
            expected(function, oracles["closed forms"])
    (mass,), (truth,) = (expected("mass_matrix", known) for known in oracles.values())
    np.testing.assert_allclose(mass, truth, rtol=1e-9, atol=1e-9)
