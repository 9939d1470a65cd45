"""Loops as text, Markdown and LaTeX."""

import re

import pytest

from derive.recursion_printing import loops, to_latex, to_markdown, to_text
from derive.sweeps import to_recursion

FACTOR = "(I - H psi K) T"
RICCATI = """    P(k) = φ(k,k−1) P⁺(k−1) φ*(k,k−1) + M(k)
    D(k) = H(k) P(k) H*(k)
    D⁻¹(k) = [D(k)]⁻¹
    G(k) = P(k) H*(k) D⁻¹(k)
    P⁺(k) = P(k) − P(k) H*(k) G*(k)
"""
SHAPES = [
    FACTOR,
    "Mass",
    "inv(Mass_a)",
    "Lambda",
    "J",
    "1/2 qd' Mass qd",
    "T' qd - qd' T",
    "D_sqrt T",
    "D_isqrt T",
    "inv(I + P) b",
    "Omega",
]


def test_text_of_a_filter():
    assert to_text(to_recursion({"eps": FACTOR})) == (
        "ε = (I − HψK)T\n"
        "\n"
        "sweep 1, tip to base: for k = 1 … n\n"
        + RICCATI
        + "    z(k) = ψ(k,k−1) z(k−1) + K(k,k−1) T(k−1)\n"
        + "    ε(k) = T(k) − H(k) z(k)\n"
        "\n"
        "ψ(k,k−1) = φ(k,k−1) τ̄(k−1), K(k,k−1) = φ(k,k−1) G(k−1), τ̄(k) = I − G(k) H(k).\n"
        "What is read at k−1 = 0 or k+1 = n+1 is zero. On a tree k+1 is the parent of k, and a term at k−1 is summed "
        "over the children of k.\n"
        "1 sweep, O(N)"
    )


def test_markdown_lists_the_same_lines():
    recursion = to_recursion({"V": "phi' H' qd"})
    assert to_markdown(recursion) == (
        "`V = φ∗H∗θ̇`\n"
        "\n"
        "1. **base to tip**, for k = n … 1:\n"
        "   - `V(k) = φ*(k+1,k) V(k+1) + H*(k) θ̇(k)`\n"
        "\n"
        "What is read at k−1 = 0 or k+1 = n+1 is zero. On a tree k+1 is the parent of k, and a term at k−1 is summed "
        "over the children of k.  \n"
        "**1 sweep, O(N)**"
    )


def test_latex_of_the_velocity_sweep():
    assert to_latex(to_recursion({"V": "phi' H' qd"})) == (
        "\\begin{align*}\n"
        "&\\text{for } k = n \\ldots 1: \\\\\n"
        "&V(k) = \\phi^{*}(k+1,k) V(k+1) + H^{*}(k) \\dot\\theta(k)\n"
        "\\end{align*}"
    )


@pytest.mark.parametrize("text", SHAPES)
def test_latex_is_ascii_balanced_and_says_as_much_as_the_text(text):
    recursion = to_recursion({"x": text})
    source = to_latex(recursion)
    assert source.isascii()
    assert source.count("{") == source.count("}")
    assert source.count(r"\begin{align*}") == source.count(r"\end{align*}") == len(recursion.sweeps)
    assert len(re.findall("^&", source, re.MULTILINE)) == len(loops(recursion))


def test_numbered_fields_have_indices():
    assert any("z₂(k)" in line for line in loops(to_recursion("H psi (K T + b) + H psi E_psi psi (b + a)")))


def test_actions_are_spelled():
    assert loops(to_recursion({"x": "D_sqrt T"}))[-2] == "  D^½(k) = [D(k)]^½"
    assert loops(to_recursion({"x": "T' qd - 2 b' a"}, given=("a", "b")))[-1] == "  x = Σ_k [T*(k) θ̇(k) − 2 b*(k) a(k)]"
    assert loops(to_recursion({"x": "inv(I + P) b"}, given=("b",)))[-2] == "  W(k) = [I + P(k)]⁻¹"
    assert loops(to_recursion({"x": "Lambda f_0"}))[-1] == "  x = W⁻¹ f"
