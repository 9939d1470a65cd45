import numpy as np
import pytest

from codegen.pipeline import kernel_programs
from codegen.source import function_facts
from codegen.trust.cases import draw_cases, random_cases, stacked
from codegen.trust.check import hold_to_laws
from codegen.trust.laws.evaluate import evaluator, law_verdict
from codegen.trust.laws.stencils import motions, moved
from codegen.trust.laws.table import TABLE, laws
from codegen.trust.runners import Runner, interpreter_runner
from derive import load_model, random_chain, reference
from derive.states import integrate


def spoiled(runner, function, factor=1.0 + 1e-6):
    """The same kernels, with the last output of one of them off by 1e-6."""

    def run(name, states):
        outputs = runner.run(name, states)
        if name != function:
            return outputs
        return (*outputs[:-1], factor * outputs[-1])

    return Runner("spoiled", "double", run)


def test_every_law_is_used(planar):
    assert [law.name for law in laws(planar.model, planar.sources[0].functions)] == list(TABLE)


def test_every_kernel_that_is_off_breaks_a_law(planar):
    cases = draw_cases(planar.model, 4, 0)
    runner = interpreter_runner(planar.programs)
    assert all(v.passes for v in hold_to_laws(planar.model, planar.programs, runner, cases))
    for program in planar.programs:
        verdicts = hold_to_laws(planar.model, planar.programs, spoiled(runner, program.name), cases)
        broken = [v for v in verdicts if not v.passes]
        assert broken, program.name
        assert all(program.name in v.functions for v in broken)


def with_one_entry_off(runner, function, output, entry):
    """The same kernels, with one entry of one output off by 1e-6 of the largest."""

    def run(name, states):
        outputs = [np.array(array) for array in runner.run(name, states)]
        if name == function:
            flat = outputs[output].reshape(len(outputs[output]), -1)
            flat[:, entry] += 1e-6 * np.abs(flat).max(axis=1)
        return tuple(outputs)

    return Runner("one entry off", "double", run)


DERIVATIVES = {  # a law, and the entries of each of its kernels' outputs in which it must see an error
    "dM/dt - 2C is skew": {("coriolis_matrix", 0): range(4)},
    "dM/dt = C + C*": {("coriolis_matrix", 0): range(4), ("mass_matrix_sensitivity", 0): range(8)},
    "C qd = bias - g": {
        ("coriolis_matrix", 0): range(4),
        ("bias_forces", 0): range(2),
        ("gravity_forces", 0): range(2),
    },
    "qd* christoffel qd = bias - g": {
        ("christoffel", 0): range(8),
        ("bias_forces", 0): range(2),
        ("gravity_forces", 0): range(2),
    },
    "dM_kj/dq_i = christoffel_kji + christoffel_jik": {
        ("christoffel", 0): range(8),
        ("mass_matrix_sensitivity", 0): range(8),
    },
    "C = sum of christoffel qd": {("christoffel", 0): range(8), ("coriolis_matrix", 0): range(4)},
    "dM/dq by finite rotations": {("mass_matrix_sensitivity", 0): range(8)},
    "C* qd": {("coriolis_transpose_times_velocity", 0): range(2), ("coriolis_matrix", 0): range(4)},
    "dtau/dq by finite rotations": {("inverse_dynamics_derivatives", 0): range(4)},
    "dtau/dqd qd = 2 (bias - g)": {("inverse_dynamics_derivatives", 1): range(4)},
    "dtau/dqdd = M": {("inverse_dynamics_derivatives", 2): range(4)},
    "M dqdd/dq = -dtau/dq": {("forward_dynamics_derivatives", 0): range(4)},
    "M dqdd/dqd = -dtau/dqd": {("forward_dynamics_derivatives", 1): range(4)},
    "M dqdd/dtau = I": {("forward_dynamics_derivatives", 2): range(4)},
    "dJ/dt by finite rotations": {("jacobian_derivative", 0): range(12)},
    "grad ln det M = tr(M^-1 dM)": {("log_det_gradient", 0): range(2)},
}


@pytest.mark.parametrize("name", DERIVATIVES)
def test_a_law_of_derivatives_sees_every_entry_that_is_off(planar, name):
    (law,) = [law for law in laws(planar.model, planar.sources[0].functions) if law.name == name]
    cases = random_cases(planar.model, 2, np.random.default_rng(0))
    runner = interpreter_runner(planar.programs)

    def passes(runner):
        judge = evaluator(planar.model, runner, planar.programs, stacked(cases))
        return law_verdict(law, judge, [case.name for case in cases]).passes

    assert passes(runner)
    for (function, output), entries in DERIVATIVES[name].items():
        assert function in law.functions
        for entry in entries:
            assert not passes(with_one_entry_off(runner, function, output, entry)), (function, output, entry)


@pytest.mark.parametrize("kinds", [("spherical",), ("helical",), ("universal",)])
def test_laws_hold_for_every_kind_of_joint(kinds):
    model = random_chain(2, 1, kinds)
    programs = kernel_programs(model)
    cases = random_cases(model, 3, np.random.default_rng(0))
    verdicts = hold_to_laws(model, programs, interpreter_runner(programs), cases)
    assert [v.law for v in verdicts if not v.passes] == []
    assert ("Lagrange: bias = d/dt(M qd) - dT/dq + g" in {v.law for v in verdicts}) == ("spherical" not in kinds)


@pytest.mark.parametrize("robot", ["ur5", "stanford", "go2"])
def test_finite_rotations_give_the_derivative(robot):
    """Of the mass matrix, which is of degree 2, against a complex step on the reference."""
    model = load_model(robot)
    q = random_cases(model, 1, np.random.default_rng(5))[0].inputs["q"]
    for j, motion in list(enumerate(motions(model)))[:8]:
        found = 0.0
        for offset, weight in motion.offsets:
            for sign in (1.0, -1.0):
                found = found + sign * weight * reference.mass_matrix(model, moved(q[None], motion, sign * offset)[0])
        unit = np.zeros(model.nv, dtype=complex)
        unit[j] = 1e-30j
        expected = reference.mass_matrix(model, integrate(model, q.astype(complex), unit)).imag / 1e-30
        np.testing.assert_allclose(found, expected, atol=1e-12 * max(1.0, np.abs(expected).max()))


def test_an_error_of_an_input_is_carried_into_what_is_allowed(planar):
    """FD of a τ that is itself computed may be off by what τ is off."""
    runner = interpreter_runner(planar.programs)
    states = stacked(random_cases(planar.model, 2, np.random.default_rng(0)))
    (law,) = [x for x in laws(planar.model, [function_facts(p) for p in planar.programs]) if x.name.startswith("FD(ID")]
    verdict = law_verdict(law, evaluator(planar.model, runner, planar.programs, states), ["a", "b"])
    assert verdict.passes
    assert 0 < verdict.allowed < 1e-11
