"""The table of letters is consistent: definitions type-check, spellings are unique, letters are documented."""

import re

import pytest

from derive.operators.alphabet import ALPHABET, CORE, DERIVED, SPELLINGS
from derive.operators.expr import Adjoint, Letter
from derive.operators.normal import normal_polynomial, unfold
from derive.operators.parse import parse

ROWS = list(ALPHABET.values())


def test_names_and_spellings_are_unique():
    assert len(ALPHABET) == len(CORE) + len(DERIVED)
    assert len(SPELLINGS) == sum(len({row.name, row.unicode, *row.aliases}) for row in ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_every_letter_is_documented_and_parses_in_all_spellings(row):
    assert row.meaning
    assert re.fullmatch(r"SOA-\d+", row.soa)
    for spelling in (row.name, row.unicode, *row.aliases):
        assert parse(spelling) == Letter(row.name)


@pytest.mark.parametrize("row", DERIVED, ids=lambda row: row.name)
def test_a_definition_has_the_spaces_structure_and_symmetry_of_its_letter(row):
    expr = parse(row.definition)
    assert (expr.codomain, expr.domain) == (row.codomain, row.domain)
    if row.structure.value != frozenset({-1, 0, 1}) and row.name not in ("phi_tilde", "psi_tilde", "Phi_001"):
        assert row.structure.value >= expr.structure.value  # φ − I is strictly causal though its bound is causal
    assert (normal_polynomial(expr) == normal_polynomial(Adjoint(expr))) == row.self_adjoint


def test_unfolding_leaves_core_letters_only():
    core = {row.name for row in CORE}
    for row in DERIVED:
        assert unfold(Letter(row.name)).letters <= core
