"""Recursions as the papers print them: loops over k, in text, Markdown and LaTeX.

Serial notation: k−1 is the outboard neighbour and k+1 the inboard one; the notes say what this means on a tree. `loops` gives
the bare lines, which tests compare with the published algorithms.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from fractions import Fraction

from derive.operators.alphabet import ALPHABET
from derive.operators.spaces import POINTS
from derive.recursion import (
    ABBREVIATIONS,
    STEPS,
    Action,
    Direction,
    Factor,
    Field,
    Kind,
    Place,
    Recursion,
    Statement,
    Sweep,
    Term,
    Wanted,
)

_SYMBOLS = {  # fields that are no letters of the alphabet: text, LaTeX
    "T_prime": ("T′", "T'"),
    "eps": ("ε", r"\epsilon"),
    "nu": ("ν", r"\nu"),
    "lam": ("λ", r"\lambda"),
    "zeta": ("ζ", r"\zeta"),
    "alpha": ("α", r"\alpha"),
    "P_plus": ("P⁺", "P^{+}"),
    "Upsilon_plus": ("Υ⁺", r"\Upsilon^{+}"),
    "BB_Delta": ("𝓑_Δ", r"\mathcal{B}_\Delta"),
    "D_inv": ("D⁻¹", "D^{-1}"),
    "H_rate": ("Ḣ", r"\dot H"),
    "f_0": ("f", "f"),
    "B": ("φ", r"\phi"),
}
_DIGITS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True)
class _Style:
    """How one notation writes what the others write differently."""

    latex: bool
    minus: str
    adjoint: str
    place: dict[Place, str]

    def symbol(self, name: str) -> str:
        """The letter of a field."""
        base, digits = re.fullmatch(r"(.*?)(\d*)", name).groups()  # type: ignore[union-attr]
        if name in _SYMBOLS or name in ALPHABET:
            base, digits = name, ""
        known = _SYMBOLS.get(base)
        if known is None and base in ALPHABET:
            known = (ALPHABET[base].unicode, ALPHABET[base].latex)
        if known is None:
            known = (base, rf"\mathrm{{{base.replace('_', chr(92) + '_')}}}" if len(base) > 1 else base)
        text = known[1] if self.latex else known[0]
        if not digits:
            return text
        return f"{text}_{{{digits}}}" if self.latex else text + digits.translate(_DIGITS)

    def indexed(self, symbol: str, adjoint: bool, *indices: str) -> str:
        """symbol*(indices)."""
        return f"{symbol}{self.adjoint if adjoint else ''}({','.join(indices)})"


_TEXT = _Style(False, "−", "*", {Place.HERE: "k", Place.CHILD: "k−1", Place.PARENT: "k+1", Place.POINT: "0"})
_LATEX = _Style(True, "-", "^{*}", {Place.HERE: "k", Place.CHILD: "k-1", Place.PARENT: "k+1", Place.POINT: "0"})


def to_text(recursion: Recursion) -> str:
    """The loops, with sweeps numbered, notes on notation, and the complexity."""
    lines = [f"{_TEXT.symbol(name)} = {expression}" for name, expression in recursion.expressions]
    for number, sweep in enumerate(recursion.sweeps, start=1):
        lines += ["", f"sweep {number}, {sweep.direction}: for k = {_range(sweep, '…')}"]
        lines += [f"    {line}" for line in _lines(recursion, sweep, _TEXT)]
    return "\n".join([*lines, "", *_notes(recursion), _summary(recursion)])


def to_markdown(recursion: Recursion) -> str:
    """The same as Markdown: one list of loops, formulas as code."""
    lines = [f"`{_TEXT.symbol(name)} = {expression}`" for name, expression in recursion.expressions]
    lines.append("")
    for number, sweep in enumerate(recursion.sweeps, start=1):
        lines.append(f"{number}. **{sweep.direction}**, for k = {_range(sweep, '…')}:")
        lines += [f"   - `{line}`" for line in _lines(recursion, sweep, _TEXT)]
    return "\n".join([*lines, "", *(f"{note}  " for note in _notes(recursion)), f"**{_summary(recursion)}**"])


def to_latex(recursion: Recursion) -> str:
    """The loops as one align* per sweep."""
    parts = []
    for sweep in recursion.sweeps:
        rows = [rf"&{line.replace(' = ', ' = ', 1)}" for line in _lines(recursion, sweep, _LATEX)]
        head = rf"&\text{{for }} k = {_range(sweep, chr(92) + 'ldots')}: \\"
        parts.append("\n".join([r"\begin{align*}", head, " \\\\\n".join(rows), r"\end{align*}"]))
    return "\n".join(parts)


def symbol(field: str) -> str:
    """The letter of a field, in text."""
    return _TEXT.symbol(field)


def loops(recursion: Recursion) -> list[str]:
    """One line per sweep head and statement: the normalised loops."""
    lines = []
    for sweep in recursion.sweeps:
        lines.append(f"for k = {_range(sweep, '…')}")
        lines += [f"  {line}" for line in _lines(recursion, sweep, _TEXT)]
    return lines


def _range(sweep: Sweep, dots: str) -> str:
    ends = ("1", "n") if sweep.direction is Direction.TIP_TO_BASE else ("n", "1")
    return f"{ends[0]} {dots} {ends[1]}"


def _lines(recursion: Recursion, sweep: Sweep, style: _Style) -> list[str]:
    fields = {f.name: f for f in recursion.inputs} | {s.target.name: s.target for s in recursion.statements}
    writer = _Writer(style, fields)
    return [writer.statement(s) for s in (*sweep.statements, *sweep.closing)]


#: biases of the conventional form, in text and LaTeX; ω' is the parent's rate, H*θ̇ = [ω_r; v_r] [SOA-12 … SOA-15]
_BIASES = {
    Action.COUPLING: ("[ω'×ω_r; (ω + ω')×v_r]", r"[\omega'\times\omega_r;\ (\omega+\omega')\times v_r]"),
    Action.CENTRIFUGAL: ("[0; ω'×(ω'×ℓ(k+1,k))]", r"[0;\ \omega'\times(\omega'\times\ell(k+1,k))]"),
    Action.RATE_MATRIX: ("ω̇̃ + ω̃ω̃", r"\tilde{\dot\omega}+\tilde\omega\tilde\omega"),
    Action.BODY_RATE: ("A_c − [0; ω×v]", r"A_c - [0;\ \omega\times v]"),
    Action.GYROSCOPIC: ("[ω×𝓘ω; m ω×(ω×p)]", r"[\omega\times\mathcal I\omega;\ m\,\omega\times(\omega\times p)]"),
}


@dataclass(frozen=True)
class _Writer:
    """Writes statements in one notation; needs the fields to tell vectors from columns."""

    style: _Style
    fields: dict[str, Field]

    def statement(self, statement: Statement) -> str:
        style, target = self.style, statement.target
        symbol = style.symbol(target.name)
        match statement.action:
            case Action.INVERSE | Action.SQRT | Action.INVERSE_SQRT:
                power = {Action.INVERSE: "-1", Action.SQRT: "1/2", Action.INVERSE_SQRT: "-1/2"}[statement.action]
                return f"{symbol}(k) = [{self._sum(statement.terms)}]{self._power(power)}"
            case Action.PAIRS:
                return f"{symbol}(i,j) = {self._sum(statement.terms, pair=True)}"
            case Action.DOT:
                total = r"\sum_k " if style.latex else "Σ_k "
                terms = self._sum(statement.terms)
                return f"{symbol} = {total}{f'[{terms}]' if len(statement.terms) > 1 else terms}"
            case Action.PAIRED:
                (made, _) = statement.terms[0].factors
                R, x = (style.symbol(name) for name in made.of)
                D = r"\mathcal{D}" if style.latex else "𝒟"
                return f"{symbol}(k,i,k) = {D}[{R}(k), {x}(k,i)] {style.indexed('H', True, 'k')}"
            case Action.AXIAL:
                ax = r"\mathrm{ax}" if style.latex else "ax"
                return f"{symbol}(k) = {ax}[{self._sum(statement.terms)}]"
            case Action.SOLVE:
                W, y = (style.symbol(f.name) for f in statement.terms[0].factors)
                return f"{symbol} = {W}{self._power('-1')} {y}"
            case Action.COUPLING | Action.CENTRIFUGAL | Action.BODY_RATE | Action.GYROSCOPIC | Action.RATE_MATRIX:
                return f"{symbol}(k) = {_BIASES[statement.action][style.latex]}"
        at = style.place[Place.POINT if target.rows is POINTS else Place.HERE]
        column = ("j",) if target.kind is Kind.COLUMNS else ()
        bound = ""
        if statement.wanted is Wanted.HALF:
            bound = r",\quad j \le k" if style.latex else ", j ≤ k"
        return f"{style.indexed(symbol, False, at, *column)} = {self._sum(statement.terms)}{bound}"

    def _power(self, power: str) -> str:
        if self.style.latex:
            return f"^{{{power}}}"
        return {"-1": "⁻¹", "1/2": "^½", "-1/2": "^{−½}"}[power]

    def _sum(self, terms: tuple[Term, ...], *, pair: bool = False) -> str:
        """The terms, those with the same step in front in one bracket after it."""
        groups: dict[Factor | int, list[Term]] = {}
        for i, term in enumerate(terms):
            lead = term.factors[0] if term.factors and term.coefficient == 1 and not pair else None
            groups.setdefault(lead if lead is not None and lead.name in STEPS else i, []).append(term)
        pieces: list[tuple[Fraction, str]] = []
        for members in groups.values():
            first = members[0]
            if len(members) == 1:
                pieces.append((first.coefficient, self._product(first.factors, pair)))
                continue
            inner = self._sum(tuple(Term(t.coefficient, t.factors[1:]) for t in members))
            pieces.append((Fraction(1), f"{self._factor(first.factors[0], pair, 0)} [{inner}]"))
        text = ""
        for i, (coefficient, piece) in enumerate(pieces):
            sign = self.style.minus if coefficient < 0 else "+"
            number = "" if abs(coefficient) == 1 else f"{abs(coefficient)} "
            text += (f" {sign} " if i else sign if coefficient < 0 else "") + number + piece
        return text or "0"

    def _product(self, factors: tuple[Factor, ...], pair: bool) -> str:
        return " ".join(self._factor(f, pair, i) for i, f in enumerate(factors)) or "I"

    def _factor(self, factor: Factor, pair: bool, position: int) -> str:
        style = self.style
        symbol = style.symbol(factor.name)
        if factor.tilde:
            symbol = rf"\tilde {symbol}" if style.latex else unicodedata.normalize("NFC", symbol + "\u0303")
        if pair:
            return style.indexed(symbol, factor.adjoint, "c", *({0: ("i",), 2: ("j",)}.get(position, ())))
        if factor.name in STEPS:
            ends = ("k", style.place[Place.CHILD]) if factor.place is Place.CHILD else (style.place[Place.PARENT], "k")
            return style.indexed(symbol, factor.adjoint, *ends)
        if factor.name == "B":
            return style.indexed(symbol, factor.adjoint, "k", "0")
        held = self.fields.get(factor.name)
        if held is not None and held.kind is Kind.COLUMNS:
            symbol = (r"\delta" if style.latex else "δ") if factor.name.startswith("e_") else symbol
            return style.indexed(symbol, factor.adjoint, style.place[factor.place], "j")
        return style.indexed(symbol, factor.adjoint, style.place[factor.place])


def _notes(recursion: Recursion) -> list[str]:
    """What the loops take for granted."""
    statements = list(recursion.statements)
    used = {factor.name for statement in statements for factor in statement.factors}
    inputs = {field.name for field in recursion.inputs}
    notes = []
    if used & ABBREVIATIONS:
        notes.append("ψ(k,k−1) = φ(k,k−1) τ̄(k−1), K(k,k−1) = φ(k,k−1) G(k−1), τ̄(k) = I − G(k) H(k).")
    if any(s.action is Action.COUPLING for s in statements):
        notes.append("ω is that of V(k), ω' that of V(k+1) in the axes of k, [ω_r; v_r] = H*(k) θ̇(k).")
    ground = ", but g(n+1) = [0; −gravity]" if "g" in inputs else ""
    notes.append(
        f"What is read at k−1 = 0 or k+1 = n+1 is zero{ground}. On a tree k+1 is the parent of k, and a term at k−1 is "
        "summed over the children of k."
    )
    if "B" in used:
        notes.append(
            "φ(k,0) goes to the points of body k: a term with it is summed over them, f(0) is the force they exert."
        )
    if any(s.target.kind is Kind.COLUMNS for s in statements):
        notes.append(
            "Columns: j runs over all that are not zero; δ(k,j) is the identity where j = k, so a column starts there."
        )
    if any(s.action is Action.PAIRED for s in statements):
        notes.append("Pairs: i runs over body k and what is inboard of it; 𝒟[R,x] = R x̃ − ½(x̃*R + R x̃ + 𝒬[Rx]).")
    if any(s.action is Action.AXIAL for s in statements):
        notes.append("ax[X] is the vector a with a·s = tr(𝒮[s]X) for every s.")
    if used & {"BB_R", "BB_Delta", "DD_R"} and not any(s.action is Action.PAIRED for s in statements):
        notes.append("𝓑_R = −½(Ṽ*R + RṼ + 𝒬[RV]), 𝓑_Δ the same with H*θ̇ for V, 𝒟_R = RṼ + 𝓑_R; Γ likewise adds up 𝓑_Δ.")
    if any(s.action is Action.PAIRS for s in statements):
        notes.append(
            "c is the closest common ancestor of the bodies of points i and j; columns climb no further than needed."
        )
    notes += [
        f"{_TEXT.symbol(output.name)} is the adjoint of what its line gives, which has fewer columns."
        for output in recursion.outputs
        if output.transposed
    ]
    if any(o.symmetric for o in recursion.outputs):
        notes.append("The result is symmetric: only one half is computed.")
    return notes


def _summary(recursion: Recursion) -> str:
    count = len(recursion.sweeps)
    return f"{count} sweep{'s' if count != 1 else ''}, {recursion.complexity}"
