"""The dense meaning of operators: their definitions hold, models are read rightly, and what has no value says so."""

import numpy as np
import pytest

from derive import StateError, bundled_robots, load_model, random_chain, random_tree, reference
from derive.operators import H, J, Mass, P, evaluate, parse, phi, psi
from derive.operators.alphabet import ALPHABET
from derive.operators.block_system import block_system, random_block_system
from derive.operators.counterexample import sample
from derive.operators.errors import EvaluationError
from derive.operators.evaluate import body_block, letter_value
from derive.operators.expr import Identity, Letter
from derive.states import integrate

KINDS = ("revolute", "prismatic", "helical", "cylindrical", "universal", "planar", "spherical")
MODELS = [
    random_chain(1, 0),
    random_chain(6, 1),
    random_tree(7, 2),
    random_chain(4, 3, KINDS),
    random_tree(6, 4, KINDS),
    random_tree(5, 5, KINDS, floating=True),
]


def forward_kinematics(model, q):
    """Rotation and origin of every body in the ground frame, by composing placements: no operators."""
    frames = {-1: (np.eye(3), np.zeros(3))}
    for k, (joint, own) in enumerate(zip(model.joints, model.joint_coordinates(list(q)), strict=True)):
        R0, p0 = frames[joint.parent]
        R1, p1 = np.array(joint.placement.rotation), np.array(joint.placement.translation, dtype=float)
        R2, p2 = joint.kind.configuration(joint.geometry, own, np.cos, np.sin)
        R2, p2 = np.array(R2, dtype=float), np.array(p2, dtype=float)
        frames[k] = (R0 @ R1 @ R2, p0 + R0 @ (p1 + R1 @ p2))
    return frames


@pytest.mark.parametrize("model", MODELS, ids=lambda m: m.name)
def test_kinetic_energy_is_half_the_mass_matrix_form(model):
    """½θ̇*𝓜θ̇ = Σ ½m|v_c|² + ½ω·𝓘_cω, velocities by differentiating forward kinematics along the joint motion."""
    some = sample(model, 3)
    q, rng, step = np.array(some.q), np.random.default_rng(0), 1e-6
    rates = rng.standard_normal(model.nv)
    ahead, behind = (forward_kinematics(model, integrate(model, q, s * rates)) for s in (step, -step))
    here = forward_kinematics(model, q)
    energy = 0.0
    for k, body in enumerate(model.bodies):
        R, _ = here[k]
        mass, moment = body.inertia.mass, np.array(body.inertia.moment, dtype=float)
        turn = (ahead[k][0] - behind[k][0]) / (2 * step) @ R.T
        omega = np.array([turn[2, 1], turn[0, 2], turn[1, 0]])
        v = (ahead[k][1] - behind[k][1]) / (2 * step)
        xx, xy, xz, yy, yz, zz = body.inertia.inertia
        about_origin = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        energy += 0.5 * mass * v @ v + v @ np.cross(omega, R @ moment) + 0.5 * omega @ about_origin @ omega
    mass_matrix = evaluate(Mass, model, q)
    order = paper_order(model)
    assert 0.5 * rates[order] @ mass_matrix @ rates[order] == pytest.approx(energy, rel=1e-6)


def paper_order(model):
    return np.concatenate([np.arange(s.start, s.stop) for s in reversed(model.v_slices)])


@pytest.mark.parametrize("model", MODELS, ids=lambda m: m.name)
def test_articulated_inertia_is_symmetric_positive_definite_and_block_diagonal(model):
    value = letter_value("P", sample(model, 1).system)
    assert np.allclose(value, value.T)
    assert np.linalg.eigvalsh(value).min() > 0
    n = model.n
    assert not any(body_block(value, i, j).any() for i in range(n) for j in range(n) if i != j)


@pytest.mark.parametrize("seed", range(4))
def test_articulated_inertia_of_a_free_base_is_a_schur_complement_of_the_mass_matrix(seed):
    """P(n) is what the base feels when the joints are free: 𝓜_bb − 𝓜_bj 𝓜_jj⁻¹ 𝓜_jb. No Riccati equation in sight."""
    system = random_block_system(seed, 5, tree=True, dofs=(1, 2), floating=True)
    mass, base = evaluate(Mass, system), slice(-6, None)
    joints = slice(0, system.N - 6)
    felt = mass[base, base] - mass[base, joints] @ np.linalg.solve(mass[joints, joints], mass[joints, base])
    assert np.allclose(felt, body_block(evaluate(P, system), 4, 4), atol=1e-12)


