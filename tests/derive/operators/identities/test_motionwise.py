"""Every slip in a statement about motions is noticed by a check of the ledger."""

from derive.operators.identities import motionwise


def test_no_slip_goes_unnoticed(unnoticed_slips):
    assert unnoticed_slips(motionwise) == []
