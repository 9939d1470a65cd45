import dataclasses
import pickle

import numpy as np
import pytest

from derive import ModelError, SingularModelError, bundled_robots, load_model, random_chain, random_tree
from derive.inertia import Inertia
from derive.model import GROUND, Model
from derive.reference import forward_dynamics

TREE = random_tree(12, 3)


def test_a_model_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        TREE.name = "other"
    with pytest.raises(TypeError):
        TREE.bodies[0] = None


def test_parents_come_before_children_and_paths_end_at_the_ground():
    for k, joint in enumerate(TREE.joints):
        assert GROUND <= joint.parent < k
        path = TREE.path(k)
        assert path[0] == k
        assert TREE.joints[path[-1]].parent == GROUND
    assert sorted(c for children in TREE.children for c in children) == sorted(set(range(12)) - set(TREE.roots))


def test_papers_number_from_the_tip_so_that_parents_are_larger():
    assert [TREE.paper_number(k) for k in (0, 11)] == [12, 1]
    assert all(
        TREE.paper_number(j.parent) > TREE.paper_number(k) for k, j in enumerate(TREE.joints) if j.parent != GROUND
    )


def test_digest_is_of_the_content_only():
    assert dataclasses.replace(TREE, source="elsewhere", title="x", notes=()).digest == TREE.digest
    assert dataclasses.replace(TREE, links=tuple(reversed(TREE.links))).digest == TREE.digest
    assert random_tree(12, 4).digest != TREE.digest
    assert dataclasses.replace(TREE, tips=()).digest != TREE.digest


def test_digest_survives_pickling_and_is_the_same_in_every_process():
    assert pickle.loads(pickle.dumps(TREE)) == TREE
    assert load_model("planar_2r").digest == "4c69eeb88dfbfbf0" + load_model("planar_2r").digest[16:]


@pytest.mark.parametrize("make", [random_chain, random_tree])
def test_random_models_are_reproducible_and_scale(make):
    assert make(8, 5) == make(8, 5)
    assert make(8, 5) != make(8, 6)
    assert make(3000, 1).nv == 3000


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda j: dataclasses.replace(j, parent=99), "parents before children"),
        (lambda j: dataclasses.replace(j, armature=()), "wrong length"),
        (
            lambda j: dataclasses.replace(j, geometry=dataclasses.replace(j.geometry, axis=(0.0, 0.0, 2.0))),
            "unit vector",
        ),
        (lambda j: dataclasses.replace(j, name="joint2"), "same name"),
    ],
)
def test_the_constructor_refuses_what_is_not_a_tree(change, words):
    with pytest.raises(ModelError, match=words):
        Model("bad", TREE.bodies, (change(TREE.joints[0]), *TREE.joints[1:]))


def test_unknown_parameters_are_refused_by_name():
    with pytest.raises(ModelError, match=r"no parameter 'm9'; it has: I1, I2"):
        load_model("planar_2r").numeric({"m9": 1.0})


def test_a_massless_leaf_is_refused_forward_dynamics_by_name():
    bodies = (*TREE.bodies[:-1], dataclasses.replace(TREE.bodies[-1], inertia=Inertia()))
    model = dataclasses.replace(TREE, bodies=bodies)
    assert model.massless_leaves == ("joint12",)
    with pytest.raises(SingularModelError, match="joint 'joint12' moves nothing with mass"):
        forward_dynamics(model, np.zeros(12), np.zeros(12), np.zeros(12))


@pytest.mark.parametrize("name", bundled_robots())
def test_bundled_robots_say_what_they_are_and_where_their_numbers_come_from(name):
    model = load_model(name)
    assert model.name == name
    assert model.title
    assert len(model.provenance) > 40
    assert model.tips
    assert not model.massless_leaves


def test_bundled_robots_have_the_freedoms_their_names_promise():
    assert {name: load_model(name).nv for name in bundled_robots()} == {
        "general_6r": 6,
        "planar_2r": 2,
        "planar_3r": 3,
        "stanford": 6,
        "puma560": 6,
        "puma560_corke": 6,
        "ur5": 6,
        "panda": 7,
        "iiwa14": 7,
        "kinova": 6,
        "talos_torso": 16,
        "go2": 18,
        "g1": 35,
    }
