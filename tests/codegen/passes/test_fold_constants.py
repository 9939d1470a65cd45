import pytest

from codegen.ir import ArraySpec, Const, Equation, Input, Origin, OutputSpec, ScalarProgram, Var
from codegen.passes.fold_constants import fold_constants
from codegen.passes.remove_dead_code import remove_dead_code

X = Input("x", 0)
P = Origin("sweep 1/1", "body 1", "P")


def program(*equations, outputs=None):
    equations = tuple(Equation(op, operands, P) for op, *operands in equations)
    equations = tuple(e._replace(operands=tuple(e.operands)) for e in equations)
    entries = outputs or (Var(len(equations) - 1),)
    return ScalarProgram("p", (ArraySpec("x", (1,)),), (OutputSpec("y", (len(entries),), entries),), equations)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (program(("mul", Const(2.0), Const(3.0))), program(outputs=(Const(6.0),))),
        (program(("add", X, Const(0.0))), program(outputs=(X,))),
        (program(("mul", X, Const(1.0))), program(outputs=(X,))),
        (program(("mul", X, Const(-1.0))), program(("neg", X))),
        (program(("neg", X), ("neg", Var(0))), program(outputs=(X,))),
        (program(("neg", X), ("sub", Const(2.0), Var(0))), program(("add", Const(2.0), X))),
        (program(("sub", X, X), ("sin", Var(0)), ("cos", Var(1))), program(outputs=(Const(1.0),))),
        (program(("mul", Const(2.0), X), ("mul", Var(0), Const(4.0))), program(("mul", Const(8.0), X))),
        (program(("div", X, Const(8.0))), program(("mul", Const(0.125), X))),
    ],
)
def test_constants_zeros_ones_and_signs_fold(before, after):
    assert remove_dead_code(fold_constants(before)).outputs == after.outputs
    folded = [(e.op, e.operands) for e in remove_dead_code(fold_constants(before)).equations]
    assert folded == [(e.op, e.operands) for e in after.equations]


def test_origins_stay():
    assert {e.origin for e in fold_constants(program(("mul", X, X), ("neg", Var(0)))).equations} == {P}


def test_empty_outputs_keep_their_shape():
    empty = ScalarProgram("p", (), (OutputSpec("M", (0, 3), ()),), ())
    assert fold_constants(empty) == empty


def test_a_constant_zero_denominator_is_refused():
    with pytest.raises(ZeroDivisionError):
        fold_constants(program(("div", X, Const(0.0))))
