"""Sines and cosines in C: those of all joints together at the start of a function, by one polynomial evaluation.

`gathered` finds them in a function's formulas; `sincos` is the text of the C function that computes them. Polynomials are
minimax for the relative error of the result on |r| <= pi/4 (Remez), their coefficients rounded one after the other, lowest
first, the rest fitted again after each: sin r = r + r z S(z), cos r = 1 - z/2 + z² C(z), z = r². For double S and C are off by
2⁻⁵⁸ and 2⁻⁶⁴. Float is computed in double and rounded once; there S and C, off by 2⁻²⁸ and 2⁻³³, need half the terms.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from codegen.backends.c_text import wrapped
from codegen.backends.formulas import TRIGONOMETRIC, Formula, Named, Paragraph, Term, Tree
from codegen.ir import Input
from codegen.source import Real

ERROR: dict[Real, str] = {"double": "0.8", "float": "0.6"}  # in ulp; the tests measure it
RESULTS = {"sin": "sine", "cos": "cosine"}  # arrays in a function
FEW, MANY = 4, 8  # angles of one call
# Of one angle in double: for the rest, two powers of it, two polynomials, two results. All but one addition can be fused.
MULTIPLICATIONS, ADDITIONS = 4 + 2 + 2 * 5 + 6, 7 + 2 * 5 + 8
SINE: dict[Real, tuple[float, ...]] = {
    "double": (
        -0.1666666666666663,
        0.00833333333332184,
        -0.00019841269829358522,
        2.7557313538511096e-06,
        -2.5050734388633495e-08,
        1.5895433246246605e-10,
    ),
    "float": (-0.16666654609651477, 0.008332160761592915, -0.00019515282834766794),
}
COSINE: dict[Real, tuple[float, ...]] = {
    "double": (
        0.041666666666666595,
        -0.0013888888888873342,
        2.48015872890021e-05,
        -2.7557314217051587e-07,
        2.0875705398667987e-09,
        -1.1358749420489027e-11,
    ),
    "float": (0.04166664568315744, -0.0013887316263152204, 2.443315797249969e-05),
}
# pi/2 = P1 + P2 + P3; P1 and P2 have 35 bits, so that k*P1 and k*P2 are exact for |k| < 2^18. For float, P1 + P2 is enough.
P1, P2, P3 = "0x1.921fb5444p+0", "0x1.68c234c4cp-39", "0x1.98a2e03707345p-77"
# The rest r = x - k*pi/2. The first difference is exact; `low` is what r, rounded, misses.
REST: dict[Real, tuple[tuple[str, str], ...]] = {
    "double": (("a", f"x - k*{P1}"), ("r", f"a - k*{P2}"), ("low", f"((a - r) - k*{P2}) - k*{P3}")),
    "float": (("r", f"(x - k*{P1}) - k*{P2}"),),
}
# What does not need the polynomials comes first: the last steps are few.
RESULT: dict[Real, tuple[tuple[str, str], ...]] = {
    "double": (
        ("h", "0.5*z"),
        ("w", "1.0 - h"),
        ("s", "r + (r*z*S + (low - h*low))"),
        ("c", "w + (zz*C + (((1.0 - w) - h) - r*low))"),
    ),
    "float": (("s", "r + r*z*S"), ("c", "1.0 - (0.5*z - zz*C)")),
}


@dataclass(frozen=True)
class Sincos:
    """What the templates of the sine and cosine need; C names start with `prefix`."""

    prefix: str
    real: Real
    error: str
    formulas: tuple[str, ...]
    at_once: int = FEW
    quarters: str = "0.6366197723675814"  # 2/pi

    @property
    def limit(self) -> str:
        """The macro for the bits of the largest angle."""
        return f"{self.prefix.upper()}_LIMIT"

    @property
    def vectors(self) -> str:
        """The macro that initialises vectors with the angles of a call."""
        return f"{self.prefix.upper()}_ANGLES"

    @property
    def names(self) -> str:
        """The angles of a call."""
        return "abcdefgh"[: self.at_once]

    @property
    def widen(self) -> str:
        """The cast to double, where there is something to cast."""
        return "" if self.real == "double" else "(double)"

    @property
    def narrow(self) -> str:
        """The cast from double."""
        return "" if self.real == "double" else "(float)"

    @property
    def widened(self) -> str:
        """The angles of a call as doubles."""
        return ", ".join(f"{self.widen}{name}" for name in self.names)


def angles_at_once(most: int) -> int:
    """The angles of one call where a function has `most`: processors with vectors of eight take them in one go."""
    return FEW if most <= FEW else MANY


def sincos(prefix: str, real: Real, at_once: int = FEW) -> Sincos:
    """The sine and cosine of a file, of so many angles a call."""
    polynomials = (("S", estrin(SINE[real])), ("C", estrin(COSINE[real])))
    formulas = (*REST[real], ("z", "r*r"), ("zz", "z*z"), *polynomials, *RESULT[real])
    return Sincos(
        prefix=prefix,
        real=real,
        error=ERROR[real],
        at_once=at_once,
        formulas=tuple(line for name, text in formulas for line in wrapped(f"const {prefix}_reals {name} = {text};")),
    )


def estrin(coefficients: Sequence[float]) -> str:
    """A polynomial in z as C, two terms at a time, so that few operations wait for each other; zz is z*z."""
    head, tail = coefficients[:2], coefficients[2:]
    pair = repr(head[0]) if len(head) == 1 else f"({head[0]!r} {'-' if head[1] < 0 else '+'} {abs(head[1])!r}*z)"
    if not tail:
        return pair
    return f"{pair} + zz*({estrin(tail)})" if len(tail) > 2 else f"{pair} + zz*{estrin(tail)}"


@dataclass(frozen=True)
class Angles:
    """The start of a function: formulas that angles need, the angles, and formulas whose trees are their sines and cosines."""

    before: tuple[Formula, ...]
    angles: tuple[Tree, ...]
    values: tuple[Formula, ...]

    @property
    def expanded(self) -> tuple[Tree, ...]:
        """The angles in terms of inputs alone."""
        return tuple(map(self.in_inputs, self.angles))

    def in_inputs(self, tree: Tree) -> Tree:
        """A tree with the formulas in front of the angles in place of their names."""
        if type(tree) is Named:
            return self.in_inputs(next(formula.tree for formula in self.before if formula.name == tree.name))
        return Term(tree.op, tuple(map(self.in_inputs, tree.operands))) if type(tree) is Term else tree


def named_results(angles: Angles, order: Sequence[Tree]) -> list[Formula]:
    """The sines and cosines as entries of arrays in the order of these angles."""
    named = []
    for value in angles.values:
        assert type(value.tree) is Term
        position = order.index(angles.in_inputs(value.tree.operands[0]))
        named.append(value._replace(tree=Named(f"{RESULTS[value.tree.op]}[{position}]")))
    return named


def gathered(paragraphs: Sequence[Paragraph]) -> tuple[Angles, tuple[Paragraph, ...]]:
    """The sines and cosines that do not depend on others, with what they need, and the paragraphs without them."""
    formulas = [formula for paragraph in paragraphs for formula in paragraph.formulas]
    late: set[str] = set()  # values that depend on a sine or cosine
    values = []
    for formula in formulas:
        waits = not late.isdisjoint(_names(formula.tree))
        if _is_trigonometric(formula) and not waits:
            values.append(formula)
        if formula.name and (waits or _is_trigonometric(formula)):
            late.add(formula.name)
    needed = values_needed([value.tree for value in values], formulas)
    before = tuple(formula for formula in formulas if formula.name in needed)
    angles = dict.fromkeys(value.tree.operands[0] for value in values if type(value.tree) is Term)
    moved = {id(formula) for formula in (*before, *values)}
    rest = (
        replace(paragraph, formulas=tuple(formula for formula in paragraph.formulas if id(formula) not in moved))
        for paragraph in paragraphs
    )
    return Angles(before, in_order(angles), tuple(values)), tuple(paragraph for paragraph in rest if paragraph.formulas)


def in_order(angles: Iterable[Tree]) -> tuple[Tree, ...]:
    """Coordinates first, in their order, so that neighbours in memory are neighbours here."""
    return tuple(sorted(angles, key=lambda angle: (angle.array, angle.index) if type(angle) is Input else ("~", 0)))


def _is_trigonometric(formula: Formula) -> bool:
    return type(formula.tree) is Term and formula.tree.op in TRIGONOMETRIC


def _names(tree: Tree) -> Iterator[str]:
    """The named values a tree is made of."""
    if type(tree) is Named:
        yield tree.name
    elif type(tree) is Term:
        for operand in tree.operands:
            yield from _names(operand)


def values_needed(trees: Iterable[Tree], formulas: Iterable[Formula]) -> set[str]:
    """The names of all values among these formulas that the trees need, directly or not."""
    named = {formula.name: formula for formula in formulas if formula.name}
    found: set[str] = set()
    waiting = list(trees)
    while waiting:
        for name in _names(waiting.pop()):
            if name in named and name not in found:
                found.add(name)
                waiting.append(named[name].tree)
    return found
