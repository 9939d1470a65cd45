"""Groups of keys that link, joint and Denavit–Hartenberg tables of a TOML robot file share."""

from __future__ import annotations

from derive.algebra import scaled
from derive.inertia import NO_INERTIA, Inertia
from derive.loaders.table import Table
from derive.model import Limits
from derive.parameters import Polynomial

WORLD = "world"  # the ground's name as a joint's parent
INERTIA_KEYS = ("xx", "xy", "xz", "yy", "yz", "zz")


def body_inertia(table: Table, about: str | None = None) -> Inertia:
    """mass, com, inertia of a link table. `about` says where the inertia is taken; None: the table may, else the com."""
    mass = table.scalar("mass", 0.0)
    if not isinstance(mass, Polynomial) and mass < 0.0:
        raise table.fail(f"mass is {mass:g}", "masses cannot be negative")
    com = table.vector("com", (0.0, 0.0, 0.0))
    about = about or table.text("inertia_about", "com", choices=("com", "origin"))
    entries = NO_INERTIA
    if table.has("inertia"):
        inertia = table.table("inertia")
        xx, xy, xz, yy, yz, zz = (inertia.scalar(key, 0.0) for key in INERTIA_KEYS)
        entries = (xx, xy, xz, yy, yz, zz)
        inertia.done()
    if about == "com":
        return Inertia.about_com(mass, com, entries)
    return Inertia(mass, scaled(com, mass), entries)


def joint_limits(table: Table) -> Limits:
    """lower, upper, velocity, effort: each may be absent."""
    return Limits(**{key: table.number(key) for key in ("lower", "upper", "velocity", "effort") if table.has(key)})
