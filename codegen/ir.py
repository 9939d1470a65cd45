"""`ScalarProgram`: one function of one robot as straight-line scalar code. No loops, no branches, no calls, no types.

    program   ::=  'program' NAME  input*  equation*  output*
    input     ::=  'in' NAME shape
    output    ::=  'out' NAME shape '=' atom*               one atom per entry, row-major
    shape     ::=  '[' INT* ']'                             nothing at all for a scalar
    equation  ::=  VAR '=' operation                        '#' lines above it give its origin
    operation ::=  atom '+' atom  |  atom '-' atom  |  atom '*' atom  |  atom '/' atom  |  '-' atom
                |  'sin' '(' atom ')'  |  'cos' '(' atom ')'  |  'sqrt' '(' atom ')'
    atom      ::=  VAR  |  FLOAT  |  NAME '[' INT* ']'      an earlier equation, a constant, an entry of an input

An equation's value is its position: VAR v7 is equation 7, and only earlier equations may be its operands (SSA). Operands are
atoms, so every intermediate value has exactly one place. `interpret.py` says what a program means; `OPERATIONS` is the only
table of operations: the interpreter, the counts and the backends read it.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple, NoReturn, TypeAlias

from codegen.errors import ProgramError


@dataclass(frozen=True, slots=True)
class Operation:
    """One row of the table of operations.

    `meaning` works on any scalar with Python's operators; None means the function called `name` of the scalar's own namespace
    (numpy, cmath, mpmath, sympy). `counted_as` is the field of `cost.OperationCount` it adds to, "" for free. `weight` is its
    price in additions, used only to decide whether a rewrite pays (division and square root: reciprocal throughput of
    current x86 and ARM cores; sin and cos: a polynomial of that many terms).
    """

    name: str
    arity: int
    symbol: str
    counted_as: str
    weight: int
    commutative: bool = False
    meaning: Callable[..., Any] | None = None


_ROWS = (
    Operation("add", 2, "+", "additions", 1, commutative=True, meaning=operator.add),
    Operation("sub", 2, "-", "additions", 1, meaning=operator.sub),
    Operation("mul", 2, "*", "multiplications", 1, commutative=True, meaning=operator.mul),
    Operation("div", 2, "/", "divisions", 6, meaning=operator.truediv),
    Operation("neg", 1, "-", "", 0, meaning=operator.neg),
    Operation("sin", 1, "sin", "trigonometric", 20),
    Operation("cos", 1, "cos", "trigonometric", 20),
    Operation("sqrt", 1, "sqrt", "square_roots", 8),
)
OPERATIONS: Mapping[str, Operation] = {row.name: row for row in _ROWS}


@dataclass(frozen=True, slots=True)
class Var:
    """The value of equation `index`."""

    index: int


@cache
def variable(index: int) -> Var:
    """The one Var with this index: programs are rewritten often, and looking it up is faster than making it."""
    return Var(index)


@dataclass(frozen=True, slots=True)
class Const:
    """A float64 constant: finite, and 0.0 rather than -0.0."""

    value: float


@dataclass(frozen=True, slots=True)
class Input:
    """Entry `index` (row-major) of the input array `array`."""

    array: str
    index: int


Atom: TypeAlias = Var | Const | Input


class Origin(NamedTuple):
    """Where an equation comes from: ("sweep 2/3 tip-to-base", "body 4 'panda_link5'", "P")."""

    sweep: str = ""
    body: str = ""
    symbol: str = ""

    @property
    def paragraph(self) -> tuple[str, str]:
        """What equations of one paragraph of generated code share: sweep and body."""
        return (self.sweep, self.body)

    def __str__(self) -> str:
        return " · ".join(part for part in self if part)


class Equation(NamedTuple):
    """`op` of `OPERATIONS` applied to atoms."""

    op: str
    operands: tuple[Atom, ...]
    origin: Origin = Origin()


class Label(NamedTuple):
    """`variable` (or its opposite) is the entry `entry`, such as wx, of what the origin's symbol names [codegen/labels.py]."""

    origin: Origin
    entry: str
    variable: Var
    negated: bool


@dataclass(frozen=True, slots=True)
class ArraySpec:
    """Name and shape of an array; () is a scalar."""

    name: str
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """Number of entries."""
        return math.prod(self.shape)


@dataclass(frozen=True, slots=True)
class OutputSpec(ArraySpec):
    """An output array and the atom each entry equals, row-major."""

    entries: tuple[Atom, ...]


@dataclass(frozen=True)
class ScalarProgram:
    """Straight-line SSA over scalars. Immutable; equal programs print to equal bytes."""

    name: str
    inputs: tuple[ArraySpec, ...]
    outputs: tuple[OutputSpec, ...]
    equations: tuple[Equation, ...]

    def __str__(self) -> str:
        return "\n".join(text for text, _ in _lines(self)) + "\n"


def atom_key(atom: Atom) -> tuple[int, str, float]:
    """Sorts the operands of a commutative operation: constants, then inputs by name and entry, then variables by age."""
    if type(atom) is Var:
        return (2, "", atom.index)
    if type(atom) is Input:
        return (1, atom.array, atom.index)
    assert type(atom) is Const
    return (0, "", atom.value)


# -- printing ---------------------------------------------------------------------------------------------------------------


