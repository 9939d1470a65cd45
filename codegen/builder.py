"""`ProgramBuilder`: arithmetic on its `Scalar`s writes a `ScalarProgram`, simplified locally as it is written.

What is known stays a plain float (x − x is 0.0, cos(0.0) is 1.0), so generic code that treats floats as facts keeps doing so.
Every rule below is applied when an operation is built, and none makes a program longer:

    signs      a − (−b) = a + b    (−a)·b = −(a·b)    (−a) + (−b) = −(a + b)    sin(−a) = −sin a    cos(−a) = cos a
    constants  0 + a = a    0·a = 0    ±1·a = ±a    a/c = (1/c)·a
               c·(d·a) = (c·d)·a    c/(d·a) = (c/d)/a    c + (d + a) = (c + d) + a
    collecting c·a + d·a = (c + d)·a, so a − a = 0 and a + a = 2·a        (c·a)/(d·a) = c/d, so a/a = 1
    sharing    equal operations are one equation, commutative operands are ordered, b − a is −(a − b) if that is there already

A sign is a property of a `Scalar`, not an equation: `neg` is written only for an output or under a square root. No rule
distributes or reassociates variables, so values change by no more than the rounding of the operations replaced and of the
constants. (a + a is kept as 2·a because constants then meet; `passes/reduce_strength.py` may turn it back.) Non-finite
constants are refused and -0.0 is 0.0.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

import numpy as np

from codegen.ir import (
    ArraySpec,
    Atom,
    Const,
    Equation,
    Input,
    Label,
    Origin,
    OutputSpec,
    ScalarProgram,
    Var,
    atom_key,
    check,
    variable,
)

_SMALLEST = 2.0**-1022  # below it a float64 loses digits, so folded constants must not get there


class Scalar:
    """A value of the program under construction, with its sign. A `ProgramBuilder` makes one object per value."""

    __slots__ = ("_builder", "_negative", "_number", "_positive", "atom")

    def __init__(self, builder: ProgramBuilder, atom: Atom, number: int) -> None:
        self._builder = builder
        self._number = number  # of the atom, for hash-consing
        self.atom = atom
        self._positive = self
        self._negative: Scalar | None = None

    @property
    def negated(self) -> bool:
        """Whether this is the atom's opposite rather than the atom."""
        return self._positive is not self

    def __neg__(self) -> Scalar:
        if self._negative is None:
            opposite = Scalar(self._builder, self.atom, self._number)
            opposite._positive, opposite._negative = self, self
            self._negative = opposite
        return self._negative

    def __pos__(self) -> Scalar:
        return self

    def __add__(self, other: Value) -> Value:
        return NotImplemented if (b := self._builder.lifted(other)) is None else self._builder.sum(self, b)

    def __sub__(self, other: Value) -> Value:
        return NotImplemented if (b := self._builder.lifted(other)) is None else self._builder.sum(self, -b)

    def __rsub__(self, other: Value) -> Value:
        return NotImplemented if (b := self._builder.lifted(other)) is None else self._builder.sum(b, -self)

    def __mul__(self, other: Value) -> Value:
        return NotImplemented if (b := self._builder.lifted(other)) is None else self._builder.product(self, b)

    def __truediv__(self, other: Value) -> Value:
        return NotImplemented if (b := self._builder.lifted(other)) is None else self._builder.quotient(self, b)

    def __rtruediv__(self, other: Value) -> Value:
        return NotImplemented if (b := self._builder.lifted(other)) is None else self._builder.quotient(b, self)

    __radd__ = __add__
    __rmul__ = __mul__

    def __bool__(self) -> bool:
        raise TypeError("a program scalar has no truth value: a program cannot branch on what it computes")

    def __repr__(self) -> str:
        return f"Scalar({'-' if self.negated else ''}{self.atom})"


Value: TypeAlias = Scalar | float  # what arithmetic gives back: a float where the value is known


