"""A whole robot on paper: what its symbols mean, how large its entries are, M, C, g, and what is proved of them.

What is said is the same in every format; `Markup` says how a format writes it, `templates/document/` is the skeleton.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import ClassVar

from codegen.errors import WriteError
from codegen.programs import SOAGEN_VERSION
from codegen.sheets.markup import HTML, LATEX, MARKDOWN, Markup, Rows
from codegen.skeletons import fill
from derive.closed_form.errors import ClosedFormError, TooLargeError
from derive.closed_form.exact import is_rounded
from derive.closed_form.expression import Number
from derive.closed_form.printing.text import gathered
from derive.closed_form.proofs import Proof, check, explained, laws
from derive.closed_form.reasons.why import neighbouring_axes
from derive.closed_form.robot import LIMIT, ClosedForms
from derive.closed_form.selectors import parse_selector
from derive.closed_form.sheet import Definition, Sheet
from derive.closed_form.sheets import let_bound_sheet, sheet
from derive.closed_form.variables import Kind, Variable

SUFFIXES = {".html": HTML, ".tex": LATEX, ".md": MARKDOWN}
BUDGET = 40  # terms of an entry on the page
SYMBOLS_BUDGET = 1500  # terms of all Christoffel symbols together, expanded
LET_BOUND = (
    " Long entries are written in the quantities of the recursion, each shown once: $R$ is the inertia of a body with all"
    " that it carries (hx first moment, xx … zz inertia), $f(k,j)$ the momentum at body $k$ of a unit rate of joint $j$."
)
RECURSION = (
    "in the quantities of Newton–Euler: $V$ velocity, $a$ and $b$ biases, $ζ$ acceleration, $f$ force of a body."
)


def nobody(item: str) -> None:
    """Listens to the progress of a document."""


@dataclass(frozen=True)
class Group:
    """Definitions under a heading; those of plain numbers are short and stand side by side."""

    heading: str
    items: tuple[str, ...]
    numbers: bool = False


@dataclass(frozen=True)
class Section:
    """A heading, a sentence, what the formulas rest on, the formulas, and which entries are zero and why."""

    title: str
    intro: str
    groups: tuple[Group, ...]
    formulas: tuple[str, ...]
    zeros: tuple[str, ...]


@dataclass(frozen=True)
class HtmlDocument:
    """The variables of the HTML skeleton."""

    template: ClassVar[str] = "document/page.html.jinja"
    title: str
    facts: tuple[str, ...]
    conventions: tuple[str, ...]
    joints: str
    parameters: str
    angles: str
    structure: tuple[str, ...]
    sizes: str
    sections: tuple[Section, ...]
    verdicts: tuple[str, ...]
    proofs: str
    version: str


@dataclass(frozen=True)
class LatexDocument(HtmlDocument):
    """The same for LaTeX."""

    template: ClassVar[str] = "document/page.tex.jinja"


@dataclass(frozen=True)
class MarkdownDocument(HtmlDocument):
    """The same for Markdown."""

    template: ClassVar[str] = "document/page.md.jinja"


DOCUMENTS = {".html": HtmlDocument, ".tex": LatexDocument, ".md": MarkdownDocument}


def document(
    forms: ClosedForms, suffix: str, digits: int, listener: Callable[[str], None] = nobody, budget: int = BUDGET
) -> str:
    """The text of the document in the format of a file's suffix."""
    if suffix not in SUFFIXES:
        raise WriteError(f"'{suffix}' is not a kind of document; end the file's name with {', '.join(SUFFIXES)}")
    return fill(_Author(forms, SUFFIXES[suffix], digits, listener, budget).context(DOCUMENTS[suffix]))


def suffix_of(path: str) -> str:
    """The suffix that decides the format."""
    return Path(path).suffix.lower()


