"""The statements of a C function from its program, for one state at a time or for several in the lanes of a vector."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from codegen.backends.c_text import comment, filled, wrapped
from codegen.backends.c_trigonometry import RESULTS, Angles, gathered, named_results, values_needed
from codegen.backends.expression import Dialect, expression
from codegen.backends.formulas import (
    Entry,
    Formula,
    Paragraph,
    ParagraphText,
    Term,
    Tree,
    paragraphs,
    texts,
    used_inputs,
)
from codegen.errors import RenderError
from codegen.ir import Atom, Const, OutputSpec, ScalarProgram
from codegen.source import Real

WIDTH = 200  # estimated columns of a right side: statements go on in the next line
LIBRARY = ("sin", "cos", "sqrt")  # functions of <math.h>
RESERVED = (
    frozenset(LIBRARY)
    | {f"{name}f" for name in LIBRARY}
    | {f"k{number}" for number in range(1000)}  # constants of the file
    | {"NULL", "NAN", "INFINITY", "linux", "unix", "angle", *RESULTS.values()}
)


@dataclass(frozen=True)
class Values:
    """What a function computes with: the C type of its values and how they are written.

    `spread` makes a value of a constant expression. `sincos` gives the statements that fill the arrays `sine` and `cosine` for
    angles given as text; None where each sine and cosine is a call of its own.
    """

    type: str
    dialect: Dialect
    spread: Callable[[str], str]
    sincos: Callable[[Sequence[str]], Iterator[str]] | None


def body(
    program: ScalarProgram,
    values: Values,
    *,
    stored: frozenset[Entry] | None = None,
    given: Sequence[Tree] | None = None,
    beginning: ScalarProgram | None = None,
    reserved: Collection[str] = (),
) -> Iterator[ParagraphText]:
    """The paragraphs, with sines and cosines computed together in front of them, or taken from arrays of those of `given`.

    Only the entries `stored` of outputs are, or all. After those of `beginning` there is an end where no more is wanted.
    No value is called as one of `reserved`.
    """
    found = paragraphs(program, RESERVED.union(reserved), beginning, WIDTH)
    if stored is not None:
        found = tuple(_with_stores(found, stored))
    if given is not None:
        angles, found = gathered(found)
        if lines := tuple(_lines([*_read_later(angles.before, found), *named_results(angles, given)], values)):
            yield ParagraphText("", lines)
    elif values.sincos:
        angles, found = gathered(found)
        if angles.values:
            yield ParagraphText("sines and cosines", tuple(_sines_and_cosines(angles, values, values.sincos)))
    for late in (False, True):
        if late and beginning:
            following = program.outputs[len(beginning.outputs)].name
            yield ParagraphText(f"that is all for {beginning.name}", (f"if ({following} == NULL)", "  return;"))
        for text in texts((p for p in found if p.late == late), lambda p: tuple(_lines(p.formulas, values))):
            yield replace(text, heading=comment(text.heading))


def first_equals(output: OutputSpec) -> tuple[int, ...]:
    """For each entry of an output, the first one that is the same value: itself, or one that is stored before it."""
    first: dict[Atom, int] = {}
    return tuple(first.setdefault(atom, i) for i, atom in enumerate(output.entries))


def first_entries(program: ScalarProgram, *, constants: bool = True) -> frozenset[Entry]:
    """The entries of outputs that do not equal an earlier one of theirs; without `constants`, those that vary."""
    return frozenset(
        Entry(output.name, i)
        for output in program.outputs
        for i in first_equals(output)
        if constants or type(output.entries[i]) is not Const
    )


def unused_arguments(program: ScalarProgram) -> tuple[str, ...]:
    """Arguments that no statement mentions."""
    used = used_inputs(program)
    unread = [spec.name for spec in program.inputs if spec.name not in used]
    return (*unread, *(spec.name for spec in program.outputs if not spec.size))


def constant(value: float, real: Real) -> str:
    """A literal that the compiler reads back as exactly this value, rounded to float if that is the type."""
    if real == "double":
        return repr(value)
    with np.errstate(over="ignore", under="ignore"):
        single = np.float32(value)
    if not np.isfinite(single):
        raise RenderError(f"the constant {value!r} does not fit float; use real='double'")
    return f"{single!s}f"


def _sines_and_cosines(
    angles: Angles, values: Values, sincos: Callable[[Sequence[str]], Iterator[str]]
) -> Iterator[str]:
    yield from _lines(angles.before, values)
    for statement in sincos([expression(angle, values.dialect) for angle in angles.angles]):
        yield from wrapped(statement)
    yield from _lines(named_results(angles, angles.expanded), values)


def _read_later(before: Sequence[Formula], found: Sequence[Paragraph]) -> list[Formula]:
    """What angles are made of, where something else needs it too."""
    trees = [formula.tree for paragraph in found for formula in paragraph.formulas]
    needed = values_needed(trees, before)
    return [formula for formula in before if formula.name in needed]


def _with_stores(found: Sequence[Paragraph], kept: frozenset[Entry]) -> Iterator[Paragraph]:
    for paragraph in found:
        fewer = (f._replace(entries=tuple(e for e in f.entries if e in kept)) for f in paragraph.formulas)
        formulas = tuple(formula for formula in fewer if formula.name or formula.entries)
        if formulas:
            yield replace(paragraph, formulas=formulas)


def _lines(formulas: Sequence[Formula], values: Values) -> Iterator[str]:
    """Definitions as one declaration, then what is stored."""
    declared: list[str] = []
    stored: list[str] = []
    for formula in formulas:
        text = expression(formula.tree, values.dialect)
        if _is_constant(formula.tree):
            text = values.spread(text)
        if formula.name is not None:
            declared.append(f"{formula.name} = {text}")
            text = formula.name
        if formula.entries:
            stored.append("".join(f"{entry.array}[{entry.position}] = " for entry in formula.entries) + text)
    if declared:
        yield from filled([f"const {values.type}", *(f"{text}," for text in declared[:-1]), f"{declared[-1]};"], "  ")
    yield from filled([f"{text};" for text in stored], "")


def _is_constant(tree: Tree) -> bool:
    return type(tree) is Const or (type(tree) is Term and all(map(_is_constant, tree.operands)))
