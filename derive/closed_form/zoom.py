"""Three ways to look at an entry: the operator line, the recursion with this robot's numbers folded in, the scalar form."""

from __future__ import annotations

from dataclasses import dataclass

from derive.closed_form.bound import RECURSIONS
from derive.closed_form.course import Place, course, inertia_text, let_bound, places
from derive.closed_form.element import Element
from derive.closed_form.forms.choice import reading
from derive.closed_form.forms.terms import polynomial_of
from derive.closed_form.lets import Lets
from derive.closed_form.meanings import letters
from derive.closed_form.printing.names import trigonometry
from derive.closed_form.printing.numbers import Style
from derive.closed_form.printing.text import notation, to_text, wrapped
from derive.closed_form.riccati import RICCATI
from derive.closed_form.robot import ClosedForms
from derive.closed_form.selectors import Selector
from derive.closed_form.sheet import Definition, Sheet
from derive.closed_form.sheets import let_bound_sheet
from derive.model import GROUND
from derive.recursion_printing import loops
from derive.results import find_result
from derive.sweeps import to_recursion

OUTWARDS = frozenset({"KE", "PE", "rotation", "position"})  # worked out from the base to the tips
PLACEMENTS = (
    "for k = n … 1",
    "  Q(k) = Q(k+1) Q(k+1,k)",
    "  p(k) = p(k+1) + Q(k+1) ℓ(k+1,k)",
)
STEP = "φ(p,k) step to body k from its parent p, Q rotation, ℓ origin"
INERTIA = "M(k) inertia of body k alone"
MASSLESS = frozenset({"J", "rotation", "position"})  # what masses have no part in
OWN_LETTERS = {  # what a field is in the recursion of one quantity only
    "g": {"x": "x acceleration upwards that stands for gravity"},
    "KE": {"x": "x momentum M V"},
    "J": {
        "f": "f(k,1)a … f force at body k per unit moment (a, b, c) and force (d, e, f) at the tip along the world's x, y, z"
    },
    "psi": {"z": "z(k,j)a … z(k,j)f the columns of ψ(k,j)"},
}
OF_DERIVATIVES = {  # what becomes of 𝓜 after its recursion
    "dM": "  ∂𝓜(i,j)/∂θ_k by the chain rule, name by name",
    "christoffel": "  ℂ_i(j,k) of ∂𝓜/∂θ by the chain rule, name by name",
    "C": "  C(i,j) = Σ_k ℂ_i(j,k) θ̇(k), ℂ_i of ∂𝓜/∂θ by the chain rule, name by name",
}
UNREAD = "…"  # an entry that is long and not read
OUTPUTS = frozenset({"P2", "D2", "G2", "K2", "tau_bar2", "d1_"})  # what is asked for, shown at the end
SHORT = 2  # terms of an entry that is spelled out although it is not read
ZOOMS = ("operator", "recursion", "scalar")


@dataclass(frozen=True)
class OperatorLine:
    """What a quantity is as an operator, entry by entry, and where that is derived."""

    operator: str
    entry: str
    source: str


