"""The shift lemma can fail, and what 002 claims for trees does hold on chains."""

import pytest

from derive.operators.block_system import random_block_system
from derive.operators.identities import LEDGER
from derive.operators.identities.blockwise import omega_from_its_diagonal


def test_the_shift_lemma_can_fail(can_fail):
    (check,) = next(entry.checks for entry in LEDGER if entry.soa == "SOA-7")
    assert can_fail(check)


@pytest.mark.parametrize("n", range(1, 8))
def test_omega_follows_from_its_diagonal_blocks_on_chains(n):
    assert omega_from_its_diagonal(random_block_system(0, n, dofs=(1, 2, 3))) < 1e-10
