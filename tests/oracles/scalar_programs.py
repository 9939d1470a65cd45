"""Random `ScalarProgram`s, and a scalar that carries a bound on its own rounding error: the judges of every pass."""

from dataclasses import dataclass

import mpmath
import numpy as np
from hypothesis import strategies as st

from codegen.interpret import Namespace, evaluate, interpret, mpmath_namespace
from codegen.ir import ArraySpec, Const, Equation, Input, Origin, OutputSpec, ScalarProgram, Var, check

INPUTS = (ArraySpec("x", (3,)), ArraySpec("A", (2, 2)), ArraySpec("t", ()))
CONSTANTS = (0.0, 1.0, -1.0, 2.0, -2.0, 0.5, 3.0, 0.1, -0.7, 1e-3)
MOST_FACTORS = 12  # in a product, so that nothing overflows or underflows
UNIT = mpmath.mpf(2) ** -53  # unit roundoff of float64
EXACT = mpmath.mp.clone()
EXACT.dps = 50


@st.composite
def programs(draw, most=30):
    """A program that is defined everywhere: denominators and radicands are 1 + v²."""
    equations, degrees = [], []
    origins = [Origin(f"sweep {s}", f"body {b}", "P") for s in (1, 2) for b in (1, 2)]

    def atom():
        kind = draw(st.sampled_from("vvvvcix"))
        if kind == "v" and equations:
            return Var(draw(st.integers(max(0, len(equations) - 8), len(equations) - 1)))
        if kind == "c":
            return Const(draw(st.sampled_from(CONSTANTS)))
        spec = draw(st.sampled_from(INPUTS))
        return Input(spec.name, draw(st.integers(0, spec.size - 1)))

    def degree(a):
        return degrees[a.index] if isinstance(a, Var) else 1

    def emit(op, *operands):
        factors = [degree(a) for a in operands]
        equations.append(Equation(op, operands, draw(st.sampled_from(origins))))
        degrees.append(sum(factors) if op in ("mul", "div") else 1 if op in ("sin", "cos") else max(factors))
        return Var(len(equations) - 1)

    for _ in range(draw(st.integers(0, most))):
        op = draw(st.sampled_from(("add", "sub", "mul", "mul", "neg", "sin", "cos", "div", "sqrt")))
        a, b = atom(), atom()
        if degree(a) + 2 * degree(b) > MOST_FACTORS and op in ("mul", "div", "sqrt"):
            op = "add"
        if op in ("div", "sqrt"):
            positive = emit("add", Const(1.0), emit("mul", b, b))
            emit(op, *((a, positive) if op == "div" else (positive,)))
        else:
            emit(op, *((a,) if op in ("neg", "sin", "cos") else (a, b)))
    outputs = (OutputSpec("y", (2, 2), tuple(atom() for _ in range(4))), OutputSpec("z", (), (atom(),)))
    return check(ScalarProgram("random", INPUTS, outputs, tuple(equations)))


def states():
    """Inputs for these programs, as float arrays."""
    entry = st.floats(-2, 2).filter(lambda x: x == 0.0 or abs(x) > 1e-3)
    return st.lists(entry, min_size=8, max_size=8).map(
        lambda v: {"x": np.array(v[:3]), "A": np.array(v[3:7]).reshape(2, 2), "t": np.array(v[7])}
    )


@dataclass(frozen=True)
class Rounded:
    """An exact value and a first-order bound on what float64 makes of it, the constants being rounded numbers too."""

    value: mpmath.mpf
    error: mpmath.mpf

    def __add__(self, other):
        return _rounded(self.value + other.value, self.error + other.error)

    def __sub__(self, other):
        return self + -other

    def __neg__(self):
        return Rounded(-self.value, self.error)

    def __mul__(self, other):
        inherited = abs(self.value) * other.error + abs(other.value) * self.error + self.error * other.error
        return _rounded(self.value * other.value, inherited)

    def __truediv__(self, other):
        quotient = self.value / other.value
        return _rounded(quotient, (self.error + abs(quotient) * other.error) / (abs(other.value) - other.error))


def _rounded(value, inherited):
    return Rounded(value, inherited + UNIT * abs(value))


ROUNDED = Namespace(
    lambda x: _rounded(EXACT.sin(x.value), x.error + UNIT),
    lambda x: _rounded(EXACT.cos(x.value), x.error + UNIT),
    lambda x: _rounded(EXACT.sqrt(x.value), x.error / EXACT.sqrt(x.value)),
    lambda x: _rounded(EXACT.mpf(x), EXACT.mpf(0)),
)


def bounds(program, state):
    """Each output's entries with their rounding bounds."""
    inputs = {name: [Rounded(EXACT.mpf(float(v)), EXACT.mpf(0)) for v in np.ravel(a)] for name, a in state.items()}
    return evaluate(program, inputs, ROUNDED)


def assert_same_up_to_rounding(old, new, state):
    """Both programs mean the same: in 50 digits and in float64 they differ by no more than rounding explains."""
    assert [s.name for s in old.outputs] == [s.name for s in new.outputs]
    exact = {name: [EXACT.mpf(float(v)) for v in np.ravel(a)] for name, a in state.items()}
    old_bounds, new_bounds = bounds(old, state), bounds(new, state)
    namespace = mpmath_namespace(EXACT)
    judged = (
        (evaluate(old, exact, namespace), evaluate(new, exact, namespace)),
        ({k: v.flat for k, v in interpret(p, state).items()} for p in (old, new)),
    )
    for before, after in judged:
        for name in before:
            for x, y, a, b in zip(before[name], after[name], old_bounds[name], new_bounds[name], strict=True):
                assert abs(EXACT.mpf(x) - EXACT.mpf(y)) <= 2 * (a.error + b.error), (name, x, y)


def assert_same_bits(old, new, state):
    """Both programs give equal float64 results."""
    before, after = interpret(old, state), interpret(new, state)
    assert list(before) == list(after)
    assert all(np.array_equal(before[name], after[name]) for name in before)
