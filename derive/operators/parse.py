"""Text to operator expressions.

    statement = sum ["=" sum]
    sum       = ["+" | "-"] product {("+" | "-") product}
    product   = factor {["*" | "·"] factor}
    factor    = (number | letter | "I" | "0" | "inv" "(" sum ")" | "(" sum ")") {postfix}
    postfix   = "'" | "^*" | "^T" | "∗" | "†" | "ᵀ"  (adjoint)  |  "^-1" | "⁻¹"  (inverse)  |  "^" digits  (power)
    number    = digits ["/" digits]

Letters are spelled as in the alphabet, by name or in Unicode; single letters may run together (`HψK`, `KH`).

Two readings depend on types and are taken only when the first choice fails; `read` then says so in `notes`:

* `*` is the product. Where that reading is not grammatical or not well-typed but reading *every* `*` as the adjoint
  is
  (`HφMφ*H*`, as the papers write), the papers' reading is taken.
* `M` is the link inertia. An `M` that makes the statement ill-typed is read as the joint-space mass matrix `Mass`
  if that
  fits (`J inv(M) J'`), with as few such readings as possible.
"""

from __future__ import annotations

import difflib
import itertools
import re
from dataclasses import dataclass
from typing import Any

import sympy

from derive.operators.alphabet import SPELLINGS
from derive.operators.errors import OperatorError, ParseError, SpaceError
from derive.operators.expr import Adjoint, Equation, Identity, Inverse, Letter, OpExpr, Product, Sum, Zero

_VARIANTS = str.maketrans({"−": "-", "–": "-", "ϕ": "φ", "⋅": "·", "∙": "·", "Ω": "Ω", "′": "'", "’": "'"})
_LETTERS = {spelling.translate(_VARIANTS): name for spelling, name in SPELLINGS.items()}
_SPECIAL = sorted((s for s in _LETTERS if not re.fullmatch(r"[A-Za-z]\w*", s, re.ASCII)), key=len, reverse=True)
_POSTFIXES = {
    "'": "adjoint",
    "^*": "adjoint",
    "^T": "adjoint",
    "∗": "adjoint",
    "†": "adjoint",
    "ᵀ": "adjoint",
    "^-1": "inverse",
    "^{-1}": "inverse",
    "⁻¹": "inverse",
}
_TWO_MEANINGS = {"Φ": "Phi_000 (φS) or Phi_001 (φ − I)", "Ψ": "Psi_000 (ψS) or Psi_001 (ψE_φ)"}
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*", re.ASCII)
_POWER = re.compile(r"\^(\d+)")
_NUMBER = re.compile(r"\d+(/\d+)?")
_MAXIMAL_POWER = 20
_MAXIMAL_AMBIGUOUS = 8


@dataclass(frozen=True)
class Parsed:
    """What `read` understood: the expression or equation, and a note for each reading that types decided."""

    value: OpExpr | Equation
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Token:
    kind: str  # number, letter, identity, inv, postfix, power, or the character itself
    value: str
    column: int


def parse(text: str) -> Any:
    """The operator expression (or `Equation`) that `text` writes; raises `ParseError` or `SpaceError`."""
    return read(text).value


def parse_expression(text: str) -> OpExpr:
    """The operator expression `text` writes; raises `ParseError` if it is an equation."""
    value = read(text).value
    if isinstance(value, Equation):
        raise ParseError("an expression is wanted here, not an equation", text, text.index("=") + 1)
    return value


def parse_equation(text: str) -> tuple[Equation, tuple[str, ...]]:
    """The equation `text` writes and the notes on how it was read; raises `ParseError` if it has no `=`."""
    parsed = read(text)
    if not isinstance(parsed.value, Equation):
        raise ParseError("a statement needs two sides: LHS = RHS", text, len(text) + 1)
    return parsed.value, parsed.notes


