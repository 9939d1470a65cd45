import json

import pytest

from codegen.cli import main
from derive.results import catalogue


@pytest.mark.parametrize("name", catalogue())
def test_every_result_is_derived(name, capsys):
    assert main(["derive", name]) == 0
    out = capsys.readouterr().out
    recursion = catalogue()[name].recursion()
    assert out.startswith(catalogue()[name].title)
    assert "  ∎\n" in out
    assert out.rstrip().splitlines()[-1].endswith(f"{recursion.complexity}")
    assert f"\nsweep {len(recursion.sweeps)}, " in out


def test_an_expression_is_simplified(capsys):
    assert main(["derive", "J inv(Mass) J'"]) == 0
    assert "4.  = B∗ψ∗H∗D⁻¹HψB" in capsys.readouterr().out


def test_an_expression_without_a_recursion_says_which_part_and_why(capsys):
    assert main(["derive", "H inv(phi M phi' + P) H'"]) == 0
    assert "no recursion: " in capsys.readouterr().out


@pytest.mark.parametrize("format_", ["latex", "json"])
def test_other_formats_hold_the_loops_too(format_, capsys):
    assert main(["derive", "fd3", "--format", format_]) == 0
    out = capsys.readouterr().out
    assert json.loads(out)["sweeps"] == 3 if format_ == "json" else out.count(r"\begin{align*}") == 4


def test_the_results_are_listed(capsys):
    assert main(["derive"]) == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(catalogue())


@pytest.mark.parametrize(
    ("text", "words"),
    [("nope", "neither a result nor"), ("fd9", "close: fd"), ("J inv(M", "never closed"), ("H H", "multiply")],
)
def test_what_is_neither_is_refused(text, words, capsys):
    assert main(["derive", text]) == 2
    err = capsys.readouterr().err
    assert words in err
    assert err.count("\n") == 1