class ProgramBuilder:
    """Collects inputs and equations; `program` hands them over. One builder, one program."""

    def __init__(self) -> None:
        self._inputs: list[ArraySpec] = []
        self._equations: list[Equation] = []
        self._origin = Origin()
        self.labels: list[Label] = []  # see `codegen.labels`
        self._scalars = 0
        self._constants: dict[float, Scalar] = {}
        self._known: dict[tuple[str, int, int], Scalar] = {}  # operation and operands to the equation that has them
        self._scale: dict[int, tuple[float, Scalar]] = {}  # number of c·a to c and a
        self._offset: dict[int, tuple[float, Scalar]] = {}  # number of c + a to c and a, which may be negated

    # -- what a program is made from ------------------------------------------------------------------------------------

    def input(self, name: str, shape: Sequence[int] = ()) -> Any:
        """Declare an input array: an object array of Scalars of that shape, or one Scalar for shape ()."""
        spec = ArraySpec(name, tuple(shape))
        if any(other.name == name for other in self._inputs):
            raise ValueError(f"input {name} is declared twice")
        self._inputs.append(spec)
        entries = np.empty(spec.size, dtype=object)
        entries[:] = [self._scalar(Input(name, i)) for i in range(spec.size)]
        return entries.reshape(spec.shape) if spec.shape else entries[0]

    @contextmanager
    def origin(self, sweep: str | None = None, body: str | None = None, symbol: str | None = None) -> Iterator[None]:
        """Equations first written inside come from here; parts left out stay as they are outside."""
        outside = self._origin
        self._origin = Origin(
            outside.sweep if sweep is None else sweep,
            outside.body if body is None else body,
            outside.symbol if symbol is None else symbol,
        )
        try:
            yield
        finally:
            self._origin = outside

    def label(self, entry: str, value: Value) -> None:
        """Note that `value` is this entry of what the present origin names; a value that is known needs no name."""
        if type(value) is Scalar and type(value.atom) is Var and entry:
            self.labels.append(Label(self._origin, entry, value.atom, value.negated))

    def program(self, name: str, outputs: Mapping[str, Any]) -> ScalarProgram:
        """The checked program whose outputs are these nested sequences (or arrays) of Scalars and numbers, in this order."""
        specs = []
        for output, value in outputs.items():
            array = np.array(value, dtype=object)
            entries = tuple(self._entry(output, entry) for entry in array.flat)
            specs.append(OutputSpec(output, array.shape, entries))
        return check(ScalarProgram(name, tuple(self._inputs), tuple(specs), tuple(self._equations)))

    # -- functions ------------------------------------------------------------------------------------------------------

    def sin(self, x: Value) -> Value:
        """Sine of x."""
        a = self._operand(x)
        if type(a.atom) is Const:
            return math.sin(_number(a))
        return -self._emit("sin", a._positive) if a.negated else self._emit("sin", a)

    def cos(self, x: Value) -> Value:
        """Cosine of x."""
        a = self._operand(x)
        return math.cos(_number(a)) if type(a.atom) is Const else self._emit("cos", a._positive)

    def sqrt(self, x: Value) -> Value:
        """Square root of x; a negative constant is a ValueError."""
        a = self._operand(x)
        if type(a.atom) is Const:
            return math.sqrt(_number(a))
        return self._emit("sqrt", self._emit("neg", a._positive) if a.negated else a)

    # -- arithmetic on signed operands, constants included ------------------------------------------------------------------

    def sum(self, a: Scalar, b: Scalar) -> Value:
        """The sum a + b."""
        if type(a.atom) is Const:
            a, b = b, a
        if type(b.atom) is Const:
            return self._shifted(a, _number(b))
        (c, base), (d, other) = self._split(a), self._split(b)
        if base is other:
            return self._scaled(c + d, base)
        if not b.negated:
            return self._emit("add", a, b) if not a.negated else self._difference(b, a._positive)
        return self._difference(a, b._positive) if not a.negated else -self._emit("add", a._positive, b._positive)

    def product(self, a: Scalar, b: Scalar) -> Value:
        """The product a·b."""
        if type(a.atom) is Const:
            a, b = b, a
        if type(b.atom) is Const:
            return self._scaled(_number(b), a)
        product = self._emit("mul", a._positive, b._positive)
        return product if a.negated == b.negated else -product

    def quotient(self, a: Scalar, b: Scalar) -> Value:
        """The quotient a/b; a constant zero b is a ZeroDivisionError."""
        (c, base), (d, other) = self._split(a), self._split(b)
        if base is other:
            return self._finite(c / d)
        if type(b.atom) is Const:
            divisor = _number(b)
            if divisor == 0.0:
                raise ZeroDivisionError("a program scalar is divided by the constant 0")
            if _is_normal(1.0 / divisor):
                return self._scaled(1.0 / divisor, a)
        elif type(a.atom) is Const:
            if a.atom.value == 0.0:
                return 0.0
            if _is_normal(_number(a) / d):
                a, b = self._constant(_number(a) / d), other
        quotient = self._emit("div", a._positive, b._positive)
        return quotient if a.negated == b.negated else -quotient

    def lifted(self, x: Any) -> Scalar | None:
        """The number or Scalar x as an operand of this builder; None if it is neither."""
        if type(x) is Scalar:
            if x._builder is not self:
                raise ValueError("two scalars of different programs meet in one operation")
            return x
        return self._constant(float(x)) if isinstance(x, (float, int)) else None

    def _shifted(self, a: Scalar, constant: float) -> Value:
        """The sum a + constant."""
        if type(a.atom) is Const:
            return self._finite(_number(a) + constant)
        if a._number in self._offset:
            offset, base = self._offset[a._number]
            a, constant = (-base, constant - offset) if a.negated else (base, constant + offset)
        if constant == 0.0:
            return a
        b = self._constant(constant)
        if b.negated:
            shifted = -self._emit("add", a._positive, b._positive) if a.negated else self._emit("sub", a, b._positive)
        else:
            shifted = self._difference(b, a._positive) if a.negated else self._emit("add", a, b)
        self._offset.setdefault(shifted._number, (-constant, -a) if shifted.negated else (constant, a))
        return shifted

    def _scaled(self, constant: float, a: Scalar) -> Value:
        """The product constant·a."""
        if type(a.atom) is Const:
            return self._finite(constant * _number(a))
        inner, base = self._split(a)
        if constant == 0.0 or _is_normal(constant * inner):
            a, constant = base, constant * inner
        if a.negated:
            a, constant = a._positive, -constant
        if constant == 0.0:
            return 0.0
        magnitude = abs(constant)
        scaled = a if magnitude == 1.0 else self._emit("mul", self._constant(magnitude), a)
        if magnitude != 1.0:
            self._scale.setdefault(scaled._number, (magnitude, a))
        return scaled if constant > 0.0 else -scaled

    def _difference(self, a: Scalar, b: Scalar) -> Scalar:
        """a − b of positive operands; the opposite of b − a where that exists already."""
        if ("sub", a._number, b._number) not in self._known:
            opposite = self._known.get(("sub", b._number, a._number))
            if opposite is not None:
                return -opposite
        return self._emit("sub", a, b)

    def _split(self, a: Scalar) -> tuple[float, Scalar]:
        """The constant c and positive b with a = c·b."""
        c, b = self._scale.get(a._number, (1.0, a._positive))
        return (-c if a.negated else c), b

    # -- atoms and equations ------------------------------------------------------------------------------------------------

    def _emit(self, op: str, a: Scalar, b: Scalar | None = None) -> Scalar:
        """The equation that applies `op` to these positive operands, new or known."""
        if b is not None and (op == "add" or op == "mul") and atom_key(b.atom) < atom_key(a.atom):
            a, b = b, a
        key = (op, a._number, -1 if b is None else b._number)
        known = self._known.get(key)
        if known is None:
            known = self._scalar(variable(len(self._equations)))
            self._equations.append(Equation(op, (a.atom,) if b is None else (a.atom, b.atom), self._origin))
            self._known[key] = known
        return known

    def _scalar(self, atom: Atom) -> Scalar:
        self._scalars += 1
        return Scalar(self, atom, self._scalars)

    def _constant(self, value: float) -> Scalar:
        magnitude = abs(self._finite(value))
        constant = self._constants.get(magnitude)
        if constant is None:
            constant = self._constants[magnitude] = self._scalar(Const(magnitude))
        return -constant if value < 0.0 else constant

    def _operand(self, x: Value) -> Scalar:
        operand = self.lifted(x)
        if operand is None:
            raise TypeError(f"{x!r} is neither a number nor a program scalar")
        return operand

    def _entry(self, output: str, value: Any) -> Atom:
        """The atom of an output's entry."""
        entry = self._operand(value)
        if type(entry.atom) is Const:
            return Const(_number(entry))
        if not entry.negated:
            return entry.atom
        position = entry.atom.index if type(entry.atom) is Var else None
        origin = Origin("outputs", "", output) if position is None else self._equations[position].origin
        with self.origin(*origin):
            return self._emit("neg", entry._positive).atom

    @staticmethod
    def _finite(value: float) -> float:
        if not math.isfinite(value):
            raise OverflowError(f"a constant of the program is {value}")
        return value


def _number(constant: Scalar) -> float:
    """The value of a Scalar whose atom is a Const; never -0.0."""
    assert type(constant.atom) is Const
    return -constant.atom.value if constant.negated else constant.atom.value


def _is_normal(x: float) -> bool:
    """Whether float64 holds x to full precision."""
    return _SMALLEST <= abs(x) < math.inf
