"""What the names of let-bound forms stand for, for whoever meets them on a sheet without the recursion."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

from derive.closed_form.lets import Let

LETTERS = {  # field → letter and meaning, k the body that comes first in a name; rows and columns follow
    "R": "R inertia of a body with all it carries (m mass, h first moment, xx … zz)",
    "V": "V velocity",
    "a": "a Coriolis acceleration",
    "b": "b gyroscopic force",
    "zeta": "zeta acceleration",
    "energy": "T kinetic energy of a body",
    "U": "U g₀·(m c) of a body",
    "Q": "Q rotation of a body in the world",
    "p": "p its origin there",
    "P": "P articulated body inertia",
    "D": "D joint inertia H P H*",
    "G": "G gain P H* D⁻¹",
    "P_plus": "Pp what P hands inwards, P − P H* G*",
    "D_inv": "D_inv inverse of D",
}
PIVOT = "d, L, W pivots, factor L of D = L d L*, and L⁻¹ (L21_4 is L21 of body 4)"
FACTOR = re.compile(r"[dLW](?!1_)\d+_")  # fields that are entries of the factors of a D of several freedoms
FORCE = "f force of a body with all it carries"
COLUMNS = "f2_5 force at body 2 per unit rate of joint 5"
DERIVATIVE = "d3_x the derivative of x by q3"


def meanings(lets: Sequence[Let]) -> tuple[str, ...]:
    """A note that says what the letters are that occur; none where nothing is let-bound."""
    said = letters({let.field for let in lets}, columns=any(let.field == "f" and let.column >= 0 for let in lets))
    return (f"names: {'; '.join(said)}; then row and column",) if said else ()


def letters(fields: Collection[str], columns: bool) -> list[str]:
    """What the letters of these fields mean; whether forces have a column for each joint."""
    said = [meaning for field, meaning in LETTERS.items() if field in fields]
    if any(FACTOR.fullmatch(field) for field in fields):
        said.append(PIVOT)
    if "f" in fields:
        said.append(COLUMNS if columns else FORCE)
    if "d" in fields:
        said.append(DERIVATIVE)
    return said
