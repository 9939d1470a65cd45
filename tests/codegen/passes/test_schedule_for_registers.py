import math
import sys
from itertools import groupby

import pytest
from hypothesis import given
from oracles.scalar_programs import assert_same_bits, programs, states

from codegen.builder import ProgramBuilder
from codegen.ir import Origin
from codegen.passes.schedule_for_registers import max_live, schedule_for_registers

schedule = sys.modules[schedule_for_registers.__module__]


def sums_of_products(n):
    """All products first, then their sum: as many live values as products."""
    b = ProgramBuilder()
    x, y = b.input("x", (n,)), b.input("y", (n,))
    products = [x[i] * y[i] for i in range(n)]
    total = 0.0
    for product in products:
        total = total + product
    return b.program("dot", {"z": total})


def test_live_values_are_counted():
    assert max_live(sums_of_products(8)) == 8


def test_products_are_computed_where_the_sum_takes_them():
    assert max_live(schedule_for_registers(sums_of_products(8))) == 2


@given(programs(), states())
def test_not_one_bit_changes(program, state):
    scheduled = schedule_for_registers(program)
    assert sorted(e.op for e in scheduled.equations) == sorted(e.op for e in program.equations)
    assert_same_bits(program, scheduled, state)


def one_paragraph(program):
    equations = tuple(e._replace(origin=Origin()) for e in program.equations)
    return type(program)(program.name, program.inputs, program.outputs, equations)


@given(programs())
def test_pressure_never_rises_within_a_paragraph(program):
    program = one_paragraph(program)
    assert max_live(schedule_for_registers(program)) <= max_live(program)


def paragraphs(program):
    return [key for key, _ in groupby(e.origin.paragraph for e in program.equations)]


@given(programs())
def test_paragraphs_never_split_unless_entry_by_entry(program):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schedule, "ENTRY_BY_ENTRY", math.inf)
        assert len(paragraphs(schedule_for_registers(program))) <= len(paragraphs(program))


def test_branches_are_worked_out_one_after_the_other():
    """Out and back along each of eight branches: what a branch keeps on the way out is gone before the next begins."""
    b = ProgramBuilder()
    x = b.input("x", (8,))
    out = {}
    for leg in range(8):
        with b.origin("sweep 1/2", f"body {leg}", "V"):
            out[leg] = [b.sin(x[leg]) * b.cos(x[leg] + i) for i in range(4)]
    total = 0.0
    for leg in range(8):
        with b.origin("sweep 2/2", f"body {leg}", "f"):
            total = total + out[leg][0] * out[leg][1] + out[leg][2] * out[leg][3]
    program = b.program("tree", {"y": total})
    assert max_live(program) >= 32
    assert max_live(schedule_for_registers(program)) < 12


def test_entries_of_a_matrix_along_long_branches_are_computed_one_by_one():
    """Forty columns that each body passes on: per body all are alive, per entry one."""
    b = ProgramBuilder()
    x = b.input("x", (40,))
    columns = list(x)
    for body in range(6):
        with b.origin("sweep 1/1", f"body {body}", "f"):
            columns = [column * x[body] + x[body + 1] for column in columns]
    program = b.program("columns", {"M": columns})
    assert max_live(schedule_for_registers(program)) <= 3


def test_work_of_one_body_is_gathered_when_nothing_forbids_it():
    b = ProgramBuilder()
    x = b.input("x", (4,))
    for i in range(4):
        with b.origin("sweep 1/1", f"body {i % 2}", "P"):
            x[i] = x[i] * x[0]
    assert paragraphs(schedule_for_registers(b.program("p", {"y": x}))) == [
        ("sweep 1/1", "body 0"),
        ("sweep 1/1", "body 1"),
    ]
