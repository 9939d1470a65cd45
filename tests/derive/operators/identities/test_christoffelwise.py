"""The residuals of statements about Christoffel symbols notice every slip in the formulas they evaluate."""

from derive.operators.identities import christoffelwise


def test_no_slip_goes_unnoticed(unnoticed_slips):
    assert unnoticed_slips(christoffelwise) == []