LINES = {
    "M": OperatorLine("𝓜 = HφMφ*H*", "𝓜(i,j) = H(i) φ(i,j) R(j) H*(j), j outboard of i", "SOA-30, SOA-34"),
    "C": OperatorLine("𝓒 = Hφ(Mφ*a + b)", "C(i,j) = Σ_k ℂ_i(j,k) θ̇(k) for the matrix, 𝓒 = C θ̇", "SOA-24, SOA-130"),
    "g": OperatorLine("g = HφMφ*E g₀", "g(i) = H(i) Σ_j φ(i,j) M(j) φ*(n+1,j) g₀, j outboard of i", "SOA-18"),
    "J": OperatorLine("J = B*φ*H*", "J(·,k) = φ*(k,0) H*(k)", "SOA-23"),
    "dM": OperatorLine("𝓜_θi = Hφ[ℍ_δ φM + Mφ*ℍ_δ*]φ*H*", "𝓜_θi(j,k), zero where i is inboard of j and k", "SOA-124, SOA-129"),
    "christoffel": OperatorLine(
        "ℂ_i = ½[∂𝓜(i,j)/∂θ_k + ∂𝓜(i,k)/∂θ_j − ∂𝓜(j,k)/∂θ_i]", "ℂ_i(j,k) = ℂ_i(k,j)", "SOA-130, SOA-131"
    ),
    "rotation": OperatorLine("Q(n+1,0) = Q(n+1,n) ⋯ Q(1,0)", "the product of the steps' rotations", "SOA-140"),
    "position": OperatorLine("ℓ(n+1,0) = Σ_k Q(n+1,k+1) ℓ(k+1,k)", "the steps' translations, one after the other", "SOA-140"),
    "KE": OperatorLine("½ θ̇*𝓜θ̇ = ½ V*MV, V = φ*H*θ̇", "½ Σ_ij 𝓜(i,j) θ̇(i) θ̇(j)", "SOA-26, SOA-30"),
    "PE": OperatorLine("V = −Σ_k m(k) g₀·c(k)", "V = −Σ_k U(k), ∂V/∂θ = g", "SOA-18"),
    "det": OperatorLine("det 𝓜 = ∏_k det D(k)", "𝓜 = (I + HφK) D (I + HφK)*, unit triangular factors", "SOA-48"),
    "P": OperatorLine("P = E_ψ P E_ψ* + M", "P(k) = ψ(k,k−1) P(k−1) ψ*(k,k−1) + M(k)", "SOA-41"),
    "D": OperatorLine("D = HPH*", "D(k) = H(k) P(k) H*(k)", "SOA-40, SOA-41"),
    "G": OperatorLine("G = PH*D⁻¹", "G(k) = P(k) H*(k) D⁻¹(k)", "SOA-40"),
    "K": OperatorLine("K = E_φ G", "K(k+1,k) = φ(k+1,k) G(k)", "SOA-40"),
    "tau_bar": OperatorLine("τ̄ = I − GH", "τ̄(k) = I − G(k) H(k)", "SOA-40"),
    "psi": OperatorLine("ψ = (I − E_ψ)⁻¹, E_ψ = E_φ τ̄", "ψ(i,j) = ψ(i,i−1) ⋯ ψ(j+1,j), ψ(k+1,k) = φ(k+1,k) τ̄(k)", "SOA-42"),
}  # fmt: skip


def operator_zoom(selector: Selector) -> str:
    """The operator line of a quantity."""
    line = LINES[selector.quantity.name]
    text = [f"{line.operator}   [{line.source}]", f"    {line.entry}"]
    name = RECURSIONS.get(selector.quantity.name)
    if name is not None:
        result = find_result(name)
        text += ["", f"{result.title}: {result.prose}", f"soagen derive {name} proves the form one computes with."]
    return "\n".join(text)


def recursion_zoom(forms: ClosedForms, selector: Selector, number: Style) -> str:
    """The loops, and what they are on this robot, body by body."""
    parts = [operator_zoom(selector).split("\n")[0]]
    name = selector.quantity.name
    parts.append("\n".join(_loops(selector)))
    sheet, read, (_, lets) = let_bound_sheet(forms, selector), places(forms, selector), let_bound(forms, selector)
    needed = {d.variable.name: d for d in sheet.definitions}
    bodies = sorted({body for _, body, _, _ in read if body >= 0}, reverse=name not in OUTWARDS)
    parts.append("\n".join([*_legend(forms, name, read, bodies, sheet), *sheet.notes[:-1]]))
    for k in bodies:
        lines = [*_given(forms, k, number, name not in MASSLESS), *_course(forms, lets, read, k, needed, number)]
        parts += ["\n".join([_heading(forms, k), *lines])]
    if changes := [d for d in sheet.definitions if d.body < 0]:
        parts.append("\n".join(["derivatives, d3_x is ∂x/∂q3", *_lines(changes, number)]))
    parts.append(to_text(Sheet(sheet.robot, sheet.title, sheet.formulas), number))
    return "\n\n".join(parts)


