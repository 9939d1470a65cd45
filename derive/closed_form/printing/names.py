"""Symbols as each notation spells them, and what the short ones stand for."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from derive.closed_form.sheet import Label
from derive.closed_form.variables import Angle, Kind, Variable

GREEK = {
    "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "zeta": "ζ", "eta": "η", "theta": "θ",
    "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "rho": "ρ", "sigma": "σ", "tau": "τ", "phi": "φ",
    "chi": "χ", "psi": "ψ", "omega": "ω",
}  # fmt: skip


def letter_and_index(name: str) -> tuple[str, str]:
    """How a name is typeset: its first letter (or Greek word), and the rest as an index: lc1 is l with c1, mz6 m with z6."""
    stem, _, rest = name.partition("_")
    word = next((g for g in GREEK if stem.startswith(g) and not stem[len(g) :].isalpha()), stem[:1])
    return word, ",".join(part for part in (stem[len(word) :], rest.replace("_", ",")) if part)


def latex_name(name: str) -> str:
    """lc1 as l_{c1}, alpha2 as \\alpha_{2}, R6_hx as R_{6,hx}."""
    letter, index = letter_and_index(name)
    letter = rf"\{letter}" if letter in GREEK else letter
    return f"{letter}_{{{index}}}" if index else letter


def latex_symbol(variable: Variable) -> str:
    """A variable in LaTeX; rates as q with a dot."""
    if variable.kind is Kind.RATE:
        return rf"\dot{{q}}_{{{variable.index + 1}}}"
    return latex_name(variable.name)


def latex_label(label: Label) -> str:
    """M_{1,2}, ∂M_{1,2}/∂q_3, Γ_{1,2,3}."""
    letter = {"christoffel": r"\Gamma", "psi": r"\psi", "tau_bar": r"\bar{\tau}", "dM": "M"}.get(
        label.letter, label.letter
    )
    indices = f"_{{{','.join(map(str, label.indices))}}}" if label.indices else ""
    if label.along:
        return rf"\frac{{\partial {letter}{indices}}}{{\partial q_{{{label.along}}}}}"
    return f"{letter}{indices}"


def angle_text(angle: Angle, plus: str = " + ", minus: str = " - ", q: str = "q{}", times: str = "*") -> str:
    """What a sine or cosine is of: q2 + q3."""
    parts, offset = angle
    text = ""
    pieces = [(m, q.format(i + 1)) for i, m in parts] + ([(offset, "")] if offset else [])
    for n, (number, name) in enumerate(pieces):
        size = abs(number)
        shown = name if name and size == 1 else f"{size}{times}{name}" if name else _offset(size)
        sign = minus if number < 0 else plus
        text += (sign if n else sign.strip() if number < 0 else "") + shown
    return text


def _offset(number: Fraction) -> str:
    return str(float(number))


def trigonometry(variables: Iterable[Variable]) -> list[tuple[str, str]]:
    """c23 and cos(q2 + q3), for each short name that occurs, in order of angle."""
    found = [v for v in variables if v.kind in (Kind.COS, Kind.SIN)]
    found.sort(key=lambda v: (v.index, len(v.angle[0]) if v.angle else 0, v.name[1:], v.kind is Kind.SIN))
    return [(v.name, f"{v.kind.value}({angle_text(v.angle)})") for v in found if v.angle is not None]
