"""Partial evaluation: what depends on the robot alone is gone from its programs, and what is left says where it comes from."""

import re
from collections import Counter
from functools import cache

import pytest
import sympy

from codegen.choices import Choices
from codegen.functions import FUNCTIONS
from codegen.instantiate import body_label
from codegen.ir import Const, Input, Var
from codegen.passes import run_passes
from codegen.route import FACTORIZATION, Contracted, Solved
from codegen.symbolic import to_sympy
from derive import load_model, random_tree
from derive.random_models import ALL_KINDS
from derive.run import GRAVITY

ROBOTS = ["planar_2r", "stanford", "panda"]


def program_of(model, function):
    row, choices = FUNCTIONS[function], Choices(model.numeric(), GRAVITY)
    return choices.instantiated(row, route_of(model, function), row.inputs).program


@cache
def route_of(model, function):
    return Choices(model.numeric(), GRAVITY).route(FUNCTIONS[function])[0]


@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_what_a_sweep_computes_names_the_sweep_the_body_and_the_symbol(robot, function):
    """Sines and cosines name the body whose joint has the angle, if one has; what comes after sweeps says what is done."""
    model = load_model(robot)
    route, program = route_of(model, function), program_of(model, function)
    directions = [direction for part in route.parts for direction in part.directions]
    bodies = {body_label(model, k) for k in range(model.n)}
    sweeps = {f"sweep {i + 1}/{len(directions)} {direction}" for i, direction in enumerate(directions)}
    done = {part.heading for part in route.parts if isinstance(part, Solved | Contracted)}
    done |= {FACTORIZATION} if route.finishes else set()
    contracted = {one.output for part in route.parts if isinstance(part, Contracted) for one in part.sums}
    joints = {Input("q", at.start): f"{k + 1}" for k, at in enumerate(model.q_slices)}
    equations = [equation for equation in program.equations if equation.origin.sweep]
    assert equations
    for equation in equations:
        sweep, body, symbol = equation.origin
        assert sweep in sweeps | done
        source = program.equations[equation.operands[0].index] if equation.op == "neg" else equation
        if source.op in ("sin", "cos"):
            assert sweep in sweeps
            assert body in bodies | {""}
            assert symbol == joints.get(source.operands[0], "")
        else:
            assert body in bodies or symbol in {"T", "Z", "v", "E"} | contracted
            assert symbol
            assert symbol not in joints.values()


@pytest.mark.parametrize("robot", ROBOTS)
def test_passes_keep_origins(robot):
    program = program_of(load_model(robot), "inverse_dynamics")
    before = {equation.origin for equation in program.equations}
    assert {equation.origin for equation in run_passes(program).equations} <= before


@pytest.mark.parametrize("function", FUNCTIONS)
@pytest.mark.parametrize(
    "model", [*map(load_model, ROBOTS), random_tree(3, 1, ALL_KINDS)], ids=lambda model: model.name
)
def test_sine_and_cosine_of_a_joint_are_each_written_at_most_once(model, function):
    program = program_of(model, function)
    written = Counter((e.op, e.operands) for e in program.equations if e.op in ("sin", "cos"))
    assert max(written.values(), default=0) <= 1
    for _, (angle,) in written:
        assert is_sum_of_coordinates(angle, program), (
            "a sine or cosine of something other than coordinates and constants"
        )


def is_sum_of_coordinates(atom, program):
    """Parallel axes turn by the sum of their angles; joints may have constant offsets, mimics multipliers."""
    if isinstance(atom, Var):
        equation = program.equations[atom.index]
        inside = [is_sum_of_coordinates(a, program) for a in equation.operands]
        return equation.op in ("add", "sub", "neg", "mul") and all(inside)
    return isinstance(atom, Const) or atom.array == "q"


@pytest.mark.parametrize("robot", ROBOTS)
@pytest.mark.parametrize("function", FUNCTIONS)
def test_no_operation_has_a_zero_or_a_one_to_work_on(robot, function):
    """0·a, 1·a and 0 + a are gone, and so is arithmetic on constants alone."""
    for line in str(program_of(load_model(robot), function)).splitlines():
        if re.match(r"v\d+ = ", line):
            assert not re.search(r"(?<![\d.\[e-])(0\.0 [-+*/]|[-+*/] 0\.0$|1\.0 \*|\* 1\.0$)", line), line


def test_the_mass_matrix_of_the_planar_arm_is_the_textbook_one():
    """Spong, Hutchinson, Vidyasagar 2006, (7.87): M₁₁ = m₁lc₁² + m₂(l₁² + lc₂² + 2l₁lc₂cos q₂) + I₁ + I₂, and so on."""
    model = load_model("planar_2r")
    m1, l1, lc1, I1, m2, lc2, I2 = (dict(model.parameters)[p] for p in ("m1", "l1", "lc1", "I1", "m2", "lc2", "I2"))
    c2 = sympy.cos(sympy.Symbol("q_1"))
    both = m2 * (lc2**2 + l1 * lc2 * c2) + I2
    textbook = [
        [m1 * lc1**2 + m2 * (l1**2 + lc2**2 + 2 * l1 * lc2 * c2) + I1 + I2, both],
        [both, m2 * lc2**2 + I2],
    ]
    mass = to_sympy(program_of(model, "mass_matrix")).outputs["mass"]
    for i in range(2):
        for j in range(2):
            difference = sympy.simplify(sympy.expand(mass[i, j] - textbook[i][j]))
            assert all(abs(x) < 1e-15 for x in sympy.Poly(difference, c2).coeffs()), (i, j)


@pytest.mark.parametrize(("robot", "most"), [("planar_2r", 10), ("planar_3r", 40)])
def test_a_planar_arm_needs_a_handful_of_operations_for_its_mass_matrix(robot, most):
    """Everything out of the plane is an exact zero, and the first joint's angle does not matter."""
    program = run_passes(program_of(load_model(robot), "mass_matrix"))
    assert len(program.equations) <= most
    assert not any(atom == Input("q", 0) for equation in program.equations for atom in equation.operands)


def test_the_pose_says_so():
    program = program_of(load_model("panda"), "forward_kinematics")
    angles = [equation for equation in program.equations if equation.op in ("sin", "cos")]
    assert {equation.origin.symbol for equation in program.equations if equation not in angles} == {"T"}
    assert [equation.origin.symbol for equation in angles] == [f"{k + 1}" for k in range(7) for _ in ("cos", "sin")]
