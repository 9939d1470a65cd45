"""Pinocchio as judge: random models, bundled robots, and every URDF of example-robot-data that it loads."""

import warnings
from pathlib import Path

import numpy as np
import pytest

from derive import bundled_robots, load_model, random_chain, random_tree, reference
from derive.errors import ModelWarning, SingularModelError
from derive.random_models import ALL_KINDS
from derive.states import random_state

pytest.importorskip("pinocchio", reason="pin is not installed: pip install -e '.[test]'")
from oracles.corpus import CORPUS, needs_corpus
from oracles.pinocchio_model import PinocchioRobot, from_urdf, rebuilt

EPS = np.finfo(float).eps
STATES = 3

# What cannot be compared, and why. Everything else in the corpus must agree.
NOT_COMPARED = {
    "ur3.urdf": "an empty <robot>: refused by Pinocchio and by us",
}
DANGLING_MIMICS = {"alex_psyonic_hands.urdf"}  # refused unless mimic="independent", which is how they are compared
SINGULAR = {  # massless leaves: τ and M are compared, accelerations do not exist
    "romeo.urdf": "LHand",
    "romeo_laas_small.urdf": "l_gripper_joint",
}


def relative(ours, theirs) -> float:
    return float(np.max(np.abs(ours - theirs), initial=0.0) / max(np.max(np.abs(theirs), initial=0.0), 1e-300))


def compare(model, judge: PinocchioRobot, tolerance: float, accelerations: bool = True) -> None:
    """τ, M and q̈ on seeded states, relative to `tolerance`.

    Two correct solvers of M·q̈ = f may differ by ε·cond(M), and by cond(M) times any difference between the models, so q̈ is
    compared as the force M·Δq̈ always, and by itself up to that bound.
    """
    rng = np.random.default_rng(1)
    for _ in range(STATES):
        q, qd, qdd = random_state(model, rng)
        tau, M = reference.inverse_dynamics(model, q, qd, qdd), reference.mass_matrix(model, q)
        assert relative(tau, judge.inverse_dynamics(q, qd, qdd)) <= tolerance
        assert relative(M, judge.mass_matrix(q)) <= tolerance
        if accelerations and model.nv:
            ours, theirs = reference.forward_dynamics(model, q, qd, tau), judge.forward_dynamics(q, qd, tau)
            assert relative(M @ ours, M @ theirs) <= tolerance
            assert relative(ours, theirs) <= max(tolerance, 32 * EPS * np.linalg.cond(M))


def quietly(path: Path, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ModelWarning)
        mimic = "independent" if path.name in DANGLING_MIMICS else "reduce"
        return load_model(path, mimic=mimic, **options)


@pytest.mark.parametrize("make", [random_chain, random_tree])
@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("kind", [*ALL_KINDS, "all"])
def test_random_models_agree(make, floating, kind):
    model = make(6, 11, ALL_KINDS if kind == "all" else (kind,), floating=floating)
    compare(model, rebuilt(model), 1e-12)


@pytest.mark.parametrize("name", bundled_robots())
def test_bundled_robots_agree(name):
    model = load_model(name)
    judge = rebuilt(model)
    compare(model, judge, 1e-12)
    q = random_state(model, np.random.default_rng(2)).q
    for ours, theirs in zip(reference.forward_kinematics(model, q), judge.tip_pose(q), strict=True):
        np.testing.assert_allclose(ours, theirs, atol=1e-14)


@needs_corpus
@pytest.mark.parametrize("floating", [False, True], ids=["fixed", "floating"])
@pytest.mark.parametrize(
    "path", [p for p in CORPUS if p.name not in NOT_COMPARED], ids=lambda p: f"{p.parent.parent.name}/{p.stem}"
)
def test_real_files_agree(path, floating):
    """As Pinocchio reads the file to 1e-9; to 1e-12 when it is given our snapped model, or we do not snap."""
    model = quietly(path, floating=floating)
    accelerations = path.name not in SINGULAR
    read_by_pinocchio = from_urdf(str(path), model, floating)
    snapped = model.notes and any(note.kind == "snapped" for note in model.notes)
    if snapped:
        raw = quietly(path, floating=floating, snap_tol=0.0)
        compare(raw, from_urdf(str(path), raw, floating), 1e-12, accelerations)
        rng = np.random.default_rng(1)
        for _ in range(STATES):
            q, qd, qdd = random_state(model, rng)
            tau, M = reference.inverse_dynamics(model, q, qd, qdd), reference.mass_matrix(model, q)
            assert relative(tau, read_by_pinocchio.inverse_dynamics(q, qd, qdd)) <= 1e-9
            assert relative(M, read_by_pinocchio.mass_matrix(q)) <= 1e-9
            if accelerations:
                difference = reference.forward_dynamics(model, q, qd, tau) - read_by_pinocchio.forward_dynamics(
                    q, qd, tau
                )
                assert np.max(np.abs(M @ difference)) <= 1e-9 * np.max(np.abs(tau))
    else:
        compare(model, read_by_pinocchio, 1e-12, accelerations)
    compare(model, rebuilt(model), 1e-12, accelerations)


@needs_corpus
@pytest.mark.parametrize("path", [p for p in CORPUS if p.name in SINGULAR], ids=lambda p: p.stem)
def test_massless_grippers_are_refused_by_name(path):
    model = quietly(path)
    state = random_state(model, np.random.default_rng(0))
    with pytest.raises(SingularModelError, match=SINGULAR[path.name]):
        reference.forward_dynamics(model, *state)


@needs_corpus
def test_the_corpus_is_the_one_surveyed():
    assert len(CORPUS) >= 69
    assert {p.name for p in CORPUS} >= {
        *NOT_COMPARED,
        *DANGLING_MIMICS,
        *SINGULAR,
        "panda.urdf",
        "tiago_dual.urdf",
        "romeo.urdf",
    }