@pytest.mark.parametrize("name", sorted(ALPHABET))
def test_every_letter_has_a_value_of_its_shape_structure_and_symmetry(name):
    system = random_block_system(3, 8, dofs=(1, 1, 2, 3))
    row, value = ALPHABET[name], letter_value(name, system)
    sizes = {"joints": system.N, "bodies": 6 * system.n, "points": 6 * len(system.points), "column": 1}
    sizes["pairs"] = system.N**2
    assert value.shape == (sizes[row.codomain.name], sizes[row.domain.name])
    assert not row.self_adjoint or np.allclose(value, value.T)
    if {row.codomain.name, row.domain.name} <= {"joints", "bodies"}:
        body = {"bodies": np.repeat(range(system.n), 6), "joints": np.repeat(range(system.n), [*map(len, system.H)])}
        i, j = body[row.codomain.name], body[row.domain.name]
        forbidden = ~np.isin(np.sign(i[:, None] - j[None, :]), list(row.structure.value))
        assert np.abs(value[forbidden]).max(initial=0.0) < 1e-12


def test_armature_enters_only_where_it_is_named():
    system = random_block_system(0, 3)
    assert np.allclose(evaluate(Mass, system), evaluate(H * phi * Letter("M") * phi.T * H.T, system))
    assert np.allclose(evaluate(parse("Mass_a - J_a"), system), evaluate(Mass, system))
    assert not np.allclose(evaluate(psi, system), evaluate(psi, system, armature=True))


def test_bundled_or_random_models_give_jacobians_of_their_tips():
    model = random_tree(5, 1)
    assert evaluate(J, model, np.zeros(model.nq)).shape == (6 * len(model.tips), model.nv)


def test_free_vectors_are_passed_by_name():
    model = random_chain(3, 0)
    q, T = np.zeros(3), np.ones((3, 1))
    assert evaluate(parse("inv(Mass) T"), model, q, values={"T": T}).shape == (3, 1)
    with pytest.raises(EvaluationError, match="values="):
        evaluate(parse("inv(Mass) T"), model, q)


@pytest.mark.parametrize(
    ("build", "what"),
    [
        (lambda: evaluate(Identity(), random_block_system(0, 2)), "any space"),
        (lambda: evaluate(Letter("S"), random_block_system(0, 5, tree=True)), "serial"),
        (lambda: evaluate(Letter("HH_s"), random_block_system(0, 2, dofs=(3,))), "revolute"),
        (lambda: evaluate(parse("inv(H' H)"), random_block_system(0, 2)), "singular"),
    ],
)
def test_what_has_no_value_says_so(build, what):
    with pytest.raises(EvaluationError, match=what):
        build()


def test_a_configuration_that_does_not_fit_is_refused():
    with pytest.raises(StateError):
        evaluate(P, random_chain(3, 0), [0.0])


@pytest.mark.parametrize("name", bundled_robots())
def test_mass_matrix_and_jacobian_of_bundled_robots_agree_with_the_reference(name):
    """Composite bodies after Featherstone against dense operators; armature through the letters that carry it."""
    model = load_model(name).numeric()
    some = sample(model, 11) if not model.has_mimics else None
    if some is None:
        with pytest.raises(EvaluationError, match="mimic"):
            sample(model, 11)
        return
    order = paper_order(model)
    ours = evaluate(parse("Mass_a"), model, some.q)
    assert np.allclose(ours, reference.mass_matrix(model, some.q)[np.ix_(order, order)], atol=1e-10)
    if model.tips:
        R, _ = reference.forward_kinematics(model, some.q)
        world = np.kron(np.eye(2), R) @ evaluate(J, model, some.q)[:6]
        assert np.allclose(world, reference.jacobian(model, some.q)[:, order], atol=1e-10)


def test_a_block_system_is_in_the_papers_numbering():
    model = random_chain(4, 0)
    system = block_system(model, np.zeros(4))
    assert system.parent == (1, 2, 3, -1)
    assert system.is_serial
    assert system.points[0][0] == 0
