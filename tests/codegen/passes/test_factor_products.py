"""Common factors of a sum are taken out, and nothing else changes."""

from codegen.builder import ProgramBuilder
from codegen.cost import count
from codegen.passes import factor_products, remove_dead_code


def multiplications(make):
    builder = ProgramBuilder()
    a, b, c, x, y = builder.input("in", (5,))
    program = builder.program("f", {"out": make(a, b, c, x, y)})
    factored = remove_dead_code(factor_products(program))
    assert count(factored).additions <= count(program).additions
    return count(program).multiplications, count(factored).multiplications


def test_products_that_share_a_factor_become_one():
    assert multiplications(lambda a, b, c, x, y: a * x + b * x) == (2, 1)
    assert multiplications(lambda a, b, c, x, y: a * x - b * x + (y - c * x)) == (3, 1)


def test_an_inner_sum_that_is_there_already_is_used():
    builder = ProgramBuilder()
    a, b, x = builder.input("in", (3,))
    program = remove_dead_code(factor_products(builder.program("f", {"out": [a + b, a * x + b * x]})))
    assert (count(program).multiplications, count(program).additions) == (1, 1)


def test_the_factor_shared_most_goes_first():
    assert multiplications(lambda a, b, c, x, y: a * x + b * x + c * x + c * y) == (4, 2)


def test_products_used_elsewhere_stay():
    assert multiplications(lambda a, b, c, x, y: [a * x, a * x + b * x]) == (2, 2)


def test_long_sums_need_no_deep_recursion():
    builder = ProgramBuilder()
    q = builder.input("q", (3000,))
    total = q[0] * q[1]
    for i in range(2, 3000):
        total = total + q[0] * q[i]
    program = remove_dead_code(factor_products(builder.program("f", {"out": total})))
    assert count(program).multiplications == 1
