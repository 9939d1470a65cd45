"""Operator expressions: SymPy matrix expressions of symbolic size whose spaces are checked at construction.

Nodes: `Letter`, `Identity`, `Zero`, `Product`, `Sum`, `Adjoint`, `Inverse`. All are `MatrixExpr`s, so `+ - * .T
.inv() subs xreplace latex(…)` work. A product or sum of operators from different spaces raises `SpaceError` and
names both. `Identity()` without a space is the identity on whatever space fits: the sum or product it joins fills
it in.

Construction is light: nested sums and products are flattened, like terms collected, identity factors dropped,
adjoints of products distributed. Nothing is expanded; that is the work of `normal.py`. Terms keep the order they
were written in, and that order does not matter for equality.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, ClassVar

import sympy
from sympy.core.symbol import Str
from sympy.matrices.expressions import MatrixExpr

from derive.operators.alphabet import ALPHABET
from derive.operators.errors import OperatorError, SpaceError
from derive.operators.letter_info import LetterInfo
from derive.operators.spaces import SPACES, Space, Structure

_UNKNOWN = "?"


class OpExpr(MatrixExpr):  # type: ignore[misc]
    """An operator from `domain` to `codomain`. A space is None where it is still to be inferred."""

    is_commutative: ClassVar[bool] = False
    _op_priority: ClassVar[float] = 20.0
    codomain: Space | None
    domain: Space | None
    structure: Structure

    @classmethod
    def _node(cls, args: tuple[Any, ...], codomain: Space | None, domain: Space | None, structure: Structure) -> Any:
        node = sympy.Basic.__new__(cls, *args)
        node.codomain, node.domain, node.structure = codomain, domain, structure
        return node

    @property
    def shape(self) -> tuple[Any, Any]:
        """Symbolic (rows, columns)."""
        return _size(self.codomain, "rows"), _size(self.domain, "columns")

    @property
    def is_typed(self) -> bool:
        """Whether both spaces are known."""
        return self.codomain is not None and self.domain is not None

    @property
    def free_symbols(self) -> set[Any]:
        """The letters that occur."""
        return {node for node in sympy.preorder_traversal(self) if isinstance(node, Letter)}

    @property
    def letters(self) -> frozenset[str]:
        """The names of the letters that occur."""
        return frozenset(letter.name for letter in self.free_symbols)

    def __add__(self, other: Any) -> Any:
        return Sum(self, other)

    def __radd__(self, other: Any) -> Any:
        return Sum(other, self)

    def __sub__(self, other: Any) -> Any:
        return Sum(self, Product(-1, other))

    def __rsub__(self, other: Any) -> Any:
        return Sum(other, Product(-1, self))

    def __neg__(self) -> Any:
        return Product(-1, self)

    def __mul__(self, other: Any) -> Any:
        return Product(self, other)

    def __rmul__(self, other: Any) -> Any:
        return Product(other, self)

    __matmul__ = __mul__
    __rmatmul__ = __rmul__

    def __truediv__(self, other: Any) -> Any:
        return Product(1 / sympy.Rational(other), self)

    def __pow__(self, exponent: Any) -> Any:
        power = int(exponent)
        base = self if power >= 0 else Inverse(self)
        return Product(Identity(), *[base] * abs(power)) if power else resolved(Identity(), self.codomain, self.domain)

    @property
    def T(self) -> Any:
        """The adjoint."""
        return Adjoint(self)

    def transpose(self) -> Any:
        """The adjoint."""
        return Adjoint(self)

    def adjoint(self) -> Any:
        """The adjoint."""
        return Adjoint(self)

    _eval_transpose = _eval_adjoint = adjoint

    def inverse(self) -> Any:
        """The inverse; raises `SpaceError` unless both spaces agree."""
        return Inverse(self)

    inv = _eval_inverse = inverse

    def _entry(self, i: Any, j: Any, **kwargs: Any) -> Any:
        raise OperatorError("an operator has no entries before it meets a robot: use evaluate(expr, model, q)")

    # The printers live in printing.py, which needs the node classes: hence the imports at call time.
    def _sympystr(self, printer: Any) -> str:
        from derive.operators.printing import to_ascii

        return to_ascii(self)

    _sympyrepr = _sympystr

    def _latex(self, printer: Any) -> str:
        from derive.operators.printing import to_latex

        return to_latex(self)

    def _pretty(self, printer: Any) -> Any:
        from sympy.printing.pretty.stringpict import prettyForm

        from derive.operators.printing import to_text

        return prettyForm(to_text(self))


class Letter(OpExpr):
    """A letter of the alphabet."""

    def __new__(cls, name: Any) -> Letter:
        """The letter called `name`; raises `OperatorError` if the alphabet has none."""
        info = ALPHABET.get(str(name))
        if info is None:
            raise OperatorError(f"no operator letter is called {name}")
        return cls._node((Str(str(name)),), info.codomain, info.domain, info.structure)  # type: ignore[no-any-return]

    @property
    def name(self) -> str:
        """Its ASCII name."""
        return str(self.args[0])

    @property
    def info(self) -> LetterInfo:
        """Its row of the alphabet."""
        return ALPHABET[self.name]


class Identity(OpExpr):
    """The identity on a space, or on whatever space fits."""

    def __new__(cls, space: Any = None) -> Identity:
        """The identity on `space` (a `Space`, its name, or None)."""
        where = _space(space)
        return cls._node((_label(where),), where, where, Structure.MEMORYLESS)  # type: ignore[no-any-return]


class Zero(OpExpr):
    """The zero operator, its spaces possibly still unknown."""

    def __new__(cls, codomain: Any = None, domain: Any = None) -> Zero:
        """The zero operator from `domain` to `codomain` (each a `Space`, its name, or None)."""
        rows, columns = _space(codomain), _space(domain)
        return cls._node((_label(rows), _label(columns)), rows, columns, Structure.MEMORYLESS)  # type: ignore[no-any-return]


class Product(OpExpr):
    """A rational coefficient (first argument, absent when 1) times operators."""

    def __new__(cls, *args: Any) -> Any:
        """The product, or the simpler node it amounts to; raises `SpaceError` where neighbours do not fit."""
        coefficient, factors = sympy.Integer(1), []
        for arg in args:
            number, parts = _split(arg)
            coefficient *= number
            factors += parts
        factors = [f for f in factors if not (isinstance(f, Identity) and not f.is_typed)] or [Identity()]
        for i, factor in enumerate(factors):
            if not factor.is_typed:
                left = factors[i - 1].domain if i else factor.codomain
                right = factors[i + 1].codomain if i + 1 < len(factors) else factor.domain
                factors[i] = resolved(factor, left, right)
        for left_factor, right_factor in itertools.pairwise(factors):
            _require_product(left_factor, right_factor)
        codomain, domain = factors[0].codomain, factors[-1].domain
        if coefficient == 0 or any(isinstance(f, Zero) for f in factors):
            return Zero(codomain, domain)
        factors = [f for f in factors if not isinstance(f, Identity)] or [Identity(codomain)]
        if coefficient == 1 and len(factors) == 1:
            return factors[0]
        structure = factors[0].structure
        for factor in factors[1:]:
            structure = structure * factor.structure
        head = () if coefficient == 1 else (coefficient,)
        return cls._node((*head, *factors), codomain, domain, structure)

    @property
    def coefficient(self) -> Fraction:
        """The rational coefficient."""
        return Fraction(str(self.args[0])) if self.args[0].is_Number else Fraction(1)

    @property
    def factors(self) -> tuple[OpExpr, ...]:
        """The operators, left to right."""
        return self.args[1:] if self.args[0].is_Number else self.args  # type: ignore[no-any-return]


class Sum(OpExpr):
    """A sum of two or more different operators, like terms collected."""

    def __new__(cls, *args: Any) -> Any:
        """The sum, or the simpler node it amounts to; raises `SpaceError` where terms do not fit."""
        terms = [term for arg in args for term in _terms(arg)]
        codomain = next((t.codomain for t in terms if t.codomain is not None), None)
        domain = next((t.domain for t in terms if t.domain is not None), None)
        first = next((t for t in terms if t.is_typed), None)
        collected: dict[OpExpr, Any] = {}
        for term in terms:
            if first is not None and term.is_typed:
                _require_same(first, term, "add")
            term = resolved(term, codomain, domain)
            number, parts = _split(term)
            core = Product(*parts)
            collected[core] = collected.get(core, 0) + number
        kept = [Product(number, core) for core, number in collected.items() if number and not isinstance(core, Zero)]
        if len(kept) < 2:
            return kept[0] if kept else Zero(codomain, domain)
        structure = kept[0].structure
        for term in kept[1:]:
            structure = structure + term.structure
        return cls._node(tuple(kept), kept[0].codomain, kept[0].domain, structure)

    def _hashable_content(self) -> tuple[Any, ...]:
        return (frozenset(self.args),)


class Adjoint(OpExpr):
    """The adjoint of a letter or a sum; adjoints of everything else are carried inwards."""

    def __new__(cls, arg: Any) -> Any:
        """The adjoint of `arg`."""
        inner = as_operator(arg)
        if isinstance(inner, Adjoint):
            return inner.args[0]
        if isinstance(inner, Identity) or (isinstance(inner, Letter) and inner.info.self_adjoint):
            return inner
        if isinstance(inner, Zero):
            return Zero(inner.domain, inner.codomain)
        if isinstance(inner, Product):
            return Product(inner.args[0] if inner.args[0].is_Number else 1, *map(Adjoint, reversed(inner.factors)))
        if isinstance(inner, Inverse):
            return Inverse(Adjoint(inner.args[0]))
        return cls._node((inner,), inner.domain, inner.codomain, inner.structure.adjoint)


class Inverse(OpExpr):
    """The inverse of a square operator."""

    def __new__(cls, arg: Any) -> Any:
        """The inverse of `arg`; raises `SpaceError` unless its two spaces agree."""
        inner = as_operator(arg)
        if inner.codomain != inner.domain:
            raise SpaceError(f"cannot invert {_describe(inner)}: its two spaces differ")
        if isinstance(inner, Inverse):
            return inner.args[0]
        if isinstance(inner, Identity):
            return inner
        return cls._node((inner,), inner.domain, inner.codomain, inner.structure.inverse)


class Equation(sympy.Basic):  # type: ignore[misc]
    """The statement lhs = rhs between operators of the same spaces."""

    def __new__(cls, lhs: Any, rhs: Any) -> Equation:
        """The equation; raises `SpaceError` where the sides do not fit."""
        left, right = as_operator(lhs), as_operator(rhs)
        if left.is_typed and right.is_typed:
            _require_same(left, right, "equate")
        codomain, domain = left.codomain or right.codomain, left.domain or right.domain
        return sympy.Basic.__new__(cls, resolved(left, codomain, domain), resolved(right, codomain, domain))  # type: ignore[no-any-return]

    @property
    def lhs(self) -> OpExpr:
        """The left side."""
        return self.args[0]  # type: ignore[no-any-return]

    @property
    def rhs(self) -> OpExpr:
        """The right side."""
        return self.args[1]  # type: ignore[no-any-return]

    def _sympystr(self, printer: Any) -> str:
        return f"{self.lhs} = {self.rhs}"

    _sympyrepr = _sympystr

    def _latex(self, printer: Any) -> str:
        return f"{self.lhs._latex(printer)} = {self.rhs._latex(printer)}"


def as_operator(value: Any) -> OpExpr:
    """`value` as an operator: 0 is the zero operator, another number is refused."""
    if isinstance(value, OpExpr):
        return value
    if sympy.sympify(value) == 0:
        return Zero()
    raise OperatorError(f"{value} is not an operator; write {value}*I for a multiple of the identity")


def resolved(expr: OpExpr, codomain: Space | None, domain: Space | None) -> OpExpr:
    """`expr` with its unknown spaces filled in; raises `SpaceError` where they do not fit."""
    if expr.is_typed:
        return expr
    if isinstance(expr, Zero):
        return Zero(expr.codomain or codomain, expr.domain or domain)
    if codomain is not None and domain is not None and codomain != domain:
        raise SpaceError(f"{expr} is square, but is used as an operator from {domain} to {codomain}")
    space = codomain or domain
    if isinstance(expr, Identity):
        return Identity(space)
    return expr.func(*(resolved(a, space, space) if isinstance(a, OpExpr) else a for a in expr.args))  # type: ignore[no-any-return]


def _split(arg: Any) -> tuple[Any, list[OpExpr]]:
    """Coefficient and factors of one argument of a product."""
    if isinstance(arg, Product):
        return (arg.args[0] if arg.args[0].is_Number else sympy.Integer(1)), list(arg.factors)
    if isinstance(arg, OpExpr):
        return sympy.Integer(1), [arg]
    number = sympy.sympify(arg)
    if not number.is_Rational:
        raise OperatorError(f"{arg} is neither an operator nor a rational number")
    return number, []


def _terms(arg: Any) -> Iterator[OpExpr]:
    operator = as_operator(arg)
    if isinstance(operator, Sum):
        yield from operator.args
    else:
        yield operator


def _require_product(left: OpExpr, right: OpExpr) -> None:
    if left.domain is not None and right.codomain is not None and left.domain != right.codomain:
        raise SpaceError(
            f"cannot multiply {_describe(left)} by {_describe(right)}: {left} takes {left.domain}, {right} gives "
            f"{right.codomain}"
        )


def _require_same(left: OpExpr, right: OpExpr, verb: str) -> None:
    if (left.codomain, left.domain) != (right.codomain, right.domain):
        raise SpaceError(f"cannot {verb} {_describe(left)} and {_describe(right)}")


def _describe(expr: OpExpr) -> str:
    return f"{expr} ({expr.domain or _UNKNOWN} → {expr.codomain or _UNKNOWN})"


def _space(value: Any) -> Space | None:
    if value is None or isinstance(value, Space):
        return value
    return SPACES.get(str(value))


def _label(space: Space | None) -> Str:
    return Str(space.name if space else _UNKNOWN)


def _size(space: Space | None, what: str) -> Any:
    return space.size if space else sympy.Symbol(what, integer=True, positive=True)
