"""What a law's tree means, at many states at once, with a bound on what rounding may do to it.

A kernel's outputs carry the running error bound of its program at the very inputs they are given (`rounding.py`), errors of
those inputs included; matrix operations carry bounds on. So a law is held to what rounding can explain, and no more.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from codegen.programs import KernelProgram
from codegen.trust.cases import input_errors
from codegen.trust.laws import tree
from codegen.trust.laws.stencils import Motion, motions, moved
from codegen.trust.laws.table import Law, matrix_shape
from codegen.trust.rounding import UNIT, rounding_bounds
from codegen.trust.runners import Runner
from derive.model import Model
from derive.states import Array

SAFETY = 2.0
UNDERFLOW = 1e-300  # below which bounds themselves are denormal
U = UNIT["double"]  # the laws' own arithmetic, whatever the kernels' type


@dataclass(frozen=True)
class Pair:
    """Matrices (B, rows, columns) and bounds on their errors."""

    value: Array
    error: Array

    @classmethod
    def exact(cls, value: Array) -> Pair:
        """Without error."""
        return cls(value, np.zeros_like(value))


@dataclass(frozen=True)
class Evaluator:
    """Kernels and what it takes to judge them; remembers calls, which laws share."""

    runner: Runner
    programs: Mapping[str, KernelProgram]
    motions: Sequence[Motion]
    states: Mapping[str, Array]
    errors: Mapping[str, Array]  # of the states
    memo: dict[tree.Node, Pair]

    def difference(self, law: Law) -> tuple[Array, Array]:
        """|left − right| and what is allowed, (B, entries)."""
        left, right = self.value(law.left), self.value(law.right)
        rows = len(left.value)
        error = np.abs(left.value - right.value).reshape(rows, -1)
        return error, SAFETY * (left.error + right.error).reshape(rows, -1) + UNDERFLOW

    def value(self, node: tree.Node, at: Pair | None = None) -> Pair:
        """The pair of a node; `at` is the configuration Moved() stands for."""
        if at is None and node in self.memo:
            return self.memo[node]
        with np.errstate(all="ignore"):
            found = self._value(node, at)
        if at is None:
            self.memo[node] = found
        return found

    def _value(self, node: tree.Node, at: Pair | None) -> Pair:
        match node:
            case tree.Given(_, _, name):
                return Pair(self.states[name][:, :, None], self.errors[name][:, :, None])
            case tree.Moved():
                assert at is not None
                return at
            case tree.Call(_, _, function, output, inputs):
                return self._call(function, [self.value(i, at) for i in inputs])[output]
            case tree.Identity(n):
                return Pair.exact(np.broadcast_to(np.eye(n), (self._rows, n, n)))
            case tree.Product(_, _, left, right):
                return _product(self.value(left, at), self.value(right, at))
            case tree.Transposed(_, _, of):
                a = self.value(of, at)
                return Pair(a.value.swapaxes(1, 2), a.error.swapaxes(1, 2))
            case tree.Sum(_, _, terms):
                pairs = [(w, self.value(term, at)) for w, term in terms]
                total, size = sum(w * a.value for w, a in pairs), sum(abs(w) * abs(a.value) for w, a in pairs)
                carried = sum(abs(w) * a.error for w, a in pairs)
                return Pair(np.asarray(total), np.asarray(carried + len(pairs) * U * size))
            case tree.Diagonal(n, _, of):
                a = self.value(of, at)
                return Pair(a.value * np.eye(n), a.error * np.eye(n))
            case tree.Rows(rows, _, of, start):
                a = self.value(of, at)
                return Pair(a.value[:, start : start + rows], a.error[:, start : start + rows])
            case tree.Reshaped(rows, columns, of):
                a = self.value(of, at)
                return Pair(*(x.reshape(-1, rows, columns) for x in (a.value, a.error)))
            case tree.Gradient(_, _, of):
                return self._gradient(of)
            case tree.Skew(_, _, of):
                a = self.value(of, at)
                return Pair(_skew(a.value), np.abs(_skew(a.error)))
            case tree.LogDeterminant(_, _, of):
                return _log_determinant(self.value(of, at))
        raise TypeError(node)

    @property
    def _rows(self) -> int:
        return len(self.states["q"])

    def _call(self, function: str, inputs: Sequence[Pair]) -> list[Pair]:
        """All outputs of a kernel."""
        program = self.programs[function].program
        given, errors = {}, {}
        for spec, pair in zip(program.inputs, inputs, strict=True):
            value = pair.value.reshape((-1, *spec.shape))
            taken = value.astype(np.float32).astype(float) if self.runner.real == "float" else value
            given[spec.name], errors[spec.name] = taken, pair.error.reshape(value.shape) + np.abs(taken - value)
        bounds = rounding_bounds(program, given, self.runner.real, errors)
        found = self.runner.run(function, given)
        shapes = [matrix_shape(spec.shape) for spec in program.outputs]
        return [
            Pair(output.reshape(-1, *shape), bound.error.reshape(-1, *shape))
            for output, bound, shape in zip(found, bounds, shapes, strict=True)
        ]

    def _gradient(self, of: tree.Node) -> Pair:
        """Σ w (f(q + s) − f(q − s)), rate below rate; all configurations in one batch."""
        steps = [(m, sign * s, sign * w) for m in self.motions for s, w in m.offsets for sign in (1.0, -1.0)]
        q = np.concatenate([moved(self.states["q"], motion, amount) for motion, amount, _ in steps])[:, :, None]
        tiled, errors = (
            {name: np.tile(array, (len(steps), 1)) for name, array in arrays.items()}
            for arrays in (self.states, self.errors)
        )
        there = Evaluator(self.runner, self.programs, self.motions, tiled, errors, {})
        turned = np.max(errors["q"], axis=1, initial=0.0)[:, None, None]  # a turn mixes the entries of a quaternion
        a = there.value(of, Pair(q, 4.0 * U * (np.abs(q) + 1.0) + turned))
        shape = (len(self.motions), -1, self._rows, of.rows, of.columns)
        weights = np.array([w for _, _, w in steps]).reshape(len(self.motions), -1, 1, 1, 1)
        value = np.sum(weights * a.value.reshape(shape), axis=1)
        error = np.sum(np.abs(weights) * (a.error + 4.0 * U * np.abs(a.value)).reshape(shape), axis=1)
        return Pair(*(x.swapaxes(0, 1).reshape(self._rows, -1, of.columns) for x in (value, error)))


def _product(a: Pair, b: Pair) -> Pair:
    terms = a.value.shape[2]
    size = np.abs(a.value) @ np.abs(b.value)
    carried = a.error @ (np.abs(b.value) + b.error) + np.abs(a.value) @ b.error
    return Pair(a.value @ b.value, carried + terms * U * size)


def _skew(a: Array) -> Array:
    """(B, 3, n) to (B, 3n, 3)."""
    zero = np.zeros_like(a[:, 0])
    x, y, z = a[:, 0], a[:, 1], a[:, 2]
    stacked = np.stack([zero, -z, y, z, zero, -x, -y, x, zero], axis=-1)
    return stacked.reshape(len(a), -1, 3)


def _log_determinant(a: Pair) -> Pair:
    """d ln det = tr(A⁻¹ dA)."""
    _, value = np.linalg.slogdet(a.value)
    n = a.value.shape[1]
    backward = a.error + n * U * np.abs(a.value)
    spread = np.sum(np.abs(np.linalg.inv(a.value)) * backward.swapaxes(1, 2), axis=(1, 2))
    return Pair(value[:, None, None], spread[:, None, None] + 4 * n * U * (1.0 + np.abs(value[:, None, None])))


@dataclass(frozen=True)
class LawVerdict:
    """One law on one backend: the largest difference relative to what is allowed, and where."""

    law: str
    functions: tuple[str, ...]
    backend: str
    case: str
    difference: float
    allowed: float

    @property
    def worst(self) -> float:
        """Difference over what is allowed."""
        return 0.0 if self.difference == 0.0 else self.difference / self.allowed if self.allowed else float("inf")

    @property
    def passes(self) -> bool:
        """Whether the law holds; NaN does not."""
        return self.worst <= 1.0


def law_verdict(law: Law, evaluator: Evaluator, names: Sequence[str]) -> LawVerdict:
    """The law at all states, whose names are given."""
    return worst_verdict(law.name, law.functions, evaluator.runner.name, *evaluator.difference(law), names)


def worst_verdict(
    law: str, functions: tuple[str, ...], backend: str, error: Array, allowed: Array, names: Sequence[str]
) -> LawVerdict:
    """The worst of errors (B, entries) relative to what is allowed."""
    if not error.size:
        return LawVerdict(law, functions, backend, names[0], 0.0, 0.0)
    with np.errstate(all="ignore"):
        ratio = np.where(error == 0.0, 0.0, np.nan_to_num(error / allowed, nan=np.inf))
    case, entry = np.unravel_index(int(np.argmax(ratio)), ratio.shape)
    return LawVerdict(law, functions, backend, names[int(case)], float(error[case, entry]), float(allowed[case, entry]))


def evaluator(
    model: Model, runner: Runner, programs: Sequence[KernelProgram], states: Mapping[str, Array]
) -> Evaluator:
    """Nothing worked out yet."""
    real = runner.real
    errors = input_errors(model, states, real)
    return Evaluator(runner, {p.name: p for p in programs}, motions(model, real), states, errors, {})