def read(text: str) -> Parsed:
    """The meaning of `text`, with notes; raises `ParseError` or `SpaceError` for the first reading if none fits."""
    plain = text.translate(_VARIANTS)
    first_error: OperatorError | None = None
    for star in ("product", "adjoint") if "*" in plain else ("product",):
        try:
            tokens = _tokens(plain, text, star)
        except ParseError as error:
            first_error = first_error or error
            continue
        positions = [i for i, token in enumerate(tokens) if token.kind == "letter" and token.value == "M"]
        for masses in _choices(positions):
            chosen = [_Token("letter", "Mass", t.column) if i in masses else t for i, t in enumerate(tokens)]
            try:
                value = _Parser(chosen, text).statement()
            except ParseError as error:
                first_error = first_error or error
                break
            except SpaceError as error:
                first_error = first_error or error
                continue
            return Parsed(value, _notes(star, [tokens[i].column for i in masses]))
    assert first_error is not None
    raise first_error


def _choices(positions: list[int]) -> list[tuple[int, ...]]:
    """Which occurrences of M to read as the mass matrix, fewest first."""
    sizes = range(len(positions) + 1) if len(positions) <= _MAXIMAL_AMBIGUOUS else (0, len(positions))
    return [choice for size in sizes for choice in itertools.combinations(positions, size)]


def _notes(star: str, mass_columns: list[int]) -> tuple[str, ...]:
    notes = [f"M at column {column} is read as the joint-space mass matrix 𝓜" for column in mass_columns]
    if star == "adjoint":
        notes.append("every * is read as the adjoint, as the papers write it")
    return tuple(notes)


def _tokens(plain: str, text: str, star: str) -> list[_Token]:
    tokens: list[_Token] = []
    i = 0
    while i < len(plain):
        if plain[i].isspace():
            i += 1
            continue
        found, i = _next_tokens(plain, text, i, star)
        tokens += found
    return [*tokens, _Token("end", "", len(text) + 1)]


def _next_tokens(plain: str, text: str, i: int, star: str) -> tuple[list[_Token], int]:
    column = i + 1
    if special := next((s for s in _SPECIAL if plain.startswith(s, i)), None):
        return [_Token("letter", _LETTERS[special], column)], i + len(special)
    if postfix := next((p for p in _POSTFIXES if plain.startswith(p, i)), None):
        return [_Token("postfix", _POSTFIXES[postfix], column)], i + len(postfix)
    if power := _POWER.match(plain, i):
        return [_Token("power", power[1], column)], power.end()
    if number := _NUMBER.match(plain, i):
        return [_Token("number", number[0], column)], number.end()
    if plain[i] in "+-=()*·":
        if plain[i] == "*" and star == "adjoint":
            if i == 0 or plain[i - 1].isspace():
                raise ParseError("the adjoint sign * follows its operand directly", text, column)
            return [_Token("postfix", "adjoint", column)], i + 1
        return [_Token("*" if plain[i] == "·" else plain[i], plain[i], column)], i + 1
    if name := _NAME.match(plain, i):
        return _named(name[0], plain, text, i)
    if meanings := _TWO_MEANINGS.get(plain[i]):
        raise ParseError(f"{plain[i]} means two things in the papers: write {meanings}", text, column)
    raise ParseError(f"{plain[i]!r} is no letter or sign of the operator algebra", text, column)


