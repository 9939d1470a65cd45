"""From a selector to a sheet: entries closed where they are short, let-bound where they are not, zeros explained."""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import product

from derive.closed_form.bound import Bound
from derive.closed_form.element import Element
from derive.closed_form.entries import Entries, element, entries
from derive.closed_form.errors import ClosedFormError, TooLargeError
from derive.closed_form.exact import is_rounded
from derive.closed_form.expression import count_terms
from derive.closed_form.forms.choice import AUTO, arranged
from derive.closed_form.lets import Let
from derive.closed_form.meanings import meanings
from derive.closed_form.reasons.why import Reasons
from derive.closed_form.riccati import RICCATI, small_block
from derive.closed_form.robot import ClosedForms
from derive.closed_form.sampling import Point
from derive.closed_form.selectors import Selector
from derive.closed_form.sheet import Definition, Formula, Label, Sheet

BUDGET = 100  # terms of one entry on a page for people
WORTH_WRITING = 3  # times the budget: longer entries are let-bound without trying other forms


def sheet(forms: ClosedForms, selector: Selector, form: str = AUTO, budget: int | None = BUDGET) -> Sheet:
    """The sheet of a selector: closed where an entry has no more terms than the budget, else let-bound."""
    if selector.quantity.name in RICCATI:
        return _riccati_sheet(forms, selector, form, budget)
    found = entries(selector, forms.model)
    if not found.labels:
        raise ClosedFormError(f"model '{forms.model.name}' has no degrees of freedom, so no {selector.quantity.name}")
    try:
        elements = [element(forms, label) for label in found.labels]
    except TooLargeError as error:
        if budget is None:
            raise
        return let_bound_sheet(forms, selector, f"let-bound: {error}")
    large = set() if budget is None else _large(forms, elements, form, budget)
    lets, notes = [], _zero_notes(forms, found.labels, elements)
    if large:
        bound = Bound(forms, selector)
        for i in large:
            notes[i] = f"{len(elements[i])} terms when expanded"
            elements[i] = bound.lets.unfolded(bound.entry(found.labels[i]))
        lets = bound.lets.needed(elements[i] for i in large)
    return _sheet(forms, selector, found, elements, lets, form, notes)


def let_bound_sheet(forms: ClosedForms, selector: Selector, *remarks: str) -> Sheet:
    """The sheet of a selector with everything let-bound: the recursion with this robot's numbers folded in.

    Names do not show that g[1] = −(f2_1·s2 + f2_2·c2) is zero: an entry that is zero at a random point and has a reason is.
    """
    if selector.quantity.name in RICCATI:
        return _riccati_sheet(forms, selector, "angles", 0)
    found, bound = entries(selector, forms.model), Bound(forms, selector)
    made = [bound.entry(label) for label in found.labels]
    point, reasons = Point(bound.lets, random.Random(0)), Reasons(forms)
    vanishing = [
        not point.at(e).value and bool(reasons.known(label)) for e, label in zip(made, found.labels, strict=True)
    ]
    elements = [forms.ring.constant(0) if v else bound.lets.unfolded(e) for v, e in zip(vanishing, made, strict=True)]
    notes = _zero_notes(forms, found.labels, elements)
    return _sheet(forms, selector, found, elements, bound.lets.needed(elements), "angles", notes, remarks)


def _large(forms: ClosedForms, elements: Sequence[Element], form: str, budget: int) -> set[int]:
    """The entries that have more terms than the budget even when they are well written."""
    raw = {i: len(e) for i, e in enumerate(elements)}
    hopeless = set() if forms.model.constants else {i for i, size in raw.items() if size > WORTH_WRITING * budget}
    doubtful = [i for i, size in raw.items() if size > budget and i not in hopeless]
    written = arranged(forms, [elements[i] for i in doubtful], form).expressions
    return hopeless | {i for i, e in zip(doubtful, written, strict=True) if count_terms(e) > budget}


