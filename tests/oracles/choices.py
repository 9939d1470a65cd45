"""Robots of many sorts, and what is chosen for each: worked out once for all tests that ask."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from codegen.choices import Choices
from derive import Model, bundled_robots, load_model, random_chain, random_tree
from derive.loaders.assemble import assemble
from derive.random_models import ALL_KINDS, ONE_DOF
from derive.run import GRAVITY
from oracles.small_robots import FOLLOWING, parallel_axes

SPECIAL: dict[str, Callable[[], Model]] = {
    "tree": lambda: random_tree(4, 1, ALL_KINDS),
    "other tree": lambda: random_tree(4, 0, ALL_KINDS),
    "tree of simple joints": lambda: random_tree(4, 0, ONE_DOF),
    "floating tree": lambda: random_tree(3, 1, ALL_KINDS, floating=True),
    "following": lambda: assemble(FOLLOWING),
    "parallel": lambda: parallel_axes(0),
    "nothing": lambda: random_chain(0, 0),
}


def model_of(robot: str) -> Model:
    """The numeric model: a bundled robot, or a special one."""
    return load_model(robot).numeric() if robot in bundled_robots() else SPECIAL[robot]()


@cache
def choices_of(robot: str) -> Choices:
    """The choices for a robot."""
    return Choices(model_of(robot), GRAVITY)
