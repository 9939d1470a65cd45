from itertools import groupby

from hypothesis import given
from oracles.scalar_programs import assert_same_bits, programs, states

from codegen.builder import ProgramBuilder
from codegen.ir import Origin
from codegen.passes.schedule_for_registers import max_live, schedule_for_registers


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
def test_paragraphs_never_split(program):
    scheduled = schedule_for_registers(program)
    assert len(paragraphs(scheduled)) <= len(paragraphs(program))
    assert paragraphs(schedule_for_registers(scheduled)) == paragraphs(scheduled)


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
