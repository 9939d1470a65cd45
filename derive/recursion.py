"""`Recursion`: ordered sweeps of per-body statements, still independent of the robot, and the checker of one.

    recursion  ::=  sweep+                                    outputs, and inputs that need no statement
    sweep      ::=  direction statement+ closing*             "tip to base" (k = 1 … n) or "base to tip" (k = n … 1)
    statement  ::=  field(k) = action term (+ term)*          one value per body, or per point of body k
    term       ::=  coefficient factor+                       a product; with a factor at k−1 summed over the children
    factor     ::=  name place [*] [~] [of field+]            a field, a letter the robot gives, or an operator made of fields
    place      ::=  k | k−1 | k+1 | 0                         here, at a child, at the parent, at a point of body k
    action     ::=  sum | inverse | square root | …           what is done with the sum of the terms (`Action`)

A `Field` is a stacked quantity: a vector with one part per body, joint or point (STACK), a block-diagonal operator (BLOCK),
or the columns of an operator, of which row block k holds those that are not zero there (COLUMNS); a CORIOLIS field is block
diagonal too, its blocks of the form that moves and adds as such. Columns over PAIRS stand for a symbol with three indices, and
the output says how it is read off them (`Assembly`). The robot gives the steps
φ(k,k−1), H, M, J_a, B, and dH*/dt; ψ, K and τ̄ are abbreviations, ψ(k,k−1) = φ(k,k−1)τ̄(k−1), K(k,k−1) = φ(k,k−1)G(k−1),
τ̄ = I − GH, and are never formed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction

from derive.errors import DeriveError
from derive.operators.spaces import COLUMN, PAIRS, POINTS, Space, Structure


class LoweringError(DeriveError):
    """An expression that is not a recursion; the message names the sub-expression and the reason."""


class IllFormedRecursionError(DeriveError):
    """A recursion that reads what is not written yet; a fault of ours, shown with the lines around it."""


class Kind(Enum):
    """What a field holds at body k."""

    STACK = "a vector"
    BLOCK = "a diagonal block"
    COLUMNS = "a row of blocks"
    CORIOLIS = "a Coriolis block"


class Place(Enum):
    """Where a factor is read; for a step, between which bodies it goes."""

    HERE = "k"
    CHILD = "k−1"  # a step goes from k−1 to k
    PARENT = "k+1"  # a step goes from k to k+1
    POINT = "0"


class Direction(Enum):
    """The order in which a sweep visits the bodies."""

    TIP_TO_BASE = "tip to base"
    BASE_TO_TIP = "base to tip"

    def __str__(self) -> str:
        return self.value


class Action(Enum):
    """What a statement does with the sum of its terms."""

    SUM = "sum"
    INVERSE = "inverse"  # of a symmetric block
    SQRT = "square root"  # of a 1×1 block
    INVERSE_SQRT = "inverse square root"
    PAIRS = "pairs"  # x, r, y: block (i, j) = x*(c,i) r(c) y(c,j), c the closest common ancestor [SOA-77]
    DOT = "dot"  # x, y: the number Σ_k x*(k) y(k)
    SOLVE = "solve"  # W, y: W⁻¹y over all points, dense
    PAIRED = "paired"  # an operator made of R and x, and h: that of R and each column of x, times each column of h
    AXIAL = "axial"  # X, Y: the 6-vector a with a·s = tr(𝒮[s] X Y) for every s
    COUPLING = "coupling"  # V, φ*V, H*θ̇: what the joint's own rate adds to the acceleration [SOA-13]
    CENTRIFUGAL = "centrifugal"  # φ*V: [0; ω × (ω × ℓ)] of the parent's ω [SOA-12]
    RATE_MATRIX = "rate matrix"  # V, α: U = ω̇̃ + ω̃ω̃, which names what Mα + b and φ*α + c share
    BODY_RATE = "body rate"  # A, W: A − [0; ω × v], of an acceleration the body's derivative [SOA-142]
    GYROSCOPIC = "gyroscopic"  # M, V: [ω × 𝓘ω; m ω × (ω × p)] [SOA-15]


class Wanted(Enum):
    """Which columns j of row k of a COLUMNS field are computed (papers' numbering)."""

    ALL = "all"
    HALF = "j ≤ k"  # the output is symmetric and the other half mirrors this one
    COMMON = "up to common ancestors"  # a point's column ends where it meets the other points' for the last time


class Assembly(Enum):
    """How an output is read off its fields."""

    MATRIX = "entry by entry"
    CHRISTOFFEL = "ℂ_i(j,k)"  # from the columns (inner, outer) of pairs, the rest by symmetry [SOA-131]
    SENSITIVITY = "∂M/∂θ_i = ℂ_k(j,i) + ℂ_j(k,i)"


#: letters the robot gives, per body or per step
GIVEN = frozenset({"phi", "H", "H_rate", "M", "J_a", "B"})
#: abbreviations for products with G: what they are made of is read where they stand
ABBREVIATIONS = frozenset({"psi", "K", "tau_bar"})
STEPS = frozenset({"phi", "psi", "K"})


@dataclass(frozen=True)
class Field:
    """A stacked quantity. `structure` bounds the non-zero blocks of COLUMNS; a `symmetric` BLOCK is its own adjoint."""

    name: str
    rows: Space
    columns: Space = COLUMN
    kind: Kind = Kind.STACK
    structure: Structure = Structure.MEMORYLESS
    symmetric: bool = False


@dataclass(frozen=True)
class Factor:
    """A field or given letter at a place, possibly its adjoint; `tilde` is the cross-product matrix of a 6-vector [SOA-4].

    A factor `of` fields is the operator called `name` made of their values at that place.
    """

    name: str
    place: Place = Place.HERE
    adjoint: bool = False
    tilde: bool = False
    of: tuple[str, ...] = ()


@dataclass(frozen=True)
class Term:
    """A coefficient times a product of factors; without factors, the identity."""

    coefficient: Fraction
    factors: tuple[Factor, ...]

    def scaled(self, by: Fraction) -> Term:
        """`by` times this."""
        return Term(by * self.coefficient, self.factors)


@dataclass(frozen=True)
class Statement:
    """target(k) = action of the sum of terms. A `rider` defines a letter of the algebra and fuses with any sweep."""

    target: Field
    terms: tuple[Term, ...]
    action: Action = Action.SUM
    rider: bool = False
    wanted: Wanted = Wanted.ALL

    @property
    def factors(self) -> Iterator[Factor]:
        """All factors, in the order written."""
        return (factor for term in self.terms for factor in term.factors)

    @property
    def reads(self) -> tuple[tuple[str, Place], ...]:
        """The fields read and where, abbreviations resolved; given letters left out."""
        found: dict[tuple[str, Place], None] = {}
        for factor in self.factors:
            if factor.of:
                found |= {(name, factor.place): None for name in factor.of if name not in GIVEN}
            elif factor.name in ABBREVIATIONS:
                step = factor.name in STEPS
                at = Place.HERE if step and factor.place is Place.PARENT else factor.place
                found[("G", at)] = None
            elif factor.name not in GIVEN:
                found[(factor.name, factor.place)] = None
        return tuple(found)

    @property
    def is_closing(self) -> bool:
        """Whether it runs once, after a sweep, rather than at every body."""
        return self.action is Action.SOLVE


@dataclass(frozen=True)
class Sweep:
    """One pass over the bodies; `closing` statements run once at its end."""

    direction: Direction
    statements: tuple[Statement, ...]
    closing: tuple[Statement, ...] = ()


@dataclass(frozen=True)
class Output:
    """A field that is asked for; `transposed` and `symmetric` say how its matrix is filled from it.

    `anticausal` is the adjoint of a part that is to be added, and is zero where the field is not.
    """

    name: str
    field: Field
    transposed: bool = False
    symmetric: bool = False
    anticausal: Field | None = None
    assembly: Assembly = Assembly.MATRIX

    @property
    def fields(self) -> tuple[Field, ...]:
        """What it is read from."""
        return (self.field,) if self.anticausal is None else (self.field, self.anticausal)

    def renamed(self, old: Field, new: Field) -> Output:
        """The same output, with `new` for the field `old`."""
        field, anticausal = (new if held == old else held for held in (self.field, self.anticausal))
        assert field is not None
        return replace(self, field=field, anticausal=anticausal)


@dataclass(frozen=True)
class Recursion:
    """The sweeps that compute the outputs from the inputs, for any robot."""

    sweeps: tuple[Sweep, ...]
    outputs: tuple[Output, ...]
    inputs: tuple[Field, ...]
    armature: bool = False
    expressions: tuple[tuple[str, str], ...] = field(default=())  # output name → the expression it came from

    @property
    def statements(self) -> Iterator[Statement]:
        """All statements, in the order they run."""
        for sweep in self.sweeps:
            yield from sweep.statements
            yield from sweep.closing

    @property
    def names(self) -> frozenset[str]:
        """Names of the fields that are computed."""
        return frozenset(statement.target.name for statement in self.statements)

    @property
    def needs_articulated_inertia(self) -> bool:
        """Whether D is inverted, which joints that follow others do not allow."""
        return "D" in self.names

    @property
    def differentiates(self) -> bool:
        """Whether it holds derivatives along joint motions, which want every H*(k) constant in its body."""
        return any(s.action is Action.AXIAL or any(f.of for f in s.factors) for s in self.statements)

    @property
    def complexity(self) -> str:
        """The order of the work in the number of bodies N and the depth d of the tree.

        The number of points is held fixed, but for the dense solve over all ℓ of them, which is reported.
        """
        order = max(_orders(self.statements), default=0)
        dense = any(statement.action is Action.SOLVE for statement in self.statements)
        work = ("O(N)", "O(N d)", "O(N²)", "O(N d²)")[order]
        return work + (" + O(ℓ³)" if dense else "")

    def check(self) -> None:
        """Raise unless every field is written exactly once and before it is read."""
        done = {given.name for given in self.inputs}
        for sweep in self.sweeps:
            here = {statement.target.name for statement in sweep.statements}
            written: set[str] = set()
            for statement in sweep.statements:
                for name, place in statement.reads:
                    if name not in done and not readable(name, place, sweep.direction, written, here):
                        _fail(f"{name} at {place.value} is read before it is written", sweep, statement)
                if statement.target.name in done | written:
                    _fail(f"{statement.target.name} is written twice", sweep, statement)
                written.add(statement.target.name)
            done |= written
            for statement in sweep.closing:
                for name, _ in statement.reads:
                    if name not in done:
                        _fail(f"{name} is read before it is written", sweep, statement)
                done.add(statement.target.name)
        for output in self.outputs:
            if any(held.name not in done for held in output.fields):
                raise IllFormedRecursionError(f"the output {output.name} is never written")

    def __str__(self) -> str:
        from derive.recursion_printing import to_text  # the printer needs these types

        return to_text(self)


def readable(name: str, place: Place, direction: Direction, written: Set[str], sweep: Set[str]) -> bool:
    """Whether a field that the same sweep writes can be read at `place`.

    Here it must be `written` already; at a child it is there when running tip to base, at the parent base to tip.
    """
    if place is Place.CHILD:
        return direction is Direction.TIP_TO_BASE and name in sweep
    if place is Place.PARENT:
        return direction is Direction.BASE_TO_TIP and name in sweep
    return name in written


def _orders(statements: Iterable[Statement]) -> Iterator[int]:
    """0, 1, 2, 3 for O(N), O(N d), O(N²), O(N d²) for each statement: how many blocks its target has on a robot of N bodies.

    Columns that only take single steps stay near their own body; those that were swept one way lie on the paths to the base,
    and so do both members of a pair.
    """
    swept: set[str] = set()
    for statement in statements:
        target = statement.target
        if target.columns is PAIRS:
            yield 3
            continue
        by_columns = target.kind is Kind.COLUMNS and POINTS not in (target.rows, target.columns)
        if by_columns and any(name in swept or name == target.name for name, _ in statement.reads):
            swept.add(target.name)
            yield 2 if target.structure is Structure.NONE else 1
        else:
            yield 0


def _fail(what: str, sweep: Sweep, faulty: Statement) -> None:
    lines = [f"{what}:", f"  sweep {sweep.direction}"]
    for statement in (*sweep.statements, *sweep.closing):
        reads = ", ".join(f"{name}({place.value})" for name, place in statement.reads)
        lines.append(f"{'→' if statement is faulty else ' '} {statement.target.name}(k) from {reads}")
    raise IllFormedRecursionError("\n".join(lines))
