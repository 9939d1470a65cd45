import os
import subprocess
import sys
from dataclasses import replace

import pytest

from codegen.errors import ProgramError
from codegen.ir import OPERATIONS, ArraySpec, Const, Equation, Input, Origin, OutputSpec, ScalarProgram, Var, check

ORIGIN = Origin("sweep 1/2 base-to-tip", "body 1 'link1'", "R")
PROGRAM = ScalarProgram(
    "example",
    (ArraySpec("q", (2,)), ArraySpec("A", (2, 3)), ArraySpec("t", ())),
    (OutputSpec("y", (2,), (Var(5), Const(0.1))), OutputSpec("z", (), (Input("t", 0),)), OutputSpec("e", (0,), ())),
    (
        Equation("cos", (Input("q", 1),), ORIGIN),
        Equation("mul", (Const(-2.0), Var(0)), ORIGIN),
        Equation("sub", (Var(1), Input("A", 5)), ORIGIN),
        Equation("neg", (Var(2),), Origin("sweep 2/2 tip-to-base", "body 1 'link1'", "P")),
        Equation("div", (Var(3), Input("t", 0)), Origin("sweep 2/2 tip-to-base", "body 1 'link1'", "D")),
        Equation("sqrt", (Var(4),)),
    ),
)

TEXT = """\
program example
in q[2]
in A[2, 3]
in t
# sweep 1/2 base-to-tip · body 1 'link1' · R
v0 = cos(q[1])
v1 = -2.0 * v0
v2 = v1 - A[1, 2]
# sweep 2/2 tip-to-base · body 1 'link1' · P
v3 = -v2
# sweep 2/2 tip-to-base · body 1 'link1' · D
v4 = v3 / t
#
v5 = sqrt(v4)
out y[2] = v5, 0.1
out z = t
out e[0] =
"""


def test_program_prints_as_its_grammar_says():
    assert str(check(PROGRAM)) == TEXT


def with_equation(position, equation):
    equations = list(PROGRAM.equations)
    equations[position] = equation
    return replace(PROGRAM, equations=tuple(equations))


def with_output(**changes):
    return replace(PROGRAM, outputs=(replace(PROGRAM.outputs[0], **changes), *PROGRAM.outputs[1:]))


def with_operand(atom):
    return with_equation(2, Equation("add", (Var(1), atom), ORIGIN))


CORRUPTIONS = [
    (with_operand(Var(2)), "v2 is used before its definition", "→ v2 = v1 + v2"),
    (with_operand(Var(-1)), "v-1 is not a variable", "→ v2 = v1 + v-1"),
    (with_operand(Var(9)), "v9 is used before its definition", "→ v2 = v1 + v9"),
    (with_operand(Input("p", 0)), "unknown input p; there are q, A, t", "→ v2 = v1 + p[0]"),
    (with_operand(Input("q", 2)), "index 2 out of range: q has 2 entries", "→ v2 = v1 + q[2]"),
    (with_operand(Input("A", -1)), "index -1 out of range: A has 6 entries", "→ v2 = v1 + A[-1]"),
    (with_operand(Const(float("nan"))), "constant nan is not finite", "→ v2 = v1 + nan"),
    (with_operand(Const(float("inf"))), "constant inf is not finite", "→ v2 = v1 + inf"),
    (with_operand(Const(-0.0)), "constant -0.0, which is written 0.0", "→ v2 = v1 + -0.0"),
    (with_operand(Const(2)), "constant 2 is of int, not float", "→ v2 = v1 + 2"),
    (with_operand(1.0), "1.0 is not an atom", "→ v2 = v1 + 1.0"),
    (with_equation(2, Equation("add", (Var(1),), ORIGIN)), "add takes 2 operands, not 1", "→ v2 = +(v1)"),
    (with_equation(2, Equation("sin", (Var(1), Var(0)), ORIGIN)), "sin takes 1 operands, not 2", "→ v2 = sin(v1, v0)"),
    (with_equation(2, Equation("pow", (Var(1), Var(0)), ORIGIN)), "unknown operation 'pow'", "→ v2 = pow(v1, v0)"),
    (with_equation(2, Equation("neg", (Var(1),), ("P",))), "('P',) is not an Origin", "→ v2 = -v1"),
    (with_output(entries=(Var(6), Var(0))), "v6 is used before its definition", "→ out y[2] = v6, v0"),
    (with_output(entries=(Var(5),)), "y has 1 entries, its shape 2", "→ out y[2] = v5"),
    (with_output(name="z"), "a second array called z", "→ out z = t"),
    (with_output(name="1y"), "'1y' is not a name", "→ out 1y[2] = v5, 0.1"),
    (replace(PROGRAM, inputs=(ArraySpec("q", (-2,)),)), "(-2,) is not a shape", "→ in q[-2]"),
]


@pytest.mark.parametrize(("program", "what", "line"), CORRUPTIONS, ids=[what for _, what, _ in CORRUPTIONS])
def test_checker_names_the_fault_and_marks_its_line(program, what, line):
    with pytest.raises(ProgramError) as caught:
        check(program)
    message = str(caught.value).splitlines()
    assert message[0] == f"program example: {what}"
    assert line in message
    assert sum(text.startswith("→") for text in message) == 1


def test_checker_shows_the_lines_around_the_fault():
    with pytest.raises(ProgramError) as caught:
        check(with_operand(Var(2)))
    assert str(caught.value).splitlines()[1:] == [
        "  # sweep 1/2 base-to-tip · body 1 'link1' · R",
        "  v0 = cos(q[1])",
        "  v1 = -2.0 * v0",
        "→ v2 = v1 + v2",
        "  # sweep 2/2 tip-to-base · body 1 'link1' · P",
        "  v3 = -v2",
        "  # sweep 2/2 tip-to-base · body 1 'link1' · D",
    ]


def test_atoms_of_different_kinds_are_different():
    assert len({Var(1), Const(1.0), Input("q", 1)}) == 3


def test_table_of_operations_is_consistent():
    assert all(name == row.name and row.arity in (1, 2) for name, row in OPERATIONS.items())
    assert all(row.arity == 2 for row in OPERATIONS.values() if row.commutative)


def test_same_program_same_bytes_whatever_the_hash_seed():
    script = (
        "from codegen.builder import ProgramBuilder\nfrom codegen.passes import run_passes\n"
        "b = ProgramBuilder(); x = b.input('x', (6,))\n"
        "y = [b.sin(x[i]) * x[j] / (1 + x[i] * x[i]) - x[j] for i in range(6) for j in range(6)]\n"
        "print(run_passes(b.program('p', {'y': y, 'z': sum(y)})))"
    )
    texts = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
        ).stdout
        for seed in ("0", "1", "4242")
    }
    assert len(texts) == 1
