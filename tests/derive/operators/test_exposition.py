"""Derivations as text, LaTeX and JSON: exact where it matters."""

import json

from derive.operators import parse, prove
from derive.operators.exposition import derivation_json_text, derivation_latex, derivation_text

LEMMA_4 = """\
(I − HψK)Hφ = Hψ
     (I − HψK)Hφ
 1.  = Hφ − HψKHφ   expand
 2.  = Hψ           ψKHφ = φ − ψ [SOA-53]
  ∎
"""


def test_text_of_lemma_4():
    derivation = prove("(I - H psi K) H phi = H psi")
    assert derivation_text(derivation) == LEMMA_4
    assert str(derivation) == LEMMA_4


def test_text_says_how_an_inverse_is_proved_and_how_m_was_read():
    assert "it is enough that (I + HφK)(I − HψK) = I" in derivation_text(prove("inv(I + H phi K) = I - H psi K"))
    assert "note: M at column 1" in derivation_text(prove("M = (I + H phi K) D (I + H phi K)'"))


def test_latex_is_a_document_of_its_own(check_latex):
    source = derivation_latex(prove("Mass = (I + H phi K) D (I + H phi K)'"))
    check_latex(source)
    assert source.startswith(r"\documentclass")
    assert r"\begin{align*}" in source
    assert r"&= \left(I + H \phi K\right) D \left(I + H \phi K\right)^{*} && \text{collect}" in source


def test_json_parses_back():
    data = json.loads(derivation_json_text(prove("Mass = (I + H phi K) D (I + H phi K)'")))
    assert parse(data["statement"]) == parse("Mass = (I + H phi K) D (I + H phi K)'")
    ends = [data["goal"].split(" = ")[0], *(step["after"] for step in data["steps"])]
    assert [step["before"] for step in data["steps"]] == ends[:-1]
    assert all(parse(end) is not None for end in ends)
