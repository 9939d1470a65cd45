"""Every slip in a formula about vectors is noticed by a check of the ledger."""

from derive.operators.identities import vectorwise


def test_no_slip_goes_unnoticed(unnoticed_slips):
    assert unnoticed_slips(vectorwise) == []
