"""run(to_recursion(e)) against dense operators, for random expressions and chosen ones."""

import itertools

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from derive import random_chain, random_tree
from derive.model_order import papers_order
from derive.operators import evaluate, parse
from derive.operators.counterexample import sample
from derive.operators.expr import Adjoint, Identity, Inverse, Letter, OpExpr, Product, Sum
from derive.operators.spaces import BODIES, JOINTS, POINTS
from derive.run import run
from derive.sweeps import to_recursion

MIXED = ("revolute", "prismatic", "helical", "cylindrical", "universal", "planar", "spherical")
TOLERANCE = 1e-10  # relative to the largest entry: dense algebra on well-scaled robots


# -- against dense operators, random expressions ------------------------------------------------------------------------

SAMPLES = [
    sample(random_chain(1, 1), 0),
    sample(random_chain(4, 1), 1),
    sample(random_chain(3, 2, MIXED), 2),
    sample(random_tree(6, 3), 3),
    sample(random_tree(5, 4, MIXED), 4),
    sample(random_tree(5, 5, MIXED, floating=True), 5),
]
LETTERS = [
    Letter(n)
    for n in ("phi", "psi", "E_phi", "E_psi", "K", "H", "G", "P", "D", "M", "R", "tau", "tau_bar", "phi_tilde")
] + [Letter("psi_tilde"), Letter("J"), Letter("Mass"), Letter("Omega_0"), Letter("Omega"), Letter("B")]
FACTORS = [*LETTERS, *map(Adjoint, LETTERS), Inverse(Letter("D")), Inverse(Letter("Mass")), Inverse(Letter("P"))]
VECTORS = {JOINTS: ("T", "qd", "qdd"), BODIES: ("a", "b"), POINTS: ("f_0",)}
SPACES = (JOINTS, BODIES, POINTS)
TABLE = {
    (cod, dom): [f for f in FACTORS if (f.codomain, f.domain) == (cod, dom)] or None for cod in SPACES for dom in SPACES
}


@st.composite
def operators(draw, codomain, domain, depth=2):
    """A well-typed operator between two spaces."""
    kind = draw(st.sampled_from(["word", "sum", "product", "adjoint", "identity"])) if depth else "word"
    if kind == "sum":
        terms = [draw(operators(codomain, domain, depth - 1)) for _ in range(draw(st.integers(2, 3)))]
        return Sum(*(Product(draw(st.integers(-2, 2)), term) for term in terms))
    if kind == "product":
        middle = draw(st.sampled_from(SPACES))
        return Product(draw(operators(codomain, middle, depth - 1)), draw(operators(middle, domain, depth - 1)))
    if kind == "adjoint":
        return Adjoint(draw(operators(domain, codomain, depth - 1)))
    if kind == "identity" and codomain == domain:
        return Sum(Identity(), draw(operators(codomain, domain, 0)))
    path = [codomain, *draw(st.lists(st.sampled_from(SPACES), max_size=3)), domain]
    factors = []
    for pair in itertools.pairwise(path):
        choices = TABLE[pair] or [Product(a, b) for a in TABLE[pair[0], BODIES] for b in TABLE[BODIES, pair[1]]]
        factors.append(draw(st.sampled_from(choices)))
    return Product(*factors)


@st.composite
def matrices(draw):
    return draw(operators(draw(st.sampled_from(SPACES)), draw(st.sampled_from(SPACES))))


@st.composite
def vectors(draw, codomain=None, depth=2):
    """A sum of operators on vectors, and operators on such sums."""
    space = codomain or draw(st.sampled_from(SPACES))
    terms = []
    for _ in range(draw(st.integers(1, 3))):
        inner = draw(st.sampled_from(SPACES))
        nested = depth and draw(st.booleans())
        vector = draw(vectors(inner, depth - 1)) if nested else Letter(draw(st.sampled_from(VECTORS[inner])))
        terms.append(Product(draw(st.integers(-2, 2)), draw(operators(space, inner, 1)), vector))
    return Sum(*terms)


@st.composite
def numbers(draw):
    space = draw(st.sampled_from(SPACES))
    return Product(Adjoint(draw(vectors(space, 0))), draw(vectors(space, 1)))


def inputs_of(some):
    model, points = some.model, len(some.system.points)
    inputs = {"q": np.array(some.q)}
    for name, value in some.system.vectors.items():
        order = papers_order(model, Letter(name).codomain, points)
        inputs[name] = np.empty(len(order))
        inputs[name][order] = value[:, 0]
    return inputs


