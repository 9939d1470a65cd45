"""Facts about a robot, and how several are told in one line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from derive.closed_form.sheet import Label


@dataclass(frozen=True)
class Fact:
    """Something that holds for every configuration: words, and the joints they end in."""

    words: str
    joints: tuple[str, ...] = ()


Facts: TypeAlias = tuple[Fact, ...]
UNKNOWN: Facts = ()


def all_of(parts: Iterable[Facts]) -> Facts:
    """What makes every part zero: the facts of all, UNKNOWN if one is not known."""
    found = list(parts)
    return tuple(dict.fromkeys(fact for facts in found for fact in facts)) if all(found) else UNKNOWN


def because(other: Label, facts: Facts) -> Facts:
    """That another entry is zero, and why; UNKNOWN if that is not known."""
    return (Fact(f"{other} is zero: {told(facts)}"),) if facts else UNKNOWN


def told(facts: Facts) -> str:
    """The facts in one line, those that differ in their joints as one."""
    joints: dict[str, dict[str, None]] = {}
    for fact in facts:
        joints.setdefault(fact.words, {}).update(dict.fromkeys(fact.joints))
    return "; ".join(f"{words} {listed(tuple(names))}".rstrip() for words, names in joints.items())


def listed(names: Sequence[str]) -> str:
    """a, b and c."""
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)
