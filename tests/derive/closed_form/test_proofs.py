"""The laws are proved on robots that have them, and fail on forms that were tampered with."""

from dataclasses import replace

import numpy as np
import pytest

from derive import load_model
from derive.closed_form import ClosedForms
from derive.closed_form.proofs import LAWS, Proof, check, explained, laws
from derive.random_models import random_chain, random_tree

BY_NAME = {law.name: law for law in LAWS}


@pytest.mark.parametrize("name", ["planar_2r", "panda", "stanford"])
def test_every_law_of_a_bundled_arm_is_proved(name):
    forms = ClosedForms(load_model(name))
    assert len(laws(forms)) >= len(LAWS) - 1
    for law in laws(forms):
        proof = check(law, forms)
        assert proof.holds, (law.name, proof.failure)
        assert proof.equations


@pytest.mark.parametrize(
    "model",
    [
        random_chain(3, 1),  # rotations at odd angles are exact too
        random_tree(3, 2, ("revolute", "cylindrical", "universal", "helical")),
        random_tree(3, 0, ("revolute", "spherical"), floating=True),
    ],
    ids=lambda m: m.name,
)
def test_every_law_of_a_random_robot_is_proved(model):
    forms = ClosedForms(model)
    for law in laws(forms):
        proof = check(law, forms)
        assert proof.holds, (law.name, proof.failure)


def tampered(attribute, change):
    forms = ClosedForms(load_model("planar_2r"))
    value = np.array(getattr(forms, attribute), dtype=object)
    last = (-1,) * value.ndim
    value[last] = change(value[last], forms)
    forms.__dict__[attribute] = value
    return forms


@pytest.mark.parametrize(
    ("law", "attribute", "change"),
    [
        ("M by composite bodies = M by Newton–Euler", "mass_matrix", lambda e, f: e + f.parameters["m2"]),
        ("½ q̇*M q̇ = ½ Σ V*MV", "mass_matrix", lambda e, f: e * 2),
        ("g = ∂V/∂q", "gravity_forces", lambda e, f: -e),
        ("∂M(i,j)/∂q_k = Γ_ijk + Γ_jik", "christoffel", lambda e, f: e + 1),
        ("Γ_ijk = −Γ_kji, j inboard of i and k", "christoffel", lambda e, f: e + 1),
        ("Ṁ − 2C is skew", "coriolis_matrix", lambda e, f: e + f.qd[0]),
        ("C q̇ by Γ = C by Newton–Euler", "coriolis_forces", lambda e, f: e * 2 + 1),
        ("J = ∂(pose)/∂q", "jacobian", lambda e, f: e + 1),
        ("∏ D(k) = det M", "mass_matrix", lambda e, f: e * 2),
        ("M = L D L*, L = I + HφK", "mass_matrix", lambda e, f: e * 2),
    ],
)
def test_a_law_fails_where_it_is_broken(law, attribute, change):
    proof = check(BY_NAME[law], tampered(attribute, change))
    assert not proof.holds
    assert "terms" in proof.failure


FACTORS = BY_NAME["M = L D L*, L = I + HφK"]


@pytest.mark.parametrize(
    "model",
    [load_model("planar_3r"), load_model("stanford"), load_model("panda"), random_chain(4, 3), random_tree(5, 2)],
    ids=lambda m: m.name,
)
def test_the_mass_matrix_is_factored_exactly_at_any_size(model):
    forms = ClosedForms(model)
    proof = check(FACTORS, forms)
    assert proof.holds, proof.failure
    n = model.n
    below = sum(len(model.path(k)) - 1 for k in range(n))
    assert proof.equations == n * n - below + 36 * n + n + below, "every entry of L, of P⁺, and of M"


@pytest.mark.parametrize("model", [load_model("planar_3r"), random_tree(3, 2)], ids=lambda m: m.name)
def test_the_determinant_of_three_joints_is_proved_on_canonical_forms(model):
    proof = check(BY_NAME["∏ D(k) = det M"], ClosedForms(model))
    assert (proof.verdict, proof.equations) == ("proved", 3)


