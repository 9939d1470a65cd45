"""The Riccati quantities P, D, G, K, τ̄, ψ in closed form [SOA-40 … SOA-42], numbered in model order.

They are rational in the trigonometric functions. Small ones are shown closed, in the joint inertias D(k) of the bodies further
out; all of them are shown let-bound: P3_12, D3, G3_1 each once, as the recursion makes them. Names hide that D/D is 1, so what
HG = I and P⁺H* = 0 say of single entries is put in where the recursion would calculate it [SOA-40].
"""

from __future__ import annotations

import math
from contextlib import nullcontext
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeAlias

from derive.closed_form.element import Element
from derive.closed_form.errors import ClosedFormError, TooLargeError
from derive.closed_form.lets import Lets
from derive.closed_form.reasons.screws import is_zero
from derive.closed_form.robot import ClosedForms, Matrix
from derive.closed_form.selectors import Selector
from derive.run import run
from derive.sweeps import to_recursion

Letter: TypeAlias = Literal["P", "D", "G", "K", "tau_bar", "psi"]
LETTERS: tuple[Letter, ...] = ("P", "D", "G", "K", "tau_bar")
RICCATI = frozenset({*LETTERS, "psi"})
CLOSED_LIMIT = 150  # terms of an intermediate result, beyond which a closed form is not for people


@dataclass(frozen=True)
class Riccati:
    """The Riccati recursion of one robot on ring elements: `lets` are the named quantities the blocks are written in."""

    forms: ClosedForms
    closed: bool = False
    fold: bool = True
    limits: tuple[int, float] = CLOSED_LIMIT, math.inf  # terms and work of an intermediate result of a closed form

    @cached_property
    def lets(self) -> Lets:
        """The names, once the blocks have been worked out."""
        return self._run[1]

    @cached_property
    def _run(self) -> tuple[dict[str, Any], Lets]:
        return self._outputs({letter: letter for letter in LETTERS})

    def block(self, letter: Letter, k: int, j: int | None = None) -> Matrix:
        """The block of a letter at body k (0-based); K goes from k to its parent, ψ from body j to body k."""
        model = self.forms.model
        six, rates = slice(6 * k, 6 * k + 6), model.v_slices[k]
        if letter == "psi":
            assert j is not None
            return self._sliced(self._psi["psi"], six, slice(6 * j, 6 * j + 6))
        if letter == "K":
            parent = model.joints[k].parent
            if parent < 0:
                raise ClosedFormError(
                    f"K goes from a body to its parent; '{model.bodies[k].name}' hangs on the ground; its gain is G[{k + 1}]"
                )
            return self._sliced(self._run[0]["K"], slice(6 * parent, 6 * parent + 6), rates)
        rows = rates if letter == "D" else six
        columns = rates if letter in ("D", "G") else six
        return self._sliced(self._run[0][letter], rows, columns)

    def selected(self, selector: Selector) -> Matrix:
        """The block a selector means, or the entries of it."""
        letter, bodies = selector.quantity.name, 2 if selector.quantity.name == "psi" else 1
        k, *inner = selector.indices[:bodies]
        block = self.block(letter, k, *inner)  # type: ignore[arg-type]
        row, *column = selector.indices[bodies:] or (None,)
        if row is not None:
            block = tuple([block[row]] if len(block) > 1 else block)
        return tuple((line[column[0]],) for line in block) if column and len(block[0]) > 1 else block

    @cached_property
    def _psi(self) -> dict[str, Any]:
        outputs, lets = self._outputs({"psi": "psi"})
        self.__dict__["lets"] = lets
        return outputs

    def _sliced(self, matrix: Any, rows: slice, columns: slice) -> Matrix:
        return tuple(
            tuple(self.forms.element(x).cancelled() if isinstance(x, Element) else self.forms.element(x) for x in row)
            for row in matrix[rows, columns]
        )

    def _outputs(self, expressions: dict[str, str]) -> tuple[dict[str, Any], Lets]:
        forms = self.forms
        armature = any(a != 0.0 for joint in forms.model.joints for a in joint.armature)
        lets = Lets(forms.ring, frozenset({"D"}) if self.closed else None, self.fold)
        limit = forms.ring.at_most(*self.limits) if self.closed else nullcontext()
        with limit, lets.naming_denominators():
            outputs = run(
                to_recursion(expressions, armature=armature),
                forms.exact,
                {"q": list(forms.q)},
                scalars=forms.ring.scalars,
                parameters=forms.parameters,
                bind=lambda field, k, value: lets.bind(field, k, self._with_known_entries(field, k, value)),
            )
        return outputs, lets

    def _with_known_entries(self, field: str, k: int, value: Any) -> Any:
        """G and P⁺ with the components that H reads one by one: unit rows, by HG = I, and zeros, by P⁺H* = 0."""
        read = components_read(self.forms, k)
        if field not in ("G", "P_plus") or not read or has_armature(self.forms, k):
            return value
        rows = [list(row) for row in value]
        for rate, component in enumerate(read):
            if field == "G":
                unit = self.forms.instance.H[k][rate][component]
                rows[component] = [unit if column == rate else 0.0 for column in range(len(read))]
            else:
                rows[component] = [0.0] * len(rows)
                for row in rows:
                    row[component] = 0.0
        return tuple(map(tuple, rows))


