"""What a route to a function is: parts that are computed one after the other, and what is done with what they found."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from codegen.contractions import Contraction
from derive.instance import Instance
from derive.joint_space import Trace
from derive.recursion import Direction, Recursion

Sort: TypeAlias = Literal["forces", "gravity", "inertia", "articulated", "tip", "energy"]
Values: TypeAlias = dict[str, Any]
FACTORIZATION = "mass = L D L*"


@dataclass(frozen=True)
class Sweeps:
    """A recursion to run; `sort` says on which equivalent robot, `names` what its outputs are called here if not as there.

    `without` are arguments it leaves to others. What it takes for its output `leading` comes before all the rest, and is all
    that is done where it is wanted `alone`: the function of that output is then the beginning of another function.
    """

    sort: Sort
    recursion: Recursion
    names: tuple[tuple[str, str], ...] = ()
    without: tuple[str, ...] = ()
    leading: str = ""
    alone: bool = False

    @property
    def directions(self) -> tuple[Direction, ...]:
        """Which way its sweeps go."""
        return tuple(sweep.direction for sweep in self.recursion.sweeps)

    @property
    def done(self) -> tuple[Direction, ...]:
        """Which way the sweeps go that are done: where an output is wanted alone, those up to it."""
        if not self.alone:
            return self.directions
        outputs = [output for output in self.recursion.outputs if output.name == self.leading]
        fields = {field.name for output in outputs for field in (output.field, output.anticausal) if field is not None}
        found = [any(s.target.name in fields for s in sweep.statements) for sweep in self.recursion.sweeps]
        return self.directions[: len(found) - found[::-1].index(True)]


@dataclass(frozen=True)
class Placed:
    """What needs only the placements of the bodies in the world: values from the robot in its state, and gravity."""

    sort: Sort
    compute: Callable[[Instance, Sequence[float]], Values]
    directions: tuple[Direction, ...] = (Direction.BASE_TO_TIP,)


@dataclass(frozen=True)
class Solved:
    """Values, also arguments for the parts that follow, from the arguments and what the parts before found."""

    name: str
    sort: Sort
    compute: Callable[[Values, Trace], Values]
    directions: tuple[Direction, ...] = ()
    heading: str = FACTORIZATION


@dataclass(frozen=True)
class Contracted:
    """Contractions of the arguments and what the parts before found, also arguments for the parts that follow."""

    sums: tuple[Contraction, ...]
    sort: Sort
    heading: str
    directions: tuple[Direction, ...] = ()


Part: TypeAlias = Sweeps | Placed | Solved | Contracted


@dataclass(frozen=True)
class Route:
    """Parts, and how the arguments and the parts' outputs by name become the function's; `tail` puts that in words.

    `finish` computes something, or the parts have all outputs (not `finishes`). `worth` is how many times the operations of
    another route it may take, for it consists of what other functions have, one of those `beside` it. `with_tip` is the route
    with a tip force. `in_stages` says that its parts are computed one after the other, as other functions have them; not where
    they share their work.
    """

    name: str
    parts: tuple[Part, ...]
    finish: Callable[[Values, Trace], Values]
    tail: str = ""
    finishes: bool = True
    worth: float = 1.0
    beside: frozenset[str] = frozenset()
    with_tip: Route | None = None
    in_stages: bool = False

    def given(self, inputs: Collection[str]) -> Route:
        """The route where these inputs are there."""
        return self.with_tip if self.with_tip is not None and "f_tip" in inputs else self

    @property
    def sweeps(self) -> str:
        """How many sweeps, which way, and what follows."""
        done = (part.done if isinstance(part, Sweeps) else part.directions for part in self.parts)
        text = sweeps_text([direction for directions in done for direction in directions])
        return f"{text}; then {self.tail}" if self.tail else text


def sweeps_text(directions: Sequence[Direction]) -> str:
    """How many sweeps, and which way."""
    return f"{len(directions)} sweep{'s' if len(directions) != 1 else ''}: {', '.join(map(str, directions))}"


def of_parts(
    name: str, parts: tuple[Part, ...], outputs: Sequence[str], tail: str, *sums: Contraction, worth: float = 1.0
) -> Route:
    """The route whose outputs its parts have, with contractions of what they found at the end."""
    every = (*parts, Contracted(sums, parts[0].sort, tail)) if sums else parts

    def chosen(values: Values, trace: Trace) -> Values:
        return {output: values[output] for output in outputs}

    return Route(name, every, chosen, tail, finishes=False, worth=worth, in_stages=True)
