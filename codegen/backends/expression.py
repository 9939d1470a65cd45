"""The text of one formula. C and Python agree on operators, precedence and parentheses; a `Dialect` holds what differs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from codegen.backends.formulas import Named, Term, Tree
from codegen.ir import OPERATIONS, Const, Input

SUM, PRODUCT, SIGN, ATOM = range(4)  # precedence, loosest first
PRECEDENCE = {"add": SUM, "sub": SUM, "mul": PRODUCT, "div": PRODUCT, "neg": SIGN}


@dataclass(frozen=True)
class Dialect:
    """How one language writes constants, entries of arrays and the names of functions."""

    constant: Callable[[float], str]
    entry: Callable[[str, int], str]
    function: Callable[[str], str]


def expression(tree: Tree, dialect: Dialect) -> str:
    """The tree's text; it does the operations of the tree and no others, on operands that may have changed places."""
    return _text(tree, dialect)[0]


def _text(tree: Tree, dialect: Dialect) -> tuple[str, int]:
    """Text and precedence."""
    if type(tree) is Named:
        return tree.name, ATOM
    if type(tree) is Input:
        return dialect.entry(tree.array, tree.index), ATOM
    if type(tree) is Const:
        return dialect.constant(tree.value), SIGN if tree.value < 0.0 else ATOM
    assert type(tree) is Term
    level = _level(tree)
    if level == ATOM:
        return f"{dialect.function(tree.op)}({expression(tree.operands[0], dialect)})", ATOM
    symbol = OPERATIONS[tree.op].symbol
    if level == SIGN:
        return symbol + _operand(tree.operands[0], dialect, ATOM), SIGN
    left, right = tree.operands
    if OPERATIONS[tree.op].commutative and _level(right) == level != _level(left):
        left, right = right, left  # b + c + a for a + (b + c): the same operations on the same values
    blank = " " if level == SUM else ""
    return _operand(left, dialect, level) + blank + symbol + blank + _right(right, dialect, level), level


def _level(tree: Tree) -> int:
    return PRECEDENCE.get(tree.op, ATOM) if type(tree) is Term else ATOM


def _operand(tree: Tree, dialect: Dialect, least: int) -> str:
    """The text, in parentheses if it binds less than `least`."""
    text, level = _text(tree, dialect)
    return text if level >= least else f"({text})"


def _right(tree: Tree, dialect: Dialect, level: int) -> str:
    """A right operand: a product is plain in a sum, and everything else that is not an atom keeps its parentheses."""
    text, own = _text(tree, dialect)
    return text if own == ATOM or (own == PRODUCT and level == SUM and not text.startswith("-")) else f"({text})"