def worst_difference(expr, **options):
    """The largest difference between sweeps and dense operators on the samples, relative to the numbers that occur."""
    recursion = to_recursion(expr, given=("a", "b", "g"), **options)
    recursion.check()
    worst = 0.0
    for some in SAMPLES:
        expected = evaluate(expr, some.system, armature=recursion.armature)
        got = np.asarray(run(recursion, some.model, inputs_of(some))["result"], dtype=float)
        rows, columns = (papers_order(some.model, s, len(some.system.points)) for s in (expr.codomain, expr.domain))
        got = got.reshape(len(rows), len(columns))[np.ix_(rows, columns)]
        difference = np.abs(got - expected).max() / max(1.0, np.abs(expected).max())
        if difference > TOLERANCE:  # unless the result is what little is left when large numbers cancel
            difference = np.abs(got - expected).max() / (0.01 * largest_partial_product(expr, some.system))
        worst = max(worst, difference)
    return worst


def largest_partial_product(expr, system):
    """The largest number met when products are worked out right to left: long words of them may cancel to little."""
    suffixes = [Product(*expr.factors[i:]) for i in range(len(expr.factors))] if isinstance(expr, Product) else [expr]
    inner = [a for a in expr.args if isinstance(a, OpExpr) and not isinstance(expr, Inverse)]
    own = [np.abs(evaluate(e, system)).max(initial=0.0) for e in suffixes if e.is_typed]
    return max([0.0, *own, *(largest_partial_product(a, system) for a in inner)])


@pytest.mark.parametrize("strategy", [vectors(), matrices(), numbers()], ids=["vectors", "matrices", "numbers"])
def test_random_expressions_run_as_their_dense_operators(strategy):
    @settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(strategy)
    def law(expr):
        if expr.is_typed:
            assert worst_difference(expr) <= TOLERANCE

    law()


@pytest.mark.parametrize(
    "text",
    [
        "H phi M phi' H' H phi M phi' H'",
        "(I + H phi K) D (I + H phi K)'",
        "psi M phi'",
        "phi phi'",
        "inv(I + P) b",
        "inv(P) b",
        "Omega_0 f_0",
        "J inv(Mass) J'",
        "T' qd - 2 b' M a",
        "T' Mass",
        "H - H",
        "f_0' Omega_0 f_0",
        "Upsilon - Upsilon",
        "K K'",
        "D_isqrt - D_isqrt",
        "g + E_phi' M g",
    ],
)
def test_chosen_expressions_run_as_their_dense_operators(text):
    assert worst_difference(parse(text)) < TOLERANCE


@pytest.mark.parametrize("text", ["Lambda", "Lambda f_0", "J' Lambda B' phi' a", "Lambda J inv(Mass) T"])
@pytest.mark.parametrize("model", [random_chain(8, 2), random_tree(4, 1, ("floating",))], ids=["chain", "free bodies"])
def test_dense_solves_over_the_points(text, model):
    some, expr = sample(model, 3), parse(text)
    expected = evaluate(expr, some.system)
    got = run(to_recursion(expr, given=("a",)), some.model, inputs_of(some))["result"]
    rows, columns = (papers_order(model, s, len(some.system.points)) for s in (expr.codomain, expr.domain))
    got = np.asarray(got).reshape(len(rows), len(columns))[np.ix_(rows, columns)]
    np.testing.assert_allclose(got, expected, rtol=0, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("text", ["inv(Mass_a)", "Mass_a", "inv(Mass_a) T", "J inv(Mass_a) J'", "(I + H phi K) J_a"])
def test_armature_as_in_the_dense_operators(text):
    expr, some = parse(text), sample(random_tree(5, 4, MIXED), 2)
    armature = np.empty(some.model.nv)
    armature[papers_order(some.model, JOINTS)] = some.system.armature
    joints = [
        joint.__class__(**{**vars(joint), "armature": tuple(float(x) for x in armature[s])})
        for joint, s in zip(some.model.joints, some.model.v_slices, strict=True)
    ]
    model = some.model.__class__(some.model.name, some.model.bodies, tuple(joints), some.model.tips)
    got = np.asarray(run(to_recursion(expr), model, inputs_of(some))["result"])
    rows, columns = (papers_order(model, s, len(some.system.points)) for s in (expr.codomain, expr.domain))
    got = got.reshape(len(rows), len(columns))[np.ix_(rows, columns)]
    np.testing.assert_allclose(got, evaluate(expr, some.system), rtol=0, atol=1e-10)