class _Author:
    """Writes the parts of one document."""

    def __init__(
        self, forms: ClosedForms, markup: Markup, digits: int, listener: Callable[[str], None], budget: int
    ) -> None:
        self._forms, self._markup, self._digits, self._listener = forms, markup, digits, listener
        self._budget = budget
        self._variables: dict[Variable, None] = {}
        self._given: list[Definition] = []  # constants of the sections before

    def context(self, kind: type[HtmlDocument]) -> HtmlDocument:
        model, m = self._forms.model, self._markup
        sections = (self._mass_matrix(), self._coriolis(), self._gravity())
        proofs = self._proved()
        return kind(
            title=m.text(f"{model.name}: closed forms"),
            facts=tuple(m.text(fact) for fact in self._facts()),
            conventions=tuple(m.prose(line) for line in self._conventions()),
            joints=self._table(("i", "joint", "kind", "coordinate", "rate", "papers' k", "body"), self._joint_rows()),
            parameters=self._parameters(),
            angles=m.listed([m.meaning(v) for v in self._angles()]),
            structure=tuple(m.text(line) for line in self._structure()),
            sizes=self._sizes(),
            sections=sections,
            verdicts=tuple(m.text(sentence) for sentence in explained(proofs)),
            proofs=self._proofs(proofs),
            version=m.text(SOAGEN_VERSION),
        )

    # -- words ----------------------------------------------------------------------------------------------------------

    def _facts(self) -> list[str]:
        model = self._forms.model
        shape = "serial chain" if model.is_serial else "tree"
        facts = [f"{model.title or model.name}. A {shape} of {model.n} moving bodies, {model.nv} degrees of freedom."]
        if model.provenance:
            facts.append(f"Numbers: {model.provenance}")
        return facts

    def _conventions(self) -> list[str]:
        gravity = self._forms.gravity
        down = (
            "$g$ along $−z$"
            if not isinstance(gravity[2], float)
            else f"({', '.join(f'{x:g}' for x in gravity)})".replace("-", "−")
        )
        lines = [
            "Equations of motion: $M(q) q̈ + C(q, q̇) q̇ + g(q) = τ$, in model order, parents before children.",
            f"Gravity is {down}. Bodies carry their own frame; $R$, $V$, $f$ and their like are in it, [angular; linear].",
            f"Decimals are rounded to {self._digits} digits for reading; every form is exact in the program.",
        ]
        for joint, q in zip(self._forms.model.joints, self._forms.model.q_slices, strict=True):
            if not joint.kind.is_vector_space:
                where = f"q{q.stop - 3} … q{q.stop}"
                lines.append(
                    f"{where} are the unit quaternion xyzw of {joint.name}; its rates are [ω; v] in body axes."
                )
        if rounded := is_rounded(self._forms.model):
            names = ", ".join(rounded)
            lines.append(f"At odd angles, hence with rational entries within 1e-15 of the file's: {names}.")
        return lines

    def _structure(self) -> list[str]:
        return [f"The axes of {inner} and {outer} are {how}." for inner, outer, how in neighbouring_axes(self._forms)]

    def _joint_rows(self) -> list[tuple[str, ...]]:
        model = self._forms.model
        rows: list[tuple[str, ...]] = []
        for k, joint in enumerate(model.joints):
            coordinates, rates = _span("q", model.q_slices[k]), _span("q̇", model.v_slices[k])
            if joint.mimic is not None:
                coordinates = f"follows {model.joints[joint.mimic.master].name}"
            number, body = str(model.paper_number(k)), model.bodies[k].name
            rows.append((str(k + 1), joint.name, joint.kind.name, coordinates, rates, number, body))
        return rows

    def _parameters(self) -> str:
        values = self._forms.parameter_values
        if not values:
            return ""
        return self._table(("parameter", "value"), [(name, f"{value:.9g}") for name, value in sorted(values.items())])

    def _angles(self) -> list[Variable]:
        found = [v for v in self._variables if v.angle is not None]
        return sorted(found, key=lambda v: (v.index, len(v.angle[0]) if v.angle else 0, v.name[1:], v.kind is Kind.SIN))

    def _sizes(self) -> str:
        try:
            M = self._forms.mass_matrix
        except TooLargeError:
            return self._markup.text(f"Some entries have more than {LIMIT} terms.")
        n = range(self._forms.model.nv)
        rows = [(str(i + 1), *(str(len(M[i][j])) if j >= i else "" for j in n)) for i in n]
        return self._table(("", *(str(j + 1) for j in n)), rows)

    def _proved(self) -> list[Proof]:
        proofs = []
        for law in laws(self._forms):
            self._listener(law.name)
            proofs.append(check(law, self._forms))
        return proofs

    def _proofs(self, proofs: Sequence[Proof]) -> str:
        rows = []
        for proof in proofs:
            name = self._markup.prose(with_maths(proof.name))
            rows.append((name, *map(self._markup.text, (proof.verdict, str(proof.equations), proof.statement))))
        return self._markup.table(("law", "verdict", "equations", "what it says"), rows)

    def _table(self, headings: Sequence[str], rows: Rows) -> str:
        """A table of plain words."""
        text = self._markup.text
        return self._markup.table(
            [text(heading) for heading in headings], [[text(cell) for cell in row] for row in rows]
        )

    # -- formulas -------------------------------------------------------------------------------------------------------

    def _mass_matrix(self) -> Section:
        self._listener("M")
        found = self._sheet("M")
        bound = any(d.variable.kind is Kind.LET for d in found.definitions)
        return self._section("Mass matrix", f"$M(q)$, symmetric.{LET_BOUND if bound else ''}", found)

    def _gravity(self) -> Section:
        self._listener("g")
        return self._section("Gravity forces", "$g(q)$, the joint forces that hold the robot still.", self._sheet("g"))

    def _coriolis(self) -> Section:
        self._listener("C")
        forms = self._forms
        symbols = self._christoffel_sizes()
        if symbols and (sum(symbols) <= SYMBOLS_BUDGET or forms.model.constants):
            intro = "$C(q, q̇)$ has the entries $C(i,j) = Σ_k Γ(i,j,k) q̇_k$. These are the symbols with $j ≤ k$."
            return self._section("Christoffel symbols", intro, self._sheet("christoffel"))
        intro = f"The forces $C(q, q̇) q̇$, {RECURSION}"
        if symbols:
            intro += f" {len(symbols)} Christoffel symbols are not zero, with {sum(symbols)} terms in all."
        sheets = [let_bound_sheet(forms, parse_selector(f"C[{i + 1}]", forms.model)) for i in range(forms.model.nv)]
        definitions = {d.variable: d for s in sheets for d in s.definitions}
        ordered = sorted(definitions.values(), key=lambda d: d.variable.index)
        joined = Sheet(forms.model.name, "", tuple(f for s in sheets for f in s.formulas), tuple(ordered))
        return self._section("Coriolis and centrifugal forces", intro, joined)

    def _christoffel_sizes(self) -> list[int]:
        """Terms of each symbol with j ≤ k that is not zero; none where there are no symbols, or too large ones."""
        try:
            symbols = self._forms.christoffel
        except ClosedFormError:
            return []
        return [len(e) for rows in symbols for i, row in enumerate(rows) for e in row[i:] if e]

    def _sheet(self, entry: str) -> Sheet:
        return sheet(self._forms, parse_selector(entry, self._forms.model), budget=self._budget)

    def _section(self, title: str, intro: str, found: Sheet) -> Section:
        m = self._markup
        self._variables |= dict.fromkeys(found.variables())
        if any(d in self._given for d in found.definitions):
            intro += " The constants are those above."
        return Section(
            title=m.text(title),
            intro=m.prose(intro),
            groups=tuple(self._groups(found)),
            formulas=tuple(m.formula(f, self._digits) for f in found.nonzero),
            zeros=tuple(f"{gathered(labels, m.label)} = 0: {m.text(note)}" for note, labels in found.zeros),
        )

    def _groups(self, found: Sheet) -> Iterator[Group]:
        """Constants first, then the named quantities body by body as the recursion visits them."""
        model = self._forms.model
        constants = [d for d in found.definitions if d.variable.kind is Kind.CONSTANT and d not in self._given]
        self._given += constants
        lets = [d for d in found.definitions if d.variable.kind is not Kind.CONSTANT]
        if constants:
            plain = all(isinstance(d.expression, Number) for d in constants)
            yield self._group("with the constants", constants, plain)
        for body, items in groupby(lets, key=lambda d: d.body):
            where = f"Body {body + 1}, {model.bodies[body].name}" if body >= 0 else "derivatives and denominators"
            yield self._group(where, list(items), False)

    def _group(self, heading: str, definitions: Sequence[Definition], numbers: bool) -> Group:
        m = self._markup
        return Group(m.text(heading), tuple(m.definition(d, self._digits) for d in definitions), numbers)


def with_maths(law: str) -> str:
    """A law with dollars around all but its words."""
    pieces = re.split(r"(\b[A-Za-z]?[a-z]{2,}\b(?:[ –][A-Za-z]?[a-z]{2,}\b)*)", law)
    return "".join(piece if i % 2 else re.sub(r"\S(?:.*\S)?", r"$\g<0>$", piece) for i, piece in enumerate(pieces))


def _span(letter: str, where: slice) -> str:
    """q3, or q3 … q6."""
    return f"{letter}{where.start + 1}" + (f" … {letter}{where.stop}" if where.stop - where.start > 1 else "")
