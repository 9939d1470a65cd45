"""The tree of links of a file: who hangs on whom, which link is the root, and what is wrong when there is no such tree."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from derive.loaders.description import Description, JointClause, Link


@dataclass(frozen=True)
class Linkage:
    """A checked tree: `below[link]` are the indices of the joints that hang on it, in file order."""

    root: str
    below: Mapping[str, tuple[int, ...]]


def check_linkage(description: Description) -> Linkage:
    """The tree of `description`; ModelError for duplicates, unknown links, two parents, several roots, cycles."""
    below = _joints_below(description)
    return Linkage(_root(description), {name: tuple(joints) for name, joints in below.items()})


def nearest(name: str, names: Iterable[str]) -> str:
    """A parenthesis with the names closest to `name`, or nothing."""
    close = get_close_matches(name, list(names), n=3)
    return f" (close: {', '.join(close)})" if close else ""


def links_below(root: str, joints: Sequence[JointClause]) -> set[str]:
    """`root` and every link that hangs on it."""
    children: dict[str, list[str]] = {}
    for joint in joints:
        children.setdefault(joint.parent, []).append(joint.child)
    reached, todo = {root}, [root]
    while todo:
        found = [c for c in children.get(todo.pop(), ()) if c not in reached]
        reached.update(found)
        todo += found
    return reached


def _joints_below(description: Description) -> dict[str, list[int]]:
    links = _distinct(description, "link", description.links)
    _distinct(description, "joint", description.joints)
    below: dict[str, list[int]] = {name: [] for name in (*links, *description.ground)}
    carried: dict[str, str] = {}
    for index, joint in enumerate(description.joints):
        for role, name in (("parent", joint.parent), ("child", joint.child)):
            if name not in below:
                remedy = f"define that link or correct the name{nearest(name, links)}"
                raise description.fail(joint.where, f"{role} link '{name}' does not exist", remedy)
        if joint.child in carried:
            what = f"link '{joint.child}' is already the child of joint '{carried[joint.child]}'"
            raise description.fail(joint.where, what, "give each link one parent joint")
        carried[joint.child] = joint.name
        below[joint.parent].append(index)
    return below


def _distinct(description: Description, kind: str, elements: Sequence[Link] | Sequence[JointClause]) -> list[str]:
    seen: set[str] = set()
    for element in elements:
        if element.name in seen:
            raise description.fail(
                element.where, f"there are two {kind}s named '{element.name}'", "give each its own name"
            )
        seen.add(element.name)
    return [element.name for element in elements]


def _root(description: Description) -> str:
    names = [link.name for link in description.links]
    if not names:
        raise description.fail("", "the robot has no links", "a robot needs at least one link: is this the right file?")
    names += description.ground
    child_of = {j.child: j for j in description.joints}
    roots = [name for name in names if name not in child_of]
    if len(roots) > 1:
        shown = ", ".join(f"'{r}'" for r in roots[:4]) + (" …" if len(roots) > 4 else "")
        raise description.fail("", f"there are {len(roots)} root links: {shown}", "join them (a fixed joint will do)")
    reached = links_below(roots[0], description.joints) if roots else set()
    for lost in (name for name in names if name not in reached):
        what = f"the links form a cycle ({_cycle(lost, child_of)})"
        raise description.fail("", what, "leave one of its joints out: only trees are read")
    return roots[0]


def _cycle(link: str, child_of: Mapping[str, JointClause]) -> str:
    """The cycle met when climbing from `link`, as "a → b → a"."""
    seen: dict[str, None] = {}
    while link not in seen:
        seen[link] = None
        link = child_of[link].parent
    loop = list(seen)[list(seen).index(link) :]
    return " → ".join([*loop[:5], *(["…"] if len(loop) > 5 else []), link])
