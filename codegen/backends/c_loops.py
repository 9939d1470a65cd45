"""Contractions as loops in C, over what other stages of a function left in arrays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from codegen.backends.c_body import Values
from codegen.backends.c_text import comment, wrapped
from codegen.backends.formulas import ParagraphText
from codegen.contractions import LoopedProgram, Product
from codegen.cost import OperationCount, count


def loops(program: LoopedProgram, values: Values) -> Iterator[ParagraphText]:
    """A paragraph for each contraction."""
    shapes = {spec.name: spec.shape for spec in (*program.inputs, *program.outputs)}
    for one in program.contractions:
        extents = one.extents(shapes)
        place = _entry(one.output, one.indices, shapes, {})
        terms = [_term(term, one.written, extents, shapes, values) for term in one.terms]
        lines: list[str] = []
        sign = ""
        if len(one.summed) > 1:
            sign = "+"
            lines += _nest(one.indices, extents, f"{place} = {values.dialect.constant(0.0)};")
        right = " ".join(part for term in terms for part in term).removeprefix("+ ")
        right = f"-{right[2:]}" if right.startswith("- ") else right
        lines += _nest(one.loops, extents, f"{place} {sign}= {right};")
        yield ParagraphText(comment(str(one)), tuple(lines))


def operations_of_loops(program: LoopedProgram) -> OperationCount:
    """The operations of the paragraphs: where sums begin with a zero, an addition for each that the program does not have."""
    sizes = {spec.name: spec.size for spec in program.outputs}
    begun = sum(sizes[one.output] for one in program.contractions if len(one.summed) > 1)
    return count(program) + OperationCount(additions=begun)


def _nest(indices: str, extents: Mapping[str, int], statement: str) -> list[str]:
    """Loops around a statement."""
    heads = [f"for (int {i} = 0; {i} < {extents[i]}; ++{i})" for i in indices]
    blanks = "  " * len(heads)
    return [
        *(f"{'  ' * depth}{head}" for depth, head in enumerate(heads)),
        *wrapped(f"{blanks}{statement}", blanks + "    "),
    ]


def _term(
    term: Product, written: str, extents: Mapping[str, int], shapes: Mapping[str, Sequence[int]], values: Values
) -> tuple[str, str]:
    """The sign of a term and the rest of it, with the sum over the index `written`."""
    sums = [
        "*".join(_entry(array, indices, shapes, {written: i}) for array, indices in term.arrays)
        for i in range(extents.get(written, 1))
    ]
    text = " + ".join(sums)
    factor = f"{values.dialect.constant(abs(term.factor))}*" if abs(term.factor) != 1.0 else ""
    grouped = len(sums) > 1 and (factor or term.factor < 0.0)
    return "-" if term.factor < 0.0 else "+", f"{factor}({text})" if grouped else factor + text


def _entry(array: str, indices: str, shapes: Mapping[str, Sequence[int]], known: Mapping[str, int]) -> str:
    """For example mass[7*i+j], or with j known to be 3 mass[7*i+3]: without blanks, so that no line ends in it."""
    parts, offset, stride = [], 0, 1
    for index, extent in zip(reversed(indices), reversed(shapes[array]), strict=True):
        if index in known:
            offset += stride * known[index]
        else:
            parts.append(f"{stride}*{index}" if stride != 1 else index)
        stride *= extent
    return f"{array}[{'+'.join([*reversed(parts), *([str(offset)] if offset or not parts else [])])}]"