def _named(name: str, plain: str, text: str, i: int) -> tuple[list[_Token], int]:
    """A run of ASCII letters: a name of the alphabet, `I`, `inv`, or single letters written together."""
    if name == "inv":
        return [_Token("inv", name, i + 1)], i + 3
    if name in _LETTERS:
        return [_Token("letter", _LETTERS[name], i + 1)], i + len(name)
    tokens, j, end = [], i, i + len(name)
    while j < end:
        special = next((s for s in _SPECIAL if plain.startswith(s, j)), None)
        spelling = special or plain[j]
        if spelling == "I":
            tokens.append(_Token("identity", "I", j + 1))
        elif spelling in _LETTERS:
            tokens.append(_Token("letter", _LETTERS[spelling], j + 1))
        else:
            near = difflib.get_close_matches(name, _LETTERS, 1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise ParseError(f"{name} is no letter of the operator algebra{hint}", text, i + 1)
        j += len(spelling)
    return tokens, j


class _Parser:
    """Recursive descent over one list of tokens."""

    def __init__(self, tokens: list[_Token], text: str) -> None:
        self._tokens, self._text, self._at = tokens, text, 0

    @property
    def _token(self) -> _Token:
        return self._tokens[self._at]

    def _take(self) -> _Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def _fail(self, what: str) -> ParseError:
        return ParseError(what, self._text, self._token.column)

    def statement(self) -> OpExpr | Equation:
        value: OpExpr | Equation = self._sum()
        if self._token.kind == "=":
            column = self._take().column
            value = self._typed(column, Equation, value, self._sum())
        if self._token.kind != "end":
            raise self._fail(f"{self._token.value!r} is not expected here")
        return value

    def _sum(self) -> OpExpr:
        sign = self._take().kind if self._token.kind in ("+", "-") else "+"
        total = self._signed(sign)
        while self._token.kind in ("+", "-"):
            operator = self._take()
            total = self._typed(operator.column, Sum, total, self._signed(operator.kind))
        return total

    def _signed(self, sign: str) -> OpExpr:
        term = self._product()
        return Product(-1, term) if sign == "-" else term

    def _product(self) -> OpExpr:
        coefficient, product = sympy.Integer(1), None
        start = self._token.column
        while True:
            column = self._token.column
            factor = self._factor()
            if isinstance(factor, OpExpr):
                product = factor if product is None else self._typed(column, Product, product, factor)
            else:
                coefficient *= factor
            if self._token.kind == "*":
                self._take()
            elif self._token.kind not in ("number", "letter", "identity", "inv", "("):
                break
        if product is None and coefficient != 0:
            what = f"{coefficient} alone is not an operator; write I for the identity"
            raise ParseError(what, self._text, start)
        return Zero() if product is None else Product(coefficient, product)

    def _factor(self) -> Any:
        """One factor with its postfixes: an operator, or a rational number."""
        token = self._token
        if token.kind == "number":
            self._take()
            return sympy.Rational(token.value)
        value = self._atom()
        while self._token.kind in ("postfix", "power"):
            postfix = self._take()
            if postfix.kind == "power":
                if int(postfix.value) > _MAXIMAL_POWER:
                    raise ParseError(f"powers go up to {_MAXIMAL_POWER}", self._text, postfix.column)
                value = self._typed(postfix.column, lambda v, p=int(postfix.value): v**p, value)
            else:
                value = self._typed(postfix.column, Adjoint if postfix.value == "adjoint" else Inverse, value)
        return value

    def _atom(self) -> OpExpr:
        token = self._token
        if token.kind == "letter":
            return Letter(self._take().value)
        if token.kind == "identity":
            self._take()
            return Identity()
        if token.kind == "inv":
            self._take()
            if self._token.kind != "(":
                raise self._fail("inv needs its operand in parentheses: inv(A)")
            return self._typed(token.column, Inverse, self._parenthesised())  # type: ignore[no-any-return]
        if token.kind == "(":
            return self._parenthesised()
        if self._at and self._tokens[self._at - 1].kind == "*":
            raise self._fail("a factor is missing after the product sign *; the adjoint is written A' or A^*")
        raise self._fail("an operator is expected here")

    def _parenthesised(self) -> OpExpr:
        opening = self._take()
        value = self._sum()
        if self._token.kind != ")":
            raise ParseError("this parenthesis is never closed", self._text, opening.column)
        self._take()
        return value

    def _typed(self, column: int, build: Any, *operands: Any) -> Any:
        """`build(*operands)`, a `SpaceError` told where in the text it happened."""
        try:
            return build(*operands)
        except SpaceError as error:
            raise SpaceError(str(error), self._text, column) from None
