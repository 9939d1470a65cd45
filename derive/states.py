"""Configurations and rates of a model as NumPy arrays: checking, neutral, random, and moving along a velocity."""

from __future__ import annotations

import math
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from derive.errors import StateError
from derive.model import Model

Array: TypeAlias = NDArray[Any]  # float64 or, for complex-step differentiation, complex128
UNIT_TOL = 1e-6


class State(NamedTuple):
    """A configuration, rates, and rates of rates (or forces) of one model."""

    q: Array
    qd: Array
    qdd: Array


def configuration(model: Model, q: ArrayLike) -> Array:
    """`q` as an array of length nq; StateError for a wrong shape, NaN or inf, or a quaternion that is not of length 1."""
    checked = _vector(model, "q", q, model.nq, model.coordinate_names)
    for joint, where in zip(model.joints, model.q_slices, strict=True):
        if not joint.kind.is_vector_space and joint.mimic is None:
            length = float(np.linalg.norm(checked[where][-4:].real))
            if abs(length - 1.0) > UNIT_TOL:
                raise StateError(f"q: quaternion (xyzw) of joint '{joint.name}' has length {length:.6g}; normalise it")
    return checked


def rates(model: Model, v: ArrayLike, name: str = "qd") -> Array:
    """`v` (velocities, accelerations or joint forces) as an array of length nv; StateError otherwise."""
    return _vector(model, name, v, model.nv, model.rate_names)


def neutral(model: Model) -> Array:
    """The zero configuration: coordinates 0, quaternions 1."""
    return np.array([x for joint in model.independent_joints for x in joint.kind.neutral], dtype=float)


def random_state(model: Model, rng: np.random.Generator) -> State:
    """A random state: angles over a full turn, slides within ±½ m, attitudes uniform, rates and accelerations normal."""
    parts = []
    for joint in model.independent_joints:
        values = [
            rng.uniform(-np.pi, np.pi) if "angle" in label else rng.uniform(-0.5, 0.5)
            for label in joint.kind.coordinates
        ]
        if not joint.kind.is_vector_space:
            quaternion = rng.normal(size=4)
            values[-4:] = quaternion / math.sqrt(math.fsum(x * x for x in quaternion))  # the same on every machine
        parts.append(np.array(values))
    q = np.concatenate([np.zeros(0), *parts])
    return State(q, rng.normal(size=model.nv), rng.normal(size=model.nv))


def integrate(model: Model, q: Array, v: Array) -> Array:
    """The configuration reached from q by moving at the constant rates v for one second; exact on quaternions."""
    moved = np.array(q, dtype=np.result_type(q, v))
    for joint, at, rate in zip(model.joints, model.q_slices, model.v_slices, strict=True):
        if joint.mimic is None:
            moved[at] = moved[at] + v[rate] if joint.kind.is_vector_space else _moved_rigidly(moved[at], v[rate])
    return moved


def _moved_rigidly(q: Array, v: Array) -> Array:
    """Spherical or floating coordinates after the body-frame twist v: q ∘ exp(v)."""
    omega, quaternion = v[:3], q[-4:]
    angle = np.sqrt(np.sum(omega * omega))
    half = 0.5 * angle
    sinc = 0.5 * np.sinc(half / np.pi) if not np.iscomplexobj(v) else (np.sin(half) / angle if angle else 0.5)
    turned = _quaternion_product(quaternion, np.array([*(sinc * omega), np.cos(half)]))
    if len(q) == 4:
        return turned
    V = _left_jacobian(omega, angle)
    return np.concatenate([q[:3] + _rotated(quaternion, V @ v[3:]), turned])


def _left_jacobian(omega: Array, angle: Any) -> Array:
    """V(ω) with exp([ω; v]) = (exp ω, V·v)."""
    W = np.array([[0, -omega[2], omega[1]], [omega[2], 0, -omega[0]], [-omega[1], omega[0], 0]])
    if abs(angle) < 1e-4:
        return np.asarray(np.eye(3) + W / 2 + W @ W / 6)
    return np.asarray(np.eye(3) + (1 - np.cos(angle)) / angle**2 * W + (angle - np.sin(angle)) / angle**3 * (W @ W))


def _rotated(quaternion: Array, v: Array) -> Array:
    u, w = quaternion[:3], quaternion[3]
    t = 2 * np.cross(u, v)
    return np.asarray(v + w * t + np.cross(u, t))


def _quaternion_product(a: Array, b: Array) -> Array:
    vector = a[3] * b[:3] + b[3] * a[:3] + np.cross(a[:3], b[:3])
    return np.array([*vector, a[3] * b[3] - np.dot(a[:3], b[:3])])


def _vector(model: Model, name: str, value: ArrayLike, size: int, labels: tuple[str, ...]) -> Array:
    try:
        array = np.asarray(value)
        array = array.astype(complex if np.iscomplexobj(array) else float)
    except (TypeError, ValueError):
        raise StateError(f"{name} is not an array of numbers; model '{model.name}' wants {size}") from None
    if array.shape != (size,):
        raise StateError(f"{name} has shape {array.shape}; model '{model.name}' wants ({size},): {_shown(labels)}")
    for label, x in zip(labels, array, strict=True):
        if not np.isfinite(x):
            raise StateError(f"{name} is {x} at '{label}'; give finite numbers")
    return array


def _shown(labels: tuple[str, ...]) -> str:
    return ", ".join(labels[:8]) + (", …" if len(labels) > 8 else "")
