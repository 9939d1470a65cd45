"""The checker refuses recursions that read too early; counts are linear where the complexity says so."""

from dataclasses import replace

import numpy as np
import pytest

from derive import load_model, random_chain, random_tree
from derive.operation_counts import count_operations
from derive.operators import simplify
from derive.recursion import Direction, IllFormedRecursionError
from derive.sweeps import to_recursion

FORWARD = "(I - H psi K)' inv(D) (T - H psi (K T + M phi' a + b + B f_0))"
NEWTON_EULER = "H phi (M phi' (H' qdd + a) + b + B f_0)"


def with_sweeps(recursion, change):
    return replace(recursion, sweeps=tuple(change(list(recursion.sweeps))))


def swapped(sweeps, which, i, j):
    statements = list(sweeps[which].statements)
    statements[i], statements[j] = statements[j], statements[i]
    sweeps[which] = replace(sweeps[which], statements=tuple(statements))
    return sweeps


def turned(sweeps, which):
    other = {Direction.TIP_TO_BASE: Direction.BASE_TO_TIP, Direction.BASE_TO_TIP: Direction.TIP_TO_BASE}
    sweeps[which] = replace(sweeps[which], direction=other[sweeps[which].direction])
    return sweeps


@pytest.mark.parametrize(
    ("change", "what"),
    [
        (lambda sweeps: sweeps[::-1], "is read before it is written"),
        (lambda sweeps: sweeps[:-1], "the output qdd is never written"),
        (lambda sweeps: [*sweeps, sweeps[0]], "V is written twice"),
        (lambda sweeps: swapped(sweeps, 1, 0, 1), "P at k is read"),
        (lambda sweeps: swapped(sweeps, 1, -1, -2), "eps at k is read"),
        (lambda sweeps: turned(sweeps, 0), "V at k.1 is read"),
        (lambda sweeps: turned(sweeps, 1), "P_plus at k.1 is read"),
    ],
)
def test_the_checker_finds_what_is_read_too_early_and_shows_the_line(change, what):
    recursion = to_recursion({"qdd": FORWARD})
    recursion.check()
    with pytest.raises(IllFormedRecursionError, match=what) as caught:
        with_sweeps(recursion, change).check()
    assert "never" in what or "→ " in str(caught.value)


def test_a_dense_solve_waits_for_its_operands():
    recursion = to_recursion("Lambda f_0")
    early = with_sweeps(
        recursion,
        lambda sweeps: [replace(sweeps[0], closing=sweeps[-1].closing), *(replace(s, closing=()) for s in sweeps[1:])],
    )
    with pytest.raises(IllFormedRecursionError, match="W is read before"):
        early.check()


LINEAR = {
    "inverse dynamics": NEWTON_EULER,
    "forward dynamics 1": "(I - H psi K)' inv(D) (I - H psi K) (T - H phi (M phi' a + b + B f_0))",
    "forward dynamics 3": FORWARD,
    "forward dynamics 4": "(I - H psi K)' inv(D) ((I - H psi K) T - H psi_tilde P a - H psi (b + B f_0))"
    " - K' psi' tau_bar' a - G' a",
    "bias forces": "H phi (M phi' a + b)",
    "gravity forces": "H phi M phi' g",
    "jacobian": "J",
    "tip bias acceleration": "B' phi' a",
    "operational inertia": "Omega_0",
    "tip-force correction": "-(I - H psi K)' inv(D) H psi B f_0",
    "kinetic energy": "1/2 qd' Mass qd",
    "whitened forces": "D_isqrt (I - H psi K) T",
}


@pytest.mark.parametrize("name", sorted(LINEAR))
def test_operation_counts_of_linear_results_fit_a_line(name):
    """On chains of 10, 100 and 1000 links, to within 1 % of the largest count."""
    recursion = to_recursion(LINEAR[name])
    assert recursion.complexity == "O(N)"
    sizes = (10, 100, 1000)
    counts = [count_operations(recursion, random_chain(n, 1)).total for n in sizes]
    slope, offset = np.polyfit(sizes, counts, 1, w=1 / np.array(counts))
    for size, count in zip(sizes, counts, strict=True):
        assert slope * size + offset == pytest.approx(count, rel=0.01)


def grows_like(text, *sizes):
    """log of the growth of the count over log of the growth of the chain."""
    counts = [count_operations(to_recursion(text), random_chain(n, 1)).total for n in sizes]
    return np.diff(np.log(counts))[-1] / np.diff(np.log(sizes))[-1]


def test_operational_inertia_is_linear_only_with_the_identity():
    """J 𝓜⁻¹ J* through the inverse mass matrix is quadratic or worse; the simplified Ω(0) is linear [SOA-72]."""
    assert grows_like("inv(Mass)", 50, 100, 200) > 1.8
    assert grows_like("Mass", 50, 100, 200) > 1.5
    simplified = simplify("J inv(Mass) J'").result
    assert to_recursion(simplified).complexity == "O(N)"
    assert len(to_recursion(simplified).sweeps) == 2 < len(to_recursion("J inv(Mass) J'").sweeps)
    assert grows_like(simplified, 50, 100, 200) == pytest.approx(1.0, abs=0.02)


def test_only_the_blocks_asked_for_are_computed():
    """The mass matrix of two arms costs no more than of each: no work for pairs of joints on different branches."""
    recursion = to_recursion("Mass")
    tree, chain = random_tree(40, 3), random_chain(40, 3)
    assert count_operations(recursion, tree).total < 0.8 * count_operations(recursion, chain).total
    pairwise, diagonal = to_recursion("Omega_0"), to_recursion("Upsilon")
    arms = [random_chain(n, 1) for n in (5, 20)]
    extra = [count_operations(pairwise, arm).total - count_operations(diagonal, arm).total for arm in arms]
    assert extra[0] == extra[1]  # one tip: nothing climbs, Ω(0) = B*Υ(1)B


def test_exact_structure_of_the_robot_costs_nothing():
    """A planar arm costs a fraction of a general one of the same size."""
    recursion = to_recursion(NEWTON_EULER)
    planar, general = load_model("planar_3r"), random_chain(3, 1)
    assert count_operations(recursion, planar).total < 0.5 * count_operations(recursion, general).total
    assert count_operations(recursion, planar).functions == 6