@pytest.mark.parametrize("wrong", ["I - H phi K", "I + H psi K", "I + H phi G H phi K"])
def test_other_factors_fail(monkeypatch, wrong):
    from derive.closed_form import factorization

    right = factorization.to_recursion
    monkeypatch.setattr(factorization, "to_recursion", lambda e, armature: right(e | {"L": wrong}, armature=armature))
    assert check(FACTORS, ClosedForms(load_model("planar_3r"))).failure


def test_a_riccati_step_that_loses_its_last_term_fails(monkeypatch):
    from derive.closed_form import factorization

    right = factorization.factors

    def wrong(forms):
        L, names = right(forms)
        return L, tuple(replace(own, made=own.P) for own in names)

    monkeypatch.setattr(factorization, "factors", wrong)
    assert check(FACTORS, ClosedForms(load_model("planar_3r"))).failure.startswith("P⁺")


def test_symmetry_fails_on_columns_that_are_not_symmetric(monkeypatch):
    from derive.closed_form import proofs

    forms = ClosedForms(load_model("planar_2r"))
    columns = np.array(proofs._columns(forms), dtype=object)
    columns[0, 1] = columns[0, 1] * 2
    monkeypatch.setattr(proofs, "_columns", lambda forms: columns)
    assert not check(BY_NAME["M = M*"], forms).holds


def test_dependence_on_inboard_joints_is_noticed():
    forms = ClosedForms(load_model("planar_2r"))
    d = np.array(forms.mass_matrix_derivatives, dtype=object)
    d[0, 0, 0] = d[0, 0, 0] + forms.q[0]
    forms.__dict__["mass_matrix_derivatives"] = d
    assert not check(BY_NAME["∂M(i,j)/∂q_k = 0, k inboard of i and j"], forms).holds


def test_a_robot_without_a_law_says_why():
    forms = ClosedForms(random_chain(1, 0, ("spherical",)))
    assert "angular velocities" in BY_NAME["Ṁ − 2C is skew"].why_not(forms)


def test_what_the_verdicts_mean_is_said_of_those_that_occur():
    proved = Proof("", "", 1, 0.0)
    assert explained([proved]) == [
        "proved: both sides have the same canonical form in the ring of trigonometric polynomials."
    ]
    lines = explained(
        [proved, replace(proved, chance=1e-60), replace(proved, failure="M[1,1]"), replace(proved, too_large=True)]
    )
    assert [line.split(":")[0] for line in lines] == ["proved", "sampled", "FAILS", "too large"]


HAMEL = BY_NAME["C by M in twists = C by Newton–Euler"]
TWISTED = [
    load_model("go2"),
    random_chain(2, 3, ("spherical",)),
    random_tree(3, 0, ("revolute", "spherical"), floating=True),
    random_chain(2, 1, ("prismatic", "universal"), floating=True),
]


@pytest.mark.parametrize("model", TWISTED, ids=lambda m: m.name)
def test_coriolis_forces_of_floating_bases_and_ball_joints_are_those_of_the_mass_matrix(model):
    proof = check(HAMEL, ClosedForms(model))
    assert (proof.verdict, proof.equations) == ("proved", model.nv)


def test_coriolis_forces_without_the_turning_of_the_axes_fail(monkeypatch):
    from derive.closed_form import proofs

    monkeypatch.setattr(proofs, "_turned", lambda p, v: tuple(x - x for x in p))
    for model in TWISTED[:2]:
        assert check(HAMEL, ClosedForms(model)).failure
    forms = ClosedForms(TWISTED[1])
    forms.__dict__["coriolis_forces"] = tuple(-e for e in forms.coriolis_forces)
    monkeypatch.undo()
    assert check(HAMEL, forms).failure
