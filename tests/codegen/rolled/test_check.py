"""Rolled programs that break their grammar are refused, by name."""

from dataclasses import replace

import pytest

from codegen.errors import ProgramError
from codegen.functions import FUNCTIONS
from codegen.rolled.check import check_rolled
from codegen.rolled.lower import roll_function
from derive import random_chain


@pytest.fixture(scope="module")
def program():
    function = FUNCTIONS["mass_matrix"]
    return roll_function(function, random_chain(3, 0), (0.0, 0.0, -9.81), None, function.inputs)[0]


def with_block(program, change):
    """The program with its last loop's blocks changed."""
    loop = program.loops[-1]
    cases = tuple(replace(case, blocks=tuple(map(change, case.blocks))) for case in loop.cases)
    return replace(program, loops=(*program.loops[:-1], replace(loop, cases=cases)))


def test_a_traced_program_is_accepted(program):
    assert check_rolled(program) is program


def test_an_array_that_is_too_short_is_found(program):
    short = tuple(replace(spec, shape=(spec.size - 7,)) for spec in program.work)
    with pytest.raises(ProgramError, match=r"leaves .* at body"):
        check_rolled(replace(program, work=short))


def test_columns_that_run_too_far_are_found(program):
    ends = tuple(
        replace(t, values=tuple(x + 1 for x in t.values)) if t.name == "column_end" else t for t in program.tables
    )
    with pytest.raises(ProgramError, match="leaves"):
        check_rolled(replace(program, tables=ends))


def test_writing_a_table_is_refused(program):
    def change(block):
        return replace(block, writes=tuple(replace(view, array="inertia") for view in block.writes))

    with pytest.raises(ProgramError, match="inertia, which is not there for that"):
        check_rolled(with_block(program, change))


def test_views_must_be_those_of_the_block(program):
    with pytest.raises(ProgramError, match="not its program's arrays"):
        check_rolled(with_block(program, lambda block: replace(block, reads=block.reads[1:])))


def test_two_cases_of_one_kind_are_refused(program):
    loop = program.loops[-1]
    twice = replace(loop, cases=(*loop.cases, loop.cases[0]))
    with pytest.raises(ProgramError, match="of one kind"):
        check_rolled(replace(program, loops=(*program.loops[:-1], twice)))


def test_two_arrays_of_one_name_are_refused(program):
    with pytest.raises(ProgramError, match="name of two"):
        check_rolled(replace(program, work=(*program.work, program.work[0])))
