"""How a robot's operators change along one of its rates: complex steps of poses and of the reference's mass matrix.

A complex step has no rounding of its own, and no formula of section 14 or 15 of the specification is used. Indices are the
papers', from 0.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from derive import reference
from derive.operators.block_system import Array, BlockSystem, block_system
from derive.operators.evaluate import letter_value
from derive.operators.identities.formulas import inertial_system
from derive.operators.identities.motion import Motion
from derive.states import integrate

STEP = 1e-30


def rates_of(motion: Motion, k: int) -> range:
    """The rates of joint k, as the model counts them."""
    where = motion.model.v_slices[motion.n - 1 - k]
    return range(where.start, where.stop)


def paper_rates(motion: Motion) -> list[int]:
    """For each rate in the papers' order, its place in the model's."""
    return [rate for k in range(motion.n) for rate in rates_of(motion, k)]


def moved(motion: Motion, direction: Array) -> Motion:
    """The motion a complex step along `direction` (in the model's order) away; rates stay."""
    q = integrate(motion.model, motion.q.astype(complex), 1j * STEP * direction)
    return replace(motion, q=q)


@lru_cache(maxsize=512)
def _system(motion: Motion, rate: int | None, link_frames: bool) -> BlockSystem:
    direction = motion.qd if rate is None else np.eye(motion.model.nv)[rate]
    there = moved(motion, direction)
    return block_system(there.model, there.q) if link_frames else inertial_system(there)


def change(motion: Motion, letter: str, rate: int | None = None, *, link_frames: bool = False) -> Array:
    """The derivative of a dense operator along one rate (in the model's order), or in time; in inertial axes or link frames."""
    return letter_value(letter, _system(motion, rate, link_frames)).imag / STEP


@lru_cache(maxsize=128)
def mass_changes(motion: Motion) -> Array:
    """[i, j, k] = ∂𝓜(j,k)/∂θ_i, all in the papers' order."""
    order, units = paper_rates(motion), np.eye(motion.model.nv)
    slopes = [reference.mass_matrix(motion.model, moved(motion, units[rate]).q).imag / STEP for rate in order]
    return np.array([slope[np.ix_(order, order)] for slope in slopes]).reshape((len(order),) * 3)


def symbols(motion: Motion) -> Array:
    """[i, j, k] = ℂ_i(j,k) by definition [SOA-130]."""
    d = np.moveaxis(mass_changes(motion), 0, -1)
    return np.asarray(0.5 * (d + d.transpose(0, 2, 1) - d.transpose(2, 0, 1)))
