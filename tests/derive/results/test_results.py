import pytest

from derive.operators import cost
from derive.operators.counterexample import TOLERANCE
from derive.results import UnknownResultError, catalogue, find_result


@pytest.mark.parametrize("name", catalogue())
def test_each_result_is_proved_replayed_and_true_in_numbers(name):
    derivation = catalogue()[name].derive()
    derivation.replay()
    assert derivation.numeric_difference() < TOLERANCE


@pytest.mark.parametrize("name", catalogue())
def test_each_form_is_one_to_compute_with(name):
    """No inverse but that of D is left: what remains are sweeps and block-diagonal factors."""
    assert cost(catalogue()[name].statement()).dense_inverses == 0


@pytest.mark.parametrize("name", catalogue())
def test_each_result_cites_its_source(name):
    result = catalogue()[name]
    assert result.name == name
    assert result.prose
    assert all(soa.startswith("SOA-") for soa in result.soa)
    assert any(seed in result.source for seed in ("000", "001", "002", "003", "004"))


@pytest.mark.parametrize(
    ("alias", "name"), [("fd1", "forward_dynamics_fd1"), ("forward_dynamics", "forward_dynamics_fd4")]
)
def test_aliases(alias, name):
    assert find_result(alias).name == name


def test_an_unknown_name_is_told_the_close_ones():
    with pytest.raises(UnknownResultError, match="close: mass_matrix"):
        find_result("mass_matrx")