def atom_text(atom: Atom, shapes: Mapping[str, tuple[int, ...]]) -> str:
    """The atom as the grammar writes it; `shapes` gives each input's shape, and an entry outside it shows its flat index."""
    match atom:
        case Var(index):
            return f"v{index}"
        case Const(value):
            return repr(value)
        case Input(array, index):
            shape = shapes.get(array, (0,))
            if shape == () and index == 0:
                return array
            return f"{array}[{', '.join(map(str, indices(index, shape)))}]"
    return repr(atom)


def indices(flat: int, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Row-major index `flat` as one index per axis; (flat,) where the shape does not hold it."""
    if not 0 <= flat < math.prod(shape):
        return (flat,)
    found = []
    for extent in reversed(shape):
        flat, position = divmod(flat, extent)
        found.append(position)
    return tuple(reversed(found))


def operation_text(op: str, operands: tuple[str, ...]) -> str:
    """`op` applied to operands that are already text."""
    row = OPERATIONS.get(op)
    if row is None or len(operands) != row.arity or row.meaning is None:
        return f"{row.symbol if row else op}({', '.join(operands)})"
    return f"{operands[0]} {row.symbol} {operands[1]}" if row.arity == 2 else f"{row.symbol}{operands[0]}"


def _shape_text(shape: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, shape))}]" if shape else ""


def _lines(program: ScalarProgram) -> Iterator[tuple[str, object]]:
    """Every line of the printed program with the thing it shows: an ArraySpec, an equation's position, an OutputSpec."""
    shapes = {spec.name: spec.shape for spec in program.inputs}
    yield f"program {program.name}", program
    for spec in program.inputs:
        yield f"in {spec.name}{_shape_text(spec.shape)}", spec
    origin = Origin()
    for position, equation in enumerate(program.equations):
        if equation.origin != origin:
            origin = equation.origin
            yield f"# {origin}".rstrip(), None
        operands = tuple(atom_text(atom, shapes) for atom in equation.operands)
        yield f"v{position} = {operation_text(equation.op, operands)}", position
    for output in program.outputs:
        entries = ", ".join(atom_text(atom, shapes) for atom in output.entries)
        yield f"out {output.name}{_shape_text(output.shape)} = {entries}".rstrip(), output


# -- checking ---------------------------------------------------------------------------------------------------------------


def check(program: ScalarProgram) -> ScalarProgram:
    """The same program; raises ProgramError, showing the lines around the fault, where it breaks the grammar above."""
    for specs in (program.inputs, program.outputs):
        for i, spec in enumerate(specs):
            _check_array(program, spec, {other.name for other in specs[:i]})
    sizes = {spec.name: spec.size for spec in program.inputs}
    for position, (op, operands, origin) in enumerate(program.equations):
        row = OPERATIONS.get(op)
        if row is None:
            _fail(program, position, f"unknown operation {op!r}")
        if len(operands) != row.arity:
            _fail(program, position, f"{op} takes {row.arity} operands, not {len(operands)}")
        if type(origin) is not Origin:
            _fail(program, position, f"{origin!r} is not an Origin")
        for atom in operands:
            # The three common good cases first, without a call: large programs are checked after every pass.
            if type(atom) is Var:
                if 0 <= atom.index < position:
                    continue
            elif type(atom) is Input and 0 <= atom.index < sizes.get(atom.array, 0):
                continue
            if fault := _atom_fault(atom, sizes, position):
                _fail(program, position, fault)
    for output in program.outputs:
        if len(output.entries) != output.size:
            _fail(program, output, f"{output.name} has {len(output.entries)} entries, its shape {output.size}")
        for atom in output.entries:
            if fault := _atom_fault(atom, sizes, len(program.equations)):
                _fail(program, output, fault)
    return program


def _check_array(program: ScalarProgram, spec: ArraySpec, taken: set[str]) -> None:
    if not (spec.name.isidentifier() and spec.name.isascii()):
        _fail(program, spec, f"{spec.name!r} is not a name")
    if spec.name in taken:
        _fail(program, spec, f"a second array called {spec.name}")
    if any(type(extent) is not int or extent < 0 for extent in spec.shape):
        _fail(program, spec, f"{spec.shape} is not a shape")


def _atom_fault(atom: Atom, sizes: Mapping[str, int], defined: int) -> str | None:
    """What is wrong with `atom` where the first `defined` equations and inputs of these sizes are known; None if nothing."""
    match atom:
        case Var(index):
            if type(index) is not int or index < 0:
                return f"v{index} is not a variable"
            return f"v{index} is used before its definition" if index >= defined else None
        case Const(value):
            if type(value) is not float:
                return f"constant {value!r} is of {type(value).__name__}, not float"
            if not math.isfinite(value):
                return f"constant {value} is not finite"
            return "constant -0.0, which is written 0.0" if value == 0.0 and math.copysign(1.0, value) < 0 else None
        case Input(array, index):
            if array not in sizes:
                return f"unknown input {array}; there are {', '.join(sizes) or 'none'}"
            if type(index) is not int or not 0 <= index < sizes[array]:
                return f"index {index} out of range: {array} has {sizes[array]} entries"
            return None
    return f"{atom!r} is not an atom"


CONTEXT = 3  # lines shown on either side of a fault


def _fail(program: ScalarProgram, where: object, what: str) -> NoReturn:
    lines = list(_lines(program))
    at = next(i for i, (_, shown) in enumerate(lines) if shown is where or (type(where) is int and shown == where))
    around = range(max(0, at - CONTEXT), min(len(lines), at + CONTEXT + 1))
    excerpt = "\n".join(f"{'→' if i == at else ' '} {lines[i][0]}" for i in around)
    raise ProgramError(f"program {program.name}: {what}\n{excerpt}")
