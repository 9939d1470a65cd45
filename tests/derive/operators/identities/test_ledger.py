"""Every ledger entry passes both ways, its misprints are refuted, and no mutant of it slips through."""

from collections import Counter

import numpy as np
import pytest

from derive.operators.block_system import random_block_system
from derive.operators.counterexample import TOLERANCE, numeric_difference, relative_difference
from derive.operators.derivation import Derivation
from derive.operators.errors import EvaluationError, SpaceError
from derive.operators.evaluate import evaluate, has_armature, letter_value
from derive.operators.exposition import derivation_latex
from derive.operators.expr import Adjoint, Equation, Letter, OpExpr, Product, Sum
from derive.operators.identities import LEDGER, BlockCheck
from derive.operators.identities.check import CLEARLY, residual
from derive.operators.parse import parse_equation
from derive.operators.prove import Refuted, prove
from derive.operators.systems import SYSTEMS

STATEMENTS = [
    pytest.param(text, id=f"{entry.soa}: {text}"[:110]) for entry in LEDGER for text in dict.fromkeys(entry.statements)
]
MISPRINTS = [pytest.param(m, id=f"{m.erratum} {entry.soa}") for entry in LEDGER for m in entry.misprints if not m.check]
FALSE_CHECKS = [pytest.param(m.check, id=f"{m.erratum} {e.soa}") for e in LEDGER for m in e.misprints if m.check]
CHECKS = [pytest.param(c, id=f"{entry.soa}: {c.statement}") for entry in LEDGER for c in entry.checks]
BLOCK_CHECKS = [param for param in CHECKS if isinstance(param.values[0], BlockCheck)]
OTHER_CHECKS = [param for param in CHECKS if not isinstance(param.values[0], BlockCheck)]
EXPECTED = [
    *range(1, 9), *range(10, 27), *range(30, 36), *range(40, 65), 66, 67, 68, *range(70, 79), *range(95, 100), 105, 115,
    116, *range(118, 135), 140, 141, 142,
]  # fmt: skip

FAMILIES = (
    {"tree": False, "dofs": (1,)},
    {"tree": True, "dofs": (1,)},
    {"tree": False, "dofs": (1, 2, 3)},
    {"tree": True, "dofs": (1, 2, 3, 6)},
    {"tree": True, "dofs": (1, 3), "floating": True},
    {"tree": False, "dofs": (1,), "floating": True},
)
SYSTEMS_TRIED = [random_block_system(seed, n, **family) for n in range(1, 9) for seed in (0, 1) for family in FAMILIES]


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_statement_is_proved_and_its_proof_replays_and_agrees_with_numbers(text):
    derivation = prove(text)
    assert isinstance(derivation, Derivation)
    derivation.replay()
    assert derivation.system_name in SYSTEMS
    assert derivation.numeric_difference() < TOLERANCE
    assert len(derivation.steps) <= 20


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_statement_holds_numerically_on_random_chains_trees_multi_dof_and_floating_systems(text):
    equation, _ = parse_equation(text)
    armature = has_armature(equation.lhs) or has_armature(equation.rhs)
    tried = 0
    for system in SYSTEMS_TRIED:
        if "Lambda" in equation.lhs.letters and np.linalg.cond(letter_value("Omega_0", system)) > 1e5:
            continue  # the inverse exists, but not to ten digits
        try:
            sides = [evaluate(side, system, armature=armature) for side in equation.args]
        except EvaluationError:  # a serial-only letter on a tree, no revolute joint, a jacobian without full rank
            continue
        tried += 1
        assert relative_difference(*sides) < TOLERANCE, system.name
    assert tried >= 6


@pytest.mark.parametrize("check", BLOCK_CHECKS)
def test_a_block_statement_holds_numerically(check):
    systems = [s for s in SYSTEMS_TRIED if s.is_serial or not check.serial]
    systems = [s for s in systems if len(s.H[-1]) == 6 or not check.floating]
    assert len(systems) >= 8
    assert max(check.residual(system) for system in systems) < TOLERANCE


