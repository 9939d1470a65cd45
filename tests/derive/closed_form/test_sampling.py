"""Laws on let-bound forms modulo a prime: true ones hold, wrong ones are refuted with a state where they fail."""

import random
from dataclasses import replace

import numpy as np
import pytest

from derive import load_model, reference
from derive.closed_form import ClosedForms, proofs
from derive.closed_form.let_bound import LetBoundForms
from derive.closed_form.lets import Lets
from derive.closed_form.proofs import LAWS, check, laws, sampled
from derive.closed_form.ring import Ring
from derive.closed_form.sampling import Example, Point
from derive.random_models import random_chain, random_tree

BY_NAME = {law.name: law for law in LAWS}
CORIOLIS, GRAVITY, FACTORS = (
    BY_NAME[name] for name in ("C q̇ by Γ = C by Newton–Euler", "g = ∂V/∂q", "M = L D L*, L = I + HφK")
)


def point(ring):
    return Point(Lets(ring), random.Random(1))


def test_sums_and_multiples_of_angles_are_what_they_are():
    ring = Ring()
    a, b = ring.coordinate(0, "q1"), ring.coordinate(1, "q2")
    at = point(ring)
    expanded = ring.cos(a) * ring.cos(2 * b) + ring.sin(a) * ring.sin(2 * b)
    assert at.at(ring.cos(a - 2 * b) - expanded).value == 0
    assert at.at(ring.cos(a + 2 * b) - expanded).value != 0


def test_quaternions_are_unit_ones():
    ring = Ring()
    parts = ring.quaternion(0, ("x", "y", "z", "w"))
    at = point(ring)
    values = [at.at(part).value for part in parts]
    assert len(set(values)) == 4
    assert sum(v * v for v in values) % at.prime == 1


def test_degrees_are_bounds():
    ring = Ring()
    x, y, c = ring.parameter("x"), ring.parameter("y"), ring.cos(ring.coordinate(0, "q1"))
    at = point(ring)
    found = at.at(x**3 * y + c**2 + 1)
    assert (found.above, found.below) == (8, 4), "(x³y + 1)·(1 + t²)² + (1 − t²)², over (1 + t²)²"
    found = at.at(c**2 * y**3)
    assert (found.above, found.below) == (7, 4), "(1 − t²)² y³ over (1 + t²)²"
    found = at.at(ring.reciprocal(x) * y + y)
    assert (found.above, found.below) == (2, 1), "(1 + x)·y over x"


def test_names_are_worked_out_by_what_they_stand_for():
    ring = Ring()
    lets, x = Lets(ring), ring.parameter("x")
    bound = lets.name("f", 0, x * x + 1)
    at = Point(lets, random.Random(1))
    assert at.at(bound - x * x - 1).value == 0
    assert at.at(bound - x * x).value == 1


@pytest.mark.parametrize(
    "model",
    [
        load_model("planar_2r"),
        load_model("panda"),
        random_tree(4, 2, ("revolute", "cylindrical", "universal", "helical")),
        random_tree(3, 0, ("revolute", "spherical"), floating=True),
    ],
    ids=lambda m: m.name,
)
def test_every_law_holds_on_let_bound_forms_too(model):
    forms = ClosedForms(model)
    for law in laws(forms):
        proof = sampled(law, forms)
        assert proof.holds, (law.name, proof.failure)
        assert proof.chance < 1e-50


def test_what_is_too_large_to_expand_is_decided_and_says_how_surely():
    proof = check(CORIOLIS, ClosedForms(load_model("talos_torso")))
    assert proof.holds
    assert proof.equations == 16
    assert 0 < proof.chance < 1e-50
    assert proof.verdict == "sampled, chance of error < 1e-30"


def test_a_wrong_law_too_large_to_expand_is_refuted_with_a_state():
    def wrong(forms):
        for i, (where, difference) in enumerate(CORIOLIS.differences(forms)):
            yield where, difference + (forms.qd[2] * forms.qd[2] * 1e-12 if i == 4 else 0)

    forms = ClosedForms(load_model("talos_torso"))
    proof = check(replace(CORIOLIS, differences=wrong), forms)
    assert not proof.holds
    assert proof.verdict == "FAILS"
    assert proof.equations == 5
    assert proof.failure.startswith("C[5]: the difference is ")
    assert " q3 = " in proof.failure
    assert " qd3 = " in proof.failure


@pytest.mark.parametrize(
    ("law", "attribute", "change"),
    [
        ("½ q̇*M q̇ = ½ Σ V*MV", "mass_matrix", lambda f, m: tuple(tuple(e * 2 for e in row) for row in m)),
        (
            "M = L D L*, L = I + HφK",
            "mass_matrix",
            lambda f, m: (*m[:-1], (*m[-1][:-1], m[-1][-1] + f.ring.constant(1))),
        ),
        ("∏ D(k) = det M", "mass_matrix", lambda f, m: tuple(tuple(e * 2 for e in row) for row in m)),
        ("g = ∂V/∂q", "gravity_forces", lambda f, g: tuple(-e for e in g)),
        ("Ṁ − 2C is skew", "coriolis_matrix", lambda f, c: ((c[0][0] + f.qd[0], *c[0][1:]), *c[1:])),
        ("C q̇ by Γ = C by Newton–Euler", "coriolis_forces", lambda f, c: tuple(e * 2 for e in c)),
        ("J = ∂(pose)/∂q", "jacobian", lambda f, j: tuple(tuple(e * 2 for e in row) for row in j)),
    ],
)
def test_a_law_fails_where_its_let_bound_forms_are_broken(monkeypatch, law, attribute, change):
    right = getattr(ClosedForms, attribute).func
    monkeypatch.setattr(LetBoundForms, attribute, property(lambda forms: change(forms, right(forms))), raising=False)
    proof = sampled(BY_NAME[law], ClosedForms(load_model("planar_3r")))
    assert "the difference is" in proof.failure


def test_examples_are_states_where_forms_have_the_values_of_the_reference():
    model = random_chain(4, 3)
    forms = LetBoundForms(ClosedForms(model))
    example = Example(forms.lets, random.Random(0))
    got = [example.at(g) for g in forms.gravity_forces]
    D = [example.at(row[k]) for k, row in enumerate(forms.factors()[1])]
    q = np.array([example.drawn.get(f"q{i + 1}", 0.0) for i in range(4)])
    np.testing.assert_allclose(got, reference.gravity_forces(model, q), atol=1e-12)
    np.testing.assert_allclose(np.prod(D), np.linalg.det(reference.mass_matrix(model, q)), rtol=1e-10)


def test_long_chains_and_joints_of_several_freedoms_are_factored():
    for model in (load_model("talos_torso"), random_tree(3, 0, ("revolute", "spherical"), floating=True)):
        proof = check(FACTORS, ClosedForms(model))
        assert proof.holds, proof.failure
        assert proof.chance


def test_a_chance_that_is_not_small_decides_nothing(monkeypatch):
    monkeypatch.setattr(proofs, "CHANCE", 1e-200)
    proof = sampled(GRAVITY, ClosedForms(load_model("panda")))
    assert proof.verdict == "too large"
    assert not proof.holds
