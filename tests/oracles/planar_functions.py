"""A planar 2R arm of uniform rods, written by hand: small functions of every kind for the tests of backends and kernels."""

import numpy as np

from codegen.builder import ProgramBuilder
from codegen.ir import ArraySpec, Const, Equation, Input, Origin, OutputSpec, ScalarProgram, Var, check
from codegen.programs import KernelProgram, RobotFacts

ROBOT = RobotFacts(
    name="planar 2R",
    identifier="planar_2r",
    model_digest="0123456789abcdef" * 4,
    joint_names=("joint1", "joint2"),
    coordinate_names=("joint1", "joint2"),
    rate_names=("joint1", "joint2"),
    gravity=(0.0, 0.0, -9.81),
)
DOCS = (("q", "joint coordinates (rad)"), ("qd", "joint rates (rad/s)"), ("qdd", "joint accelerations (rad/s^2)"))
A, B, C = 5 / 3, 1 / 2, 1 / 3  # M = [[A + 2 B c2, C + B c2], [., C]] for rods of 1 kg and 1 m
SWEEP, BACK = "sweep 1/2 base-to-tip", "sweep 2/2 tip-to-base"
BODIES = ("body 1 'upper arm'", "body 2 'forearm'")


def docs(*names):
    return tuple((name, text) for name, text in DOCS if name in names)


def mass_entries(b, q):
    with b.origin(SWEEP, BODIES[1], "M.22"):
        c2 = b.cos(q[1])
        coupling = C + B * c2
    with b.origin(BACK, BODIES[0], "M.11"):
        return A + 2 * B * c2, coupling, C


def mass_matrix():
    b = ProgramBuilder()
    m11, m12, m22 = mass_entries(b, b.input("q", (2,)))
    program = b.program("mass_matrix", {"M": [[m11, m12], [m12, m22]]})
    return KernelProgram("mass_matrix", program, "Mass matrix M(q)", "2 sweeps: base-to-tip, tip-to-base", docs("q"))


def inverse_dynamics(with_tip=False):
    b = ProgramBuilder()
    q, qd, qdd = (b.input(name, (2,)) for name in ("q", "qd", "qdd"))
    f_tip = b.input("f_tip", (6,)) if with_tip else None
    m11, m12, m22 = mass_entries(b, q)
    with b.origin(SWEEP, BODIES[1], "τ̄"):
        s2, c12, c1 = b.sin(q[1]), b.cos(q[0] + q[1]), b.cos(q[0])
        g2 = 9.81 * 0.5 * c12
        tau2 = m12 * qdd[0] + m22 * qdd[1] + B * s2 * qd[0] * qd[0] + g2
    with b.origin(BACK, BODIES[0], "tau"):
        speed = 2 * qd[0] * qd[1] + qd[1] * qd[1]
        tau1 = m11 * qdd[0] + m12 * qdd[1] - B * s2 * speed + 9.81 * 1.5 * c1 + g2
        if with_tip:
            tau1, tau2 = tau1 + f_tip[1], tau2 + f_tip[1] - f_tip[5] * c12
    name = "inverse_dynamics_with_tip_force" if with_tip else "inverse_dynamics"
    program = b.program(name, {"tau": [tau1, tau2]})
    extends = "inverse_dynamics" if with_tip else ""
    text = "Joint forces tau of a motion" + (" and a force at the tip" if with_tip else "")
    return KernelProgram(name, program, text, "2 sweeps: base-to-tip, tip-to-base", docs("q", "qd", "qdd"), extends)


def kinetic_energy():
    b = ProgramBuilder()
    q, qd = b.input("q", (2,)), b.input("qd", (2,))
    m11, m12, m22 = mass_entries(b, q)
    energy = 0.5 * (m11 * qd[0] * qd[0] + m22 * qd[1] * qd[1]) + m12 * qd[0] * qd[1]
    return KernelProgram("kinetic_energy", b.program("kinetic_energy", {"energy": energy}), "Kinetic energy")


def forward_kinematics():
    b = ProgramBuilder()
    q, qd = b.input("q", (2,)), b.input("qd", (2,))
    c, s = b.cos(q[0] + q[1]), b.sin(q[0] + q[1])
    rotation = [[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]]
    position = [b.cos(q[0]) + c, b.sin(q[0]) + s, 0.0]
    outputs = {"rotation": rotation, "position": position, "height": b.sin(q[0]) + s}
    del qd  # an input that is not used
    return KernelProgram("forward_kinematics", b.program("fk", outputs), "Pose of the tip", "1 sweep", docs("q"))


def functions():
    return (
        inverse_dynamics(),
        inverse_dynamics(with_tip=True),
        mass_matrix(),
        kinetic_energy(),
        forward_kinematics(),
    )


def states(function, rng, rows=None):
    """Random inputs of a function by name: one state, or rows of them."""
    lead = () if rows is None else (rows,)
    return {spec.name: rng.uniform(-2, 2, (*lead, *spec.shape)) for spec in function.program.inputs}


def random_program(seed, size=300):
    """A program of random operations without trigonometry, all of them live, whose values stay moderate."""
    rng = np.random.default_rng(seed)
    arrays = (ArraySpec("x", (5,)), ArraySpec("y", (2, 2)))
    inputs = [Input(spec.name, i) for spec in arrays for i in range(spec.size)]
    equations, unused = [], set()

    def known():
        return (
            Const(round(float(rng.uniform(-0.9, 0.9)), 3) + 0.0)
            if rng.integers(2)
            else inputs[rng.integers(len(inputs))]
        )

    def write(op, *operands):
        i = len(equations)
        unused.difference_update(atom.index for atom in operands if type(atom) is Var)
        unused.add(i)
        origin = Origin(f"sweep {i // 100}", f"body {i // 20}", ("P", "D.xx", "", "λ")[i // 5 % 4])
        equations.append(Equation(op, operands, origin))
        return Var(i)

    recent = [write("add", known(), known())]
    for _ in range(size):
        one, other = recent[rng.integers(len(recent))], recent[rng.integers(len(recent))]
        op = str(rng.choice(["add", "sub", "mul", "div", "neg"]))
        if op in ("add", "sub"):
            pair = [(one, other), (one, known()), (known(), one)][rng.integers(3)]
            new = write(op, *pair)
            new = write("mul", Const(0.37), new) if rng.integers(2) else new
        elif op == "mul":
            new = write(op, *((one, known()) if rng.integers(2) else (known(), one)))
        else:
            new = write("neg", one) if op == "neg" else write(op, one, Const(round(float(rng.uniform(1.5, 3.0)), 3)))
        recent = [*recent[-5:], new]
    columns = [write("neg", inputs[0]) for _ in range(11)]
    for i in sorted(unused - {column.index for column in columns}):
        columns[i % 11] = write("add", columns[i % 11], Var(i))
    outputs = (OutputSpec("z", (3, 4), (*columns, Const(-2.5))),)
    return check(ScalarProgram("random", arrays, outputs, tuple(equations)))
