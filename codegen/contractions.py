"""Sums of products of arrays by index, such as a_ij = Σ_k b_ik c_kj: what is left of a function when others gave its arrays.

Written out they would be most of a function's text; a backend may print them as loops. As a program they are every operation
that those loops do, zeros and equal entries included, so that counts and what depends on what are those of the loops.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial, reduce
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from codegen.ir import ArraySpec, Atom, Const, Equation, Input, Origin, OutputSpec, ScalarProgram, check, variable
from derive.algebra import plus, times


@dataclass(frozen=True)
class Product:
    """`factor` times entries of arrays, each an array and its indices: ("mass_inverse", "ik")."""

    arrays: tuple[tuple[str, str], ...]
    factor: float = 1.0


@dataclass(frozen=True)
class Contraction:
    """`output` at `indices` is the sum of the terms, over the indices that only they have."""

    output: str
    indices: str
    terms: tuple[Product, ...]

    @property
    def summed(self) -> str:
        """The indices of the sum."""
        found = dict.fromkeys(index for term in self.terms for _, indices in term.arrays for index in indices)
        return "".join(index for index in found if index not in self.indices)

    @property
    def reads(self) -> tuple[str, ...]:
        """The arrays that it takes."""
        return tuple(dict.fromkeys(array for term in self.terms for array, _ in term.arrays))

    def extents(self, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, int]:
        """How far each index runs, where arrays have these shapes."""
        found: dict[str, int] = {}
        for term in self.terms:
            for array, indices in term.arrays:
                found |= zip(indices, shapes[array], strict=True)
        return found

    def __str__(self) -> str:
        terms = [
            "*".join([*([f"{term.factor:g}"] if abs(term.factor) != 1.0 else []), *(_entry(*a) for a in term.arrays)])
            for term in self.terms
        ]
        signs = ["-" if term.factor == -1.0 else "" for term in self.terms]
        right = " + ".join(f"{sign}{term}" for sign, term in zip(signs, terms, strict=True)).replace("+ -", "- ")
        over = f", summed over {', '.join(self.summed)}" if self.summed else ""
        return f"{_entry(self.output, self.indices)} = {right}{over}"

    def of(self, values: Mapping[str, Any]) -> NDArray[Any]:
        """Its output from arrays of any scalar."""
        arrays = {name: np.asarray(values[name], dtype=object) for name in self.reads}
        extents = self.extents({name: array.shape for name, array in arrays.items()})
        result = np.full([extents[index] for index in self.indices], 0.0, dtype=object)
        for at, term, inner in self.steps(extents):
            total: Any = 0.0
            for here in inner:
                value: Any = 1.0
                for array, indices in term.arrays:
                    value = times(value, arrays[array][tuple(here[i] for i in indices)])
                total = plus(total, value)
            place = tuple(at[i] for i in self.indices)
            result[place] = plus(result[place], times(term.factor, total))
        return result

    def steps(self, extents: Mapping[str, int]) -> Iterator[tuple[dict[str, int], Product, list[dict[str, int]]]]:
        """What is added to an entry, one after the other: the indices of the loops, the term, and all those of its own sum."""
        for numbers in product(*(range(extents[index]) for index in self.loops)):
            at = dict(zip(self.loops, numbers, strict=True))
            inner = [at | {index: i} for index in self.written for i in range(extents[index])] or [at]
            yield from ((at, term, inner) for term in self.terms)

    @property
    def written(self) -> str:
        """The index whose sum is one expression: compilers then vectorise the loop around it. None without a sum."""
        return self.summed[-1:]

    @property
    def loops(self) -> str:
        """The other indices, the output's last innermost, so that neighbours are computed together."""
        return self.indices[:-1] + self.summed[:-1] + self.indices[-1:]


def contraction(output: str, indices: str, *terms: tuple[float, tuple[tuple[str, str], ...]]) -> Contraction:
    """The sum of terms, each its factor and its arrays with their indices."""
    return Contraction(output, indices, tuple(Product(arrays, factor) for factor, arrays in terms))


def _entry(array: str, indices: str) -> str:
    return f"{array}[{', '.join(indices)}]"


@dataclass(frozen=True)
class LoopedProgram(ScalarProgram):
    """A program that is nothing but contractions of its inputs."""

    contractions: tuple[Contraction, ...] = ()


def looped(name: str, given: Sequence[ArraySpec], contractions: Sequence[Contraction], heading: str) -> LoopedProgram:
    """The program of contractions of arrays with these shapes."""
    shapes = {spec.name: spec.shape for spec in given}
    equations: list[Equation] = []
    outputs = []

    def added(op: str, *operands: Atom) -> Atom:
        equations.append(Equation(op, operands, Origin(heading, "", one.output)))
        return variable(len(equations) - 1)

    for one in contractions:
        extents = one.extents(shapes)
        shape = tuple(extents[index] for index in one.indices)
        entries: dict[int, Atom] = {}
        for at, term, inner in one.steps(extents):
            products: list[Atom] = []
            for here in inner:
                factors: list[Atom] = [
                    Input(array, _flat(indices, here, shapes[array])) for array, indices in term.arrays
                ]
                products.append(reduce(partial(added, "mul"), factors))
            value = reduce(partial(added, "add"), products)
            if abs(term.factor) != 1.0:
                value = added("mul", Const(term.factor), value)
            place = _flat(one.indices, at, shape)
            if place not in entries:
                entries[place] = value if term.factor != -1.0 else added("neg", value)
            else:
                entries[place] = added("sub" if term.factor == -1.0 else "add", entries[place], value)
        outputs.append(OutputSpec(one.output, shape, tuple(entries[i] for i in range(len(entries)))))
    read = {array for one in contractions for array in one.reads}
    inputs = tuple(ArraySpec(spec.name, spec.shape) for spec in given if spec.name in read)
    program = LoopedProgram(name, inputs, tuple(outputs), tuple(equations), tuple(contractions))
    check(program)
    return program


def _flat(indices: str, at: Mapping[str, int], shape: Sequence[int]) -> int:
    position = 0
    for index, extent in zip(indices, shape, strict=True):
        position = position * extent + at[index]
    return position
