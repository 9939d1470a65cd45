"""A `ScalarProgram` as formulas for people: paragraphs per sweep and body, values with names, single-use values inlined.

The language is not decided here: C and Python write the same names and the same trees. What is computed is exactly the
program: inlining moves an operation to its only use and keeps the order of operands and the parentheses.

Names. An origin's symbol and body give the stem: symbol "P" of body 4 is P4; several values with one stem are P4_1, P4_2 ….
A symbol may name the entry it computes after a dot: "P.xx" is P4_xx, and what is needed on the way P4_xx_1 …. Sine and cosine
are s4 and c4, where the symbol is 4 or the body. Without a symbol values are t4_1 …, without body and symbol t1, t2 ….
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple, TypeAlias

from codegen.ir import OPERATIONS, Atom, Const, Equation, Input, Origin, ScalarProgram, Var
from derive.names import RESERVED, identifier

WIDTH = 88  # estimated columns of a formula's right side, so that lines stay under 120
NAME_WIDTH = 8  # estimate for a value's name, which inlining itself decides
OPERATOR_WIDTH = {"add": 3, "sub": 3, "mul": 1, "div": 1, "neg": 1}
TRIGONOMETRIC = {"sin": "s", "cos": "c"}


class Named(NamedTuple):
    """A value with a name."""

    name: str


class Term(NamedTuple):
    """An operation on subtrees."""

    op: str
    operands: tuple[Tree, ...]


Tree: TypeAlias = Term | Named | Const | Input


class Entry(NamedTuple):
    """The entry at `position` (row-major) of an output array."""

    array: str
    position: int


class Formula(NamedTuple):
    """`tree` is the value of `name` (if it has one) and of these entries of outputs."""

    name: str | None
    entries: tuple[Entry, ...]
    tree: Tree


@dataclass(frozen=True)
class ParagraphText:
    """A paragraph in some language: its heading and its statements."""

    heading: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Paragraph:
    """Formulas of one sweep and body, in order of evaluation; `symbols` in order of appearance, without entries.

    `late` is what comes after the beginning of a program that can be had alone.
    """

    sweep: str
    body: str
    symbols: tuple[str, ...]
    formulas: tuple[Formula, ...]
    late: bool = False


def headings(found: Iterable[Paragraph]) -> Iterator[str | None]:
    """What stands over each paragraph: "body 4 'forearm' · P, D, G · sweep 2/3 tip-to-base", "" where the origin is unknown.

    The sweep is there where it is another than before, and of bodies that were there already the numbers are enough. Algebra
    of matrices has one heading, then None.
    """
    sweep, bodies = "", set()
    for one in found:
        body = f"body {_body_number(one.body)}" if one.body in bodies else one.body
        parts = (body, ", ".join(one.symbols), one.sweep if one.sweep != sweep else "")
        if not _is_dense(one.sweep):
            yield " · ".join(part for part in parts if part)
            bodies |= {one.body} if _body_number(one.body) else set()
        else:
            yield None if one.sweep == sweep else one.sweep
        sweep = one.sweep


def texts(found: Iterable[Paragraph], lines: Callable[[Paragraph], Sequence[str]]) -> list[ParagraphText]:
    """Paragraphs with their headings; what has none goes on with the one before."""
    printed: list[ParagraphText] = []
    paragraphs = tuple(found)
    for paragraph, heading in zip(paragraphs, headings(paragraphs), strict=True):
        if heading is None:
            printed[-1] = ParagraphText(printed[-1].heading, (*printed[-1].lines, *lines(paragraph)))
        else:
            printed.append(ParagraphText(heading, tuple(lines(paragraph))))
    return printed


def paragraphs(
    program: ScalarProgram, reserved: Iterable[str] = (), beginning: ScalarProgram | None = None, width: int = WIDTH
) -> tuple[Paragraph, ...]:
    """The program as paragraphs; no value is called like an argument, a keyword or one of `reserved`.

    Those of `beginning`, which the program begins with, come first. Right sides get about `width` columns at most.
    """
    first = len(beginning.equations if beginning else program.equations)
    early = {spec.name for spec in (beginning or program).outputs}
    uses, stores = _uses(program)
    postponed: dict[int, tuple[Entry, ...]] = {}
    for i, entries in enumerate(stores[:first]):
        if later := tuple(entry for entry in entries if entry.array not in early):
            postponed[i], stores[i] = later, [entry for entry in entries if entry.array in early]
            uses[i] += 1
    inlined = _inlined(program, uses, stores, width)
    named = [i for i in range(len(program.equations)) if not inlined[i] and (uses[i] or not stores[i])]
    taken = {spec.name for spec in (*program.inputs, *program.outputs)} | RESERVED | set(OPERATIONS) | set(reserved)
    names = dict(zip(named, _names([program.equations[i] for i in named], taken), strict=True))

    def tree(atom: Atom) -> Tree:
        if type(atom) is not Var:
            return atom  # type: ignore[return-value]
        if atom.index in names:
            return Named(names[atom.index])
        return term(atom.index)

    def term(index: int) -> Term:
        equation = program.equations[index]
        return Term(equation.op, tuple(tree(atom) for atom in equation.operands))

    found = []
    printed = [i for i in range(len(program.equations)) if not inlined[i]]
    for members in _runs(program, printed, stores, first):
        (sweep, body, _), late = program.equations[members[0]].origin, members[0] >= first
        symbols = dict.fromkeys(_symbol(program.equations[i].origin) for i in members)
        formulas = tuple(Formula(names.get(i), tuple(stores[i]), term(i)) for i in members)
        found.append(Paragraph(sweep, body, tuple(s for s in symbols if s), formulas, late))
    if postponed:
        formulas = tuple(Formula(None, entries, Named(names[i])) for i, entries in postponed.items())
        found.append(Paragraph("entries that are there already", "", (), formulas, True))
    for late in (False, True):
        copies = tuple(copy for copy in _copies(program) if (copy.entries[0].array not in early) == late)
        if copies:
            found.append(Paragraph("entries that are constants or inputs", "", (), copies, late))
    return tuple(sorted(found, key=lambda paragraph: paragraph.late))


def _runs(
    program: ScalarProgram, printed: Sequence[int], stores: Sequence[Sequence[Entry]], first: int
) -> list[list[int]]:
    """Neighbours of one sweep and body; what is no sweep goes on through all bodies until something is stored."""
    runs: list[list[int]] = []
    before = None
    for key, group in groupby(printed, key=lambda i: (*program.equations[i].origin[:2], i >= first)):
        sweep, _, late = key
        if before == (sweep, late) and _is_dense(sweep) and not any(stores[i] for i in runs[-1]):
            runs[-1] += group
        else:
            runs.append(list(group))
        before = sweep, late
    return runs


def _is_dense(sweep: str) -> bool:
    """Whether this is algebra of matrices over the joints."""
    return bool(sweep) and not sweep.startswith("sweep ")


def used_inputs(program: ScalarProgram) -> frozenset[str]:
    """Names of the inputs that are read."""
    atoms = [atom for equation in program.equations for atom in equation.operands]
    atoms += [atom for output in program.outputs for atom in output.entries]
    return frozenset(atom.array for atom in atoms if type(atom) is Input)


def _uses(program: ScalarProgram) -> tuple[list[int], list[list[Entry]]]:
    """How often equations use each equation, and which entries of outputs it is."""
    uses = [0] * len(program.equations)
    stores: list[list[Entry]] = [[] for _ in program.equations]
    for equation in program.equations:
        for atom in equation.operands:
            if type(atom) is Var:
                uses[atom.index] += 1
    for output in program.outputs:
        for index, atom in enumerate(output.entries):
            if type(atom) is Var:
                stores[atom.index].append(Entry(output.name, index))
    return uses, stores


def _copies(program: ScalarProgram) -> Iterator[Formula]:
    """Entries of outputs that no equation computes, equal constants of one array together."""
    for output in program.outputs:
        same: dict[Const | Input, list[Entry]] = defaultdict(list)
        for index, atom in enumerate(output.entries):
            if type(atom) is not Var:
                same[atom].append(Entry(output.name, index))  # type: ignore[index]
        for atom, entries in same.items():
            for start in range(0, len(entries), 6):
                yield Formula(None, tuple(entries[start : start + 6]), atom)


def _inlined(program: ScalarProgram, uses: list[int], stores: list[list[Entry]], most: int) -> list[bool]:
    """Whether each equation is written inside its only use: one of the same body, where the formula stays readable."""
    inlined = [False] * len(program.equations)
    widths = [0] * len(program.equations)
    for position, equation in enumerate(program.equations):
        inside = []
        width = OPERATOR_WIDTH.get(equation.op, len(equation.op) + 2)
        for place, atom in enumerate(equation.operands):
            if type(atom) is Var and _may_inline(program.equations[atom.index], equation, uses, stores, atom.index):
                inside.append(atom.index)
                width += widths[atom.index] + 2 * (place == 1 or program.equations[atom.index].op != "mul")
            else:
                width += _atom_width(atom)
        for index in sorted(inside, key=lambda i: (-widths[i], i)):
            if width > most:
                width += NAME_WIDTH - widths[index]
            else:
                inlined[index] = True
        widths[position] = width
    return inlined


def _may_inline(inner: Equation, outer: Equation, uses: list[int], stores: list[list[Entry]], index: int) -> bool:
    nameless = inner.origin[:2] == outer.origin[:2] and "." not in inner.origin.symbol  # an entry keeps its name
    return (
        (nameless or inner.origin == outer.origin)
        and uses[index] == 1
        and not stores[index]
        and inner.op not in TRIGONOMETRIC
    )


def _atom_width(atom: Atom) -> int:
    if type(atom) is Const:
        return len(repr(atom.value))
    return len(atom.array) + 3 if type(atom) is Input else NAME_WIDTH


# -- names ------------------------------------------------------------------------------------------------------------------


def _names(equations: list[Equation], taken: set[str]) -> list[str]:
    """One name per equation, valid in C and Python, none in `taken`."""
    stems = [_stem(equation) for equation in equations]
    groups: dict[str, list[int]] = defaultdict(list)
    for position, (stem, _) in enumerate(stems):
        groups[stem].append(position)
    names = [""] * len(equations)
    for stem, members in groups.items():
        plain = members[-1] if len(members) == 1 or stems[members[-1]][1] else None
        number = 0
        for position in members:
            name = stem if position == plain else ""
            while not name or name in taken:
                number += 1
                name = f"{stem}_{number}" if stem != "t" else f"t{number}"
            taken.add(name)
            names[position] = name
    return names


def _stem(equation: Equation) -> tuple[str, bool]:
    """The stem of an equation's name, and whether it ends in the entry that is computed."""
    body = _body_number(equation.origin.body)
    if equation.op in TRIGONOMETRIC:
        (argument,) = equation.operands
        told = equation.origin.symbol if _is_number(equation.origin) else body
        told = told or (f"{argument.array}{argument.index}" if type(argument) is Input else "")
        return f"{TRIGONOMETRIC[equation.op]}{told}" if told else equation.op, False
    symbol, entry = _symbol(equation.origin), equation.origin.symbol.partition(".")[2]
    word = _word(symbol) if symbol else "t"
    stem = f"{word}_{body}" if body and word[-1].isdigit() else f"{word}{body}"
    return (f"{stem}_{identifier(f'x{entry}')[1:]}" if entry else stem), bool(entry)


def _symbol(origin: Origin) -> str:
    """What is computed, without its entry; "" where a number says to which body's joint a sine and cosine belong."""
    return "" if _is_number(origin) else origin.symbol.partition(".")[0]


def _is_number(origin: Origin) -> bool:
    return origin.symbol.isdigit()


def _body_number(body: str) -> str:
    found = re.match(r"body (\d+)", body)
    return found[1] if found else ""


def _word(symbol: str) -> str:
    """A symbol as a word: tau_bar as it stands, φ as phi."""
    spelled = "".join(_spelled(c) for c in symbol)
    return identifier(spelled)


def _spelled(character: str) -> str:
    found = re.match(r"GREEK (SMALL|CAPITAL) LETTER (\w+)$", unicodedata.name(character, ""))
    if found is None:
        return character
    name = {"LAMDA": "lambda"}.get(found[2], found[2].lower())
    return name.capitalize() if found[1] == "CAPITAL" else name