@pytest.mark.parametrize("check", OTHER_CHECKS)
def test_a_statement_about_vectors_or_motions_holds_numerically_and_could_fail(check, can_fail):
    assert residual(check, seeds=range(6)) < TOLERANCE
    assert can_fail(check)


@pytest.mark.parametrize("check", FALSE_CHECKS)
def test_a_misprint_about_numbers_is_refuted_for_every_seed(check):
    assert min(residual(check, seeds=[seed]) for seed in range(6)) > CLEARLY


@pytest.mark.parametrize("misprint", MISPRINTS)
def test_a_misprint_is_refuted_with_a_counterexample(misprint):
    if misprint.ill_typed:
        with pytest.raises(SpaceError):
            prove(misprint.statement)
        return
    with pytest.raises(Refuted) as caught:
        prove(misprint.statement)
    example = caught.value.counterexample
    assert caught.value.normal_form.letters
    assert relative_difference(example.lhs, example.rhs) > 1e-3


def test_the_ledger_is_complete():
    assert [entry.soa for entry in LEDGER] == [f"SOA-{number}" for number in EXPECTED]


def test_every_entry_has_a_statement_or_a_check_and_a_source():
    assert len({entry.soa for entry in LEDGER}) == len(LEDGER)
    for entry in LEDGER:
        assert entry.established
        assert entry.source


# -- mutants ------------------------------------------------------------------------------------------------------------

SWAPPED = {"phi": "psi", "phi_tilde": "psi_tilde", "E_phi": "E_psi"}
SWAPPED |= {new: old for old, new in SWAPPED.items()}


def mutants(expr):
    """Every expression that differs by one sign, one adjoint, or one φ ↔ ψ; ill-typed ones are left out."""
    if isinstance(expr, Letter):
        if expr.name in SWAPPED:
            yield Letter(SWAPPED[expr.name])
        if Adjoint(expr) != expr:
            yield Adjoint(expr)
        return
    if isinstance(expr, Adjoint):
        yield expr.args[0]
    if isinstance(expr, Sum):
        for i in range(len(expr.args)):
            yield Sum(*(Product(-1, term) if i == j else term for j, term in enumerate(expr.args)))
    for i, arg in enumerate(expr.args):
        if isinstance(arg, OpExpr):
            for mutant in mutants(arg):
                try:
                    yield expr.func(*expr.args[:i], mutant, *expr.args[i + 1 :])
                except SpaceError:
                    continue


def mutants_of(equation):
    seen = {equation}
    for lhs in (*mutants(equation.lhs), Product(-1, equation.lhs)):
        seen |= well_typed(lhs, equation.rhs)
    for rhs in mutants(equation.rhs):
        seen |= well_typed(equation.lhs, rhs)
    return sorted(seen - {equation}, key=str)


def well_typed(lhs, rhs):
    try:
        return {Equation(lhs, rhs)}
    except SpaceError:
        return set()


def verdict(equation):
    """Refuted, or proved and confirmed by numbers; anything else fails."""
    try:
        prove(equation).replay()
    except Refuted:
        return "refuted"
    assert numeric_difference(equation)[1] < TOLERANCE
    return "equivalent"


@pytest.mark.parametrize("entry", [e for e in LEDGER if e.statements], ids=lambda e: e.soa)
def test_no_mutant_slips_through(entry):
    verdicts = Counter()
    for text in dict.fromkeys(entry.statements):
        verdicts.update(verdict(mutant) for mutant in mutants_of(parse_equation(text)[0]))
    assert set(verdicts) <= {"refuted", "equivalent"}


def test_there_are_many_mutants_and_nearly_all_fall():
    verdicts = Counter()
    for entry in LEDGER[::4]:
        for text in entry.statements:
            verdicts.update(verdict(mutant) for mutant in mutants_of(parse_equation(text)[0]))
    assert verdicts.total() > 300
    assert verdicts["refuted"] > 20 * verdicts["equivalent"]


# -- LaTeX --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", STATEMENTS)
def test_the_latex_of_a_proof_is_well_formed(text, check_latex):
    check_latex(derivation_latex(prove(text)))
