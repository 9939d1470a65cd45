"""How a recursion runs on one robot to one entry: which quantities of which bodies it reads, and what each is there.

What an entry rests on is found by running the recursion with a name for everything, zeros and numbers too: so the course of
an entry that is a number or zero is known as well, and one sees where it becomes so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeAlias

from derive.closed_form.bound import Bound
from derive.closed_form.element import Element
from derive.closed_form.entries import entries
from derive.closed_form.lets import Lets, column_letters, is_vector
from derive.closed_form.riccati import RICCATI, Riccati
from derive.closed_form.robot import ClosedForms
from derive.closed_form.selectors import Selector
from derive.recursion_printing import symbol
from derive.rigid import RigidInertia

Place: TypeAlias = tuple[str, int, int, str]  # field, body, block column, letter of the column in it
Shown: TypeAlias = Callable[[Any], str]
INERTIAS = ("xx", "xy", "xz", "yy", "yz", "zz")


def let_bound(forms: ClosedForms, selector: Selector, fold: bool = True) -> tuple[list[Element], Lets]:
    """The entries of a selector in names, and the names."""
    if selector.quantity.name in RICCATI:
        riccati = Riccati(forms, fold=fold)
        block = riccati.selected(selector)
        return [e for row in block for e in row], riccati.lets
    bound = Bound(forms, selector, fold)
    return [bound.entry(label) for label in entries(selector, forms.model).labels], bound.lets


def places(forms: ClosedForms, selector: Selector) -> frozenset[Place]:
    """Which quantities of which bodies the entries rest on."""
    elements, lets = let_bound(ClosedForms(forms.model), selector, fold=False)
    return frozenset((let.field, let.body, let.column, let.part) for let in lets.needed(elements))


def course(lets: Lets, read: frozenset[Place], body: int, shown: Shown) -> Iterator[tuple[str, Place]]:
    """Each quantity read at a body: how it prints with the robot's numbers, and its place."""
    for (field, k), block in lets.blocks.items():
        if k != body:
            continue
        name = symbol(field)
        if not isinstance(block, dict):
            if (place := (field, k, -1, "")) in read:
                yield f"{name}({k + 1}){_block(block, shown)}", place
            continue
        for j, columns in block.items():
            column_of = -1 if is_vector(block) else j
            at = f"({k + 1})" if column_of < 0 else f"({k + 1},{j + 1})"
            for letter, column in zip(column_letters(columns), columns, strict=True):
                if (place := (field, k, column_of, letter)) in read:
                    yield f"{name}{at}{letter} = {_row(column, shown)}", place


def inertia_text(block: RigidInertia, shown: Shown, moment: str = "m·c") -> str:
    """The ten numbers of a rigid body."""
    places = ", ".join(f"{at} {shown(x)}" for at, x in zip(INERTIAS, block.inertia, strict=True))
    return f"m = {shown(block.mass)}, {moment} = ({', '.join(shown(x) for x in block.moment)}), 𝓘 = ({places})"


def _block(block: Any, shown: Shown) -> str:
    if isinstance(block, RigidInertia):
        return f": {inertia_text(block, shown, 'h')}"
    if len(block[0]) == 1:
        return f" = {_row([row[0] for row in block], shown)}"
    return f" = [{'; '.join(', '.join(shown(x) for x in row) for row in block)}]"


def _row(column: Sequence[Any], shown: Shown) -> str:
    return shown(column[0]) if len(column) == 1 else f"({', '.join(shown(x) for x in column)})"
