from codegen.builder import ProgramBuilder
from codegen.cost import CostTable, OperationCount, cost_by, count, weight
from codegen.ir import OPERATIONS, Const, Equation, OutputSpec, ScalarProgram, Var


def one_of_each():
    arguments = {1: (Const(2.0),), 2: (Const(2.0), Const(3.0))}
    equations = tuple(Equation(name, arguments[row.arity]) for name, row in OPERATIONS.items())
    return ScalarProgram("each", (), (OutputSpec("y", (), (Var(0),)),), equations)


def test_sub_is_an_addition_negation_is_free_and_trigonometry_is_apart():
    assert count(one_of_each()) == OperationCount(1, 2, 1, 1, 2)
    assert count(one_of_each()).total == 7


def test_weight_is_the_sum_of_the_tables():
    assert weight(one_of_each()) == sum(row.weight for row in OPERATIONS.values())


def test_counts_read_in_words():
    assert str(OperationCount(3, 2, 0, 0, 1)) == "3 multiplications, 2 additions, 1 sin/cos"
    assert str(OperationCount()) == "no operations"


def test_table_has_a_row_per_sweep_and_a_total():
    b = ProgramBuilder()
    x = b.input("x", (3,))
    with b.origin(sweep="sweep 1/2 base-to-tip"):
        c = b.cos(x[0]) * x[1]
    with b.origin(sweep="sweep 2/2 tip-to-base"):
        y = (c + x[2]) / x[0]
    table = cost_by(b.program("p", {"y": y}))
    assert str(table) == (
        "sweep                  mult  add  div  sqrt  sin/cos  total\n"
        "sweep 1/2 base-to-tip     1    0    0     0        1      2\n"
        "sweep 2/2 tip-to-base     0    1    1     0        0      2\n"
        "total                     1    1    1     0        1      4"
    )
    assert str(CostTable(table.rows[:1], "part")).splitlines()[0].startswith("part ")
