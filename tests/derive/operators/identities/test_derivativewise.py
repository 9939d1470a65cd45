"""The residuals of statements about derivatives notice every slip in the formulas they evaluate."""

from derive.operators.identities import derivativewise


def test_no_slip_goes_unnoticed(unnoticed_slips):
    assert unnoticed_slips(derivativewise) == []
