"""The blocks of a `RolledProgram` as statements; C and Python differ in what `Language` holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from codegen.backends.expression import Dialect, expression
from codegen.backends.formulas import Formula, paragraphs
from codegen.rolled.ir import INDICES, Block, Case, RolledProgram, View


@dataclass(frozen=True)
class Language:
    """What differs between languages."""

    comment: str
    constant: Callable[[float], str]
    function: Callable[[str], str]
    define: Callable[[str, str], str]  # name, value
    index: Callable[[str, str], str]  # name, value
    assign: Callable[[str, str], str]  # target, value
    add: Callable[[str, str, str, bool], str]  # array, place, value, whether for many columns at once
    wrap: Callable[[str], list[str]]
    bodies: Callable[[int, bool], str]  # how many, whether downwards
    columns: Callable[[str, str, list[str]], list[str]]  # first, one past the last, statements for each
    scope: Callable[[list[str]], list[str]]  # statements whose names are theirs alone


@dataclass(frozen=True)
class CaseText:
    """What is done at bodies of some kinds."""

    label: str
    kinds: tuple[int, ...]
    lines: tuple[str, ...]


@dataclass(frozen=True)
class LoopText:
    """A loop `over` the bodies; `switches` unless all are treated alike."""

    heading: str
    over: str
    switches: bool
    cases: tuple[CaseText, ...]


def loop_texts(program: RolledProgram, language: Language, reserved: frozenset[str]) -> tuple[LoopText, ...]:
    """The loops in a language; no value is called like an array, an index or one of `reserved`."""
    arrays = {spec.name for _, specs in program.arrays for spec in specs}
    taken = reserved | arrays | {table.name for table in program.tables} | {"i", "j", "k", "kind", "work", *INDICES}
    return tuple(
        LoopText(
            loop.heading,
            language.bodies(len(program.kinds), loop.downwards),
            loop.switches(program.kinds),
            tuple(_case(case, language, taken) for case in loop.cases),
        )
        for loop in program.loops
    )


def _case(case: Case, language: Language, taken: frozenset[str]) -> CaseText:
    used = {index for block in case.blocks for index in block.indices}
    found = [(index, table, of) for index, (table, of) in INDICES.items() if index in used and of in ("k", "p")]
    lines = [language.index(index, f"{table}[{of}]") for index, table, of in found]
    for block in case.blocks:
        heading, inside = _block(block, language, taken)
        lines += [f"{language.comment} {heading}"] * bool(heading)
        if block.columns is not None:
            lines += language.columns(str(block.columns.start), str(block.columns.stop), inside)
        else:
            lines += language.scope(inside) if len(case.blocks) > 1 else inside
    return CaseText(case.label, case.kinds, tuple(lines))


def _block(block: Block, language: Language, taken: frozenset[str]) -> tuple[str, list[str]]:
    """The symbols that a block computes, and its statements."""
    reads, writes = ({view.name: view for view in views} for views in (block.reads, block.writes))
    changed = {(view.array, view.base) for view in block.writes}
    names = {
        (view.name, i): f"{view.array}_{i}"
        for view in block.reads
        if (view.array, view.base) in changed
        for i in range(len(view.offsets))
    }  # entries that are written too are read first

    def entry(array: str, index: int) -> str:
        return names.get((array, index)) or place(reads[array], index)

    dialect = Dialect(language.constant, entry, language.function)
    found = paragraphs(block.program, taken | set(names.values()))
    of_columns = [(i, INDICES[i][0]) for i in sorted(block.indices) if INDICES.get(i, ("", ""))[1] == "j"]
    lines = [language.index(index, f"{table}[j]") for index, table in of_columns]
    lines += [language.define(name, place(reads[view], i)) for (view, i), name in names.items()]
    for number, formula in enumerate(f for paragraph in found for f in paragraph.formulas):
        lines += _statements(formula, f"sum_{number}", writes, dialect, language, bool(block.columns))
    symbols = dict.fromkeys(s for paragraph in found for s in paragraph.symbols if s not in writes)
    return ", ".join(symbols), [line for statement in lines for line in language.wrap(statement)]


def place(view: View, entry: int) -> str:
    """The text of an entry."""
    return f"{view.array}[{view.at(entry)}]"


def _statements(
    formula: Formula, spare: str, writes: dict[str, View], dialect: Dialect, language: Language, many: bool
) -> Iterator[str]:
    """The definition of the formula's value and its stores; `spare` names it where it is stored twice."""
    text = expression(formula.tree, dialect)
    entries = [(writes[entry.array], entry.position) for entry in formula.entries]
    assigned = [place(view, position) for view, position in entries if not view.adds]
    added = [(view, position) for view, position in entries if view.adds]
    name = formula.name or (spare if len(added) + bool(assigned) > 1 else None)
    if name is not None:
        yield language.define(name, text)
        text = name
    if assigned:
        yield language.assign(" = ".join(assigned), text)
    for view, position in added:
        yield language.add(view.array, str(view.at(position)), text, many)