def _legend(forms: ClosedForms, name: str, read: frozenset[Place], bodies: list[int], sheet: Sheet) -> list[str]:
    """What the letters, sines and cosines of the bodies shown stand for."""
    fields, own = {place[0] for place in read}, OWN_LETTERS.get(name, {})
    said = letters(fields - own.keys(), columns=any(f == "f" and j >= 0 for f, _, j, _ in read))
    said += [meaning for field, meaning in own.items() if field in fields]
    said += [STEP, *([] if name in MASSLESS else [INERTIA]), f"{UNREAD} what is not read"]
    scalars = [x for k in bodies for step in [forms.instance.steps[k]] for row in step.rotation for x in row]
    angles = [v for x in scalars if isinstance(x, Element) for v in x.variables()]
    turns = [f"{name} = {of}" for name, of in trigonometry(dict.fromkeys([*angles, *sheet.variables()]))]
    lines = ["letters: " + "; ".join(said), *([f"angles: {', '.join(turns)}"] if turns else [])]
    return [wrapped(line, " " * 9) for line in lines]


def _loops(selector: Selector) -> list[str]:
    """The recursion that is run, and what is made of what it gives."""
    name = selector.quantity.name
    if name in OUTWARDS and name != "KE":
        return [*PLACEMENTS, *(["  U(k) = g₀·[m(k) p(k) + Q(k) m(k)c(k)]"] if name == "PE" else [])]
    if name == "psi":
        return loops(to_recursion({"psi": "psi"}))
    if name in RICCATI or name == "det":
        own = [] if name in ("P", "D", "G") else [f"  {LINES[name].operator if name == 'det' else LINES[name].entry}"]
        return [*(line for line in loops(to_recursion({"G": "G"})) if " δ(" not in line), *own]
    made = "" if name == "C" and len(selector.indices) == 1 else OF_DERIVATIVES.get(name, "")
    return [*loops(find_result("mass_matrix" if made else RECURSIONS[name]).recursion()), *([made] if made else [])]


def _course(
    forms: ClosedForms, lets: Lets, read: frozenset[Place], k: int, needed: dict[str, Definition], number: Style
) -> list[str]:
    """What is read at a body, each quantity followed by what its names stand for."""
    lines: list[str] = []
    of = [(let.variable.name, (let.field, let.body, let.column, let.part)) for let in lets.lets.values()]

    def shown(x: object) -> str:
        return _shown(forms, _spelled(lets, x, needed), number) or UNREAD

    for text, place in course(lets, read, k, shown):
        if text.endswith(f"= {UNREAD}") or place[0] in OUTPUTS:
            continue
        lines.append(wrapped(f"    {text}", "        "))
        lines += _lines([needed[name] for name, where in of if where == place and name in needed], number, " " * 8)
    return lines


def _spelled(lets: Lets, x: object, needed: dict[str, Definition]) -> object:
    """x itself; where it is a name that nothing here rests on, what it stands for if that is short, else nothing."""
    if not isinstance(x, Element):
        return x
    loose = [v for v in x.variables() if v in lets.lets and v.name not in needed]
    value = x.substituted({v: lets.lets[v].value for v in loose})
    short = len(value) <= SHORT and not any(v in lets.lets and v.name not in needed for v in value.variables())
    return value if short or not loose else None


def _shown(forms: ClosedForms, x: object, number: Style) -> str:
    if x is None:
        return ""
    return notation(number).write(reading(forms).sum(polynomial_of(forms.element(x))))


def _lines(definitions: list[Definition], number: Style, indent: str = " " * 4) -> list[str]:
    write = notation(number).write
    return [wrapped(f"{indent}{d.variable.name} = {write(d.expression)}", f"{indent}    ") for d in definitions]


def _heading(forms: ClosedForms, k: int) -> str:
    joint, model = forms.model.joints[k], forms.model
    number = f"papers' k = {model.paper_number(k)}"
    return f"body {k + 1} '{model.bodies[k].name}' ({number}), {joint.kind.name} joint '{joint.name}'"


def _given(forms: ClosedForms, k: int, number: Style, inertia: bool) -> list[str]:
    """The step to the parent and, if asked for, the inertia of a body, numbers folded in."""

    def shown(x: object) -> str:
        return _shown(forms, x, number)

    step, body = forms.instance.steps[k], forms.instance.M[k]
    parent = forms.model.joints[k].parent
    rows = "; ".join(", ".join(shown(x) for x in row) for row in step.rotation)
    to = "ground" if parent == GROUND else str(parent + 1)
    return [
        wrapped(
            f"    φ({to},{k + 1}): Q = [{rows}], ℓ = ({', '.join(shown(x) for x in step.translation)})", "        "
        ),
        *([wrapped(f"    M({k + 1}): {inertia_text(body, shown)}", "        ")] if inertia else []),
    ]
