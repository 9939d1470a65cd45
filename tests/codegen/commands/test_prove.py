import json

import pytest

from codegen.cli import main

LEMMA_4 = """\
(I − HψK)Hφ = Hψ
     (I − HψK)Hφ
 1.  = Hφ − HψKHφ   expand
 2.  = Hψ           ψKHφ = φ − ψ [SOA-53]
  ∎
"""


def test_lemma_4_reads_like_the_papers(capsys):
    assert main(["prove", "(I - H psi K) H phi = H psi"]) == 0
    assert capsys.readouterr().out == LEMMA_4


def test_a_false_statement_gets_its_difference_and_a_robot(capsys):
    assert main(["prove", "H phi = H psi"]) == 1
    out = capsys.readouterr().out
    assert "is false" in out
    assert "left − right  = Hφ − Hψ" in out
    assert "counter-example: random_chain_2_2 at q = [" in out


def test_a_refutation_in_json_can_be_recomputed(capsys):
    import numpy as np

    from derive import random_chain
    from derive.operators import evaluate, parse

    assert main(["prove", "H phi = H psi", "--format", "json"]) == 1
    content = json.loads(capsys.readouterr().out)
    model = random_chain(2, 2)
    assert content["robot"] == model.name
    np.testing.assert_allclose(evaluate(parse("H phi"), model, content["q"]), content["left"], atol=1e-12)
    np.testing.assert_allclose(evaluate(parse("H psi"), model, content["q"]), content["right"], atol=1e-12)


def test_outside_the_decided_fragment_the_verdict_is_numeric_and_says_so(capsys):
    assert main(["prove", "R = P + E_phi (R - P) E_phi' + K D K'"]) == 3
    assert "outside the decided fragment; numerically it holds on 8 robots" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("H H = I", "column 3: cannot multiply H (bodies → joints) by H (bodies → joints)"),
        ("H phi =", "column 8"),
        ("(H phi = H phi", "column 1: this parenthesis is never closed"),
        ("foo = I", "column 1: foo is no letter"),
        ("", "column 1"),
        ("phi + D = I", "cannot add phi (bodies → bodies) and D (joints → joints)"),
    ],
)
def test_what_is_not_well_typed_exits_2_with_the_column(statement, words, capsys):
    assert main(["prove", statement]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert words in err
    assert "soagen letters" in err


@pytest.mark.parametrize("format_", ["latex", "json"])
def test_other_formats(format_, capsys):
    assert main(["prove", "inv(I + H phi K) = I - H psi K", "--format", format_]) == 0
    out = capsys.readouterr().out
    assert json.loads(out)["steps"] if format_ == "json" else r"\begin{align*}" in out
