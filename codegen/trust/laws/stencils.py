"""Derivatives along rates from values at a few other configurations, exact where they can be.

What depends on the angle of a joint is a trigonometric polynomial of degree 1 (poses, potential energy) or 2 (mass matrix,
kinetic energy) in it, and a polynomial of degree 2 in a slide. So Σ w (f(θ + s) − f(θ − s)) over two offsets s is exactly the
derivative: a finite rotation, not a small one. Joints that others follow, and screws, are no such polynomials and get small
steps.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from codegen.source import Real
from derive.model import Model
from derive.states import Array

Function = Callable[[Any], Any]
ADD, TURN, SLIDE = range(
    3
)  # to a coordinate; a quaternion about an axis of the body; a floating body along one of its axes
SMALL = {"double": 1e-3, "float": 0.03}
TURNS = ((math.pi / 4, (math.sqrt(0.5) + 1.0) / 2.0), (3.0 * math.pi / 4, (math.sqrt(0.5) - 1.0) / 2.0))


def _steps(h: float) -> tuple[tuple[float, float], ...]:
    """Exact to degree 4 in the coordinate."""
    return (h, 8.0 / (12.0 * h)), (2.0 * h, -1.0 / (12.0 * h))


SLIDES = _steps(0.25)


@dataclass(frozen=True)
class Motion:
    """What a rate moves: how, the first coordinate concerned, which axis; and two (offset, weight)."""

    how: int
    index: int
    axis: int
    offsets: tuple[tuple[float, float], ...]


def motions(model: Model, real: Real = "double") -> tuple[Motion, ...]:
    """One per rate."""
    followed = {joint.mimic.master for joint in model.joints if joint.mimic is not None}
    small = _steps(SMALL[real])
    found = []
    for k, (joint, at) in enumerate(zip(model.joints, model.q_slices, strict=True)):
        if joint.mimic is not None:
            continue
        if joint.kind.is_vector_space:
            for i, label in enumerate(joint.kind.coordinates):
                exact = TURNS if "angle" in label else SLIDES
                rough = k in followed or joint.kind.name == "helical"
                found.append(Motion(ADD, at.start + i, 0, small if rough else exact))
        else:
            found += [Motion(TURN, at.stop - 4, axis, TURNS) for axis in range(3)]
            if joint.kind.name == "floating":
                found += [Motion(SLIDE, at.start, axis, SLIDES) for axis in range(3)]
    return tuple(found)


def moved(q: Array, motion: Motion, amount: Any, sin: Function = math.sin, cos: Function = math.cos) -> Array:
    """Configurations (B, nq) after moving for `amount` at unit rate; `sin` and `cos` are those of the scalars."""
    result = np.array(q)
    i, a = motion.index, motion.axis
    if motion.how == ADD:
        result[:, i] += amount
        return result
    b, c = (a + 1) % 3, (a + 2) % 3
    if motion.how == TURN:  # times the quaternion (sin ½amount e_a, cos ½amount)
        s, w = sin(amount / 2), cos(amount / 2)
        x = q[:, i : i + 4]
        result[:, i + a] = w * x[:, a] + s * x[:, 3]
        result[:, i + b] = w * x[:, b] + s * x[:, c]
        result[:, i + c] = w * x[:, c] - s * x[:, b]
        result[:, i + 3] = w * x[:, 3] - s * x[:, a]
        return result
    x = q[:, i + 3 : i + 7]  # column a of the rotation
    result[:, i + a] += amount * (1.0 - 2.0 * (x[:, b] ** 2 + x[:, c] ** 2))
    result[:, i + b] += amount * 2.0 * (x[:, a] * x[:, b] + x[:, 3] * x[:, c])
    result[:, i + c] += amount * 2.0 * (x[:, a] * x[:, c] - x[:, 3] * x[:, b])
    return result
