"""Fixtures: hypothesis strategies for well-typed operator expressions over the core letters."""

import itertools
import re

import pytest
from hypothesis import strategies as st

from derive.operators.expr import Adjoint, Identity, Inverse, Letter, Product, Sum
from derive.operators.spaces import BODIES, JOINTS

LETTERS = [Letter(name) for name in ("phi", "psi", "E_phi", "K", "H", "G", "P", "D", "M", "tau_bar", "E_psi")]
FACTORS = [*LETTERS, *map(Adjoint, LETTERS), Inverse(Letter("D"))]
TABLE = {
    (cod, dom): [f for f in FACTORS if (f.codomain, f.domain) == (cod, dom)]
    for cod in (JOINTS, BODIES)
    for dom in (JOINTS, BODIES)
}


@st.composite
def typed_words(draw, codomain=None, domain=None, longest=5):
    """A product of at most `longest` letters between the given (or any) spaces."""
    spaces = st.sampled_from([JOINTS, BODIES])
    start, end = codomain or draw(spaces), domain or draw(spaces)
    path = [start, *draw(st.lists(spaces, max_size=longest - 1)), end]
    factors = [draw(st.sampled_from(TABLE[pair])) for pair in itertools.pairwise(path)]
    return Product(*factors)


@st.composite
def typed_expressions(draw, codomain=None, domain=None, depth=2):
    """Sums, products, adjoints and inverses of words."""
    spaces = st.sampled_from([JOINTS, BODIES])
    start, end = codomain or draw(spaces), domain or draw(spaces)
    kind = draw(st.sampled_from(["word", "sum", "product", "adjoint", "identity"])) if depth else "word"
    if kind == "sum":
        terms = [draw(typed_expressions(start, end, depth - 1)) for _ in range(draw(st.integers(2, 3)))]
        return Sum(*(Product(draw(st.integers(-2, 2)), term) for term in terms))
    if kind == "product":
        middle = draw(spaces)
        return Product(
            draw(typed_expressions(start, middle, depth - 1)), draw(typed_expressions(middle, end, depth - 1))
        )
    if kind == "adjoint":
        return Adjoint(draw(typed_expressions(end, start, depth - 1)))
    if kind == "identity" and start == end:
        return Sum(Identity(), draw(typed_words(start, end)))
    return draw(typed_words(start, end))


@pytest.fixture(scope="session")
def words():
    """The strategy function for words."""
    return typed_words


@pytest.fixture(scope="session")
def expressions():
    """The strategy function for expressions."""
    return typed_expressions


KNOWN_COMMANDS = frozenset(
    re.findall(
        "[A-Za-z]+",
        """documentclass usepackage allowdisplaybreaks setlength parindent begin end textbf text left right quad times
        tfrac phi psi tau theta delta Phi Psi Omega Upsilon Lambda Delta Gamma bar tilde dot partial mathcal mathbb mathsf""",
    )
)


def assert_latex_is_well_formed(source):
    """Balanced braces, dollars, environments and \\left…\\right, only commands that amsmath and amssymb know, pure ASCII
    mathematics outside \\text: what a TeX run would trip over first."""
    depth = 0
    for before, c in zip(" " + source, source, strict=False):
        depth += (c == "{") - (c == "}") if before != "\\" else 0
        assert depth >= 0
    assert depth == 0
    assert source.count("$") % 2 == 0
    assert source.count(r"\left") - source.count(r"\leftarrow") == source.count(r"\right") - source.count(
        r"\rightarrow"
    )
    stack = []
    for kind, name in re.findall(r"\\(begin|end)\{([a-z*]+)\}", source):
        if kind == "begin":
            stack.append(name)
        else:
            assert stack.pop() == name
    assert not stack
    assert set(re.findall(r"\\([A-Za-z]+)", source)) <= KNOWN_COMMANDS
    assert source.isascii()


@pytest.fixture(scope="session")
def check_latex():
    """The light LaTeX checker."""
    return assert_latex_is_well_formed
