"""A state at which an oracle is off is taken from it by 50 digits, which judge there; a kernel that is off is caught."""

import dataclasses

import numpy as np
import pytest

from codegen.pipeline import kernel_programs
from codegen.trust.cases import random_cases, rounded, stacked
from codegen.trust.matrix import bench
from codegen.trust.oracles import MPMATH50
from codegen.trust.oracles.reference import REFERENCE, ReferenceQuantities
from derive import random_chain
from derive.run import GRAVITY

CASES, SICK, SLIP = 10, 6, 1e-9


class Sick(ReferenceQuantities):
    """Off by a slip where q is one of `states`."""

    states: tuple = ()

    @property
    def mass(self):
        return super().mass + SLIP * any(np.array_equal(self.inputs["q"], q) for q in self.states)


@pytest.fixture
def prepared(planar):
    """The mass matrix before an oracle that is off at these states, and 50 digits at few."""
    cases = random_cases(planar.model, CASES, np.random.default_rng(0))
    mass = next(p for p in planar.programs if p.name == "mass_matrix")

    def make(*numbers):
        kind = type("Sick", (Sick,), {"states": tuple(cases[i].inputs["q"] for i in numbers)})
        oracles = (dataclasses.replace(REFERENCE, known=kind), dataclasses.replace(MPMATH50, states=lambda model: 2))
        return bench(planar.model, cases, planar.gravity, oracles).prepared(mass), cases

    return make


def failing(prepared, cases, planar, slip_at=None):
    """Which oracles refuse the NumPy kernel, which may be off at one state."""
    runner = next(r for r in planar.runners if r.name == "NumPy")
    (found,) = runner.run("mass_matrix", stacked(cases))
    if slip_at is not None:
        found[slip_at] += SLIP
    errors = prepared.errors("NumPy", "double", np.arange(len(cases)), (found,))
    return {e.oracle for e in errors if not e.verdict(cases).passes}


def test_an_oracle_that_is_off_at_a_state_hands_it_over(prepared, planar):
    ready, cases = prepared(SICK)
    assert [(h.function, h.oracle, h.case) for h in ready.handed] == [("mass_matrix", "reference", f"random {SICK}")]
    assert ready.handed[0].off == pytest.approx(SLIP, rel=1e-5)
    at = {truth.oracle.name: truth.at.tolist() for truth in ready.truths}
    assert at == {"reference": [i for i in range(CASES) if i != SICK], "50 digits": [0, CASES - 1, SICK]}
    assert failing(ready, cases, planar) == set()


def test_a_kernel_that_is_off_there_too_is_refused(prepared, planar):
    """As far off as the oracle, and to the same side, so that the two agree."""
    ready, cases = prepared(SICK)
    assert failing(ready, cases, planar, slip_at=SICK) == {"50 digits"}


def test_a_kernel_that_is_off_elsewhere_is_refused_by_the_oracle(prepared, planar):
    ready, cases = prepared(SICK)
    assert failing(ready, cases, planar, slip_at=SICK + 1) == {"reference"}


def test_an_oracle_keeps_what_it_is_right_about_when_the_program_is_not(prepared, planar, monkeypatch):
    """The program's own values are off at a state: 50 digits side with the oracle."""
    import codegen.trust.matrix as matrix

    genuine = matrix.rounding_bounds

    def shifted(program, states, real, errors):
        bounds = genuine(program, states, real, errors)
        return tuple(
            dataclasses.replace(b, value=b.value + SLIP * (np.arange(CASES) == SICK)[:, None, None]) for b in bounds
        )

    monkeypatch.setattr(matrix, "rounding_bounds", shifted)
    ready, cases = prepared()
    assert ready.handed == ()
    assert failing(ready, cases, planar, slip_at=SICK) == {"reference"}


def test_an_oracle_that_is_off_at_most_of_its_states_is_not_excused(prepared, planar):
    ready, cases = prepared(*range(1, CASES - 1))
    assert ready.handed == ()
    assert failing(ready, cases, planar) == {"reference"}


def test_states_for_float_kernels_are_measured_by_float():
    """A quaternion of float32 has not quite length 1, which oracles differ on by 1e-8: nothing to a kernel of that type."""
    model = random_chain(2, 3, floating=True)
    drawn = random_cases(model, 8, np.random.default_rng(0))
    cases = [*drawn, *(rounded(case, model) for case in drawn[:4])]
    assert cases[-1].reals == ("float",)
    (function, *_) = kernel_programs(model, ["tip_force_acceleration"])
    ready = bench(model, cases, GRAVITY, (REFERENCE, MPMATH50)).prepared(function, ("float",))
    said, true = (truth.values[0] for truth in ready.truths)
    assert np.max(np.abs(said - true)) > SLIP
    assert ready.handed == ()
