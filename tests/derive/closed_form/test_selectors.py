import pytest

from derive import load_model
from derive.closed_form.errors import ClosedFormError
from derive.closed_form.selectors import parse_selector

PANDA = load_model("panda")


@pytest.mark.parametrize(
    ("text", "name", "indices", "along"),
    [
        ("M", "M", (), None),
        (" M[1,2] ", "M", (0, 1), None),
        ("M[panda_joint1,panda_joint7]", "M", (0, 6), None),
        ("C[2]", "C", (1,), None),
        ("g", "g", (), None),
        ("dM[3][1,2]", "dM", (0, 1), 2),
        ("dM[panda_joint3]", "dM", (), 2),
        ("christoffel[1,2,3]", "christoffel", (0, 1, 2), None),
        ("P[2]", "P", (1,), None),
        ("P[2,1,6]", "P", (1, 0, 5), None),
        ("psi[3,2]", "psi", (2, 1), None),
        ("kinetic_energy", "KE", (), None),
    ],
)
def test_selectors(text, name, indices, along):
    found = parse_selector(text, PANDA)
    assert (found.quantity.name, found.indices, found.along) == (name, indices, along)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Q[1]", "no entry 'Q\\[1\\]'; the entries are M\\[i,j\\].*psi"),
        ("", "no entry"),
        ("M[9,9]", "index 9 is not among 1 … 7"),
        ("M[0,1]", "index 0 is not among"),
        ("M[-1,1]", "index -1 is not among"),
        ("M[1,2,3]", "too many indices; write M\\[i,j\\]"),
        ("M[1][2]", "too many indices"),
        ("M[panda_joint9,1]", "did you mean 'panda_joint"),
        ("M[1;2]", "no joint '1;2'"),
        ("dM[1,2]", "write dM\\[k\\]"),
        ("P", "too few indices; write P\\[k,i,j\\]"),
        ("psi[1]", "too few"),
        ("J[7,1]", "not among 1 … 6"),
        ("M[1,2", "no entry"),
    ],
)
def test_what_is_not_an_entry_is_explained(text, message):
    with pytest.raises(ClosedFormError, match=message):
        parse_selector(text, PANDA)
