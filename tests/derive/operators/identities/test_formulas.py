"""Every slip in the formulas of section 2 is noticed by a check of the ledger."""

from derive.operators.identities import formulas


def test_no_slip_goes_unnoticed(unnoticed_slips):
    assert unnoticed_slips(formulas) == []
