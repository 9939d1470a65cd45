"""Sums without what is both added and subtracted."""

from hypothesis import given, settings
from oracles.scalar_programs import assert_same_up_to_rounding, programs, states

from codegen.builder import ProgramBuilder
from codegen.cost import count
from codegen.passes.cancel_terms import cancel_terms
from codegen.passes.remove_dead_code import remove_dead_code


def cancelled(make):
    b = ProgramBuilder()
    program = remove_dead_code(cancel_terms(b.program("p", {"y": make(*b.input("x", (4,)))})))
    return str(program).splitlines(), program


def test_a_value_added_and_subtracted_is_left_out():
    lines, _ = cancelled(lambda a, b, c, d: (a * b + c) - a * b)
    assert not [line for line in lines if line.startswith("v")]
    assert lines[-1].endswith("x[2]")


def test_what_is_left_may_be_negative_or_nothing():
    lines, _ = cancelled(lambda a, b, c, d: (a - b) - a)
    assert "v0 = -x[1]" in lines
    lines, program = cancelled(lambda a, b, c, d: (a + (b - a)) - b)
    assert not program.equations
    assert program.outputs[0].entries[0].value == 0.0


def test_equal_terms_of_one_sign_stay():
    _, program = cancelled(lambda a, b, c, d: ((a + b) + a) - (c + a))
    assert count(program).additions == 2


def test_a_sum_that_is_used_twice_is_one_term():
    _, program = cancelled(lambda a, b, c, d: [(a + b) * d, (c + (a + b)) - (a + b)])
    assert count(program).additions == 1


@settings(deadline=None)
@given(programs(), states())
def test_values_are_the_same_up_to_rounding(program, state):
    assert_same_up_to_rounding(program, cancel_terms(program), state)


@settings(deadline=None)
@given(programs())
def test_no_operation_is_added(program):
    assert count(cancel_terms(program)).additions <= count(program).additions
