from xml.etree import ElementTree

import numpy as np
import pytest

from codegen import compile_kernels
from codegen.bench.ours import reference_contender
from codegen.bench.peers.mujoco_c import OUTCOMES, MujocoC
from codegen.bench.peers.mujoco_model import mjcf, mujoco_robot
from codegen.bench.peers.peer import PeerError
from codegen.bench.problem import AGREEMENT, Problem, disagreement, draw_states
from derive import load_model, random_chain, random_tree
from derive.states import random_state

KINDS = ("revolute", "prismatic", "cylindrical", "universal", "planar", "spherical")


def test_the_document_has_every_body_with_its_mass():
    model = load_model("go2")
    document = ElementTree.fromstring(mjcf(mujoco_robot(model), (0.0, 0.0, -9.81)))
    masses = [float(inertial.get("mass")) for inertial in document.iter("inertial")]
    assert sum(masses) == pytest.approx(sum(body.inertia.mass for body in model.bodies))
    assert [joint.get("type") for joint in document.iter("joint")] == ["free"] + ["hinge"] * 12
    assert len(list(document.iter("site"))) == 1


def test_what_mujoco_does_not_have_is_refused_by_name():
    with pytest.raises(PeerError, match="joint 'joint1' is helical"):
        mujoco_robot(random_chain(1, 0, ("helical",)))
    with pytest.raises(PeerError, match="'joint1' floats, but not from the world's origin"):
        mujoco_robot(random_chain(2, 0, floating=True))


def test_rates_of_a_floating_base_keep_its_kinetic_energy():
    """T only turns the linear rates: lengths stay."""
    model = load_model("go2")
    q, qd, _ = random_state(model, np.random.default_rng(1))
    moved = mujoco_robot(model).T(q) @ qd
    assert np.linalg.norm(moved) == pytest.approx(np.linalg.norm(qd))
    assert not np.allclose(np.sort(moved), np.sort(qd))


@pytest.mark.parametrize("name", ["go2", "every kind of joint"])
def test_mujoco_computes_our_functions_of_our_robot(name):
    pytest.importorskip("mujoco")
    model = load_model(name) if name == "go2" else random_tree(12, 4, KINDS)
    kernels = compile_kernels(model, ["potential_energy"], backend="numpy")
    problem = Problem(model, kernels, draw_states(model, 4))
    for function in OUTCOMES:
        (contender,) = MujocoC().contenders(problem, function)
        contender.run(2)
        assert disagreement(contender, reference_contender(problem, function).results()) <= AGREEMENT, function
