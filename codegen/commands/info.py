"""``soagen info ROBOT``: what the model is, for people."""

from __future__ import annotations

import argparse
import json

from codegen.commands.robot_arguments import add_robot_arguments, chosen_model
from codegen.tables import text_table
from derive.frames import Direction
from derive.model import GROUND, Joint, Model
from derive.parameters import Polynomial, Scalar


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Options of this command."""
    add_robot_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print the model as JSON")


def run(options: argparse.Namespace) -> int:
    """Print the model's structure."""
    model = chosen_model(options)
    print(as_json(model) if options.json else as_text(model, notes=not options.quiet))
    return 0


def as_json(model: Model) -> str:
    """The model's content with its sizes, digest and notes."""
    summary = {
        "digest": model.digest,
        "nq": model.nq,
        "nv": model.nv,
        "joint_names": model.joint_names,
        "coordinate_names": model.coordinate_names,
        "identifiers": model.identifiers,
        "paper_numbers": [model.paper_number(k) for k in range(model.n)],
        "source": model.source,
        "provenance": model.provenance,
        "notes": [{"kind": note.kind, "about": note.about, "text": note.text} for note in model.notes],
        "model": model.to_json(),
    }
    return json.dumps(summary, indent=2, ensure_ascii=False)


def as_text(model: Model, notes: bool = True) -> str:
    """Headline, tree, tables, and what the loader has to say."""
    parts = [_headline(model), tree_picture(model), _joint_table(model)]
    parts.append("tips: " + (", ".join(f"{t.name} on {_body_name(model, t.body)}" for t in model.tips) or "none"))
    if model.is_symbolic:
        parts.append("parameters: " + ", ".join(f"{name} = {value:g}" for name, value in model.parameters))
    if model.massless_leaves:
        parts.append(f"no forward dynamics: {', '.join(model.massless_leaves)} moves nothing with mass (see --lock)")
    if notes and model.notes:
        parts.append("\n".join(f"{note.kind}: {note}" for note in model.notes))
    return "\n\n".join(part for part in parts if part)


def tree_picture(model: Model) -> str:
    """The tree from the ground, one joint a line; branches are indented, chains are not."""
    lines = ["ground"]
    todo = [(k, "", len(model.roots) > 1) for k in reversed(model.roots)]
    while todo:
        k, margin, branching = todo.pop()
        siblings = model.roots if model.joints[k].parent == GROUND else model.children[model.joints[k].parent]
        last = k == siblings[-1]
        mark = ("└─ " if last else "├─ ") if branching else "│  "
        lines.append(f"{margin}{mark}{_body_line(model, k)}")
        inner = margin + (("   " if last else "│  ") if branching else "")
        below = model.children[k]
        todo += [(child, inner, len(below) > 1) for child in reversed(below)]
    return "\n".join(lines)


def _headline(model: Model) -> str:
    shape = "serial chain" if model.is_serial else "tree"
    followers = sum(j.mimic is not None for j in model.joints)
    mimics = f", {followers} mimic joints" if followers else ""
    total = _shown(sum((b.inertia.mass for b in model.bodies), start=0.0))
    lines = [f"{model.name}: {model.title}" if model.title else model.name]
    lines.append(f"{shape} of {model.n} moving bodies, {total} kg; nq = {model.nq}, nv = {model.nv}{mimics}")
    lines.append(f"{model.source}, digest {model.digest[:16]}")
    if model.provenance:
        lines.append(f"numbers: {model.provenance}")
    return "\n".join(lines)


def _joint_table(model: Model) -> str:
    if not model.joints:
        return ""
    rows = []
    for k, joint in enumerate(model.joints):
        where = model.q_slices[k]
        coordinates = f"q[{where.start}]" if joint.kind.nq == 1 else f"q[{where.start}:{where.stop}]"
        if joint.mimic is not None:
            coordinates = f"{joint.mimic.multiplier:g}·{coordinates}" + (
                f" {joint.mimic.offset:+g}" if joint.mimic.offset else ""
            )
        rows.append(
            (
                k,
                model.paper_number(k),
                joint.name,
                joint.kind.name,
                _axis(joint),
                coordinates,
                _limits(joint),
                model.identifiers[k],
            )
        )
    return text_table(("index", "papers' k", "joint", "kind", "axis", "coordinate", "limits", "identifier"), rows)


def _body_line(model: Model, k: int) -> str:
    joint, body = model.joints[k], model.bodies[k]
    mass = "massless" if body.inertia.is_zero else f"{_shown(body.inertia.mass)} kg"
    return f"{joint.name} ({joint.kind.name}) → {body.name}, {mass}"


def _body_name(model: Model, body: int) -> str:
    return "ground" if body == GROUND else model.bodies[body].name


def _axis(joint: Joint) -> str:
    if joint.kind.name in ("spherical", "floating"):
        return "-"
    first = _direction(joint.geometry.axis)
    return f"{first}, {_direction(joint.geometry.axis2)}" if joint.kind.name == "universal" else first


def _direction(axis: Direction) -> str:
    for name, unit in zip("xyz", ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)), strict=True):
        if axis == unit:
            return name
        if axis == (-unit[0], -unit[1], -unit[2]):
            return f"-{name}"
    return "(" + ", ".join(f"{x:.4g}" for x in axis) + ")"


def _limits(joint: Joint) -> str:
    lower, upper = joint.limits.lower, joint.limits.upper
    return "-" if lower is None and upper is None else f"{_bound(lower, '-∞')} … {_bound(upper, '∞')}"


def _bound(value: float | None, unbounded: str) -> str:
    return unbounded if value is None else f"{value:.4g}"


def _shown(scalar: Scalar) -> str:
    return str(scalar) if isinstance(scalar, Polynomial) else f"{scalar:.4g}"
