"""Non-commutative polynomials: rational combinations of words of letters. No SymPy, no spaces: the rewriting hot loop.

A letter is a string: a name of the alphabet, `X'` for the adjoint of X, `D^-1` for the inverse of D, `inv(…)` for
an inverse that has no factors (with a mark `°` at the end where it is self-adjoint). The empty word is the
identity. Which letters are self-adjoint is read from the alphabet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from typing import TypeAlias

from derive.operators.alphabet import ALPHABET

Word: TypeAlias = tuple[str, ...]
Coefficient: TypeAlias = int | Fraction

_SELF_ADJOINT = frozenset(row.name for row in ALPHABET.values() if row.self_adjoint)


def adjoint_letter(letter: str) -> str:
    """The letter of the adjoint: X ↔ X', and X itself where X is self-adjoint (or the inverse of such an X)."""
    if letter.endswith("'"):
        return letter[:-1]
    self_adjoint = letter.endswith("°") or letter.removesuffix("^-1") in _SELF_ADJOINT
    return letter if self_adjoint else letter + "'"


def adjoint_word(word: Word) -> Word:
    """The word of the adjoint: letters adjoint, order reversed."""
    return tuple(adjoint_letter(letter) for letter in reversed(word))


class Polynomial:
    """A finite sum of coefficient · word; immutable. Words keep the order in which they were first met."""

    __slots__ = ("_terms",)

    def __init__(self, terms: Iterable[tuple[Word, Coefficient]] = ()) -> None:
        collected: dict[Word, Coefficient] = {}
        for word, coefficient in terms:
            collected[word] = collected.get(word, 0) + coefficient
        self._terms = {word: coefficient for word, coefficient in collected.items() if coefficient}

    def __iter__(self) -> Iterator[tuple[Word, Coefficient]]:
        return iter(self._terms.items())

    def __len__(self) -> int:
        return len(self._terms)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Polynomial) and self._terms == other._terms

    def __hash__(self) -> int:
        return hash(frozenset(self._terms.items()))

    def __repr__(self) -> str:
        return " + ".join(f"{coefficient}·{' '.join(word) or 'I'}" for word, coefficient in self) or "0"

    def __add__(self, other: Polynomial) -> Polynomial:
        return Polynomial((*self, *other))

    def __sub__(self, other: Polynomial) -> Polynomial:
        return self + other.scaled(-1)

    def __mul__(self, other: Polynomial) -> Polynomial:
        return Polynomial((u + v, c * d) for u, c in self for v, d in other)

    def scaled(self, factor: Coefficient) -> Polynomial:
        """`factor` times this."""
        return Polynomial((word, factor * coefficient) for word, coefficient in self)

    def between(self, left: Word, right: Word) -> Polynomial:
        """This, with words put on both sides."""
        return Polynomial((left + word + right, coefficient) for word, coefficient in self)

    @property
    def adjoint(self) -> Polynomial:
        """The adjoint."""
        return Polynomial((adjoint_word(word), coefficient) for word, coefficient in self)

    @property
    def letters(self) -> frozenset[str]:
        """The letters that occur."""
        return frozenset(letter for word, _ in self for letter in word)


IDENTITY = Polynomial([((), 1)])
ZERO = Polynomial()


def monomial(*letters: str) -> Polynomial:
    """The polynomial of one word with coefficient 1."""
    return Polynomial([(letters, 1)])