def components_read(forms: ClosedForms, k: int) -> list[int]:
    """The component that each row of H(k) reads, forwards or backwards; none where a row reads several."""
    rows = [{c: x for c, x in enumerate(row) if not is_zero(x)} for row in forms.instance.H[k]]
    single = all(len(row) == 1 and abs(next(iter(row.values()))) == 1.0 for row in rows)
    return [next(iter(row)) for row in rows] if single else []


def has_armature(forms: ClosedForms, k: int) -> bool:
    """Whether D(k) has more than H P H* in it."""
    return any(a != 0.0 for a in forms.model.joints[k].armature)


def small_block(forms: ClosedForms, letter: Letter, k: int, j: int | None, budget: int) -> tuple[Matrix, Lets]:
    """The block closed if it and the D it rests on stay within the budget of terms, else let-bound.

    Let-bound too where it would rest on the pivots of a D(k) of several freedoms, whose inverse is no single quotient.
    """
    try:
        closed = Riccati(forms, closed=True)
        block = closed.block(letter, k, j)
        needed = closed.lets.needed(e for row in block for e in row)
        values = (*(e for row in block for e in row), *(let.value for let in needed))
        if all(len(e) <= budget for e in values) and all(let.field == "D" for let in needed):
            return block, closed.lets
    except TooLargeError:
        pass
    bound = Riccati(forms)
    return bound.block(letter, k, j), bound.lets


@dataclass(frozen=True)
class RiccatiForms:
    """The Riccati quantities as SymPy matrices in the names that `definitions` define in order; bodies are 0-based."""

    definitions: tuple[tuple[Any, Any], ...]
    P: tuple[Any, ...]
    D: tuple[Any, ...]
    G: tuple[Any, ...]
    tau_bar: tuple[Any, ...]
    K: tuple[Any, ...]  # from each body to its parent; None for those on the ground


def riccati_forms(forms: ClosedForms) -> RiccatiForms:
    """P, D, G, τ̄ and K of every body, let-bound [SOA-40, SOA-41]."""
    import sympy

    from derive.closed_form.printing.sympy import to_sympy

    riccati, model = Riccati(forms), forms.model

    def matrix(letter: Letter, k: int) -> Any:
        rows = riccati.block(letter, k)
        return sympy.ImmutableDenseMatrix([[to_sympy(e) for e in row] for row in rows])

    def all_of(letter: Letter) -> tuple[Any, ...]:
        return tuple(matrix(letter, k) for k in range(model.n))

    P, D, G, tau_bar = (all_of(letter) for letter in ("P", "D", "G", "tau_bar"))
    K = tuple(None if model.joints[k].parent < 0 else matrix("K", k) for k in range(model.n))
    lets = riccati.lets.lets.values()
    definitions = tuple((sympy.Symbol(let.variable.name), to_sympy(let.value)) for let in lets)
    return RiccatiForms(definitions, P, D, G, tau_bar, K)
