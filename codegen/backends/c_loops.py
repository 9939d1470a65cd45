"""Contractions as loops in C, over what other stages of a function left in arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from codegen.backends.c_body import Values
from codegen.backends.c_text import comment
from codegen.backends.formulas import ParagraphText
from codegen.contractions import LoopedProgram, Product


def loops(program: LoopedProgram, values: Values) -> Iterator[ParagraphText]:
    """A paragraph for each contraction."""
    shapes = {spec.name: spec.shape for spec in (*program.inputs, *program.outputs)}
    for one in program.contractions:
        extents = one.extents(shapes)
        place = _entry(one.output, one.indices, shapes)
        terms = [_term(term, shapes, values) for term in one.terms]
        if one.summed:
            nothing = f"{place} = {values.dialect.constant(0.0)};"
            lines = [*_nest(one.indices, extents, nothing)]
            for sign, text in terms:
                lines += _nest(one.order, extents, f"{place} {sign}= {text};")
        else:
            text = "".join(f" {sign} {text}" for sign, text in terms).removeprefix(" + ").removeprefix(" ")
            lines = _nest(one.order, extents, f"{place} = {text};")
        yield ParagraphText(comment(str(one)), tuple(lines))


def _nest(indices: str, extents: Mapping[str, int], statement: str) -> list[str]:
    """Loops around a statement."""
    heads = [f"for (int {i} = 0; {i} < {extents[i]}; ++{i})" for i in indices]
    return [*(f"{'    ' * depth}{head}" for depth, head in enumerate(heads)), f"{'    ' * len(heads)}{statement}"]


def _term(term: Product, shapes: Mapping[str, Sequence[int]], values: Values) -> tuple[str, str]:
    """The sign of a term and the rest of it."""
    factors = [_entry(array, indices, shapes) for array, indices in term.arrays]
    if abs(term.factor) != 1.0:
        factors.insert(0, values.dialect.constant(abs(term.factor)))
    return "-" if term.factor < 0.0 else "+", "*".join(factors)


def _entry(array: str, indices: str, shapes: Mapping[str, Sequence[int]]) -> str:
    """For example mass[7*i + j]."""
    parts, stride = [], 1
    for index, extent in zip(reversed(indices), reversed(shapes[array]), strict=True):
        parts.append(f"{stride}*{index}" if stride != 1 else index)
        stride *= extent
    return f"{array}[{' + '.join(reversed(parts))}]"