def _zero_notes(forms: ClosedForms, labels: Sequence[Label], elements: Sequence[Element]) -> list[str]:
    """For each zero entry, why; "" for the others."""
    reasons = Reasons(forms)
    return ["" if e else reasons.why(label) for label, e in zip(labels, elements, strict=True)]


def _riccati_sheet(forms: ClosedForms, selector: Selector, form: str, budget: int | None) -> Sheet:
    letter, (k, *rest) = selector.quantity.name, selector.indices
    other = None
    if letter == "psi":
        other = rest.pop(0)
    block, lets = small_block(forms, letter, k, other, BUDGET if budget is None else budget)  # type: ignore[arg-type]
    lead = (k + 1,) if other is None else (k + 1, other + 1)
    shape = tuple(n for n in (len(block), len(block[0])) if n > 1)  # one column is a vector, one entry a number
    ranges = [range(n) if i >= len(rest) else range(rest[i], rest[i] + 1) for i, n in enumerate(shape)]
    chosen = list(product(*ranges))
    elements = [lets.unfolded(block[i[0] if i else 0][i[1] if len(i) > 1 else 0]) for i in chosen]
    labels = tuple(Label(letter, (*lead, *(i + 1 for i in indices))) for indices in chosen)
    found = Entries(labels, shape[len(rest) :])
    notes = _zero_notes(forms, labels, elements)
    return _sheet(forms, selector, found, elements, lets.needed(elements), form, notes, _whose(forms, k, other))


def _whose(forms: ClosedForms, k: int, other: int | None) -> tuple[str, ...]:
    """Which bodies are meant, with the papers' numbers."""
    model = forms.model

    def named(i: int) -> str:
        return f"body {i + 1} '{model.bodies[i].name}' on joint '{model.joints[i].name}' (papers' k = {model.paper_number(i)})"

    if other is None:
        return (named(k),)
    lines = (f"to {named(k)}", f"from {named(other)}")
    if k in model.path(other):
        return lines
    why = f"ψ carries forces inwards, and body {k + 1} is not inboard of body {other + 1}: structurally zero [SOA-42]"
    transposed = f"; psi[{other + 1},{k + 1}] is not zero" if other in model.path(k) else ", in both directions"
    return (*lines, why + transposed)


def _rounding(forms: ClosedForms) -> tuple[str, ...]:
    """What is said of joints at odd angles."""
    names = ", ".join(is_rounded(forms.model))
    return (f"at odd angles, so with rationals within 1e-15 of the file's numbers: {names}",) if names else ()


def _sheet(
    forms: ClosedForms,
    selector: Selector,
    found: Entries,
    elements: Sequence[Element],
    lets: Sequence[Let],
    form: str,
    notes: Sequence[str],
    remarks: tuple[str, ...] = (),
) -> Sheet:
    lines = arranged(forms, [let.value for let in lets], "angles").expressions
    bound = tuple(Definition(let.variable, e, body=let.body) for let, e in zip(lets, lines, strict=True))
    named = {let.variable for let in lets}
    closed = [not named.intersection(forms.ring.inverses.get(v, v) for v in e.variables()) for e in elements]
    arrangement = arranged(forms, [e for e, c in zip(elements, closed, strict=True) if c], form)
    rest = arranged(forms, [e for e, c in zip(elements, closed, strict=True) if not c], "nested").expressions
    streams = {True: iter(arrangement.expressions), False: iter(rest)}
    each = zip(found.labels, (next(streams[c]) for c in closed), notes, strict=True)
    return Sheet(
        robot=forms.model.name,
        title=selector.quantity.meaning,
        formulas=tuple(Formula(label, expression, note) for label, expression, note in each),
        definitions=(*arrangement.definitions, *bound),
        shape=found.shape,
        symmetric=found.symmetric,
        notes=(*remarks, *meanings(lets), *_rounding(forms)),
        parameters=tuple(forms.parameter_values.items()),
    )
